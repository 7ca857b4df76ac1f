"""Positions for the tests: a test places what matters to it; the rest of the box is in its piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.kernel.changes import replace, without
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.board import COLOUR_AT
from referee.rulesets.cat_and_fish.edition import EDITION, Edition
from referee.rulesets.cat_and_fish.names import COLOUR_OF, COLOURS, HEXES, Hex, Tile
from referee.rulesets.cat_and_fish.position import ByColour, Card, DuesCall, Flight, Options, Position, SeatState
from tests.given import Given


@dataclass(frozen=True)
class Cat:
    """The state of a seat, with lists written as words: `Cat("c2", cards="fishing_net wizard")`."""

    pawn: str = "c0"
    money: int = 5
    cards: str = ""
    store: str = ""
    magic: str = ""
    placed: str = ""
    penalties: int = 0


def a_position(
    *cats: Cat,
    phase: str = "execution",
    year: int = 1,
    season: str = "spring",
    first_seat: int = 0,
    thief: int | None = None,
    stopped: Iterable[int] = (),
    tiles: Mapping[str, str] | None = None,
    empty: str = "",
    typhoon: str = "3,0",
    oil: str = "-3,0",
    monster: str | None = None,
    piles: str = "",
    discards: str = "",
    treasure_deck: Iterable[int] | None = None,
    magic_deck: str | None = None,
    pending: Flight | DuesCall | None = None,
    options: Options | None = None,
    edition: Edition = EDITION,
) -> Position:
    """A position with these seats, by default two; the sea is full, but for `empty` hexes.

    `tiles` lie on their hexes and `piles` on top of their piles. The decks are cut: what is not named is used up.
    """
    cats = cats or (Cat("c0"), Cat("c3"))
    box = _Box(edition)
    stores = [box.take(cat.store.split()) for cat in cats]
    thrown = box.take(discards.split())
    tops = box.take(piles.split())
    named = {hex: box.take((tile,))[0] for hex, tile in (tiles or {}).items()}
    bare = {*empty.split(), typhoon, oil, monster}
    board = {hex: None if hex in bare else named.get(hex) or box.any_of(hex) for hex in HEXES}
    market = {kind: list(card.prices) for kind, card in edition.cards.items()}
    magic = tuple((magic_deck or "").split())
    hands = tuple(card for cat in cats for card in cat.magic.split())
    treasures = tuple(edition.decks.treasure if treasure_deck is None else treasure_deck)
    return Position(
        ruleset="cat-and-fish",
        options=options or Options(),
        phase=phase,
        year=year,
        season=season,
        first_seat=Seat(first_seat),
        thief=thief,
        stopped=seats(*stopped),
        seats=tuple(
            SeatState(
                pawn=cat.pawn,
                money=cat.money,
                cards=(Card("fishing_rod", 0), *(_card(kind, market) for kind in cat.cards.split())),
                store=store,
                magic=tuple(cat.magic.split()),
                placed=tuple(cat.placed.split()),
                penalties=cat.penalties,
            )
            for cat, store in zip(cats, stores, strict=True)
        ),
        board=board,
        typhoon=typhoon,
        oil=oil,
        monster=monster,
        piles=ByColour(**{colour: (*_of(colour, tops), *box.left(colour)) for colour in COLOURS}),
        discards=ByColour(**{colour: _of(colour, thrown) for colour in COLOURS}),
        market={kind: tuple(prices) for kind, prices in market.items()},
        treasure_deck=treasures,
        treasure_used=without(edition.decks.treasure, treasures),
        magic_deck=magic,
        magic_used=without(edition.magic_cards, (*magic, *hands)),
        pending=pending,
    )


class _Box:
    """The tiles that are not placed yet."""

    def __init__(self, edition: Edition) -> None:
        self._tiles: Counter[Tile] = Counter(tile for colour in COLOURS for tile in edition.tiles_of(colour))

    def take(self, tiles: Iterable[str]) -> tuple[Tile, ...]:
        taken = tuple(tiles)
        self._tiles.subtract(taken)
        assert min(self._tiles.values()) >= 0, f"the box has fewer of {taken}"
        return taken

    def any_of(self, hex: Hex) -> Tile:
        """A tile for a hex: the most frequent of its colour, so that the rare ones are left for the tests."""
        tile = max((tile for tile in self._tiles if COLOUR_OF[tile] == COLOUR_AT[hex]), key=self._tiles.__getitem__)
        return self.take((tile,))[0]

    def left(self, colour: str) -> tuple[Tile, ...]:
        return tuple(tile for tile in self._tiles.elements() if COLOUR_OF[tile] == colour)


def _of(colour: str, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return tuple(tile for tile in tiles if COLOUR_OF[tile] == colour)


def _card(kind: str, market: dict[str, list[int]]) -> Card:
    """The top card of its pile."""
    return Card(kind, 0 if kind == "summoner" else market[kind].pop(0))


def given(*cats: Cat, **rest: Any) -> Given:
    """A table with these seats; the rest as for `a_position`."""
    return Given(CAT_AND_FISH, a_position(*cats, **rest))


def later(**rest: Any) -> dict[str, Any]:
    """The arguments for a year in which the monster is on the board."""
    return {"year": 4, "monster": "0,3", **rest}


def with_piles(position: Position, colour: str, *, pile: int) -> Position:
    """The same position with a pile cut to this number of tiles; the others are in the discards."""
    tiles = position.piles.of(colour)
    return replace(
        position,
        piles=position.piles.change(colour, tiles[:pile]),
        discards=position.discards.change(colour, (*position.discards.of(colour), *tiles[pile:])),
    )


def seats(*numbers: int) -> tuple[Seat, ...]:
    """Seats by their numbers."""
    return tuple(Seat(number) for number in numbers)


def awaited(table: Given) -> list[int]:
    """The seats that are awaited."""
    return [decision.seat for decision in table.ruleset.awaited(table.position)]
