"""Whose move it is (section 6 of rules.md): common checks, awaited seats, safe defaults, what the referee owes."""

from collections.abc import Callable
from typing import Any, Final

from referee.kernel.attempt import Attempt
from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.hund_und_katz.actions import PlayAction, require_parameters
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.names import Phase
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.position import Case, Position, has_room, is_sated, require_known_animal
from referee.rulesets.hund_und_katz.scoring import ScoreGame
from referee.rulesets.hund_und_katz.setup import SetUp

MOVES: Final[dict[Phase, tuple[type[Move], ...]]] = {
    "setup": (SetUp,),
    "place_pawn": (PlacePawn,),
    "card": (RevealFood, PlayAction),
    "assign": (AssignFood,),
    "series": (AddFood, StopFeeding),
    "scoring": (ScoreGame,),
    "finished": (),
}
"""The moves and triggers that each phase takes."""

PHASE_CLAUSES: Final[dict[Phase, str]] = {
    "place_pawn": "HK-10",
    "card": "HK-20",
    "assign": "HK-31",
    "series": "HK-36",
}
"""The clause that refuses any other move in each open phase (HK-6)."""

CLOSED: Final[dict[Phase, str]] = {
    "setup": "The referee sets up the table first; then the first seat places a pawn.",
    "scoring": "The game has ended, and the referee scores it now.",
    "finished": "The game is over; no move is possible.",
}
"""Why no seat can move in the other phases."""

TRIGGERS: Final[dict[Phase, Due]] = {"setup": Due(SetUp()), "scoring": Due(ScoreGame())}

AWAITED: Final[dict[Phase, tuple[str, ...]]] = {
    phase: tuple(tag(kind) for kind in MOVES[phase]) for phase in PHASE_CLAUSES
}

FORMS: Final[dict[type[Move], Callable[[Case, Any], None]]] = {
    PlacePawn: lambda case, move: require_known_animal(case, move.animal),
    AssignFood: lambda case, move: require_known_animal(case, move.animal),
    PlayAction: require_parameters,
}
"""What the parameters of a move must meet beyond their types."""


def before(case: Case, attempt: Attempt) -> None:
    """What every move must meet: form, actor, open game, turn, phase."""
    move = attempt.readable("HK-1")
    kind = type(move)
    if kind in FORMS:
        FORMS[kind](case, move)
    phase = case.position.phase
    if isinstance(move, Trigger):
        if case.actor != REFEREE:
            raise Rejection("HK-2", f"Only the referee makes `{tag(move)}`; you are seat {case.actor}.")
        if kind not in MOVES[phase]:
            raise Rejection("HK-3", f"`{tag(move)}` is not due in the phase {phase}.")
        return
    if case.actor == REFEREE:
        raise Rejection("HK-2", f"Only a seat makes `{tag(move)}`, not the referee.")
    if phase in CLOSED:
        raise Rejection("HK-3", CLOSED[phase])
    active = case.position.active_seat
    if case.actor != active:
        doing = f"It is the turn of seat {active}, which must {_what_to_do(case.position)}"
        raise Rejection("HK-4", f"{doing}; you are seat {case.actor}.")
    if kind not in MOVES[phase]:  # HK-6
        raise Rejection(PHASE_CLAUSES[phase], f"`{tag(move)}` is not possible now: {_why_not(case, kind)}.")


def _what_to_do(position: Position) -> str:
    """What the active seat must do, as everybody may know it."""
    match position.phase:
        case "place_pawn":
            return "place a pawn"
        case "card":
            return "turn a food card or play an action card"
        case "assign":
            return f"assign the revealed food card {position.revealed} to an animal"
        case _:
            fed = next(animal for animal in position.animals if animal.id == position.series_animal)
            return f"add another food card for {fed.id}, which has {len(fed.food)}, or stop"


def _why_not(case: Case, kind: type[Move]) -> str:
    """Why the active seat cannot make a move of this kind now, and what it must do instead."""
    position, state = case.position, case.position.seats[case.seat]
    if position.phase == "place_pawn":
        return f"first place a pawn, of which you have {state.stock} in stock, on one of {', '.join(_with_room(case))}"
    if position.phase != "card":
        return _what_to_do(position)
    held = len(state.hand)
    instead = f"{_what_to_do(position)}; you hold {held}" if held else "turn a food card; you have no action card left"
    return f"{_why_no_pawn(case)}; {instead}" if kind is PlacePawn else instead


def _why_no_pawn(case: Case) -> str:
    if not case.position.seats[case.seat].stock:
        return "you have no pawn in stock"
    return "you have placed a pawn in this turn" if _with_room(case) else "no unsated animal has a free square"


def _with_room(case: Case) -> list[str]:
    """The unsated animals with a free square."""
    return [
        animal.id
        for animal in case.position.animals
        if has_room(animal, case.edition) and not is_sated(animal, case.edition)
    ]


def awaited(position: Position, edition: Edition) -> tuple[Decision, ...]:
    """The active seat, while the game is open."""
    if position.phase not in AWAITED or position.active_seat is None:
        return ()
    return (Decision(seat=position.active_seat, moves=AWAITED[position.phase]),)


def due(position: Position, edition: Edition) -> Due | None:
    """The set-up and the scoring, both without delay."""
    return TRIGGERS.get(position.phase)


def default(position: Position, seat: Seat, edition: Edition) -> Move:
    """The first animal that the rules allow, feeding instead of an action card, and no series."""
    hungry = [animal for animal in position.animals if not is_sated(animal, edition)]
    match position.phase:
        case "place_pawn":
            return PlacePawn(animal=next(animal.id for animal in hungry if has_room(animal, edition)))
        case "card":
            return RevealFood()
        case "assign":
            return AssignFood(animal=hungry[0].id)
        case _:
            return StopFeeding()
