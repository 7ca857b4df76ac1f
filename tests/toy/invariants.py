"""The invariants of every position after the set-up."""

from collections import Counter

from referee.kernel.rejection import ensure
from tests.toy.edition import Edition
from tests.toy.position import Position, active_of, can_act


def check(position: Position, edition: Edition) -> None:
    """Raise Malformed for a position that breaks an invariant."""
    check_box(position, edition)
    seats, phase = position.seats, position.phase
    ensure(position.active_seat is not None, "A seat is active.")
    ensure((position.offer is not None) == (phase == "bidding"), "A fish is offered while bids are awaited.")
    ensure((position.buyer is not None) == (phase == "haggling"), "A buyer haggles.")
    for number, seat in enumerate(seats):
        ensure(
            seat.bid is None or (phase == "bidding" and number != position.active_seat and seat.bid <= seat.coins),
            "Bids are made while a fish is offered, by the other seats, with their own coins.",
        )
    over = position.turns >= edition.turns_max or not any(can_act(position, number) for number in range(len(seats)))
    ensure(position.turns <= edition.turns_max, "There are no more turns than agreed.")
    if phase == "turn":
        ensure(not over and can_act(position, active_of(position)), "The active seat can draw or offer.")
    ensure(over or phase not in ("closing", "finished"), "The game ends when nobody can act, or the time is up.")


def check_box(position: Position, edition: Edition) -> None:
    """Seats have their numbers, and no fish and no coin is lost."""
    seats = position.seats
    ensure(2 <= len(seats) <= 4, "There are two to four seats.")
    for name, number in (("active_seat", position.active_seat), ("buyer", position.buyer)):
        ensure(number is None or 0 <= number < len(seats), f"`{name}` is a seat.")
    first = position.options.first_seat
    ensure(first is None or 0 <= first < len(seats), "`first_seat` is a seat.")
    offered = () if position.offer is None else (position.offer,)
    fish = Counter((*position.deck, *offered, *position.thrown_away))
    fish.update(each for seat in seats for each in (*seat.hand, *seat.bought))
    ensure(fish == Counter(edition.deck), "Every fish of the box is somewhere.")
    ensure(sum(seat.coins for seat in seats) == edition.coins * len(seats), "No coin is lost.")
    ensure(all(len(seat.hand) <= edition.hand_limit for seat in seats), "No hand is above the limit.")
