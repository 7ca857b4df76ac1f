"""Damaged positions, as a client may send them by mistake or on purpose."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from referee.kernel.ruleset import Ruleset
from tests.conformance.samples import as_json

Json = Any
Path = tuple[str | int, ...]

NO_SEAT = 99


def at(value: Json, path: Path) -> Json:
    """The value at a path."""
    for step in path:
        value = value[step]
    return value


def with_at(value: Json, path: Path, part: Json) -> Json:
    """A copy with another value at a path."""
    copied = deepcopy(value)
    at(copied, path[:-1])[path[-1]] = part
    return copied


def paths(value: Json, path: Path = ()) -> Iterator[Path]:
    """The path of every part, containers before their contents."""
    if path:
        yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in steps:
        yield from paths(part, (*path, step))


def hidden_paths(position: Json, view: Json, path: Path = ()) -> Iterator[Path]:
    """The paths of the largest parts of a position that its view leaves out or shows differently."""
    if position == view:
        return
    both = isinstance(position, dict) and isinstance(view, dict)
    if both:
        for name, part in position.items():
            if name in view:
                yield from hidden_paths(part, view[name], (*path, name))
            else:
                yield (*path, name)
    elif isinstance(position, list) and isinstance(view, list) and len(position) == len(view):
        for number, (part, seen) in enumerate(zip(position, view, strict=True)):
            yield from hidden_paths(part, seen, (*path, number))
    else:
        yield path


def damaged(ruleset: Ruleset, position: Any, rng: random.Random) -> Iterator[tuple[str, Json]]:
    """The position, damaged in ways that no rules allow, each with the name of its damage."""
    whole = as_json(position)
    yield from _wrong_frame(whole)
    yield from _wrong_types(whole, rng)
    yield from _wrong_numbers(whole)
    unseen = list(hidden_paths(whole, as_json(ruleset.view(position, None))))
    lists = [path for path in unseen if _is_row(at(whole, path))]
    maps = [path for path in unseen if path[0] == "seats" and _is_count_map(at(whole, path))]
    if lists:
        yield from _wrong_cards(whole, rng.choice(lists), rng)
    if maps:
        yield from _wrong_counts(whole, rng.choice(maps))


def _is_row(part: Json) -> bool:
    return isinstance(part, list) and bool(part) and all(isinstance(item, (str, int)) for item in part)


def _is_count_map(part: Json) -> bool:
    return isinstance(part, dict) and any(part.values()) and all(type(count) is int for count in part.values())


def _wrong_frame(whole: Json) -> Iterator[tuple[str, Json]]:
    yield "a list", [whole]
    yield "no object", "position"
    yield "no phase", {key: part for key, part in whole.items() if key != "phase"}
    yield "no seats", {key: part for key, part in whole.items() if key != "seats"}
    yield "unknown phase", {**whole, "phase": "no_such_phase"}
    yield "phase null", {**whole, "phase": None}
    yield "another game", {**whole, "ruleset": "no-such-game"}
    yield "one key more", {**whole, "absurd": 1}
    yield "one key more in a seat", with_at(whole, ("seats", 0, "absurd"), 1)
    yield "an option more", with_at(whole, ("options", "absurd"), 1)
    yield "options null", {**whole, "options": None}
    yield "no seat", {**whole, "seats": []}
    yield "many seats", {**whole, "seats": whole["seats"] * 9}
    yield "seats null", {**whole, "seats": None}
    yield "seats as object", {**whole, "seats": {"0": whole["seats"][0]}}
    yield "a seat null", with_at(whole, ("seats", 0), None)


def _wrong_types(whole: Json, rng: random.Random) -> Iterator[tuple[str, Json]]:
    by_kind: dict[type, list[Path]] = {}
    for path in paths(whole):
        by_kind.setdefault(type(at(whole, path)), []).append(path)
    instead: dict[type, tuple[Json, ...]] = {
        int: ("1", 1.5, True, [], None),
        str: (7, "no such word", [], {}),
        list: ({}, "list", 7),
        dict: ([], "object", 7),
        bool: (1, "true"),
    }
    for kind, parts in instead.items():
        for part in parts:
            if kind in by_kind:
                path = rng.choice(by_kind[kind])
                if part is not None or isinstance(path[-1], int):
                    yield f"{part!r} for {kind.__name__} at {_pattern(path)}", with_at(whole, path, part)


def _wrong_numbers(whole: Json) -> Iterator[tuple[str, Json]]:
    """Negative amounts and unknown seats: at the top, in the options, and within a seat."""
    if whole["phase"] == "finished":
        return  # debts may be left at the end
    for path in paths(whole):
        if type(at(whole, path)) is not int or len(path) > 3 or path[0] == "result":
            continue
        if len(path) == 1 or path[0] == "options" or (path[0] == "seats" and len(path) == 3):
            yield f"-1 at {_pattern(path)}", with_at(whole, path, -1)
            if "seat" in str(path[-1]):
                yield f"no seat at {_pattern(path)}", with_at(whole, path, NO_SEAT)


def _wrong_cards(whole: Json, path: Path, rng: random.Random) -> Iterator[tuple[str, Json]]:
    """Cards that are missing from a hidden pile or hand, or that do not exist.

    Where some cards leave the game unseen, a hand may have other cards than expected; a pile may not.
    """
    row = at(whole, path)
    others = sorted({item for item in row if item != row[0]}, key=str)
    yield f"a card lost of {_pattern(path)}", with_at(whole, path, row[1:])
    yield f"the last card lost of {_pattern(path)}", with_at(whole, path, row[:-1])
    yield f"a card twice in {_pattern(path)}", with_at(whole, path, [row[0], *row])
    yield f"a strange card in {_pattern(path)}", with_at(whole, path, ["no_such_card", *row[1:]])
    yield f"all cards lost of {_pattern(path)}", with_at(whole, path, [])
    yield f"null for {_pattern(path)}", with_at(whole, path, None)
    if others and path[0] != "seats":
        yield f"a card exchanged in {_pattern(path)}", with_at(whole, path, [rng.choice(others), *row[1:]])


def _wrong_counts(whole: Json, path: Path) -> Iterator[tuple[str, Json]]:
    counts = at(whole, path)
    name = next(name for name, count in counts.items() if count)
    yield f"one more in {_pattern(path)}", with_at(whole, (*path, name), counts[name] + 1)
    yield f"one less in {_pattern(path)}", with_at(whole, (*path, name), counts[name] - 1)
    yield f"less than none in {_pattern(path)}", with_at(whole, (*path, name), -1)
    yield f"a kind lost of {_pattern(path)}", with_at(whole, path, {k: v for k, v in counts.items() if k != name})
    yield f"a strange kind in {_pattern(path)}", with_at(whole, (*path, "no_such_card"), 1)


def _pattern(path: Path) -> str:
    """The path without the indices of lists: it names a kind of damage, not a single place."""
    return ".".join("*" if isinstance(step, int) else step for step in path)


def disturbed(position: Any, rng: random.Random) -> Json:
    """The position with one part changed at random, which may still be sound."""
    whole = as_json(position)
    everywhere = list(paths(whole))
    path, other = rng.choice(everywhere), rng.choice(everywhere)
    part = at(whole, path)
    if isinstance(part, bool):
        return with_at(whole, path, not part)
    if isinstance(part, int):
        return with_at(whole, path, part + rng.choice((-1, 1, 5)))
    if isinstance(part, list) and part:
        return with_at(whole, path, rng.choice((part[1:], part[::-1], [*part, part[0]], [])))
    if isinstance(part, dict) and part:
        lost = rng.choice(sorted(part))
        return with_at(whole, path, {name: each for name, each in part.items() if name != lost})
    return with_at(whole, path, deepcopy(at(whole, other)))
