"""Every request about a game that does not change it."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.kernel.ruleset import Ruleset
from tests.api.requests import damaged
from tests.campaigns.leaks.carriers import Ask
from tests.conformance.worlds import Reader, trials

LEGAL_MAX = 5
DAMAGED = 3

RECEIPT = (("Prefer", "receipt"),)
SSE = (("Accept", "text/event-stream"),)
ADDED = "with=view,legal,text"
LEGAL_MOVES = Ask("GET", "/v1/games/{game}/legal-moves")


def readings(reader: Reader, seats: int, version: int) -> Iterator[Ask]:
    """Every request that reads."""
    game = "/v1/games/{game}"
    yield Ask("GET", game)
    yield Ask("HEAD", game)
    yield Ask("GET", game, (("If-None-Match", f'"{version}.{"w" if reader is None else f"s{reader}"}"'),))
    yield from (Ask("GET", f"{game}?at={at}") for at in range(max(0, version - 2), version + 2))
    yield from (Ask("GET", f"{game}?seat={seat}") for seat in (*range(seats + 1), "all"))
    yield LEGAL_MOVES
    yield from (Ask("GET", f"{game}/legal-moves?seat={seat}") for seat in range(seats))
    yield Ask("GET", f"{game}/legal-moves?with=text")
    yield Ask("GET", f"{game}/events")
    yield Ask("GET", f"{game}/events?limit=1")
    yield Ask("GET", f"{game}/events?seat={(reader or 0) + 1}")
    yield Ask("GET", f"{game}/events?after={max(0, version - 1)}&wait=1" if version else f"{game}/events?after=9")
    yield Ask("GET", f"{game}/events", (("Accept", "application/jsonl"),))
    yield Ask("GET", f"{game}/events?{ADDED}")
    yield Ask("GET", f"{game}/events?{ADDED}", (("Accept-Encoding", "gzip"),))
    yield Ask("GET", f"{game}/events?{ADDED}&seat={(reader or 0) + 1}")
    yield Ask("GET", f"{game}/events?{ADDED}&after={max(0, version - 1)}&limit=1", (("Accept-Language", "fr, en"),))
    yield Ask("GET", f"{game}/events?{ADDED}", (("Accept", "application/jsonl"),))
    yield Ask("GET", f"{game}/audit")
    yield Ask("GET", f"{game}/record")
    yield Ask("GET", f"{game}/luck")
    yield Ask("GET", f"{game}/log")
    yield from (Ask("GET", f"{game}/receipts/{at}") for at in range(max(0, version - 1), version + 2))


def streams(version: int) -> Iterator[Ask]:
    """Streams, and a long poll that gets nothing; they need a server."""
    yield Ask("GET", "/v1/games/{game}/events", SSE)
    yield Ask("GET", "/v1/games/{game}/events", (*SSE, ("Last-Event-ID", f"{max(0, version - 1)}")))
    yield Ask("GET", f"/v1/games/{{game}}/events?after={version}&wait=1")
    yield Ask("GET", f"/v1/games/{{game}}/events?{ADDED}", SSE)
    yield Ask("GET", f"/v1/games/{{game}}/events?{ADDED}", (*SSE, ("Last-Event-ID", f"{max(0, version - 1)}")))


def refused_calls() -> Iterator[Ask]:
    """Calls that the table refuses while a game runs."""
    game = "/v1/games/{game}"
    yield Ask("POST", f"{game}/seats", body=b"{}")
    yield Ask("DELETE", f"{game}/seats/0")
    yield Ask("POST", f"{game}/seats/0/return")
    yield Ask("POST", f"{game}/undo")
    yield Ask("POST", f"{game}/resumption", body=b'{"agreed": true}')
    yield Ask("POST", f"{game}/administration", body=b'{"action": "resume", "reason": "none"}')
    yield Ask("POST", f"{game}/moves", RECEIPT, b'{"type"')
    yield Ask("POST", f"{game}/seats/0/reveal", RECEIPT, b'{"link": "%s"}' % (b"6" * 64))
    yield Ask("POST", f"{game}/seats/0/seal", body=b'{"seal": "%s"}' % (b"6" * 64))
    yield Ask("POST", f"{game}/moves", RECEIPT, b'{"link": "%s", "move": {"type": "pass"}}' % (b"6" * 64))
    yield Ask("POST", f"{game}/moves?version=999", body=b'{"type": "pass"}')
    yield Ask("POST", f"{game}/moves", (("If-Match", '"999.s0"'),), b'{"type": "pass"}')


def tried_moves(
    ruleset: Ruleset, position: Any, reader: Reader, legal: list[dict[str, Any]], rng: random.Random
) -> Iterator[bytes]:
    """Moves to try: legal, absurd and damaged ones, made only of what the reader sees."""
    chosen = rng.sample(legal, min(len(legal), LEGAL_MAX))
    absurd = trials(ruleset, position, reader, rng)
    yield from map(msgspec.json.encode, (*chosen, *absurd))
    sound = [*chosen, *map(msgspec.to_builtins, absurd)]
    for _ in range(DAMAGED if sound else 0):
        yield msgspec.json.encode(damaged(rng.choice(sound), rng))


def judgement(ruleset: Ruleset, view: Any, move: bytes) -> Ask:
    """A request to the judge with what the caller knows of the position."""
    body = {"position": view, "actor": 0, "move": msgspec.Raw(move)}
    return Ask("POST", f"/v1/rulesets/{ruleset.slug}/judge", body=msgspec.json.encode(body))


def listing(ruleset: Ruleset, view: Any, reader: Reader) -> Ask:
    """A request for legal moves with what the caller knows of the position."""
    body = {"position": view, "seat": reader or 0}
    return Ask("POST", f"/v1/rulesets/{ruleset.slug}/legal-moves?with=text", body=msgspec.json.encode(body))


def lists(person: str) -> Iterator[Ask]:
    """Lists in which both games may occur."""
    yield Ask("GET", "/v1/games?limit=4")
    yield Ask("GET", "/v1/games?mine=true&limit=4")
    yield Ask("GET", "/v1/games?awaiting=true&limit=4")
    yield Ask("GET", f"/v1/games?player={person or 'none'}&status=running&limit=4")
