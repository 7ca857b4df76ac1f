"""What can be asked of any ruleset: is this legal, what follows, where does a log lead."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from referee.kernel.candidates import Proved, Weighed
from referee.kernel.canon import canonical, plain
from referee.kernel.chance import Chance, Drawn, Forced, Probe, Seeded
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Malformed, Rejection, ensure
from referee.kernel.ruleset import Attempt, Case, Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat

NUMBER_MAX = 10**9
"""No game comes near this; with larger numbers a game could leave what every reader of JSON reads exactly."""


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
    """No rule refuses after its first event or drawing, so it is asked no further."""
    try:
        asked, settled = ruleset.admit(case, move)
        if not settled:
            next(ruleset._rules[type(asked)](case, asked), None)
    except Drawn:
        pass
    except Rejection as rejection:
        return rejection
    return None


def awaited_seats(ruleset: Ruleset, position: Any) -> set[Seat]:
    """The seats that may move now."""
    return {decision.seat for decision in ruleset.awaited(position)}


def weighed_moves(ruleset: Ruleset, position: Any, seat: Seat) -> tuple[Weighed, ...]:
    """Every legal move of a seat that can be listed, in a stable order, each with its weight.

    Who plays at random picks by weight: a ruleset in which one can dawdle for ever names what brings a game forward
    more often.
    """
    if seat not in awaited_seats(ruleset, position):
        return ()
    case = Case(position, seat, Probe(), ruleset.edition)
    weights: dict[Any, int] = {}
    refused: list[Any] = []
    spelled: dict[Any, Move] = {}
    for named in ruleset.candidates(position, seat):
        if isinstance(named, Proved):
            _weigh(weights, named)
            continue
        move, weight = (named.move, named.weight) if isinstance(named, Weighed) else (named, 1)
        key = _key(move, weights)
        if key not in weights:
            if key is not move:
                spelled[key] = move
            if _refusal_in(ruleset, case, move) is not None:
                refused.append(key)
            weights[key] = weight
        else:
            weights[key] += weight
    for key in refused:
        del weights[key]
    return tuple(map(Weighed, [spelled.get(key, key) for key in weights] if spelled else weights, weights.values()))


def _weigh(weights: dict[Any, int], proved: Proved) -> None:
    """Count moves that need no asking; most often none of them has been named before."""
    if weights.keys().isdisjoint(proved.moves):
        weights.update(dict.fromkeys(proved.moves, proved.weight))
    else:
        for move in proved.moves:
            weights[move] = weights.get(move, 0) + proved.weight


def _key(move: Move, among: Mapping[Any, int]) -> Any:
    """What a move is known by among others: itself, or its JSON if it holds a dictionary."""
    try:
        among.get(move)
    except TypeError:
        return msgspec.json.encode(move)
    return move


def legal_moves(ruleset: Ruleset, position: Any, seat: Seat) -> tuple[Move, ...]:
    """Every legal move of a seat that can be listed, without duplicates, in a stable order."""
    return tuple(weighed.move for weighed in weighed_moves(ruleset, position, seat))


def pick_weighed(moves: Sequence[Weighed], chance: Chance) -> Move:
    """Any of the moves, as likely as its weight."""
    place = chance.number("pick_move", 0, sum([weighed.weight for weighed in moves]) - 1)
    for weighed in moves:
        place -= weighed.weight
        if place < 0:
            return weighed.move
    raise AssertionError("the place lies within the weights")


def read_options(ruleset: Ruleset, raw: Any) -> Any:
    """Options with the defaults filled in; raises msgspec.ValidationError for what is no option."""
    return msgspec.convert(raw, ruleset.options_type)


def read_position(ruleset: Ruleset, raw: Any) -> Any:
    """A position from what its JSON decodes to, checked; raises Malformed."""
    ensure(isinstance(raw, dict), "A position is an object.")
    if raw.get("phase") == "setup":
        return _read_blank(ruleset, raw)
    try:
        position = msgspec.convert(raw, ruleset.position_type)
    except msgspec.ValidationError as error:
        raise Malformed(f"{error}.") from None
    ruleset.check(position)
    return position


def read_start(ruleset: Ruleset, raw: Any) -> Any:
    """A position that a game can start from, whose record everybody reads in the same way; raises Malformed."""
    position = read_position(ruleset, raw)
    ensure(_is_within(plain(position)), f"A game starts with numbers from {-NUMBER_MAX} to {NUMBER_MAX} only.")
    return position


def _is_within(value: Any) -> bool:
    """Whether no number in it is too large."""
    if isinstance(value, (dict, list)):
        return all(map(_is_within, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int) or -NUMBER_MAX <= value <= NUMBER_MAX


def _read_blank(ruleset: Ruleset, raw: dict[str, Any]) -> Any:
    """The position before the set-up: what is given beyond the necessary must be as the blank table has it."""
    missing = [key for key in ("ruleset", "options", "seats") if key not in raw]
    ensure(not missing, f"A position in phase setup has {', '.join(missing)}.")
    seats = raw["seats"]
    ensure(
        isinstance(seats, list) and all(isinstance(seat, dict) for seat in seats),
        "`seats` is a list of objects.",
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
                f"In phase setup `{key}` is left out or as on the blank table.",
            )
    for given, own in zip(seats, written["seats"], strict=True):
        ensure(
            all(key in own and canonical(own[key]) == canonical(value) for key, value in given.items()),
            "In phase setup a seat is an empty object or as on the blank table.",
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
    """The stateless referee. Forced outcomes are used in order; an impossible one raises InvalidChance."""
    chance = Forced(tuple(outcomes), otherwise or Seeded(0))
    try:
        events, after = ruleset.play(position, actor, move, chance)
    except Rejection as rejection:
        chance.require_used()
        return rejection
    chance.require_used()
    return Accepted(events, after, tuple(chance.drawn))


def set_up(ruleset: Ruleset, options: Any, seats: int, chance: Chance) -> Any:
    """A fresh position: the blank table after every trigger that is due at once."""
    return settle(ruleset, ruleset.blank(options, seats), chance)


def settle(ruleset: Ruleset, position: Any, chance: Chance) -> Any:
    """The position after every trigger that is due at once."""
    while (due := ruleset.due(position)) is not None and due.after_s == 0:
        _, position = ruleset.play(position, REFEREE, due.move, chance)
    return position
