"""Valid requests, and the same requests with one change."""

import random
from typing import Any

import msgspec

from tests.api.world import LINK, World
from tests.conformance.damage import paths, with_at

OTHER: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 1e308),
    *("", "me", "\x00", "\u2028", "💥" * 100, "0", "a" * 5000, [], [[]], {}, {"": {}}, {"type": "set_up"}),
)
"""Values to put in the wrong places."""


def damaged(body: Any, rng: random.Random) -> Any:
    """Return the body with one value replaced, removed or added."""
    places = [(), *paths(body)]
    place = rng.choice(places)
    if place == ():
        return rng.choice((*OTHER, {**body, "surplus": rng.choice(OTHER)}))
    return with_at(body, place, rng.choice(OTHER))


def real_body(world: World, call: str, rng: random.Random) -> Any:
    """Return a body that the call accepts."""
    return _BODIES[call](world, rng)


def _move(world: World, rng: random.Random) -> Any:
    return rng.choice(world.legal_moves(world.running, world.active))


def _question(world: World, rng: random.Random) -> Any:
    game = world.repository.game(world.running)
    position = world.repository.newest(game).position
    return {
        "position": msgspec.to_builtins(position),
        "actor": game.rules.awaited(position)[0].seat,
        "move": _move(world, rng),
        "chance": [],
    }


def _game(world: World, rng: random.Random) -> Any:
    seats = rng.choice((["me", "open"], ["me", {"bot": "random"}], ["open"] * 3, ["me", {"player": world.id_of_bob}]))
    body = {"ruleset": world.ruleset, "options": {}, "seats": seats, "nonce": "n", "visibility": "public"}
    if rng.random() < 0.3 and len(seats) == 2:
        return {**body, "position": _question(world, rng)["position"]}
    clock = rng.choice(
        (None, {"days": 3}, {"decision_s": 60, "bank_s": 600, "increment_s": 5, "missed_deadlines_max": 2})
    )
    terms = {"clock": clock, "takeover_bot": "random", "undo": rng.choice(("never", "free"))}
    return {**body, **terms, "join_code": "open sesame", "on_resignation": rng.choice(("bot", "end"))}


_BODIES: dict[str, Any] = {
    "agree_to_pause": lambda world, rng: {"agreed": True},
    "agree_to_resume": lambda world, rng: {"agreed": True},
    "judge": _question,
    "list_legal_moves": lambda world, rng: {"position": _question(world, rng)["position"], "seat": rng.randrange(2)},
    "fresh_position": lambda world, rng: {"options": {}, "seats": rng.randint(2, 4), "seed": rng.choice(("s", None))},
    "create_player": lambda world, rng: {"name": "eve", "bot": rng.random() < 0.5},
    "create_key": lambda world, rng: {"scopes": ["watch"], "expires_at": "2099-01-31T12:00:00Z", "label": "x"},
    "create_game": _game,
    "sit_down": lambda world, rng: {"seat": rng.choice((1, None)), "nonce": "n", "join_code": None},
    "reveal": lambda world, rng: {"link": LINK},
    "reseal": lambda world, rng: {"seal": "9" * 64},
    "administer": lambda world, rng: {"action": rng.choice(("pause", "annul")), "reason": "Because."},
    "submit_move": _move,
}
