"""The calls of the API as values, so that the synchronous and the asynchronous client make the same ones."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from referee_client.luck import Links
from referee_client.problems import Problem
from referee_client.shapes import Move


@dataclass(frozen=True)
class Call:
    """One call. `is_repeatable`: making it twice has the same effect as once, so a lost answer does no harm."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_repeatable: bool = True


def get(*steps: str | int, **query: Any) -> Call:
    """Read something."""
    return Call("GET", _path(*steps), _query(query))


def post(*steps: str | int, body: Any, **query: Any) -> Call:
    """Change something; a lost answer leaves open whether it happened."""
    return _write(_path(*steps), body, _query(query), {}, is_repeatable=False)


def post_once(*steps: str | int, body: Any, key: str | None = None, **query: Any) -> Call:
    """Change something once, however often the call is made, because it has an idempotency key."""
    return _write(_path(*steps), body, _query(query), {"Idempotency-Key": key or uuid4().hex}, is_repeatable=True)


def ask(*steps: str | int, body: Any) -> Call:
    """Ask something that needs a body and changes nothing."""
    return _write(_path(*steps), body, {}, {}, is_repeatable=True)


def delete(*steps: str | int) -> Call:
    """Remove something."""
    return Call("DELETE", _path(*steps), is_repeatable=False)


def new_player(name: str, bot: bool) -> Call:
    """Create a player."""
    return post("players", body={"name": name, "bot": bot})


def create(ruleset: str, seats: Sequence[Any], fields: Mapping[str, Any]) -> Call:
    """Create a game."""
    return post("games", body={"ruleset": ruleset, "seats": list(seats), **fields})


def sit(game: str, seat: int | None, nonce: str, join_code: str | None, seal: str | None) -> Call:
    """Take a seat, or accept an invitation."""
    fields = {"seat": seat, "nonce": nonce or None, "join_code": join_code, "seal": seal}
    return post("games", game, "seats", body={name: value for name, value in fields.items() if value is not None})


def reveal(game: str, seat: int, link: str) -> Call:
    """Reveal a nonce; the same again has the same effect."""
    return ask("games", game, "seats", seat, "reveal", body={"link": link})


def reseal(game: str, seat: int, seal: str) -> Call:
    """Seal a new chain of links."""
    return post_once("games", game, "seats", seat, "seal", body={"seal": seal})


def move(
    game: str, made: Move, seat: int | None, version: int | None, key: str | None, link: str | None = None
) -> Call:
    """Make a move; where luck is fresh, with a link."""
    body = dict(made) if link is None else {"link": link, "move": dict(made)}
    return post_once("games", game, "moves", body=body, key=key, seat=seat, version=version)


def link_asked_for(links: Links, game: str, problem: Problem) -> str:
    """Return the link that a refused move lacks; raises the problem if it lacks none, or LinkWithheld."""
    if problem.code != "link-missing":
        raise problem
    return links.next_link(game, int(problem.members["link_index"]), str(problem.members["link_before"]))


def judge(ruleset: str, position: Any, actor: int | str, made: Move, chance: Sequence[Any] | None) -> Call:
    """Ask the judge about a move in any position."""
    body = {"position": position, "actor": actor, "move": dict(made)}
    return ask("rulesets", ruleset, "judge", body=body if chance is None else {**body, "chance": list(chance)})


def _write(path: str, body: Any, query: Mapping[str, str], headers: Mapping[str, str], is_repeatable: bool) -> Call:
    text = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    return Call("POST", path, query, text, {"Content-Type": "application/json", **headers}, is_repeatable)


def _path(*steps: str | int) -> str:
    return "/v1/" + "/".join(quote(str(step), safe="") for step in steps)


def _query(query: Mapping[str, Any]) -> dict[str, str]:
    """Leave out what is None, and write booleans as JSON does."""
    given = {name.rstrip("_"): value for name, value in query.items() if value is not None}
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
