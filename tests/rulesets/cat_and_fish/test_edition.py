"""The numbers of the box, against the tables of rules.md."""

import re
from typing import Any

import msgspec
import pytest

from referee.kernel.edition import read_edition
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.edition import EDITION, PACKAGE, Edition
from referee.rulesets.cat_and_fish.names import COLOUR_OF, COLOURS, FISH, FOR_SALE, SEASONS, SPACES, TILES
from referee.rulesets.editions import editions_of
from tests.clauses import clause

RULES = (PACKAGE / "rules.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the tables in a section of rules.md."""
    section = RULES.split(f"### {heading}")[1].split("\n#")[0]
    return [
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"
    ]


def test_every_clause_and_ruling_of_the_rules_is_read() -> None:
    clauses = CAT_AND_FISH.rulebook.clauses
    stated = re.findall(r"^- \*\*(CF-S?\d+)\*\*", RULES, re.MULTILINE)
    stated += re.findall(r"^\| (CF-R\d+) \|", RULES, re.MULTILINE)
    assert sorted(clauses) == sorted(stated)
    assert {id for id in clauses if id[3].isdigit()} == {f"CF-{number}" for number in range(1, 90)}
    assert [id for id in clauses if id[3] == "S"] == [f"CF-S{number}" for number in range(1, 9)]
    assert {id for id in clauses if id[3] == "R"} == {f"CF-R{number}" for number in range(1, 56)}
    assert all(clause.text for clause in clauses.values())


@clause("CF-R4", "CF-R5")
def test_numbers_and_prices_of_tiles_are_those_of_the_rules() -> None:
    found = {kind: cells for kind, *cells in rows("2.4") if kind in TILES}
    assert set(found) == set(TILES) == set(EDITION.tiles)
    for kind, (colour, count, *prices, _) in found.items():
        assert (COLOUR_OF[kind], EDITION.tiles[kind].count) == (colour, int(count))
        assert EDITION.tiles[kind].prices == tuple(0 if price == "-" else int(price) for price in prices)
        assert [EDITION.prices[season][kind] for season in SEASONS] == list(EDITION.tiles[kind].prices)
    assert [len(EDITION.tiles_of(colour)) for colour in COLOURS] == [24, 30, 36]
    assert (EDITION.prices["summer"]["crab"], EDITION.prices["autumn"]["crab"]) == (0, 2)
    dearest = {colour: max(sum(EDITION.tiles[tile].prices) for tile in EDITION.tiles_of(colour)) for colour in COLOURS}
    assert dearest["green"] < dearest["blue"] < dearest["pink"]


@clause("CF-R1", "CF-R45", "CF-R46")
def test_numbers_and_prices_of_cards_are_those_of_the_rules() -> None:
    found = {kind: cells for kind, *cells in rows("2.5") if kind in FOR_SALE}
    assert set(found) == set(FOR_SALE) == set(EDITION.cards)
    for kind, (count, prices, needs, _) in found.items():
        card = EDITION.cards[kind]
        assert card.prices == tuple(int(price) for price in prices.split(","))
        assert len(card.prices) == int(count)
        assert list(card.prices) == sorted(card.prices, reverse=True)
        assert card.needs == (needs or None)
    dealt_rods, summoner = 4, 1
    assert sum(len(card.prices) for card in EDITION.cards.values()) + dealt_rods + summoner == 43
    assert len(EDITION.cards) == 10
    assert len(EDITION.cards["sorcerer"].prices) == 6


@clause("CF-R3")
def test_capacities_are_those_of_the_rules() -> None:
    found = {kind: cells for kind, *cells in rows("2.3") if kind in SPACES}
    assert set(found) == set(SPACES) == set(EDITION.capacities)
    for space, (few, many, _) in found.items():
        assert [EDITION.capacity(space, players) for players in (2, 3, 4)] == [int(few[0]), int(few[0]), int(many[0])]


@clause("CF-R2")
def test_the_decks_have_twelve_cards_each() -> None:
    assert sorted(EDITION.decks.treasure) == [0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 4, 5]
    assert sum(EDITION.decks.treasure) == 25
    assert len(EDITION.magic_cards) == 12
    assert EDITION.decks.magic == {
        "engine": 3,
        "storm": 1,
        "wind": 2,
        "strong_wind": 1,
        "good_haul": 2,
        "change": 1,
        "warp": 1,
        "blank": 1,
    }


@clause("CF-R48")
def test_the_constants_are_those_of_the_rules() -> None:
    assert (EDITION.starting_money, EDITION.markers, EDITION.membership_markers) == (5, 2, 3)
    assert (EDITION.places, EDITION.cold_storage_places, EDITION.fished_treasure) == (2, 4, 2)
    assert (EDITION.oil_penalty, EDITION.monster_penalty, EDITION.dues) == (2, 2, 2)
    assert (EDITION.token_score, EDITION.fish_score, EDITION.merchant_bonus) == (-3, 1, 1)
    assert (EDITION.wizard_fee, EDITION.sorcerer_fee, EDITION.sailing_range) == (1, 2, 1)
    assert EDITION.boosts == {"engine": 1, "wind": 1, "strong_wind": 2}
    assert EDITION.reach == {"fishing_rod": 1, "fishing_net": 2, "fisherman": 3}
    assert (EDITION.years, EDITION.award_years) == (5, (3, 4))


@clause("CF-R7", "CF-R8")
def test_seats_and_catastrophes_begin_where_the_rules_say() -> None:
    assert EDITION.start_spots_of(2) == ("c0", "c3")
    assert EDITION.start_spots_of(3) == ("c0", "c2", "c4")
    assert EDITION.start_spots_of(4) == ("c1", "c2", "c4", "c5")
    assert (EDITION.typhoon, EDITION.oil) == ("3,0", "-3,0")


def test_a_tile_is_a_fish_a_bone_or_a_treasure() -> None:
    assert len(FISH) == 12
    assert {"whale", "crab"} <= FISH
    assert not FISH & {"green_bone", "blue_bone", "pink_bone", "green_treasure", "blue_treasure", "pink_treasure"}


def test_an_edition_with_other_numbers_can_be_played() -> None:
    short = editions_of(CAT_AND_FISH)["short"]
    assert short.edition_hash != CAT_AND_FISH.edition_hash
    assert short.blank(short.variants[0], 3).seats[0].money == short.edition.starting_money


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"capacities": {}}, "every space has its capacities"),
        ({"tiles": {}}, "every kind of tile has its numbers"),
        ({"cards": {}}, "every card for sale has a pile"),
        ({"reach": {"fishing_rod": 1}}, "every gear has its reach"),
        ({"boosts": {}}, "every boost has its range"),
        ({"start_spots": [["c0", "a0"], ["c0", "c2", "c4"], ["c1", "c2", "c4", "c5"]]}, "seats begin on the coast"),
        ({"typhoon": "-3,0"}, "typhoon and oil begin on two hexes"),
        ({"oil": "1,0"}, "typhoon and oil begin on two hexes"),
        ({"membership_markers": 5}, "a marker always finds a place"),
        ({"places": 5}, "no card takes anything away"),
        ({"award_years": [5]}, "the Summoner is awarded only where a spring follows"),
    ],
)
def test_numbers_that_no_game_can_be_played_with_are_refused(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        msgspec.convert({**msgspec.to_builtins(EDITION), **change}, Edition)


def test_too_few_tiles_for_the_sea_are_refused() -> None:
    text = (PACKAGE / "edition.toml").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="there are tiles for every hex"):
        read_edition(
            text.replace("tuna = { count = 11", "tuna = { count = 0").replace("count = 9", "count = 0"), Edition
        )
