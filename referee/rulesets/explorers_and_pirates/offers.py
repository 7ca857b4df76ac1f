"""Trade between the seats: EP-50 to EP-54."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.ids import Bundle
from referee.rulesets.explorers_and_pirates.position import Case, Offer, Position, Says, opponents
from referee.rulesets.explorers_and_pirates.wealth import handed, holds

offers = Chapter()


class OfferTrade(Move):
    """Offer cards and gold for other cards and gold, to all opponents or to those you name."""

    talk: ClassVar[bool] = True

    give: Annotated[Bundle, Meta(description="What you give: kind to number.")]
    want: Annotated[Bundle, Meta(description="What you want for it: kind to number.")]
    to: Annotated[tuple[Seat, ...] | UnsetType, Meta(description="Whom you ask; left out: all opponents.")] = UNSET


class AcceptTrade(Move):
    """Say that you would take the active seat's offer."""

    talk: ClassVar[bool] = True


class DeclineTrade(Move):
    """Say that you do not take the active seat's offer."""

    talk: ClassVar[bool] = True


class ConfirmTrade(Move):
    """Close the deal with a seat that has accepted."""

    partner: Seat = field(name="with")


class WithdrawTrade(Move):
    """Take your offer back."""

    talk: ClassVar[bool] = True


class TradeOffered(Event):
    """The active seat made an offer."""

    seat: Seat
    give: Bundle
    want: Bundle
    to: tuple[Seat, ...]


class TradeAccepted(Event):
    """A seat would take the offer."""

    seat: Seat


class TradeDeclined(Event):
    """A seat does not take the offer."""

    seat: Seat


class TradeWithdrawn(Event):
    """The offer is off."""

    seat: Seat


class TradeMade(Event):
    """The active seat gave `give` and got `want`."""

    seat: Seat
    partner: Seat = field(name="with")
    give: Bundle
    want: Bundle


def open_offer(position: Position) -> Offer:
    """The offer that is being answered; whoever asks knows that there is one."""
    assert position.offer is not None
    return position.offer


def unanswered(offer: Offer) -> tuple[Seat, ...]:
    """The seats that were asked and have not answered."""
    return tuple(seat for seat in offer.to if seat not in offer.accepted and seat not in offer.declined)


@offers.decides(OfferTrade)
def offer_trade(case: Case, move: OfferTrade) -> Says:
    """EP-51."""
    asked = opponents(case.position, case.seat)
    require("EP-51", bool(move.give) and bool(move.want), "Nothing is given away: both sides name something.")
    require("EP-51", not move.give.keys() & move.want.keys(), "No kind is on both sides.")
    if not isinstance(move.to, UnsetType):
        require("EP-51", case.seat not in move.to, "You do not trade with yourself.")
        require("EP-51", 0 < len(move.to) == len(set(move.to)), "You ask at least one seat, and none twice.")
        asked = tuple(seat for seat in asked if seat in move.to)
    require("EP-27", holds(case.position.seats[case.seat], move.give), "You do not hold what you offer.")
    yield TradeOffered(seat=case.seat, give=move.give, want=move.want, to=asked)


@offers.decides(AcceptTrade)
def accept_trade(case: Case, move: AcceptTrade) -> Says:
    """EP-52."""
    wanted = open_offer(case.position).want
    require("EP-52", holds(case.position.seats[case.seat], wanted), "You do not hold what is wanted.")
    yield TradeAccepted(seat=case.seat)


@offers.decides(DeclineTrade)
def decline_trade(case: Case, move: DeclineTrade) -> Says:
    """The last decline takes the offer off the table (EP-52)."""
    position = yield TradeDeclined(seat=case.seat)
    offer = open_offer(position)
    if len(offer.declined) == len(offer.to):
        yield TradeWithdrawn(seat=position.active_seat)


@offers.decides(ConfirmTrade)
def confirm_trade(case: Case, move: ConfirmTrade) -> Says:
    """EP-53."""
    offer = open_offer(case.position)
    require("EP-53", move.partner in offer.accepted, "This seat has not accepted the offer.")
    yield TradeMade(seat=case.seat, partner=move.partner, give=offer.give, want=offer.want)


@offers.decides(WithdrawTrade)
def withdraw_trade(case: Case, move: WithdrawTrade) -> Says:
    """EP-53."""
    yield TradeWithdrawn(seat=case.seat)


@offers.applies(TradeOffered)
def trade_offered(position: Position, event: TradeOffered) -> Position:
    """The offer is open."""
    offer = Offer(give=event.give, want=event.want, to=event.to, accepted=(), declined=())
    return replace(position, offer=offer)


@offers.applies(TradeAccepted)
def trade_accepted(position: Position, event: TradeAccepted) -> Position:
    """The answer is known to all (EP-R26)."""
    offer = open_offer(position)
    return replace(position, offer=replace(offer, accepted=(*offer.accepted, event.seat)))


@offers.applies(TradeDeclined)
def trade_declined(position: Position, event: TradeDeclined) -> Position:
    """The answer is known to all (EP-R26)."""
    offer = open_offer(position)
    return replace(position, offer=replace(offer, declined=(*offer.declined, event.seat)))


@offers.applies(TradeWithdrawn)
def trade_withdrawn(position: Position, event: TradeWithdrawn) -> Position:
    """No offer is open."""
    return replace(position, offer=None)


@offers.applies(TradeMade)
def trade_made(position: Position, event: TradeMade) -> Position:
    """The bundles change hands."""
    given = handed(position, event.seat, event.partner, event.give)
    return replace(handed(given, event.partner, event.seat, event.want), offer=None)
