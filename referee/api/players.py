"""Who you are: players and their keys."""

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, g, request

from referee.api.context import caller, context, desk
from referee.api.routing import answer, endpoint
from referee.service import keys
from referee.service.players import Key, Player, key_unknown
from referee.service.problems import Problem, invalid
from referee.service.quotas import keep_within_quota, uses
from schemas.players import NewKey, NewPlayer

blueprint = Blueprint("players", __name__, url_prefix="/v1")


@endpoint(blueprint, "POST", "/players", body=NewPlayer, answers={201: "NewPlayerAnswer"}, problems=(401, 403))
def create_player(body: dict[str, Any]) -> Response:
    """Make a player and get its first key, shown once.

    Only an admin's first key can give the scopes `audit` and `admin`.
    """
    if not context().open_registration and not caller().may("admin"):
        raise Problem(403, "registration-closed", "Ask an admin of this referee for a player.")
    if not caller().may("admin"):
        g.noted.counted(context().gate.count_registration(request.environ))
    made = keys.register(desk(), caller(), body["name"], body["bot"], _scopes(body))
    return _first_key(*made)


def _scopes(body: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(body["scopes"]))


def _first_key(player: Player, key: Key, text: str) -> Response:
    return answer({"player": _player(player), "key": text, "key_id": key.id}, 201)


def _player(player: Player) -> dict[str, Any]:
    return {"id": player.id, "name": player.name, "bot": player.is_bot}


@endpoint(
    blueprint,
    "POST",
    "/players/<player_id>/recovery",
    answers={201: "NewPlayerAnswer"},
    problems=(403, 404),
    scope="any",
)
def recover_player(player_id: str) -> Response:
    """Revoke all keys of a player and get a new first key, shown once.

    Players do so with their first key. An admin does it for a player who has lost it; `GET /me` and `GET /me/events`
    then tell the player when.
    """
    return _first_key(*keys.replace_keys(desk(), caller(), player_id))


@endpoint(blueprint, "GET", "/me", answers={200: "Me"}, scope="any")
def get_me() -> Response:
    """Read who you are, what your key is good for, when an admin last replaced your keys, and what you may have."""
    keys.require_key(caller())
    found = desk().directory.holder(caller().key or "")
    if found is None:
        raise key_unknown()
    key, player = found
    return answer(
        {
            "player": _player(player),
            "key": {
                "id": key.id,
                "scopes": key.scopes,
                "parent": key.parent,
                "expires_at": key.expires_at,
            },
            "recovered_at": player.recovered_at,
            "quotas": uses(desk(), caller()),
        }
    )


@endpoint(blueprint, "POST", "/keys", body=NewKey, answers={201: "NewKeyAnswer"}, problems=(403, 409), scope="any")
def create_key(body: dict[str, Any]) -> Response:
    """Make a further key, shown once.

    It has no scope that your key lacks, expires no later, and is revoked together with your key.
    """
    key, text = keys.make_key(desk(), caller(), _scopes(body), _expiry(body["expires_at"]), body["label"])
    keep_within_quota(desk(), caller(), key)
    return answer({**_key(key), "key": text}, 201)


def _expiry(at: datetime | None) -> str | None:
    if at is None:
        return None
    if at <= datetime.now(UTC):
        raise invalid("expires_at", "The key would have expired already.")
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
    """List your keys; the keys themselves are kept nowhere."""
    return answer({"keys": [_key(key) for key in desk().directory.keys_of(keys.require_key(caller()))]})


@endpoint(blueprint, "DELETE", "/keys/<key_id>", answers={204: ""}, problems=(403,), scope="any")
def revoke_key(key_id: str) -> Response:
    """Revoke a key and all keys made with it; they are refused everywhere within a second.

    A key can revoke itself and the keys made with it, directly or not; your first key can revoke all your keys.
    """
    keys.revoke(desk(), caller(), key_id)
    return Response(status=204)
