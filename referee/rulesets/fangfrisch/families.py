"""Families of moves: where the list of legal moves is not all there is."""

from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins

from referee.kernel.ruleset import Family
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.candidates import few, removals_of, thefts_of
from referee.rulesets.fangfrisch.cards import SLOTS, Cards
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.position import Position, SeatState, purchase_of, used_slots

Schema = dict[str, Any]


def families(edition: Edition, position: Position, seat: Seat) -> tuple[Family, ...]:
    """What the buyer can try beyond the moves that are listed."""
    bought = position.purchase
    if bought is None or bought.buyer != seat:
        return ()
    stall = position.seats[seat]
    most = bought.cans * edition.can_removes_max
    match position.phase:
        case "thieving" if few(thefts_of(position, bought.thieves)) is None:
            return (theft_family(position),)
        case "stowing" if len(bought.hand) > 2:  # With two cards the top card says everything.
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
        description="One top card per thief, in this order; a slot may be named as often as it has cards.",
        schema=a_move("steal_cards", {"from": a_list(slots, purchase_of(position).thieves)}, "from"),
    )


def stowing_family(stall: SeatState, hand: Cards) -> Family:
    """Any way to put the hand away."""
    cards = a_list(kinds_of(hand), len(hand))
    return Family(
        type="stow_cards",
        description="Every card of the hand once, in any slot that its species allows and in any order.",
        schema=a_move(
            "stow_cards",
            {
                "place": an_object(dict.fromkeys(SLOTS, cards)),
                "empty_slots": {**a_list(used_slots(stall), len(SLOTS)), "uniqueItems": True},
                "discard": cards,
            },
            "place",
        ),
    )


def removal_family(trash: Cards, most: int) -> Family:
    """Any cards of the trash."""
    return Family(
        type="clear_trash",
        description="Cards of your trash, each at most as often as it lies there.",
        schema=a_move("clear_trash", {"cards": a_list(kinds_of(trash), most)}, "cards"),
    )


def kinds_of(cards: Cards) -> list[str]:
    """The kinds among these cards, in alphabetical order."""
    return sorted(set(cards))


def a_list(values: Iterable[Any], most: int) -> Schema:
    """A list of up to so many of these values; with no value to choose from it is empty."""
    choice = list(values)
    return (
        {"type": "array", "items": {"enum": choice}, "maxItems": most} if choice else {"type": "array", "maxItems": 0}
    )


def a_move(name: str, parameters: Schema, *required: str) -> Schema:
    """A move of this type."""
    return an_object({"type": {"const": name}, **parameters}, "type", *required)


def an_object(properties: Schema, *required: str) -> Schema:
    """An object with these properties and no others."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
