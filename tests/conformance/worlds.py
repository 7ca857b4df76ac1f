"""Other worlds: positions that a reader cannot, or should not be able to, distinguish from the true one."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import msgspec

from referee.kernel.canon import canonical
from referee.kernel.judge import families, find_legal, read_position, refusal, weighed_moves
from referee.kernel.rejection import Malformed
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from tests.conformance.damage import Json, Path, at, hidden_paths
from tests.conformance.samples import Absurd, as_json

Reader = Seat | None

TRIES = 40
SWAPS = 8


class Slot(NamedTuple):
    """One hidden value: an entry of a row, a single value, or one unit in a map of counts."""

    path: Path
    value: str | int
    is_counted: bool = False


def readers(seats: int) -> tuple[Reader, ...]:
    """Every seat, and a spectator."""
    return (*(Seat(seat) for seat in range(seats)), None)


def unseen(ruleset: Ruleset, position: Any, reader: Reader) -> list[Path]:
    """The parts of a position that a reader's view leaves out."""
    return list(hidden_paths(as_json(position), as_json(ruleset.view(position, reader))))


def slots(whole: Json, path: Path) -> Iterator[Slot]:
    """The hidden values at a path."""
    part = at(whole, path)
    if isinstance(part, dict) and part and all(type(count) is int for count in part.values()):
        yield from (Slot(path, name, is_counted=True) for name, count in part.items() for _ in range(count))
    elif isinstance(part, (dict, list)):
        steps = part if isinstance(part, dict) else range(len(part))
        for step in steps:
            yield from slots(whole, (*path, step))
    elif isinstance(part, (str, int)) and not isinstance(part, bool):
        yield Slot(path, part)


def permuted(ruleset: Ruleset, position: Any, reader: Reader, rng: random.Random) -> Any:
    """The position with the hidden values permuted, as far as the result passes the check."""
    paths, world = unseen(ruleset, position, reader), position
    whole, swaps = as_json(position), 0
    for _ in range(TRIES if paths else 0):
        hidden = [slot for path in paths for slot in slots(whole, path)]
        if len(hidden) < 2:
            break
        one, other = rng.sample(hidden, 2)
        if one.value == other.value or type(one.value) is not type(other.value):
            continue
        changed = deepcopy(whole)
        _exchange(changed, one, other.value)
        _exchange(changed, other, one.value)
        try:
            world = read_position(ruleset, changed)
        except Malformed:
            continue
        whole, swaps = changed, swaps + 1
        if swaps == SWAPS:
            break
    return world


def _exchange(whole: Json, slot: Slot, value: str | int) -> None:
    if slot.is_counted:
        counts = at(whole, slot.path)
        counts[slot.value] -= 1
        counts[value] = counts.get(value, 0) + 1
    else:
        at(whole, slot.path[:-1])[slot.path[-1]] = value


def kinds_of_change(ruleset: Ruleset, position: Any, world: Any, reader: Reader) -> set[str]:
    """The kinds of hidden parts that differ in another world, without seat numbers and indices."""
    one, other = as_json(position), as_json(world)
    changed = [path for path in unseen(ruleset, position, reader) if at(one, path) != at(other, path)]
    return {
        f"{path[0]}.{path[-1]}" if len(path) > 2 and isinstance(path[-1], str) else str(path[0]) for path in changed
    }


def knowable(ruleset: Ruleset, position: Any, reader: Reader, rng: random.Random) -> dict[str, bytes]:
    """Everything that a reader can find out at a position; every answer of the service is built from it."""
    known: dict[str, Any] = {
        "view": ruleset.view(position, reader),
        "awaited": ruleset.awaited(position),
        "due": ruleset.due(position),
    }
    if reader is not None:
        is_awaited = any(decision.seat == reader for decision in ruleset.awaited(position))
        known["legal moves"] = weighed_moves(ruleset, position, reader)
        unlisted = find_legal(ruleset, position, reader).unlisted
        known["families"] = families(ruleset, position, reader, unlisted) if is_awaited else ()
        tried = trials(ruleset, position, reader, rng)
        known["dry runs"] = [_dry_run(ruleset, position, reader, move) for move in tried]
    return {name: canonical(value) for name, value in known.items()}


def trials(ruleset: Ruleset, position: Any, reader: Seat, rng: random.Random) -> list[Any]:
    """Moves to try, the same in every world, mostly of awaited types; they are made only of what the reader sees."""
    absurd = Absurd(ruleset, ruleset.view(position, reader), rng)
    types = {name for decision in ruleset.awaited(position) if decision.seat == reader for name in decision.moves}
    fitting = [move for name in sorted(types) for move in absurd.moves((name,), 3)]
    return [*fitting, *absurd.moves(tuple(ruleset.moves), 6)]


def _dry_run(ruleset: Ruleset, position: Any, reader: Seat, move: Any) -> Any:
    rejection = refusal(ruleset, position, reader, move)
    return rejection and (rejection.clause, rejection.message)


def with_canaries(position: Any, paths: list[Path]) -> Any:
    """The position with every hidden word replaced by one that occurs in no rulebook."""
    whole = as_json(position)
    for path in paths:
        for slot in slots(whole, path):
            if isinstance(slot.value, str) and not slot.is_counted:
                position = _put(position, slot.path, "canary")
    return position


def _put(value: Any, path: Path, part: Any) -> Any:
    """A copy of a value with another part at a path, whatever its declared type."""
    if not path:
        return part
    step, rest = path[0], path[1:]
    if isinstance(value, msgspec.Struct):
        name = next(field.name for field in msgspec.structs.fields(value) if field.encode_name == step)
        return msgspec.structs.replace(value, **{name: _put(getattr(value, name), rest, part)})
    if isinstance(value, dict):
        key = next(key for key in value if str(key) == step)
        return {**value, key: _put(value[key], rest, part)}
    return (*value[:step], _put(value[step], rest, part), *value[step + 1 :])
