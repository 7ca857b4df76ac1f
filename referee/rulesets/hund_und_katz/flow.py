"""Whose move it is (section 6 of rules.md): common checks, awaited seats, safe defaults, what the referee owes."""

from collections.abc import Callable
from typing import Any, Final

from referee.kernel.attempt import Attempt
from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection, require
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

NOTHING_ELSE: Final[dict[Phase, tuple[str, str]]] = {
    "place_pawn": ("HK-10", "Place a pawn first: you have one in stock, and a hungry animal has a free square."),
    "card": ("HK-20", "Turn a food card or play an action card."),
    "assign": ("HK-31", "Assign the revealed food card {position.revealed} to an animal first."),
    "series": ("HK-36", "You are feeding {position.series_animal}: add a food card or stop."),
}
"""The refusal of any other move in each open phase (HK-6)."""

CLOSED: Final[dict[Phase, str]] = {
    "setup": "The referee sets up the table first.",
    "scoring": "The game has ended, and the referee scores it now.",
    "finished": "The game is over.",
}
"""Why no seat can move in the other phases."""

TRIGGERS: Final[dict[Phase, Due]] = {"setup": Due(SetUp()), "scoring": Due(ScoreGame())}

AWAITED: Final[dict[Phase, tuple[str, ...]]] = {
    phase: tuple(tag(kind) for kind in MOVES[phase]) for phase in NOTHING_ELSE
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
        require("HK-2", case.actor == REFEREE, "Only the referee makes this move.")
        if kind not in MOVES[phase]:
            raise Rejection("HK-3", f"{tag(move)} is not due in the phase {phase}.")
        return
    require("HK-2", case.actor != REFEREE, "Only a seat makes this move, not the referee.")
    if phase in CLOSED:
        raise Rejection("HK-3", CLOSED[phase])
    active = case.position.active_seat
    if case.actor != active:
        raise Rejection("HK-4", f"It is the turn of seat {active}; you are seat {case.actor}.")
    if kind not in MOVES[phase]:  # HK-6
        clause, message = NOTHING_ELSE[phase]
        raise Rejection(clause, message.format(position=case.position))


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
