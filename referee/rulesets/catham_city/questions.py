"""Questions to the other seats: answered in secret, all at once, carried out clockwise (CC-R16)."""

from typing import Annotated, ClassVar, Final

from msgspec import UNSET, UnsetType

from referee.kernel.audience import only, whole
from referee.kernel.changes import put, replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.names import AnswerType, Cards, Faction, Phase, Question
from referee.rulesets.catham_city.position import (
    Answer,
    Case,
    Pending,
    Position,
    Says,
    answers_of,
    hand_size,
    other_seats,
)

questions = Chapter()

ANSWERS_PHASES: Final[dict[Question, Phase]] = {
    "journalists": "journalists_answers",
    "detectives": "detectives_answers",
    "mafia": "mafia_answers",
}


class Decline(Move):
    """Make no deal with the journalists, or match no card of the detectives."""

    secret: ClassVar[bool] = True


class QuestionAsked(Event):
    """The play of the active seat asks the other seats for an answer."""

    question: Question
    seat: Seat
    faction: Faction | None


class AnswerLocked(Event):
    """A seat answered. Only that seat sees the answer until the referee carries out all answers."""

    seat: Seat
    answer: Annotated[AnswerType | UnsetType, only("seat")] = UNSET
    faction: Annotated[Faction | UnsetType | None, only("seat")] = UNSET
    cards: Annotated[Cards | UnsetType | None, only("seat")] = UNSET


def locked(seat: Seat, answer: AnswerType, faction: Faction | None = None, cards: Cards | None = None) -> AnswerLocked:
    """An answer with all its fields."""
    return AnswerLocked(seat=seat, answer=answer, faction=faction, cards=cards)


def is_question_open(position: Position) -> bool:
    """Whether the game collects answers."""
    return position.phase in ANSWERS_PHASES.values()


def is_asked(position: Position, seat: Seat, edition: Edition) -> bool:
    """Whether the open question goes to this seat: by public facts only, so that no hand is betrayed (CC-R17)."""
    if seat == position.active_seat:
        return False
    held = hand_size(position, seat)
    match position.phase:
        case "journalists_answers":  # CC-30
            return held >= cards_for_a_deal(position)
        case "detectives_answers":  # CC-35
            return held >= 1
        case "mafia_answers":  # CC-48
            enough_influence = position.seats[seat].influence >= edition.mafia.lose_influence
            return held > edition.mafia.lose_cards or (held == edition.mafia.lose_cards and enough_influence)
        case _:
            return False


def cards_for_a_deal(position: Position) -> int:
    """The number of cards that a deal with the journalists takes (CC-29, CC-33)."""
    return 2 if position.options.journalists_bonus == "giver" else 1


def why_not_asked(position: Position, seat: Seat, edition: Edition) -> str:
    """Why the open question does not go to this seat, in words that everybody may read."""
    held = f"you hold {hand_size(position, seat)}"
    match position.phase:
        case "journalists_answers":
            return f"The journalists ask only seats with at least {cards_for_a_deal(position)} cards; {held}"
        case "detectives_answers":
            return f"The detectives ask only seats with at least 1 card; {held}"
        case _:
            cards, influence = edition.mafia.lose_cards, edition.mafia.lose_influence
            choice = f"more than {cards} cards, or {cards} cards and at least {influence} influence"
            owned = f"{held} and have {position.seats[seat].influence} influence"
            return f"The mafia asks only seats that have a choice, with {choice}; {owned}"


def unanswered(position: Position, edition: Edition) -> tuple[Seat, ...]:
    """The seats that are asked and have not answered, clockwise."""
    answers = answers_of(position)
    return tuple(seat for seat in other_seats(position) if answers[seat] is None and is_asked(position, seat, edition))


def seats_in_words(seats: tuple[Seat, ...]) -> str:
    """Seats for a message: `Seat 1`, `Seats 1 and 2`, `Seats 1, 2 and 3`."""
    *others, last = [str(seat) for seat in seats]
    return f"Seats {', '.join(others)} and {last}" if others else f"Seat {last}"


def answers_clockwise(position: Position) -> tuple[tuple[Seat, Answer | None], ...]:
    """Every other seat with its answer, clockwise; None where a seat was not asked."""
    answers = answers_of(position)
    return tuple((seat, answers[seat]) for seat in other_seats(position))


@questions.decides(Decline)
def decline(case: Case, move: Decline) -> Says:
    """A seat that is asked may always decline."""
    yield locked(case.seat, "decline")


@questions.applies(QuestionAsked)
def question_asked(position: Position, event: QuestionAsked) -> Position:
    """Wait for the answers."""
    nobody = (None,) * len(position.seats)
    return replace(
        position, phase=ANSWERS_PHASES[event.question], pending=Pending(faction=event.faction, answers=nobody)
    )


@questions.applies(AnswerLocked)
def answer_locked(position: Position, event: AnswerLocked) -> Position:
    """Keep the answer."""
    assert position.pending is not None
    answer = Answer(answer=whole(event.answer), faction=whole(event.faction), cards=whole(event.cards))
    answers = put(answers_of(position), event.seat, answer)
    return replace(position, pending=replace(position.pending, answers=answers))
