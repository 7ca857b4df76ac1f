"""Who you are: players and their keys."""

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, g, request

from referee.api.context import caller, context, desk
from referee.api.routing import answer, endpoint
from referee.service.players import DEFAULT_SCOPES, Caller, Key, add_key, add_player
from referee.service.problems import Problem
from referee.service.quotas import keep_within_quota, uses
from schemas.players import NewKey, NewPlayer

blueprint = Blueprint("players", __name__, url_prefix="/v1")


@endpoint(blueprint, "POST", "/players", body=NewPlayer, answers={201: "NewPlayerAnswer"}, problems=(401, 403))
def create_player(body: dict[str, Any]) -> Response:
    """Make a player and get a first key, shown once."""
    if not context().open_registration and not caller().may("admin"):
        raise Problem(403, "registration-closed", "Ask an admin of this referee for a player.")
    if not caller().may("admin"):
        g.noted.counted(context().gate.count_registration(request.environ))
    player = add_player(desk(), body["name"], body["bot"])
    key, text = add_key(desk(), player.id, DEFAULT_SCOPES)
    return answer({"player": _player(player.id, player.name, player.is_bot), "key": text, "key_id": key.id}, 201)


def _player(id: str, name: str, is_bot: bool) -> dict[str, Any]:
    return {"id": id, "name": name, "bot": is_bot}


@endpoint(blueprint, "GET", "/me", answers={200: "Me"}, scope="any")
def get_me() -> Response:
    """Read who you are, what your key is good for, and how much of everything you have and may have."""
    who = caller()
    id = _require_key(who)
    player = desk().directory.player(id)
    assert player is not None
    return answer(
        {
            "player": _player(player.id, player.name, player.is_bot),
            "key": {"id": who.key, "scopes": who.scopes},
            "quotas": uses(desk(), who),
        }
    )


def _require_key(who: Caller) -> str:
    if who.player is None:
        return who.require("play")
    return who.player


@endpoint(blueprint, "POST", "/keys", body=NewKey, answers={201: "NewKeyAnswer"}, problems=(403, 404, 409), scope="any")
def create_key(body: dict[str, Any]) -> Response:
    """Make a further key, at most as mighty as the one you call with; it is shown once."""
    who = caller()
    player = _require_key(who)
    for scope in body["scopes"]:
        who.require(scope)
    if body["player"] is not None and body["player"] != player:
        who.require("admin")
        player = body["player"]
        if desk().directory.player(player) is None:
            raise Problem(404, "unknown-player", f"There is no player `{player}`.")
    key, text = add_key(
        desk(), player, tuple(dict.fromkeys(body["scopes"])), _expiry(body["expires_at"]), body["label"]
    )
    keep_within_quota(desk(), who, key)
    return answer({**_key(key), "key": text}, 201)


def _expiry(at: datetime | None) -> str | None:
    if at is None:
        return None
    if at <= datetime.now(UTC):
        raise Problem(422, "invalid-request", "The key would have expired already.", errors={"expires_at": ["Past."]})
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _key(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "player": key.player,
        "scopes": key.scopes,
        "label": key.label,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
    }


@endpoint(blueprint, "GET", "/keys", answers={200: "Keys"}, scope="any")
def list_keys() -> Response:
    """List your keys; the keys themselves are kept nowhere."""
    player = _require_key(caller())
    return answer({"keys": [_key(key) for key in desk().directory.keys_of(player)]})


@endpoint(blueprint, "DELETE", "/keys/<key_id>", answers={204: ""}, scope="any")
def revoke_key(key_id: str) -> Response:
    """Revoke a key; it is refused everywhere within a second."""
    who = caller()
    player = _require_key(who)
    key = desk().directory.key(key_id)
    if key is None or (key.player != player and not who.may("admin")):
        raise Problem(404, "unknown-key", "You have no such key.")
    desk().directory.revoke(key)
    return Response(status=204)
