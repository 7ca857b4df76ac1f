"""Whose move it is: what every move must meet, the awaited seats, what is due, and the safe defaults."""

from typing import Final

from referee.kernel.attempt import Attempt
from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE, Seat
from tests.toy.bidding import Bid, OfferCard, RevealBids
from tests.toy.edition import Edition
from tests.toy.haggling import CloseHaggling, ShareCoins
from tests.toy.position import Case, Phase, Position, active_of, bidders
from tests.toy.scoring import ScoreGame
from tests.toy.setup import SetUp
from tests.toy.turns import DrawCard

MOVES: Final[dict[Phase, tuple[type[Move], ...]]] = {
    "setup": (SetUp,),
    "turn": (DrawCard, OfferCard),
    "bidding": (Bid, RevealBids),
    "haggling": (ShareCoins, CloseHaggling),
    "closing": (ScoreGame,),
}
"""The moves of each phase."""


def before(case: Case, attempt: Attempt) -> None:
    """Check the form, the phase and the actor of a move, in the order of the rules."""
    position = case.position
    require("TY-1", position.phase != "finished", "The game is over; nobody moves any more.")
    kind = type(attempt.readable("TY-2"))
    if kind not in MOVES[position.phase]:
        names = " or ".join(f"`{tag(each)}`" for each in MOVES[position.phase])
        raise Rejection("TY-3", f"`{tag(kind)}` is no move of phase `{position.phase}`, which expects {names}.")
    if not is_expected(case, kind):
        seats = ", ".join(f"seat {decision.seat}" for decision in awaited(position, case.edition))
        raise Rejection("TY-4", f"It is not your move; the game waits for {seats or 'the referee'}.")


def is_expected(case: Case, kind: type[Move]) -> bool:
    """Whether this actor makes this kind of move now (TY-4)."""
    if issubclass(kind, Trigger):
        owed = due(case.position, case.edition)
        return case.actor == REFEREE and owed is not None and isinstance(owed.move, kind)
    return any(case.actor == decision.seat for decision in awaited(case.position, case.edition))


def awaited(position: Position, edition: Edition) -> tuple[Decision, ...]:
    """The seats that may move, and their types of moves."""
    if position.phase == "turn":
        return (Decision(active_of(position), (tag(DrawCard), tag(OfferCard))),)
    if position.phase == "bidding":
        return tuple([Decision(seat, (tag(Bid),)) for seat in bidders(position)])
    if position.buyer is not None and position.seats[position.buyer].coins:
        return (Decision(position.buyer, (tag(ShareCoins),), obliged=False),)
    return ()


def due(position: Position, edition: Edition) -> Due | None:
    """The trigger that the referee owes."""
    if position.phase == "setup":
        return Due(SetUp())
    if position.phase == "bidding" and not bidders(position):
        return Due(RevealBids())
    if position.phase == "haggling":
        return Due(CloseHaggling(), after_ms=1000 * edition.patience_s)
    return Due(ScoreGame()) if position.phase == "closing" else None


def default(position: Position, seat: Seat, edition: Edition) -> Move:
    """The legal move with the least effect: no bid, or an offer of the first fish of the hand."""
    if position.phase == "bidding":
        return Bid(coins=0)
    hand = position.seats[seat].hand
    return OfferCard(card=hand[0]) if hand else DrawCard()
