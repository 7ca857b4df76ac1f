"""Whose move it is (section 6 of rules.md): common checks, awaited seats, safe defaults, what the referee owes."""

from collections.abc import Callable
from typing import Any, Final

from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import require
from referee.kernel.ruleset import Attempt, Decision, Due
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.hund_und_katz.actions import PlayAction, require_parameters
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.position import Case, Phase, Position, has_room, is_sated
from referee.rulesets.hund_und_katz.scoring import ScoreGame
from referee.rulesets.hund_und_katz.setup import SetUp


def require_known_animal(case: Case, move: PlacePawn | AssignFood) -> None:
    """Refuse a move that names no animal of the edition."""
    require("HK-1", move.animal in case.edition.squares, "There is no animal of this id.")


MOVES: Final[dict[Phase, tuple[type[Move], ...]]] = {
    "setup": (SetUp,),
    "place_pawn": (PlacePawn,),
    "card": (RevealFood, PlayAction),
    "assign": (AssignFood,),
    "series": (AddFood, StopFeeding),
    "scoring": (ScoreGame,),
    "finished": (),
}
"""What each phase takes."""

NOTHING_ELSE: Final[dict[Phase, tuple[str, str]]] = {
    "place_pawn": ("HK-10", "A pawn is placed first."),
    "card": ("HK-20", "The turn goes on with feeding or with one action card."),
    "assign": ("HK-31", "The revealed food card is assigned now."),
    "series": ("HK-36", "In a series one adds a food card or stops."),
}
"""What is said in each open phase to any other move (HK-6)."""

TRIGGERS: Final[dict[Phase, Due]] = {"setup": Due(SetUp()), "scoring": Due(ScoreGame())}

AWAITED: Final[dict[Phase, tuple[str, ...]]] = {
    phase: tuple(tag(kind) for kind in MOVES[phase]) for phase in NOTHING_ELSE
}

FORMS: Final[dict[type[Move], Callable[[Case, Any], None]]] = {
    PlacePawn: require_known_animal,
    AssignFood: require_known_animal,
    PlayAction: require_parameters,
}
"""What is asked of the parameters of a move beyond their types."""


def before(case: Case, attempt: Attempt) -> None:
    """What every move must meet: form, actor, open game, turn, phase."""
    move = attempt.readable("HK-1")
    kind = type(move)
    if kind in FORMS:
        FORMS[kind](case, move)
    phase = case.position.phase
    if isinstance(move, Trigger):
        require("HK-2", case.actor == REFEREE, "Only the referee makes this move.")
        require("HK-3", kind in MOVES[phase], "This trigger is not due.")
        return
    require("HK-2", case.actor != REFEREE, "Only a seat makes this move.")
    require("HK-3", phase in NOTHING_ELSE, "No seat may move now.")
    require("HK-4", case.actor == case.position.active_seat, "It is another seat's turn.")
    clause, message = NOTHING_ELSE[phase]
    require(clause, kind in MOVES[phase], message)  # HK-6


def awaited(position: Position) -> tuple[Decision, ...]:
    """The active seat, while the game is open."""
    if position.phase not in AWAITED or position.active_seat is None:
        return ()
    return (Decision(seat=position.active_seat, moves=AWAITED[position.phase]),)


def due(position: Position) -> Due | None:
    """The set-up and the scoring, at once."""
    return TRIGGERS.get(position.phase)


def default(edition: Edition, position: Position, seat: Seat) -> Move:
    """The first animal that will do, the deck instead of a card, and no series."""
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
