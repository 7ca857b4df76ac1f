"""The end of the game: the market closes, the rest is sold at half price, the trash is paid for (FF-68 to FF-75)."""

from referee.kernel.changes import replace
from referee.kernel.message import Event, Trigger
from referee.kernel.ruleset import Chapter, Place
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.cards import Cards, fish_on
from referee.rulesets.fangfrisch.position import (
    Case,
    Position,
    Says,
    final_seller,
    is_stall_empty,
    seller_of,
    with_seat,
)
from referee.rulesets.fangfrisch.turns import StepStarted

closing = Chapter()


class CloseMarket(Trigger):
    """Put the offer away and ask for the last sales."""


class SettleAccounts(Trigger):
    """Let every seat pay for its trash, and name the places."""


class MarketClosed(Event):
    """The market is closed; nobody gets the cards of the offer."""

    seller: Seat
    cards: Cards


class FinalSaleMade(Event):
    """A seat has had its last sale, or has nothing to sell."""

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


@closing.decides(CloseMarket)
def close_market(case: Case, move: CloseMarket) -> Says:
    """FF-68."""
    position = yield MarketClosed(seller=seller_of(case.position), cards=case.position.offer)
    yield from next_final_sale(position)


def next_final_sale(position: Position) -> Says:
    """The next seat with fish on its stall sells; after the last one the referee settles (FF-69, FF-72)."""
    while position.final_sales < len(position.seats):
        seat = final_seller(position)
        if not is_stall_empty(position.seats[seat]):
            yield StepStarted(phase="final_sale", seat=seat)
            return
        position = yield FinalSaleMade(seat=seat, income=0)
    yield StepStarted(phase="settling", seat=None)


@closing.decides(SettleAccounts)
def settle_accounts(case: Case, move: SettleAccounts) -> Says:
    """FF-72, FF-73; then the ranking."""
    position = case.position
    for seat in range(len(position.seats)):
        fish = fish_on(position.seats[seat].trash)
        position = yield TrashPaid(seat=Seat(seat), fish=fish, amount=fish * case.edition.trash_cost_per_fish)
    places = sorted(ranking(position), key=lambda place: place.seat)
    yield GameFinished(
        scores=tuple([place.score for place in places]),
        trash_fish=tuple([fish_on(seat.trash) for seat in position.seats]),
        ranks=tuple([place.rank for place in places]),
    )


def ranking(position: Position) -> tuple[Place, ...]:
    """The richest seat first; equal money: fewer fish in the trash; still equal: the rank is shared (FF-74)."""
    keys = [(seat.money, -fish_on(seat.trash)) for seat in position.seats]
    places = [
        Place(seat=Seat(seat), rank=1 + sum(other > key for other in keys), score=key[0], clause="FF-74")
        for seat, key in enumerate(keys)
    ]
    return tuple(sorted(places, key=lambda place: (place.rank, place.seat)))


@closing.applies(MarketClosed)
def market_closed(position: Position, event: MarketClosed) -> Position:
    """The offer is on the discard pile."""
    return replace(position, offer=(), discard=position.discard + event.cards)


@closing.applies(FinalSaleMade)
def final_sale_made(position: Position, event: FinalSaleMade) -> Position:
    """One more seat is through."""
    return replace(position, final_sales=position.final_sales + 1)


@closing.applies(TrashPaid)
def trash_paid(position: Position, event: TrashPaid) -> Position:
    """The seat is poorer."""
    money = position.seats[event.seat].money - event.amount
    return replace(position, seats=with_seat(position, event.seat, money=money))


@closing.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """Nothing is accepted any more."""
    return replace(position, phase="finished")
