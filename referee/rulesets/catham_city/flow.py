"""Whose move it is (section 6): common checks, awaited seats, safe defaults, what the referee owes."""

from typing import Final

from referee.kernel.attempt import Attempt
from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.catham_city.cards import each, listed
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.factions.bureaucrats import PlayBureaucrats
from referee.rulesets.catham_city.factions.detectives import MatchCard, PlayDetectives
from referee.rulesets.catham_city.factions.hackers import PlayHackers
from referee.rulesets.catham_city.factions.journalists import CashIn, GiveCard, PlayJournalists
from referee.rulesets.catham_city.factions.mafia import PlayMafia, SurrenderCards, SurrenderInfluence
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.names import Phase
from referee.rulesets.catham_city.position import Case, Position, active, given_cards, hand_of
from referee.rulesets.catham_city.questions import (
    Decline,
    answers_clockwise,
    is_question_open,
    seats_in_words,
    unanswered,
    why_not_asked,
)
from referee.rulesets.catham_city.resolving import ResolveAnswers
from referee.rulesets.catham_city.setup import SetUp
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import DiscardExcess, excess_of

MOVES: Final[dict[Phase, tuple[type[Move], ...]]] = {
    "setup": (SetUp,),
    "turn": (
        TakeCards,
        PlayJournalists,
        PlayDetectives,
        PlayBureaucrats,
        PlayScientists,
        PlayRobocats,
        PlayMafia,
        PlayPolice,
        PlayHackers,
    ),
    "journalists_answers": (GiveCard, Decline, ResolveAnswers),
    "journalists_cash_in": (CashIn,),
    "detectives_answers": (MatchCard, Decline, ResolveAnswers),
    "mafia_answers": (SurrenderCards, SurrenderInfluence, ResolveAnswers),
    "discard_excess": (DiscardExcess,),
    "finished": (),
}
"""The moves and triggers that belong to each phase (CC-3). In a turn there is no passing (CC-9)."""

SEATS_MOVES: Final[dict[Phase, tuple[str, ...]]] = {
    phase: tuple(tag(kind) for kind in kinds if not issubclass(kind, Trigger)) for phase, kinds in MOVES.items()
}


def before(case: Case, attempt: Attempt) -> None:
    """What every move must meet: open game, form, phase, actor."""
    phase = case.position.phase
    if phase == "finished":
        raise Rejection("CC-1", _how_it_ended(case.position))
    move = attempt.readable("CC-2")
    if type(move) not in MOVES[phase]:
        possible = ", ".join(SEATS_MOVES[phase] or [tag(kind) for kind in MOVES[phase]])
        raise Rejection("CC-3", f"`{tag(move)}` is not possible in the phase {phase}; possible: {possible}.")
    if isinstance(move, Trigger):
        if case.actor != REFEREE:
            raise Rejection("CC-4", f"Only the referee makes `{tag(move)}`; you are seat {case.actor}.")
    elif case.actor == REFEREE:
        raise Rejection("CC-4", f"Only a seat makes `{tag(move)}`, not the referee.")
    elif case.actor not in awaited_seats(case.position, case.edition):
        raise Rejection("CC-4", _why_not_awaited(case))


def _how_it_ended(position: Position) -> str:
    influence = [state.influence for state in position.seats]
    return f"The game is over: seat {influence.index(max(influence))} has won with {max(influence)} influence."


def _why_not_awaited(case: Case) -> str:
    """Who must act instead of the seat, and why."""
    position, seats = case.position, len(case.position.seats)
    if case.actor not in range(seats):
        return f"There is no seat {case.actor}; the seats are 0 to {seats - 1}."
    if not is_question_open(position):
        return f"It is the turn of seat {active(position)}; you are seat {case.actor}."
    missing = unanswered(position, case.edition)
    if not missing:
        return "Every seat that was asked has answered; the referee now carries out the answers."
    if case.actor == active(position):
        own = "You asked the question"
    elif case.actor in [seat for seat, answer in answers_clockwise(position) if answer is not None]:
        own = "You have answered already"
    else:
        own = why_not_asked(position, case.seat, case.edition)
    return f"{own}. {seats_in_words(missing)} must answer."


def awaited_seats(position: Position, edition: Edition) -> tuple[Seat, ...]:
    """The seats that must move."""
    if position.phase in ("setup", "finished"):
        return ()
    if is_question_open(position):
        return unanswered(position, edition)
    return (active(position),)


def awaited(position: Position, edition: Edition) -> tuple[Decision, ...]:
    """The seats that must move, and the moves that they may make."""
    moves = SEATS_MOVES[position.phase]
    return tuple(Decision(seat=seat, moves=moves) for seat in awaited_seats(position, edition))


def due(position: Position, edition: Edition) -> Due | None:
    """The set-up, or the resolution as soon as every seat has answered; both without delay."""
    if position.phase == "setup":
        return Due(SetUp())
    if is_question_open(position) and not unanswered(position, edition):
        return Due(ResolveAnswers())
    return None


def default(position: Position, seat: Seat, edition: Edition) -> Move:
    """The move that the referee makes for a seat that misses its deadline: the first in the canonical order."""
    hand = listed(hand_of(position, seat))
    match position.phase:
        case "turn":
            first = next(faction for faction, shown in each(position.market) if shown)
            return TakeCards(faction=first, count=1)
        case "mafia_answers":
            return SurrenderCards(cards=hand[: edition.mafia.lose_cards])
        case "discard_excess":
            return DiscardExcess(cards=hand[: excess_of(position, edition.hand_limit)])
        case "journalists_cash_in":
            return CashIn(cards=listed(given_cards(position)))
        case _:
            return Decline()
