"""Families of moves, for positions where not every legal move is listed."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import to_builtins

from referee.kernel.ruleset import Family
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.candidates import few, removals_of, thefts_of
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import NATURAL, SLOTS, Card, Cards
from referee.rulesets.fangfrisch.position import Position, SeatState, purchase_of, used_slots
from referee.rulesets.fangfrisch.stowing_plans import Plan, held_in, plans

PLANS_MAX: Final = 60
"""The largest number of plans for the natural cards that a family's schema distinguishes."""

Schema = dict[str, Any]


def families(position: Position, seat: Seat, edition: Edition) -> tuple[Family, ...]:
    """The families of moves that the buyer can make beyond those listed."""
    bought = position.purchase
    if bought is None or bought.buyer != seat:
        return ()
    stall = position.seats[seat]
    most = bought.cans * edition.can_removes_max
    match position.phase:
        case "thieving" if few(thefts_of(position, bought.thieves)) is None:
            return (theft_family(position),)
        case "stowing" if len(bought.hand) > 2:  # With two cards every order has another top card, so all are listed.
            return (stowing_family(stall, bought.hand),)
        case "canning" if few(removals_of(stall.trash, most)) is None:
            return (removal_family(stall.trash, most),)
        case _:
            return ()


def theft_family(position: Position) -> Family:
    """Any theft."""
    slots = [to_builtins(theft) for thefts in thefts_of(position, 1) for theft in thefts]
    return Family(
        type="steal_cards",
        description="Steal one top card per thief, in this order; a slot may be named as often as it has cards.",
        schema=a_move("steal_cards", {"from": a_list(slots, purchase_of(position).thieves)}, "from"),
    )


def stowing_family(stall: SeatState, hand: Cards) -> Family:
    """Any way to stow the hand: a branch for each plan for the natural cards, unless there are too many plans."""
    fates = list(islice(plans(held_in(stall), hand), PLANS_MAX + 1))
    jokers = [card for card in hand if card not in NATURAL]
    branches = [stowing_by(plan, jokers) for plan in fates] if len(fates) <= PLANS_MAX else [any_stowing(stall, hand)]
    return Family(
        type="stow_cards",
        description="Place or discard every card of your hand once, in any order and any slot that its species allows.",
        schema={"anyOf": branches},
    )


def stowing_by(plan: Plan, jokers: list[Card]) -> Schema:
    """The natural cards as planned, in any order, and the jokers anywhere."""
    place: Schema = {
        slot: cards_among((*pile, *jokers), len(pile) + len(jokers), least=len(pile))
        for slot, pile in zip(SLOTS, plan.piles, strict=True)
    }
    used = [slot for slot, pile in zip(SLOTS, plan.piles, strict=True) if pile]
    parts = {"empty_slots": list(plan.empty_slots), "discard": list(plan.discard)}
    fixed = {name: {"const": part} for name, part in parts.items()}
    needed = [name for name, part in parts.items() if part]
    return a_move("stow_cards", {"place": an_object(place, *used), **fixed}, "place", *needed)


def any_stowing(stall: SeatState, hand: Cards) -> Schema:
    """Any cards anywhere."""
    cards = cards_among(hand, len(hand))
    empty_slots = a_list(used_slots(stall), len(SLOTS), once=True)
    place = an_object(dict.fromkeys(SLOTS, cards))
    return a_move("stow_cards", {"place": place, "empty_slots": empty_slots, "discard": cards}, "place")


def removal_family(trash: Cards, most: int) -> Family:
    """Any cards of the trash."""
    return Family(
        type="clear_trash",
        description="Remove cards of your trash, each at most as often as it lies there.",
        schema=a_move("clear_trash", {"cards": cards_among(trash, most)}, "cards"),
    )


def cards_among(cards: Iterable[Card], most: int, least: int = 0) -> Schema:
    """A list of `least` to `most` of these cards; if no two are equal, none is named twice."""
    held = list(cards)
    return a_list(sorted(set(held)), most, least, once=len(set(held)) == len(held))


def a_list(choice: Sequence[Any], most: int, least: int = 0, once: bool = False) -> Schema:
    """A list of `least` to `most` of these values; an empty one if there are none."""
    if not choice:
        return {"type": "array", "maxItems": 0}
    items = {"items": {"enum": list(choice)}, "minItems": least, "maxItems": most}
    return {"type": "array", **items, **({"uniqueItems": True} if once else {})}


def a_move(name: str, parameters: Schema, *required: str) -> Schema:
    """A move of this type."""
    return an_object({"type": {"const": name}, **parameters}, "type", *required)


def an_object(properties: Schema, *required: str) -> Schema:
    """An object with these properties and no others."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
