"""The moves and events of the toy, with what each does."""

from collections.abc import Generator
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, UnsetType

from referee.kernel.audience import NOBODY, OWN_ENTRY, only
from referee.kernel.changes import put, replace, without
from referee.kernel.message import Event, Move, Trigger
from referee.kernel.rejection import require
from referee.kernel.ruleset import Case, Chapter
from referee.kernel.seat import Seat
from tests.toy.edition import Edition
from tests.toy.position import Fish, Natural, Position, SeatState, can_act

Says = Generator[Event, Position, None]
TableCase = Case[Position, Edition]

toy = Chapter()


class SetUp(Trigger):
    """Shuffle, deal, and name the first seat."""


class DrawCard(Move):
    """Draw the top card of the deck."""


class OfferCard(Move):
    """Offer a fish to the others."""

    card: Fish


class Bid(Move):
    """Bid in secret for the fish that is offered."""

    secret: ClassVar[bool] = True
    coins: Annotated[Natural, Meta(description="None is no bid.")]


class RevealBids(Trigger):
    """Show the bids and sell the fish."""


class ShareCoins(Move):
    """Hand out coins after a purchase."""

    shares: tuple[Natural, ...]


class CloseHaggling(Trigger):
    """End the haggling."""


class GameSetUp(Event):
    """The fish are dealt."""

    first_seat: Seat
    hands: Annotated[tuple[tuple[Fish, ...] | None, ...], OWN_ENTRY]
    hand_count: int
    coins: int
    deck: Annotated[tuple[Fish, ...] | UnsetType, NOBODY]
    deck_count: int


class CardDrawn(Event):
    """A seat drew a card."""

    seat: Seat
    card: Annotated[Fish | UnsetType, only("seat")]


class CardOffered(Event):
    """A fish is for sale."""

    seat: Seat
    card: Fish


class BidMade(Event):
    """A seat made its bid."""

    seat: Seat
    coins: Annotated[int | UnsetType, only("seat")]


class CardSold(Event):
    """The highest bid bought the fish."""

    seat: Seat
    buyer: Seat
    card: Fish
    price: int


class CardThrownAway(Event):
    """Nobody wanted the fish."""

    seat: Seat
    card: Fish


class CoinsShared(Event):
    """The buyer handed out coins."""

    seat: Seat
    shares: tuple[int, ...]


class TurnStarted(Event):
    """It is the turn of a seat."""

    seat: Seat


class MarketClosed(Event):
    """There are no more turns."""

    reason: Literal["sold_out", "time_up"]


def blank(options: object, seats: int) -> Position:
    """The table before the set-up."""
    require("TY-S1", 2 <= seats <= 4, "Two to four seats play.")
    first = options.first_seat
    require("TY-S2", first is None or 0 <= first < seats, "The first seat is one of the seats.")
    return Position(options=options, phase="setup", seats=(SeatState(),) * seats)


@toy.decides(SetUp)
def set_up(case: TableCase, move: SetUp) -> Says:
    count, first = len(case.position.seats), case.position.options.first_seat
    if first is None:
        first = Seat(case.chance.number("draw_first_seat", 0, count - 1))  # TY-S2
    deck = case.chance.shuffle("shuffle_deck", case.edition.deck)  # TY-S3
    size = case.edition.hand
    yield GameSetUp(
        first_seat=first,
        hands=tuple(deck[size * seat : size * (seat + 1)] for seat in range(count)),
        hand_count=size,
        coins=case.edition.coins,
        deck=deck[size * count :],
        deck_count=len(deck) - size * count,
    )


@toy.applies(GameSetUp)
def game_set_up(position: Position, event: GameSetUp) -> Position:
    seats = tuple(SeatState(hand=hand, coins=event.coins) for hand in event.hands)
    return replace(position, phase="turn", seats=seats, deck=event.deck, active_seat=event.first_seat)


@toy.decides(DrawCard)
def draw_card(case: TableCase, move: DrawCard) -> Says:
    room = len(case.position.seats[case.seat].hand) < case.edition.hand_limit
    require("TY-5", bool(case.position.deck) and room, "A card is drawn if there is one, and room for it.")
    position = yield CardDrawn(seat=case.seat, card=case.position.deck[0])
    yield from next_turn(case, position)


@toy.applies(CardDrawn)
def card_drawn(position: Position, event: CardDrawn) -> Position:
    seat = position.seats[event.seat]
    seats = put(position.seats, event.seat, replace(seat, hand=(*seat.hand, event.card)))
    return replace(position, seats=seats, deck=position.deck[1:])


@toy.decides(OfferCard)
def offer_card(case: TableCase, move: OfferCard) -> Says:
    require("TY-6", move.card in case.position.seats[case.seat].hand, "Only a fish in hand is offered.")
    yield CardOffered(seat=case.seat, card=move.card)


@toy.applies(CardOffered)
def card_offered(position: Position, event: CardOffered) -> Position:
    seat = position.seats[event.seat]
    seats = put(position.seats, event.seat, replace(seat, hand=without(seat.hand, (event.card,))))
    return replace(position, phase="bidding", seats=seats, offer=event.card)


@toy.decides(Bid)
def bid(case: TableCase, move: Bid) -> Says:
    require("TY-7", move.coins <= case.position.seats[case.seat].coins, "Nobody bids more coins than it has.")
    yield BidMade(seat=case.seat, coins=move.coins)


@toy.applies(BidMade)
def bid_made(position: Position, event: BidMade) -> Position:
    seat = position.seats[event.seat]
    return replace(position, seats=put(position.seats, event.seat, replace(seat, bid=event.coins)))


@toy.decides(RevealBids)
def reveal_bids(case: TableCase, move: RevealBids) -> Says:
    position, count = case.position, len(case.position.seats)
    seller = position.active_seat
    others = [Seat((seller + step) % count) for step in range(1, count)]
    buyer = max(others, key=lambda seat: position.seats[seat].bid or 0)  # TY-8: max() keeps the first of equals
    price = position.seats[buyer].bid or 0
    if price == 0:
        position = yield CardThrownAway(seat=seller, card=position.offer)
    else:
        position = yield CardSold(seat=seller, buyer=buyer, card=position.offer, price=price)
    if position.phase != "haggling":
        yield from next_turn(case, position)


@toy.applies(CardThrownAway)
def card_thrown_away(position: Position, event: CardThrownAway) -> Position:
    seats = tuple(replace(seat, bid=None) for seat in position.seats)
    thrown_away = (*position.thrown_away, event.card)
    return replace(position, phase="turn", seats=seats, offer=None, thrown_away=thrown_away)


@toy.applies(CardSold)
def card_sold(position: Position, event: CardSold) -> Position:
    seats = tuple(replace(seat, bid=None) for seat in position.seats)
    seller, buyer = seats[event.seat], seats[event.buyer]
    seats = put(seats, event.seat, replace(seller, coins=seller.coins + event.price))
    bought = (*buyer.bought, event.card)
    seats = put(seats, event.buyer, replace(buyer, coins=buyer.coins - event.price, bought=bought))
    haggles = position.options.haggling
    phase, haggler = ("haggling", event.buyer) if haggles else ("turn", None)
    return replace(position, phase=phase, seats=seats, offer=None, buyer=haggler)


@toy.decides(ShareCoins)
def share_coins(case: TableCase, move: ShareCoins) -> Says:
    shares, position = move.shares, case.position
    fits = len(shares) == len(position.seats) and shares[case.seat] == 0
    require(
        "TY-9",
        fits and 1 <= sum(shares) <= position.seats[case.seat].coins,
        "Coins are handed out to others, at least one, and no more than there are.",
    )
    position = yield CoinsShared(seat=case.seat, shares=shares)
    yield from next_turn(case, position)


@toy.applies(CoinsShared)
def coins_shared(position: Position, event: CoinsShared) -> Position:
    given = tuple(
        replace(seat, coins=seat.coins + share) for seat, share in zip(position.seats, event.shares, strict=True)
    )
    giver = given[event.seat]
    seats = put(given, event.seat, replace(giver, coins=giver.coins - sum(event.shares)))
    return replace(position, phase="turn", seats=seats, buyer=None)


@toy.decides(CloseHaggling)
def close_haggling(case: TableCase, move: CloseHaggling) -> Says:
    yield from next_turn(case, case.position)  # TY-9


def next_turn(case: TableCase, position: Position) -> Says:
    """The next turn, or the end."""
    count = len(position.seats)
    order = [Seat((position.active_seat + step) % count) for step in range(1, count + 1)]
    able = [seat for seat in order if can_act(position, seat)]
    if not able:
        yield MarketClosed(reason="sold_out")  # TY-11
    elif position.turns + 1 >= case.edition.turns_max:
        yield MarketClosed(reason="time_up")  # TY-11
    else:
        yield TurnStarted(seat=able[0])  # TY-10


@toy.applies(TurnStarted)
def turn_started(position: Position, event: TurnStarted) -> Position:
    return replace(position, phase="turn", active_seat=event.seat, buyer=None, turns=position.turns + 1)


@toy.applies(MarketClosed)
def market_closed(position: Position, event: MarketClosed) -> Position:
    return replace(position, phase="closing", buyer=None, turns=position.turns + 1)
