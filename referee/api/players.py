"""Players and their keys."""

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, g, request

from referee.api.context import caller, context, repository
from referee.api.routing import answer, endpoint
from referee.service import erasure, players
from referee.service.limits import keep_within_quota, uses
from referee.service.players import Key, Player, key_unknown
from referee.service.problems import Problem, invalid
from schemas import accounts, play
from schemas.players import NewKey, NewPlayer

blueprint = Blueprint("players", __name__, url_prefix="/v1")


@endpoint(blueprint, "POST", "/players", body=NewPlayer, answers={201: "NewPlayerAnswer"}, problems=(401, 403))
def create_player(body: dict[str, Any]) -> Response:
    """Create a player with a first key.

    The key is shown only in this answer. Only the first key of an admin can grant the scopes `audit` and `admin`.
    """
    if not context().open_registration and not caller().may("admin"):
        raise Problem("registration-closed", "Registration is closed: ask an admin to create your player.")
    if not caller().may("admin"):
        g.request_log.use(context().rate_gate.count_registration(request.environ))
    return _first_key(*players.register(repository(), caller(), body["name"], body["bot"], _scopes(body)))


def _scopes(body: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(body["scopes"]))


def _first_key(player: Player, key: Key, text: str) -> Response:
    return answer(accounts.NewPlayerAnswer(_player(player), text, key.id), 201)


def _player(player: Player) -> accounts.Player:
    return accounts.Player(player.is_bot, player.id, player.name)


@endpoint(blueprint, "GET", "/players/<player_id>", answers={200: "PublicPlayer"})
def get_player(player_id: str) -> Response:
    """Read a player.

    The answer has the name, and whether a program plays under it. `reveals` counts how often the player sealed a nonce,
    and how often the service says that it was not revealed in time. A player who was erased is unknown.
    """
    found = repository().directory.player(player_id)
    if found is None:
        raise Problem("unknown-player", f"There is no player `{player_id}`.")
    sealed, missed = repository().directory.reveals(found.id)
    return answer(play.PublicPlayer(found.is_bot, found.id, found.name, play.Reveals(missed=missed, sealed=sealed)))


@endpoint(
    blueprint,
    "POST",
    "/players/<player_id>/recovery",
    answers={201: "NewPlayerAnswer"},
    problems=(403, 404),
    scope="any",
)
def recover_player(player_id: str) -> Response:
    """Replace all keys of a player by a new first key.

    All keys of the player are revoked. The new key is shown only in this answer. Players call this with their first
    key. An admin can call it for a player who has lost that key; `GET /v1/me` and `GET /v1/me/events` then show the
    player when.
    """
    return _first_key(*players.replace_keys(repository(), caller(), player_id))


@endpoint(
    blueprint,
    "DELETE",
    "/players/<player_id>",
    answers={202: "Erasure"},
    problems=(403, 404, 409),
    scope="any",
    cost=100,
)
def erase_player(player_id: str) -> Response:
    """Erase a player.

    The player resigns from running games, leaves or withdraws waiting ones, and loses all keys. From now on every
    answer shows the player with the name `erased` and the id `p_000000000000000000000000`. The reasons that admins gave
    in these games are erased, too. All hashes, and so the audits of all games, stay as they were. Players call this
    with their first key, admins for anybody. If a game is not set up yet, the answer is 409: try again a moment later.
    Backups keep their copies until they are deleted.
    """
    return answer(erasure.erase_player(repository(), caller(), player_id), 202)


@endpoint(blueprint, "GET", "/me", answers={200: "Me"}, scope="any")
def get_me() -> Response:
    """Read who you are.

    The answer shows your key's scopes, when an admin last replaced your keys, and how much of your quotas you use.
    """
    players.require_key(caller())
    found = repository().directory.holder(caller().key or "")
    if found is None:
        raise key_unknown()
    key, player = found
    own = accounts.CurrentKey(key.expires_at, key.id, key.parent, key.scopes)
    return answer(accounts.Me(_player(player), own, player.recovered_at, uses(repository(), caller())))


@endpoint(blueprint, "POST", "/keys", body=NewKey, answers={201: "NewKeyAnswer"}, problems=(403, 409), scope="any")
def create_key(body: dict[str, Any]) -> Response:
    """Create another key.

    The key is shown only in this answer. It cannot have a scope that your key lacks, it expires no later than your key,
    and revoking your key revokes it, too.
    """
    key, text = players.make_key(repository(), caller(), _scopes(body), _expiry(body["expires_at"]), body["label"])
    keep_within_quota(repository(), caller(), key)
    return answer(accounts.NewKeyAnswer(**_key(key), key=text), 201)


def _expiry(at: datetime | None) -> str | None:
    if at is None:
        return None
    if at <= datetime.now(UTC):
        raise invalid("expires_at", "This time must be in the future.")
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _key(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "player": key.player,
        "scopes": key.scopes,
        "label": key.label,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "parent": key.parent,
    }


@endpoint(blueprint, "GET", "/keys", answers={200: "Keys"}, scope="any")
def list_keys() -> Response:
    """List your keys, oldest first.

    The service stores only a hash of each key, so it cannot show the keys themselves.
    """
    own = repository().directory.keys_of(players.require_key(caller()))
    return answer(accounts.Keys(tuple([accounts.Key(**_key(key)) for key in own])))


@endpoint(blueprint, "DELETE", "/keys/<key_id>", answers={204: ""}, problems=(403,), scope="any")
def revoke_key(key_id: str) -> Response:
    """Revoke a key and all keys created with it.

    They stop working within a second. A key can revoke itself and the keys created with it, directly or indirectly;
    your first key can revoke all your keys.
    """
    players.revoke(repository(), caller(), key_id)
    return Response(status=204)
