"""Positions that a client can post and that have as many legal moves as possible."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from referee.kernel.chance import Seeded
from referee.kernel.judge import pick_weighed, read_position, set_up, weighed_moves
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets import LATEST
from tests.conformance.samples import as_json

Json = dict[str, Any]

STEPS_MAX = 2000


def walk(ruleset: Ruleset, options: Any, seats: int) -> Iterator[Any]:
    """The positions of a random game."""
    position, chance = set_up(ruleset, options, seats, Seeded(1)), Seeded(2)
    for _ in range(STEPS_MAX):
        yield position
        decisions, due = ruleset.awaited(position), ruleset.due(position)
        if due is not None and (due.after_ms == 0 or not any(decision.obliged for decision in decisions)):
            _, position = ruleset.play(position, REFEREE, due.move, chance)
        elif decisions:
            seat = decisions[0].seat
            move = pick_weighed(weighed_moves(ruleset, position, seat), chance)
            _, position = ruleset.play(position, seat, move, chance)
        else:
            return


def one_of_each_phase(ruleset: Ruleset) -> dict[str, Any]:
    """A position, usually a late one, of every phase that random play reaches."""
    found: dict[str, Any] = {}
    for options in ruleset.variants[:4]:
        for position in walk(ruleset, options, ruleset.seats[-1]):
            found[position.phase] = position
    return found


def in_phase(slug: str, phase: str, seats: int = 2) -> Json:
    """The JSON of a position in this phase."""
    ruleset = LATEST[slug]
    return next(
        copy.deepcopy(as_json(position))
        for options in ruleset.variants
        for position in walk(ruleset, options, seats)
        if position.phase == phase
    )


def a_full_hand_to_discard() -> tuple[Json, Seat]:
    """Explorers & Pirates: one seat holds every resource card of the box and discards half of them."""
    position = in_phase("explorers-and-pirates", "discard")
    seat = int(next(iter(position["discards"]["need"])))
    hand = position["seats"][seat]["resources"]
    for resource in hand:
        hand[resource] = position["bank"][resource] + sum(each["resources"][resource] for each in position["seats"])
        position["bank"][resource] = 0
        position["seats"][1 - seat]["resources"][resource] = 0
    position["discards"]["need"] = {str(seat): sum(hand.values()) // 2}
    return position, Seat(seat)


def a_hand_beyond_the_limit() -> tuple[Json, Seat]:
    """Catham City: the active seat holds almost every card outside the market and discards the excess."""
    position = in_phase("catham-city", "turn")
    seat, hands = position["active_seat"], [each["hand"] for each in position["seats"]]
    for faction in hands[seat]:
        own = position["draw_pile"].count(faction) + position["discard_pile"][faction]
        own += sum(hand[faction] for hand in hands)
        for hand in hands:
            hand[faction] = 0
        hands[seat][faction], position["discard_pile"][faction] = own, 0
    return {**position, "draw_pile": [], "phase": "discard_excess"}, Seat(seat)


def every_magic_card_in_one_hand() -> tuple[Json, Seat]:
    """Cat & Fish: a seat with every card for sale and every magic card can sail in thousands of ways."""
    position = in_phase("cat-and-fish", "execution")
    ruleset = LATEST["cat-and-fish"]
    seat = ruleset.awaited(read_position(ruleset, position))[0].seat
    state, other = position["seats"][seat], position["seats"][1 - seat]
    magic = position["magic_deck"] + position["magic_used"] + state["magic"] + other["magic"]
    position["magic_deck"], position["magic_used"] = [card for card in magic if card == "blank"], []
    state["magic"], other["magic"] = [card for card in magic if card != "blank"], []
    owned = {card["kind"] for card in state["cards"]}
    state["cards"] += [
        {"kind": kind, "price": prices.pop(0)}
        for kind, prices in position["market"].items()
        if prices and kind not in owned
    ]
    state["placed"] = list(dict.fromkeys((*state["placed"], "sailing", "fishing", "selling", "buying")))
    state["money"] = 100
    return position, seat


def four_foods_at_every_animal() -> tuple[Json, Seat]:
    """Hund und Katz: the food at any of twelve animals can be swapped."""
    position = in_phase("hund-und-katz", "card", 6)
    seat = position["active_seat"]
    food = position["food_deck"] + [card for animal in position["animals"] for card in animal["food"]]
    for number, animal in enumerate(position["animals"]):
        animal["food"] = sorted(food)[number::13][:4]
    for animal in position["animals"]:
        for card in animal["food"]:
            food.remove(card)
    position["food_deck"] = food
    cards = [card for each in position["seats"] for card in each["hand"]] + position["action_discard"]
    wanted = ["swap_two_foods", "swap_pawns", "swap_meals_any"]
    for card in wanted:
        cards.remove(card)
    for number, each in enumerate(position["seats"]):
        each["hand"] = wanted if number == seat else []
    held = [each for number, each in enumerate(position["seats"]) if number != seat]
    for each in held:
        each["hand"], cards = cards[:3], cards[3:]
    position["action_discard"] = cards
    return position, Seat(seat)


def a_hand_of_every_fish() -> tuple[Json, Seat]:
    """Fangfrisch: the buyer stows every fish card of the deck at once."""
    position = in_phase("fangfrisch", "stowing", 3)
    buyer = position["purchase"]["buyer"]
    kept = [card for card in position["deck"] if "_" not in card or card in ("market_close", "end_phase")]
    position["purchase"]["hand"] += [card for card in position["deck"] if card not in kept]
    position["offer_number"] += len(position["deck"]) - len(kept)
    position["deck"] = kept
    return position, Seat(buyer)


WORST: dict[str, tuple[str, Callable[[], tuple[Json, Seat]]]] = {
    "full hand": ("explorers-and-pirates", a_full_hand_to_discard),
    "excess": ("catham-city", a_hand_beyond_the_limit),
    "magic": ("cat-and-fish", every_magic_card_in_one_hand),
    "foods": ("hund-und-katz", four_foods_at_every_animal),
    "fish": ("fangfrisch", a_hand_of_every_fish),
}
