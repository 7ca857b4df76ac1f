"""Whose move it is (section 6): common checks, awaited seats, safe defaults, what the referee owes."""

from typing import Final

from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import require
from referee.kernel.ruleset import Attempt, Decision, Due
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
from referee.rulesets.catham_city.position import Case, Phase, Position, active, given_cards, hand_of
from referee.rulesets.catham_city.questions import Decline, is_question_open, unanswered
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
    """What every move must meet, in this order."""
    phase = case.position.phase
    require("CC-1", phase != "finished", "The game is over.")
    move = attempt.readable("CC-2")
    require("CC-3", type(move) in MOVES[phase], f"{tag(move)} does not belong to the phase {phase}.")
    if isinstance(move, Trigger):
        require("CC-4", case.actor == REFEREE, "Only the referee makes this move.")
    else:
        require("CC-4", case.actor in awaited_seats(case.edition, case.position), "This actor is not awaited.")


def awaited_seats(edition: Edition, position: Position) -> tuple[Seat, ...]:
    """The seats that owe a move."""
    if position.phase in ("setup", "finished"):
        return ()
    if is_question_open(position):
        return unanswered(position, edition)
    return (active(position),)


def awaited(edition: Edition, position: Position) -> tuple[Decision, ...]:
    """Which seats owe which moves."""
    moves = SEATS_MOVES[position.phase]
    return tuple(Decision(seat=seat, moves=moves) for seat in awaited_seats(edition, position))


def due(edition: Edition, position: Position) -> Due | None:
    """The set-up, or the resolution once nobody is awaited; both at once."""
    if position.phase == "setup":
        return Due(SetUp())
    if is_question_open(position) and not unanswered(position, edition):
        return Due(ResolveAnswers())
    return None


def default(edition: Edition, position: Position, seat: Seat) -> Move:
    """What is played for a seat whose time has run out; first means first in the canonical order."""
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
