"""Trade between the seats: EP-50 to EP-54."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import GOODS, RESOURCES, Bundle, Good, joined
from referee.rulesets.explorers_and_pirates.position import Case, Offer, Position, Says, opponents
from referee.rulesets.explorers_and_pirates.wealth import amount_of, handed, holds, in_words, shortage

offers = Chapter()


class OfferTrade(Move):
    """Offer cards and gold for other cards and gold, to all opponents or to those you name."""

    talk: ClassVar[bool] = True

    give: Annotated[Bundle, Meta(description="What you give: kind to number.")]
    want: Annotated[Bundle, Meta(description="What you want in return: kind to number.")]
    to: Annotated[tuple[Seat, ...] | UnsetType, Meta(description="The seats asked; by default all opponents.")] = UNSET


class AcceptTrade(Move):
    """Accept the active seat's offer, so that it can make the trade with you."""

    talk: ClassVar[bool] = True


class DeclineTrade(Move):
    """Decline the active seat's offer."""

    talk: ClassVar[bool] = True


class ConfirmTrade(Move):
    """Make the trade with a seat that has accepted your offer."""

    partner: Seat = field(name="with")


class WithdrawTrade(Move):
    """Withdraw your offer."""

    talk: ClassVar[bool] = True


class TradeOffered(Event):
    """The active seat made an offer."""

    seat: Seat
    give: Bundle
    want: Bundle
    to: tuple[Seat, ...]


class TradeAccepted(Event):
    """A seat accepted the offer."""

    seat: Seat


class TradeDeclined(Event):
    """A seat declined the offer."""

    seat: Seat


class TradeWithdrawn(Event):
    """The offer was withdrawn, or every seat declined it."""

    seat: Seat


class TradeMade(Event):
    """The active seat gave `give` to the seat `with` and got `want` from it."""

    seat: Seat
    partner: Seat = field(name="with")
    give: Bundle
    want: Bundle


def open_offer(position: Position) -> Offer:
    """The open offer; callers know that there is one."""
    assert position.offer is not None
    return position.offer


def unanswered(offer: Offer) -> tuple[Seat, ...]:
    """The seats that were asked and have not answered."""
    return tuple(seat for seat in offer.to if seat not in offer.accepted and seat not in offer.declined)


def held_by_opponents(position: Position, seat: Seat, edition: Edition) -> dict[Good, int]:
    """The cards of each kind that all opponents have together, and the most gold that one of them has."""
    own = position.seats[seat]
    found: dict[Good, int] = {
        resource: edition.cards_each - getattr(position.bank, resource) - amount_of(own, resource)
        for resource in RESOURCES
    }
    found["gold"] = max(position.seats[other].gold for other in opponents(position, seat))
    return found


@offers.decides(OfferTrade)
def offer_trade(case: Case, move: OfferTrade) -> Says:
    """Check EP-51; then open the offer."""
    asked = opponents(case.position, case.seat)
    require("EP-51", bool(move.give), "`give` is empty: an offer gives something.")
    require("EP-51", bool(move.want), "`want` is empty: an offer asks for something.")
    twice = [good for good in move.give if good in move.want]
    require("EP-51", not twice, f"{joined(twice)}: a kind cannot be on both sides of an offer.")
    if not isinstance(move.to, UnsetType):
        require("EP-51", case.seat not in move.to, "You cannot make an offer to yourself.")
        require("EP-51", len(move.to) > 0, "`to` is empty: name an opponent, or leave `to` out to ask all of them.")
        require("EP-51", len(move.to) == len(set(move.to)), "`to` names a seat twice.")
        asked = tuple(seat for seat in asked if seat in move.to)
    state = case.position.seats[case.seat]
    if not holds(state, move.give):
        raise Rejection("EP-27", f"You offer {in_words(move.give)}; you have {shortage(state, move.give)}.")
    yield TradeOffered(seat=case.seat, give=move.give, want=move.want, to=asked)


@offers.decides(AcceptTrade)
def accept_trade(case: Case, move: AcceptTrade) -> Says:
    """Check EP-52; then accept the offer."""
    wanted, state = open_offer(case.position).want, case.position.seats[case.seat]
    if not holds(state, wanted):
        raise Rejection("EP-52", f"The offer asks for {in_words(wanted)}; you have {shortage(state, wanted)}.")
    yield TradeAccepted(seat=case.seat)


@offers.decides(DeclineTrade)
def decline_trade(case: Case, move: DeclineTrade) -> Says:
    """The last decline closes the offer (EP-52)."""
    position = yield TradeDeclined(seat=case.seat)
    offer = open_offer(position)
    if len(offer.declined) == len(offer.to):
        yield TradeWithdrawn(seat=position.active_seat)


@offers.decides(ConfirmTrade)
def confirm_trade(case: Case, move: ConfirmTrade) -> Says:
    """Check EP-53; then trade with the partner."""
    offer = open_offer(case.position)
    require("EP-53", move.partner in offer.accepted, f"Seat {move.partner} has not accepted your offer.")
    yield TradeMade(seat=case.seat, partner=move.partner, give=offer.give, want=offer.want)


@offers.decides(WithdrawTrade)
def withdraw_trade(case: Case, move: WithdrawTrade) -> Says:
    """Withdraw the offer (EP-53)."""
    yield TradeWithdrawn(seat=case.seat)


def _sorted(bundle: Bundle) -> Bundle:
    """A bundle in the order of the goods: a stored event has its keys in another order than the move."""
    return {good: bundle[good] for good in GOODS if good in bundle}


@offers.applies(TradeOffered)
def trade_offered(position: Position, event: TradeOffered) -> Position:
    """Open the offer."""
    offer = Offer(give=_sorted(event.give), want=_sorted(event.want), to=event.to, accepted=(), declined=())
    return replace(position, offer=offer, turn=replace(position.this_turn, offered=True))


@offers.applies(TradeAccepted)
def trade_accepted(position: Position, event: TradeAccepted) -> Position:
    """Note the answer, which everybody sees (EP-R26)."""
    offer = open_offer(position)
    return replace(position, offer=replace(offer, accepted=(*offer.accepted, event.seat)))


@offers.applies(TradeDeclined)
def trade_declined(position: Position, event: TradeDeclined) -> Position:
    """Note the answer, which everybody sees (EP-R26)."""
    offer = open_offer(position)
    return replace(position, offer=replace(offer, declined=(*offer.declined, event.seat)))


@offers.applies(TradeWithdrawn)
def trade_withdrawn(position: Position, event: TradeWithdrawn) -> Position:
    """Close the offer."""
    return replace(position, offer=None)


@offers.applies(TradeMade)
def trade_made(position: Position, event: TradeMade) -> Position:
    """Exchange the goods, and close the offer."""
    given = handed(position, event.seat, event.partner, event.give)
    return replace(handed(given, event.partner, event.seat, event.want), offer=None)
