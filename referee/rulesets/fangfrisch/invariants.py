"""The invariants of every position after the set-up (section 12 of rules.md)."""

from collections.abc import Iterator

from referee.kernel.rejection import Malformed, Rejection, ensure
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import FISH, NATURAL, SLOTS, SPECIAL, Cards, species_in
from referee.rulesets.fangfrisch.position import (
    PURCHASE_PHASES,
    Position,
    Purchase,
    SeatState,
    bidders,
    final_seller,
    is_live,
    is_stall_empty,
    may_seller_bid,
    slot_of,
)
from referee.rulesets.fangfrisch.setup import require_options


def check(position: Position, edition: Edition) -> None:
    """Raise Malformed for a position that breaks an invariant."""
    check_table(position, edition)
    check_cards(position, edition)
    for seat in position.seats:
        check_stall(seat)
        ensure(seat.money >= 0 or position.phase == "finished", "FF-4: no seat falls below 0 before the settlement.")
    check_auction(position, edition)
    check_closing(position)
    check_purchase(position, edition)


def check_table(position: Position, edition: Edition) -> None:
    """Seats, options and counters are within their ranges."""
    seats = len(position.seats)
    try:
        require_options(position.options, seats, edition)
    except Rejection as rejection:
        raise Malformed(f"{rejection.clause}: {rejection.message}") from None
    seller = position.seller
    ensure(seller is not None and 0 <= seller < seats, "FF-10: after the set-up `seller` is one of the seats.")
    ensure(position.idle_turns >= 0, "FF-32: `idle_turns` is 0 or more.")
    last = position.last_lot
    if last is not None:
        ensure(last.buyer is None or 0 <= last.buyer < seats, "FF-43: the buyer of `last_lot` is one of the seats.")
        ensure(
            0 < last.cards <= last.offer_number, "FF-43: `last_lot` has at least 1 card, and no more than were turned."
        )
        ensure(last.offer_number <= position.offer_number, "FF-43: `last_lot` is no later offer than the newest.")


def check_cards(position: Position, edition: Edition) -> None:
    """Every card of the box lies in exactly one place, and special cards only in the deck or aside."""
    ensure(sorted(all_cards(position)) == edition.all_cards_sorted, "FF-R1: all cards together are those of the box.")
    turned = len(edition.all_cards_sorted) - len(position.deck)
    ensure(position.offer_number == turned, "FF-43: `offer_number` is the number of cards that are not in the deck.")
    ensure(all(card in FISH for card in position.cleared), "FF-64: cans remove fish cards only.")
    ensure(all(card in SPECIAL for card in position.aside), "FF-35: only special cards lie aside.")
    ensure(
        len(position.aside) + sum([position.deck.count(card) for card in SPECIAL]) == len(SPECIAL),
        "FF-35: special cards lie in the deck or aside.",
    )


def all_cards(position: Position) -> Iterator[str]:
    """The cards of every place."""
    yield from position.deck
    yield from position.offer
    yield from position.discard
    yield from position.cleared
    yield from position.aside
    if position.purchase is not None:
        yield from position.purchase.hand
    for seat in position.seats:
        for slot in SLOTS:
            yield from slot_of(seat, slot)
        yield from seat.trash


def check_stall(seat: SeatState) -> None:
    """A stall keeps FF-12 to FF-15."""
    ensure(all(card in FISH for card in seat.trash), "FF-12: a trash holds fish cards only.")
    held = []
    for slot in SLOTS:
        cards = slot_of(seat, slot)
        ensure(all(card in FISH for card in cards), "FF-12: a slot holds fish cards only.")
        species = species_in(cards)
        ensure(is_pure(cards), "FF-13: a slot holds natural cards of one species only.")
        if species is not None:
            held.append(species)
    ensure(len(set(held)) == len(held), "FF-15: a species lies in at most one slot of a stall.")


def is_pure(cards: Cards) -> bool:
    """Whether the natural cards among these are of one species."""
    return len({NATURAL[card] for card in cards if card in NATURAL}) <= 1


def check_auction(position: Position, edition: Edition) -> None:
    """The offer and the answers fit the phase, and a seat can still answer."""
    phase = position.phase
    answers = [seat.answer for seat in position.seats]
    is_live_auction = phase == "auction" and is_live(position)
    ensure(is_live_auction or not position.is_announced, "FF-42: a card is announced only in an auction of live pace.")
    if phase != "auction":
        ensure(phase == "closing" or not position.offer, "FF-34: an offer lies there only in `auction` and `closing`.")
        ensure(not any(answers), "FF-37: answers are given only in an auction.")
        return
    ensure(
        bool(position.offer) or position.is_announced,
        "FF-35: in `auction` the offer is not empty, or a card is announced.",
    )
    taking_part = bidders(position, edition)
    ensure(bool(taking_part), "FF-32: in `auction` a seat takes part.")
    outside = [answer for seat, answer in enumerate(answers) if seat not in taking_part]
    ensure(not any(outside), "FF-31: a seat that takes no part has no answer.")
    if is_live(position):
        can_compete = bool(position.offer) and position.options.bell_window_ms > 0
        ensure("pass" not in answers, "FF-41: in live pace nobody passes.")
        ensure(
            can_compete or not any(answers), "FF-41: seats have rung only for an offer, and only while rings compete."
        )
        return
    ensure(any(answers[seat] is None for seat in taking_part), "FF-39: in `auction` an answer is still awaited.")


def check_closing(position: Position) -> None:
    """The deck and the number of final sales fit the phase."""
    phase, seats = position.phase, len(position.seats)
    if phase in ("selling", "auction", *PURCHASE_PHASES):
        ensure("market_close" in position.deck, "FF-11: `market_close` is in the deck while cards are being turned.")
    ensure(0 <= position.final_sales <= seats, "FF-69: `final_sales` is 0 to the number of seats.")
    if phase == "final_sale":
        ensure(position.final_sales < seats, "FF-69: in `final_sale` a seat has not had its sale.")
        stall = position.seats[final_seller(position)]
        ensure(not is_stall_empty(stall), "FF-69: in `final_sale` the seat in turn has fish on its stall.")
    elif phase not in ("settling", "finished"):
        ensure(position.final_sales == 0, "FF-69: nobody has a final sale before the market is closed.")


def check_purchase(position: Position, edition: Edition) -> None:
    """`purchase` is set exactly in the buyer's steps, and each step has something to decide."""
    bought = position.purchase
    ensure(
        (bought is not None) == (position.phase in PURCHASE_PHASES),
        "FF-48: `purchase` is set exactly in `thieving`, `stowing`, `canning` and `buyer_sale`.",
    )
    if bought is None:
        return
    ensure(0 <= bought.buyer < len(position.seats), "FF-45: `buyer` is one of the seats.")
    ensure(
        may_seller_bid(position, edition) or bought.buyer != position.seller,
        "FF-30: with this number of seats the buyer is not the seller.",
    )
    ensure(bought.thieves >= 0 and bought.cans >= 0, "FF-47: `thieves` and `cans` are 0 or more.")
    ensure(all(card in FISH for card in bought.hand), "FF-47: a hand holds fish cards only.")
    for invariant, holds in step_invariants(position, bought):
        ensure(holds, invariant)


def step_invariants(position: Position, bought: Purchase) -> Iterator[tuple[str, bool]]:
    """What makes each of the buyer's steps necessary, and that the steps before it are over."""
    phase, buyer = position.phase, position.seats[bought.buyer]
    if phase == "thieving":
        others = [seat for number, seat in enumerate(position.seats) if number != bought.buyer]
        yield "FF-49: in `thieving` there is a thief.", bought.thieves > 0
        yield "FF-52: in `thieving` another stall is not empty.", not all(map(is_stall_empty, others))
        return
    yield "FF-48: after `thieving` no thief is left.", bought.thieves == 0
    if phase == "stowing":
        yield "FF-53: in `stowing` the hand or the stall is not empty.", bool(bought.hand) or not is_stall_empty(buyer)
        return
    yield "FF-48: after `stowing` the hand is empty.", not bought.hand
    if phase == "canning":
        yield "FF-62: in `canning` there is a can.", bought.cans > 0
        yield "FF-65: in `canning` the buyer's trash is not empty.", bool(buyer.trash)
        return
    yield "FF-48: after `canning` no can is left.", bought.cans == 0
    yield "FF-66: in `buyer_sale` `end_phase` lies aside.", "end_phase" in position.aside
    yield "FF-66: in `buyer_sale` the buyer's stall is not empty.", not is_stall_empty(buyer)
