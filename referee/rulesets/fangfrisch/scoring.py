"""The end of the game: the market closes, seats sell at half price and pay for their trash (FF-68 to FF-75)."""

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.ranking import Place, places, ranks_of
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import Cards, fish_on
from referee.rulesets.fangfrisch.position import (
    Case,
    LastLot,
    Position,
    Says,
    final_seller,
    is_stall_empty,
    seller_of,
)
from referee.rulesets.fangfrisch.turns import StepStarted

scoring = Chapter()


class CloseMarket(Trigger):
    """Discard the offer and start the final sales."""


class SettleAccounts(Trigger):
    """Make every seat pay for its trash, and rank the seats."""


class MarketClosed(Event):
    """The market closed; nobody gets the cards of the offer."""

    seller: Seat
    cards: Cards


class FinalSaleMade(Event):
    """A seat had its final sale, or had nothing to sell."""

    seat: Seat
    income: int


class TrashPaid(Event):
    """A seat paid for the fish in its trash."""

    seat: Seat
    fish: int
    amount: int


class GameFinished(Event):
    """The game is over. All lists are by seat; rank 1 is the best."""

    scores: tuple[int, ...]
    trash_fish: tuple[int, ...]
    ranks: tuple[int, ...]


@scoring.decides(CloseMarket)
def close_market(case: Case, move: CloseMarket) -> Says:
    """Close the market (FF-68)."""
    position = yield MarketClosed(seller=seller_of(case.position), cards=case.position.offer)
    yield from next_final_sale(position)


def next_final_sale(position: Position) -> Says:
    """Start the final sale of the next seat with fish on its stall; after the last, the settlement (FF-69, FF-72)."""
    while position.final_sales < len(position.seats):
        seat = final_seller(position)
        if not is_stall_empty(position.seats[seat]):
            yield StepStarted(phase="final_sale", seat=seat)
            return
        position = yield FinalSaleMade(seat=seat, income=0)
    yield StepStarted(phase="settling", seat=None)


@scoring.decides(SettleAccounts)
def settle_accounts(case: Case, move: SettleAccounts) -> Says:
    """Make every seat pay for its trash, and end the game (FF-72, FF-73)."""
    position = case.position
    for seat in range(len(position.seats)):
        fish = fish_on(position.seats[seat].trash)
        position = yield TrashPaid(seat=Seat(seat), fish=fish, amount=fish * case.edition.trash_cost_per_fish)
    yield GameFinished(
        scores=tuple([seat.money for seat in position.seats]),
        trash_fish=tuple([fish_on(seat.trash) for seat in position.seats]),
        ranks=ranks_of([seat.money for seat in position.seats]),
    )


def ranking(position: Position, edition: Edition) -> tuple[Place, ...]:
    """The seats by money; seats with equal money share a rank (FF-74)."""
    money = [seat.money for seat in position.seats]
    return places(money, money, "FF-74")


@scoring.applies(MarketClosed)
def market_closed(position: Position, event: MarketClosed) -> Position:
    """Move the offer, if there is one, to the discard pile."""
    lost = LastLot(position.offer_number, None, len(event.cards)) if event.cards else position.last_lot
    return replace(position, offer=(), last_lot=lost, discard=position.discard + event.cards)


@scoring.applies(FinalSaleMade)
def final_sale_made(position: Position, event: FinalSaleMade) -> Position:
    """One more seat has had its final sale."""
    return replace(position, final_sales=position.final_sales + 1)


@scoring.applies(TrashPaid)
def trash_paid(position: Position, event: TrashPaid) -> Position:
    """The seat pays."""
    money = position.seats[event.seat].money - event.amount
    return replace(position, seats=with_seat(position.seats, event.seat, money=money))


@scoring.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """The phase is `finished`."""
    return replace(position, phase="finished")
