"""Who is awaited in the toy, what is due, and which moves are worth trying."""

from collections.abc import Iterator

from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Attempt, Decision, Due, Family
from referee.kernel.seat import REFEREE, Seat
from tests.toy.edition import Edition
from tests.toy.position import Position, bidders
from tests.toy.rules import (
    Bid,
    CloseHaggling,
    DrawCard,
    OfferCard,
    RevealBids,
    SetUp,
    ShareCoins,
    TableCase,
)
from tests.toy.scoring import ScoreGame

MOVES: dict[str, tuple[type[Move], ...]] = {
    "setup": (SetUp,),
    "turn": (DrawCard, OfferCard),
    "bidding": (Bid, RevealBids),
    "haggling": (ShareCoins, CloseHaggling),
    "closing": (ScoreGame,),
}


def before(case: TableCase, attempt: Attempt) -> None:
    """What every move must meet."""
    position = case.position
    require("TY-1", position.phase != "finished", "The game is over.")
    kind = type(attempt.readable("TY-2"))
    require("TY-3", kind in MOVES[position.phase], "This move belongs to another phase.")
    if issubclass(kind, Trigger):
        owed = due(case.edition, position)
        awaited_here = case.actor == REFEREE and owed is not None and isinstance(owed.move, kind)
    else:
        awaited_here = any(case.actor == decision.seat for decision in awaited(position))
    if not awaited_here:
        raise Rejection("TY-4", "The actor is not awaited.")


def awaited(position: Position) -> tuple[Decision, ...]:
    """Who may move."""
    if position.phase == "turn":
        return (Decision(seat=position.active_seat, moves=(tag(DrawCard), tag(OfferCard))),)
    if position.phase == "bidding":
        return tuple(Decision(seat=seat, moves=(tag(Bid),)) for seat in bidders(position))
    if position.phase == "haggling" and position.seats[position.buyer].coins:
        return (Decision(seat=position.buyer, moves=(tag(ShareCoins),), obliged=False),)
    return ()


def due(edition: Edition, position: Position) -> Due | None:
    """What the referee owes."""
    if position.phase == "setup":
        return Due(SetUp())
    if position.phase == "bidding" and not bidders(position):
        return Due(RevealBids())
    if position.phase == "haggling":
        return Due(CloseHaggling(), after_s=edition.patience_s)
    return Due(ScoreGame()) if position.phase == "closing" else None


def candidates(position: Position, seat: Seat) -> Iterator[Move]:
    """Moves worth trying."""
    if position.phase == "turn":
        yield DrawCard()
        yield from (OfferCard(card=card) for card in position.seats[seat].hand)
    if position.phase == "bidding":
        yield from (Bid(coins=coins) for coins in range(position.seats[seat].coins + 1))
    if position.phase == "haggling":
        count = len(position.seats)
        yield from (ShareCoins(shares=tuple(int(each == other) for each in range(count))) for other in range(count))


def families(position: Position, seat: Seat) -> Iterator[Family]:
    """Handing out coins has too many ways to be listed."""
    if position.phase != "haggling":
        return
    coins = position.seats[seat].coins
    entry = [
        {"const": 0} if number == seat else {"minimum": 0, "maximum": coins} for number in range(len(position.seats))
    ]
    yield Family(
        type=tag(ShareCoins),
        description="One number of coins per seat.",
        schema={
            "type": "object",
            "properties": {
                "type": {"const": tag(ShareCoins)},
                "shares": {
                    "type": "array",
                    "prefixItems": [{"type": "integer", **each} for each in entry],
                    "minItems": len(entry),
                    "maxItems": len(entry),
                },
            },
            "required": ["type", "shares"],
            "additionalProperties": False,
        },
    )


def default(position: Position, seat: Seat) -> Move:
    """The safe default."""
    if position.phase == "bidding":
        return Bid(coins=0)
    hand = position.seats[seat].hand
    return OfferCard(card=hand[0]) if hand else DrawCard()
