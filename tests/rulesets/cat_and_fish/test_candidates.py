"""Legal moves: complete, each once, and few enough to list."""

from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, refusal
from referee.kernel.message import Move
from referee.kernel.seat import REFEREE
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.candidates import bags
from referee.rulesets.cat_and_fish.catastrophes import MoveMonster, MoveOil, MoveTyphoon, PlaceMonster
from referee.rulesets.cat_and_fish.decks import DrawMagic, OpenTreasure
from referee.rulesets.cat_and_fish.dues import PayDues
from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.flight import Flee
from referee.rulesets.cat_and_fish.names import BASIC, BOOSTS, CORNERS, FOR_SALE, HEXES, SPACES, TILES
from referee.rulesets.cat_and_fish.placement import PlaceMarker, StopPlacing
from referee.rulesets.cat_and_fish.position import Options, Position
from referee.rulesets.cat_and_fish.sailing import Sail
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell
from referee.rulesets.cat_and_fish.turns import EndTurn
from referee.rulesets.cat_and_fish.wizard import Change
from tests.rulesets.cat_and_fish.tables import Cat, given, later

CHANGES = (UNSET, *(Change(space, by) for space in BASIC for by in ("wizard", "change")))
BOOST_BAGS = [
    bag
    for counts in product(range(4), range(3), range(2))
    if any(counts)
    for bag in [tuple(boost for boost, count in zip(BOOSTS, counts, strict=True) for _ in range(count))]
]


def every_move(position: Position, seat: int) -> list[Move]:
    """Every well-formed move, of sales and boosts every bag once: slow and without any knowledge of the rules."""
    store = position.seats[seat].store
    moves: list[Move] = [EndTurn(), StopPlacing(), OpenTreasure(), DrawMagic(), PayDues("money")]
    moves += [PlaceMarker(space) for space in SPACES]
    moves += [Fish(hex, haul, change) for hex in HEXES for haul in (UNSET, True) for change in CHANGES]
    moves += [Sell(bag, change) for bag in bags(store) for change in CHANGES]
    moves += [Buy(card, change) for card in FOR_SALE for change in CHANGES]
    how: list[dict[str, Any]] = [{}, {"warp": "sorcerer"}, {"warp": "warp"}, *({"boosts": bag} for bag in BOOST_BAGS)]
    moves += [Sail(corner, **each, change=change) for corner in CORNERS for each in how for change in CHANGES]
    moves += [MoveTyphoon(hex, storm) for hex in HEXES for storm in (UNSET, True)]
    moves += [kind(hex) for kind in (MoveOil, MoveMonster, PlaceMonster) for hex in HEXES]
    moves += [Steal(victim, tile) for victim in range(len(position.seats)) for tile in TILES]
    moves += [Flee(corner, tile) for corner in CORNERS for tile in (UNSET, *TILES)]
    moves += [PayDues("fish", tile) for tile in TILES]
    return moves


def written(moves: Any) -> list[bytes]:
    return sorted(msgspec.json.encode(move) for move in moves)


def assert_complete(position: Position, seat: int) -> None:
    legal = [move for move in every_move(position, seat) if refusal(CAT_AND_FISH, position, seat, move) is None]
    assert written(legal_moves(CAT_AND_FISH, position, seat)) == written(legal)


@pytest.mark.parametrize(
    "cat",
    [
        Cat("c0", placed="fishing sailing selling", store="crab"),
        Cat("a3", cards="fishing_boat wizard", magic="engine wind", placed="sailing buying", store="crab tuna"),
        Cat(
            "b4",
            cards="fishing_boat fishing_vessel wizard sorcerer",
            magic="change warp",
            money=3,
            placed="fishing sailing",
        ),
        Cat(
            "c2",
            cards="fishing_net fisherman cold_storage",
            magic="good_haul",
            placed="fishing",
            store="crab tuna crab",
        ),
        Cat("a9", cards="fishing_boat wizard", magic="strong_wind engine engine", money=0, placed="sailing selling"),
        Cat("c5", magic="storm", placed="typhoon oil thief treasure_island magic_library"),
    ],
    ids=["plain", "boosts", "sorcerer", "good_haul", "poor", "others"],
)
def test_every_legal_action_is_listed(cat: Cat) -> None:
    other = Cat("c3", store="tuna whale", placed="oil")
    sea = {"season": "winter", "thief": 0, "empty": "1,0 0,1 2,-2", "magic_deck": "blank"}
    assert_complete(given(cat, other, **sea).position, 0)


def test_every_legal_move_of_the_monster_is_listed() -> None:
    owner = Cat("c0", cards="summoner", placed="summoner")
    assert_complete(given(owner, Cat("c3"), **later(monster="1,0")).position, 0)
    placing = later(monster="1,0", phase="monster", season="winter")
    assert_complete(given(Cat("c0", cards="summoner"), Cat("c3"), **placing).position, 0)


def test_every_legal_move_is_listed_throughout_a_game() -> None:
    """A random game, looked at now and then in every phase."""
    chance, position = Seeded("complete"), CAT_AND_FISH.blank(Options(), 3)
    looked_at: dict[str, int] = {}
    while (due := CAT_AND_FISH.due(position)) or CAT_AND_FISH.awaited(position):
        actor, move = REFEREE, due and due.move
        if move is None:
            actor = CAT_AND_FISH.awaited(position)[0].seat
            moves = legal_moves(CAT_AND_FISH, position, actor)
            move = moves[chance.number("any", 0, len(moves) - 1)]
            looked_at[position.phase] = looked_at.get(position.phase, 0) + 1
            if looked_at[position.phase] % 50 == 1:
                assert_complete(position, actor)
        _, position = CAT_AND_FISH.play(position, actor, move, chance)
    assert {"placement", "execution", "dues", "monster"} <= looked_at.keys()


def test_every_legal_move_is_listed_where_magic_is_for_all() -> None:
    options, placed = Options(magic_for_all=True), "buying sailing"
    for money in (0, 1, 2, 3):
        mage = Cat("c0", money=money, magic="change warp", placed=placed, store="crab")
        assert_complete(given(mage, Cat("c3"), options=options).position, 0)


def test_bags_are_different_parts_of_a_row_the_smaller_first() -> None:
    assert list(bags(("tuna", "crab", "tuna"))) == [
        ("crab",),
        ("tuna",),
        ("tuna", "crab"),
        ("tuna", "tuna"),
        ("tuna", "tuna", "crab"),
    ]
    assert list(bags(())) == []


def test_even_a_hand_full_of_winds_can_be_listed() -> None:
    hand = "engine engine engine wind wind strong_wind warp change"
    cards = "fishing_boat fishing_vessel wizard sorcerer membership"
    cat = Cat("a3", cards=cards, magic=hand, money=9, placed="sailing buying selling")
    moves = given(cat, Cat("c3", placed="oil")).legal(0)
    assert len(moves) == len(set(written(moves)))
    assert len(moves) < 6000
