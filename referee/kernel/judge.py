"""Questions to any ruleset: whether a move is legal, what follows from it, and where a log leads."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import msgspec

from referee.kernel.attempt import Attempt
from referee.kernel.candidates import LISTED_MAX, Proved, Weighed, in_reach
from referee.kernel.canon import canonical, plain
from referee.kernel.chance import Chance, Drawn, Forced, Probe, Seeded
from referee.kernel.message import Event, Move, schema_of, tag
from referee.kernel.rejection import Malformed, Rejection, ensure
from referee.kernel.ruleset import Case, Family, Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat

NUMBER_MAX = 10**9
"""The largest number in a start position. No game comes near it, and every JSON reader reads it exactly."""


def replay(ruleset: Ruleset, position: Any, events: Iterable[Event]) -> Any:
    """The position after these events."""
    reducers = ruleset._reducers
    for event in events:
        position = reducers[type(event)](position, event)
    return position


def refusal(ruleset: Ruleset, position: Any, actor: Actor, move: Move | Attempt) -> Rejection | None:
    """Why the rules refuse this move, or None if they accept it. Draws no luck."""
    return _refusal_in(ruleset, Case(position, actor, Probe(), ruleset.edition), move)


def _refusal_in(ruleset: Ruleset, case: Case[Any, Any], move: Move | Attempt) -> Rejection | None:
    """The refusal of a move. No rule refuses after its first event or drawing, so it is run no further than that."""
    try:
        admitted, settled = ruleset.admit(case, move)
        if not settled:
            next(ruleset._rules[type(admitted)](case, admitted), None)
    except Drawn:
        pass
    except Rejection as rejection:
        return rejection
    return None


def awaited_seats(ruleset: Ruleset, position: Any) -> set[Seat]:
    """The seats that may move now."""
    return {decision.seat for decision in ruleset.awaited(position)}


class Legal(msgspec.Struct, frozen=True, gc=False):
    """The listed legal moves of a seat, and the types of moves that have too many candidates to list."""

    listed: tuple[Weighed, ...] = ()
    sample: tuple[Weighed, ...] = ()
    """Some legal moves of the types that are not listed."""
    unlisted: tuple[type[Move], ...] = ()


SAMPLED_MAX = 50
"""The most moves of an unlisted type in the sample."""


def find_legal(ruleset: Ruleset, position: Any, seat: Seat) -> Legal:
    """The legal moves of a seat, each once with its weight, in a stable order. Judges at most 1,000 moves of a type."""
    if seat not in [decision.seat for decision in ruleset.awaited(position)]:
        return Legal()
    case = Case(position, seat, Probe(), ruleset.edition)
    weights: dict[Any, int] = {}
    refused: list[Any] = []
    spelled: dict[Any, Move] = {}
    counts: dict[type[Move], int] = {}
    for named in in_reach(ruleset.candidates(position, seat)):
        if isinstance(named, Proved):
            if named.moves and _count(counts, type(named.moves[0]), len(named.moves)):
                _weigh(weights, spelled, named)
            continue
        move, weight = (named.move, named.weight) if isinstance(named, Weighed) else (named, 1)
        key = _key(move, spelled)
        if key in weights:
            weights[key] += weight
        elif _count(counts, type(move), 1):
            if _refusal_in(ruleset, case, move) is not None:
                refused.append(key)
            weights[key] = weight
    for key in refused:
        del weights[key]
    found = tuple(map(Weighed, [spelled.get(key, key) for key in weights] if spelled else weights, weights.values()))
    if max(counts.values(), default=0) <= LISTED_MAX:
        return Legal(found)
    return _apart(found, tuple([kind for kind, count in counts.items() if count > LISTED_MAX]))


def _count(counts: dict[type[Move], int], kind: type[Move], more: int) -> bool:
    """Count candidates of a type; returns False if there were too many before."""
    before = counts.get(kind, 0)
    counts[kind] = before + more
    return before <= LISTED_MAX


def _apart(found: tuple[Weighed, ...], unlisted: tuple[type[Move], ...]) -> Legal:
    """The moves of the listed types, and an evenly spread sample of the others."""
    sample: list[Weighed] = []
    for kind in unlisted:
        moves = [weighed for weighed in found if type(weighed.move) is kind]
        sample += moves[:: -(-len(moves) // SAMPLED_MAX) or 1]
    return Legal(tuple([weighed for weighed in found if type(weighed.move) not in unlisted]), tuple(sample), unlisted)


def _weigh(weights: dict[Any, int], spelled: dict[Any, Move], proved: Proved) -> None:
    """Add the weights of proved moves; usually none of them has been counted before."""
    try:
        added = dict.fromkeys(proved.moves, proved.weight)
    except TypeError:
        added = {_key(move, spelled): proved.weight for move in proved.moves}
    if not weights.keys().isdisjoint(added):
        for key in added:
            added[key] += weights.get(key, 0)
    weights.update(added)


def _key(move: Move, spelled: dict[Any, Move]) -> Any:
    """The key of a move in a dictionary: the move itself; or, if it holds a dictionary, its JSON, which is noted."""
    try:
        spelled.get(move)
    except TypeError:
        key = msgspec.json.encode(move)
        spelled[key] = move
        return key
    return move


def legal_moves(ruleset: Ruleset, position: Any, seat: Seat) -> tuple[Move, ...]:
    """Every legal move of a seat that can be listed, without duplicates, in a stable order."""
    return tuple(weighed.move for weighed in find_legal(ruleset, position, seat).listed)


def weighed_moves(ruleset: Ruleset, position: Any, seat: Seat, found: Legal | None = None) -> tuple[Weighed, ...]:
    """The moves that a program chooses from, each with its weight.

    These are the listed moves. Where a type has too many to list, a sample of them and the safe default are added. A
    program that plays at random picks by weight; a ruleset in which random play could go on for ever gives more weight
    to moves that bring the game forward.
    """
    found = found or find_legal(ruleset, position, seat)
    if not found.unlisted:
        return found.listed
    default = Weighed(ruleset.default(position, seat), 1)
    moves = (*found.listed, *found.sample)
    return moves if any(weighed.move == default.move for weighed in moves) else (*moves, default)


def families(ruleset: Ruleset, position: Any, seat: Seat, unlisted: Iterable[type[Move]]) -> tuple[Family, ...]:
    """Descriptions of the moves that are not listed: the ruleset's own families, and one for each remaining type."""
    own = tuple(ruleset.families(position, seat))
    described = [family.type for family in own]
    return (*own, *(_family(kind) for kind in unlisted if tag(kind) not in described))


@cache
def _family(kind: type[Move]) -> Family:
    description = (
        f"{(kind.__doc__ or '').strip()} More than {LISTED_MAX} moves of this type may be legal, so they are not "
        "listed. Not every move that fits the schema is legal; check it with `dry_run`."
    )
    return Family(tag(kind), description, schema_of(kind))


def pick_weighed(moves: Sequence[Weighed], chance: Chance) -> Move:
    """A random move, picked by weight."""
    ends = list(accumulate([weighed.weight for weighed in moves]))
    number = chance.number("pick_move", 0, ends[-1] - 1)
    return moves[bisect_right(ends, number)].move


def read_options(ruleset: Ruleset, raw: Any) -> Any:
    """Options with the defaults filled in; raises msgspec.ValidationError for values that are no valid options."""
    return msgspec.convert(raw, ruleset.options_type)


def read_position(ruleset: Ruleset, raw: Any) -> Any:
    """Read a position from its decoded JSON and check it; raises Malformed."""
    ensure(isinstance(raw, dict), "A position must be an object.")
    if raw.get("phase") == "setup":
        return _read_blank(ruleset, raw)
    try:
        position = msgspec.convert(raw, ruleset.position_type)
    except msgspec.ValidationError as error:
        raise Malformed(f"{error}.") from None
    ruleset.check(position)
    return position


def read_start(ruleset: Ruleset, raw: Any) -> Any:
    """Read a position that a game can start from; raises Malformed."""
    position = read_position(ruleset, raw)
    ensure(_is_within(plain(position)), f"Numbers in a start position must be from {-NUMBER_MAX} to {NUMBER_MAX}.")
    return position


def _is_within(value: Any) -> bool:
    """Whether every number in a value is small enough for a start position."""
    if isinstance(value, (dict, list)):
        return all(map(_is_within, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int) or -NUMBER_MAX <= value <= NUMBER_MAX


def _read_blank(ruleset: Ruleset, raw: dict[str, Any]) -> Any:
    """Read a position in phase setup: all that it gives must be as on the blank table for its options and seats."""
    missing = [f"`{key}`" for key in ("ruleset", "options", "seats") if key not in raw]
    ensure(not missing, f"A position in phase setup needs {', '.join(missing)}.")
    seats = raw["seats"]
    ensure(
        isinstance(seats, list) and all(isinstance(seat, dict) for seat in seats),
        "`seats` must be a list of objects.",
    )
    try:
        blank = ruleset.blank(read_options(ruleset, raw["options"]), len(seats))
    except msgspec.ValidationError as error:
        raise Malformed(f"options: {error}.") from None
    except Rejection as rejection:
        raise Malformed(f"{rejection.clause}: {rejection.message}") from None
    written = plain(blank)
    for key, value in raw.items():
        if key not in ("options", "seats"):
            ensure(
                key in written and canonical(written[key]) == canonical(value),
                f"In phase setup `{key}` must be left out, or be as on the blank table.",
            )
    for given, own in zip(seats, written["seats"], strict=True):
        ensure(
            all(key in own and canonical(own[key]) == canonical(value) for key, value in given.items()),
            "In phase setup a seat must be an empty object, or be as on the blank table.",
        )
    return blank


class Accepted(msgspec.Struct, frozen=True):
    """The verdict on a legal move."""

    events: tuple[Event, ...]
    position: Any
    drawn: tuple[tuple[str, Any], ...]


def judge(
    ruleset: Ruleset,
    position: Any,
    actor: Actor,
    move: Move | Attempt,
    outcomes: Iterable[tuple[str, Any]] = (),
    otherwise: Chance | None = None,
) -> Accepted | Rejection:
    """Judge a move at a position. Forced outcomes are used in order; an impossible one raises InvalidChance."""
    chance = Forced(tuple(outcomes), otherwise or Seeded(0))
    try:
        events, after = ruleset.play(position, actor, move, chance)
    except Rejection as rejection:
        chance.require_used()
        return rejection
    chance.require_used()
    return Accepted(events, after, tuple(chance.drawn))


def set_up(ruleset: Ruleset, options: Any, seats: int, chance: Chance) -> Any:
    """A new position: the blank table after every trigger that is due at once."""
    return settle(ruleset, ruleset.blank(options, seats), chance)


def settle(ruleset: Ruleset, position: Any, chance: Chance) -> Any:
    """The position after every trigger that is due at once."""
    while (due := ruleset.due(position)) is not None and due.after_ms == 0:
        _, position = ruleset.play(position, REFEREE, due.move, chance)
    return position
