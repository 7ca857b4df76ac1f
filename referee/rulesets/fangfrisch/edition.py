"""The numbers of the box, from `edition.toml` and the further editions in `editions/`."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, cast

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from referee.kernel.edition import read_edition
from referee.rulesets.fangfrisch.names import FISH_PER_CARD, SPECIAL, Card, Cards

PACKAGE: Final = Path(__file__).parent

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
CountsByFish = tuple[Count, Count, Count]


class FishCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of cards with 1, 2 and 3 fish, by species; the octopus is the joker."""

    eel: CountsByFish
    shark: CountsByFish
    plaice: CountsByFish
    crab: CountsByFish
    tuna: CountsByFish
    lobster: CountsByFish
    octopus: CountsByFish


class ActionCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of action cards."""

    thief: Count
    can: Count


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All numbers of one edition of the game. Money is in euros."""

    edition: str
    seats: tuple[Positive, ...]
    """The numbers of seats that the game is made for (FF-5)."""
    seller_bids_up_to_seats: Count
    """With more seats the seller takes no part in its own auction (FF-30)."""
    starting_money: Count
    lot_price: Positive
    bonus_per_card: Count
    trash_cost_per_fish: Count
    can_removes_max: Positive
    end_phase_from_last: Positive
    """Position of `end_phase`, counted from the bottom of the deck, before `market_close` is mixed in (FF-8)."""
    mixed_with_market_close: Count
    hand_pause_s: Annotated[int, Meta(ge=2)]
    """The shortest time in seconds between two cards in live pace (FF-44)."""
    shown_after_ms: Count
    """The time in milliseconds from the announcement of a card until it is shown, in live pace (FF-42)."""
    price: tuple[Count, ...]
    """The prices of lots with 1, 2, 3 ... fish; the last one holds for more fish, too (FF-21)."""
    half_price: tuple[Count, ...]
    fish_cards: FishCards
    action_cards: ActionCards

    def __post_init__(self) -> None:
        """Refuse numbers that no game can be played with."""
        require_playable(self)

    @cached_property
    def ordinary_cards(self) -> Cards:
        """Every card but the two special ones, in the canonical order."""
        fish = [
            cast(Card, f"{name}_{fish}")
            for name, counts in asdict(self.fish_cards).items()
            for fish, count in zip(FISH_PER_CARD, counts, strict=True)
            for _ in range(count)
        ]
        actions = [cast(Card, name) for name, count in asdict(self.action_cards).items() for _ in range(count)]
        return (*fish, *actions)

    @cached_property
    def all_cards_sorted(self) -> list[str]:
        """Every card of the box, in alphabetical order: what a position's cards are compared with."""
        return sorted((*self.ordinary_cards, *SPECIAL))

    def price_of(self, fish: int, half: bool) -> int:
        """The price of a lot with this number of fish (FF-21, FF-70)."""
        prices = self.half_price if half else self.price
        return prices[min(fish, len(prices)) - 1]


def require_playable(edition: Edition) -> None:
    """Raise ValueError for numbers that no game can be played with."""
    seats, cards = edition.seats, len(edition.ordinary_cards)
    demands = {
        "the numbers of seats are consecutive, from two on": seats[:1] >= (2,)
        and seats == tuple(range(seats[0], seats[-1] + 1)),
        "the two price lists are equally long": 0 < len(edition.price) == len(edition.half_price),
        "end_phase has a place in the deck": edition.end_phase_from_last <= cards + 1,
        "market_close lies below end_phase": edition.mixed_with_market_close < edition.end_phase_from_last,
    }
    for demand, is_met in demands.items():
        if not is_met:
            raise ValueError(f"{edition.edition}: {demand}")


EDITION: Final = read_edition((PACKAGE / "edition.toml").read_text(encoding="utf-8"), Edition)
"""The edition of the rulebook."""
