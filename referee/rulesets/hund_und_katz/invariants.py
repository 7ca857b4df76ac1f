"""The invariants of every position after the set-up (I1 to I9 of rules.md)."""

from collections import Counter

from referee.kernel.rejection import ensure
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.position import Position, is_sated, must_place_pawn


def check(position: Position, edition: Edition) -> None:
    """Refuse a position that breaks an invariant; the message begins with its number."""
    seats = len(position.seats)
    first = position.options.first_seat
    ensure(
        seats in edition.seats and (first is None or 0 <= first < seats),
        f"I1: There are {edition.seats_min} to {edition.seats_max} seats; `first_seat` is null or one of them.",
    )
    ids = {animal.id for animal in position.animals}
    ensure(
        len(ids) == len(position.animals) == edition.animals_per_seat * seats and ids <= edition.squares.keys(),
        f"I2: {edition.animals_per_seat * seats} different animals of the edition are laid out.",
    )
    ensure(
        position.active_seat is not None and 0 <= position.active_seat < seats,
        "I2: `active_seat` is one of the seats outside the phase setup.",
    )
    _check_pieces(position, edition)
    _check_phase(position, edition)


def _check_pieces(position: Position, edition: Edition) -> None:
    """I3 to I6: no food, pawn or card is lost, doubled or where it cannot be."""
    seats, animals = position.seats, position.animals
    for animal in animals:
        ensure(
            len(animal.food) <= edition.sated_at and len(animal.pawns) <= edition.squares[animal.id],
            f"I3: {animal.id} has at most {edition.sated_at} food cards and a pawn per square.",
        )
    pawns = Counter(owner for animal in animals for owner in animal.pawns)
    ensure(
        all(0 <= owner < len(seats) for owner in pawns)
        and all(
            state.stock >= 0 and state.stock + pawns[Seat(seat)] == edition.pawns_per_seat
            for seat, state in enumerate(seats)
        ),
        f"I4: Each seat has {edition.pawns_per_seat} pawns, in its stock and on animals.",
    )
    food = Counter(position.food_deck)
    food.update(card for animal in animals for card in animal.food)
    if position.revealed is not None:
        food[position.revealed] += 1
    ensure(
        food == Counter(edition.food_cards),
        f"I5: The deck, the revealed card and the meals are the {len(edition.food_cards)} food cards of the edition.",
    )
    actions = Counter(position.action_discard)
    actions.update(card for state in seats for card in state.hand)
    ensure(
        actions.total() == edition.actions_per_seat * len(seats)
        and all(count <= edition.action_copies for count in actions.values())
        and all(len(state.hand) <= edition.actions_per_seat for state in seats),
        f"I6: The hands (at most {edition.actions_per_seat} cards each) and the discard pile are "
        f"{edition.actions_per_seat * len(seats)} action cards, {edition.action_copies} of a kind at most.",
    )


def _check_phase(position: Position, edition: Edition) -> None:
    """I7 to I9: the phase fits what lies on the table."""
    sated = sum(is_sated(animal, edition) for animal in position.animals)
    total = len(position.animals)
    is_over = sated == total - 1 or (not position.food_deck and position.revealed is None)
    ensure(
        sated < total and is_over == (position.phase in ("scoring", "finished")),
        "I7: All animals but one are sated, or the deck is empty and nothing revealed, "
        "exactly in scoring and finished; never are all sated.",
    )
    ensure((position.revealed is not None) == (position.phase == "assign"), "I8: `revealed` is set exactly in assign.")
    fed = [len(animal.food) for animal in position.animals if animal.id == position.series_animal]
    ensure(
        (position.series_animal is not None) == (position.phase == "series")
        and all(1 <= count < edition.series_limit for count in fed)
        and len(fed) == (position.phase == "series"),
        "I8: `series_animal` is set exactly in series and names an animal laid out "
        f"with 1 to {edition.series_limit - 1} food cards.",
    )
    ensure((position.result is not None) == (position.phase == "finished"), "I8: `result` is set exactly in finished.")
    if position.phase == "place_pawn":
        assert position.active_seat is not None
        ensure(
            must_place_pawn(position, position.active_seat, edition),
            "I9: In place_pawn the active seat has a pawn in stock and an unsated animal has a free square.",
        )
