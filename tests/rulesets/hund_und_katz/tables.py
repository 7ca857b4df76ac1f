"""Tables for the tests: a test names what matters to it, and the rest is filled in so that every invariant holds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee.kernel.ruleset import Ruleset
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.edition import EDITION, Edition
from referee.rulesets.hund_und_katz.position import Animal, Options, Position, SeatState
from tests.given import Given

SATING = ("bone_3", "fish_3", "bone_3", "fish_3", "bone_2")
"""A meal of five."""


def animal(id: str, food: Sequence[str] = (), pawns: Sequence[int] = ()) -> Animal:
    """An animal with its meal and the owners of its pawns."""
    return Animal(id=id, food=tuple(food), pawns=tuple(pawns))


def a_position(
    *animals: Animal,
    seats: int = 3,
    phase: str = "card",
    active: int | None = 0,
    hands: Mapping[int, Sequence[str]] | None = None,
    top: Sequence[str] = (),
    edition: Edition = EDITION,
    **rest: Any,
) -> Position:
    """A position with these animals and hands; bare animals, stocks, discards and the deck make it whole.

    `top` is the top of the deck; the other food cards follow in the order of the edition.
    """
    laid_out = (*animals, *_bare(animals, edition))[: edition.animals_per_seat * seats]
    given = {seat: tuple(hand) for seat, hand in (hands or {}).items()}
    placed = Counter(owner for each in laid_out for owner in each.pawns)
    used = Counter(food for each in laid_out for food in each.food) + Counter(top)
    if rest.get("revealed"):
        used[rest["revealed"]] += 1
    whole: dict[str, Any] = {
        "revealed": None,
        "series_animal": None,
        "result": None,
        "food_deck": (*top, *_left(edition.food_cards, used)),
        "action_discard": _discarded(given, edition.actions_per_seat * seats, edition),
        "options": Options(),
        **rest,
    }
    return Position(
        ruleset="hund-und-katz",
        phase=phase,
        seats=tuple(
            SeatState(stock=edition.pawns_per_seat - placed[seat], hand=given.get(seat, ())) for seat in range(seats)
        ),
        active_seat=active,
        animals=laid_out,
        **whole,
    )


def a_table(*animals: Animal, ruleset: Ruleset = HUND_UND_KATZ, **parts: Any) -> Given:
    """A table in such a position."""
    return Given(ruleset, a_position(*animals, edition=ruleset.edition, **parts))


def filled(*ids: str, deck: int, pawns: Mapping[str, Sequence[int]] | None = None) -> tuple[Animal, ...]:
    """Animals that are fed in this order, five cards each, until `deck` cards are left for the deck."""
    cards = EDITION.food_cards[deck:]
    return tuple(
        animal(id, cards[5 * number : 5 * number + 5], (pawns or {}).get(id, ())) for number, id in enumerate(ids)
    )


def _bare(animals: Sequence[Animal], edition: Edition) -> list[Animal]:
    named = {each.id for each in animals}
    return [animal(card.id) for card in reversed(edition.animals) if card.id not in named]


def _left(cards: Sequence[str], used: Counter[str]) -> list[str]:
    """The cards that are not used."""
    missing = used.copy()
    left = []
    for card in cards:
        if missing[card] > 0:
            missing[card] -= 1
        else:
            left.append(card)
    return left


def _discarded(hands: Mapping[int, Sequence[str]], total: int, edition: Edition) -> tuple[str, ...]:
    """Enough of the other action cards that all dealt cards are in a hand or here."""
    held = Counter(card for hand in hands.values() for card in hand)
    return tuple(_left(edition.action_cards, held)[: total - held.total()])
