"""The numbers of the box (section 2), and other editions."""

import msgspec
import pytest

from referee.kernel.chance import Seeded
from referee.kernel.edition import read_edition
from referee.kernel.judge import set_up
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import total
from referee.rulesets.catham_city.edition import EDITION, PACKAGE, Actions, Edition
from referee.rulesets.catham_city.names import FACTIONS
from referee.rulesets.catham_city.position import Options
from referee.rulesets.editions import editions_of
from tests.clauses import clause

BOX = {
    "edition": "catham-city-fr-2018",
    "copies_per_faction": 15,
    "factions_in_play": 5,
    "factions": ["journalist", "detective", "bureaucrat", "scientist", "robocat", "mafia", "police", "hacker"],
    "default_factions": ["detective", "scientist", "robocat", "mafia", "hacker"],
    "threshold": {"2": 16, "3": 16, "4": 13, "5": 13, "6": 13},
    "deal": [6, 6, 7, 7, 8, 8],
    "market_size": 7,
    "hand_limit": 10,
    "actions": {"normal": 1, "expert": 2},
    "journalist": {"cards": 2, "gain": 2, "bonus_gain": 1},
    "detective": {"cards": 3, "extra": 1, "gain": 3, "match_gain": 1},
    "bureaucrat": {"min_cards": 1, "gain_per_faction": 1},
    "scientist": {"cards": 3, "gain": 2, "draw": 2},
    "robocat": {"draw": {"cards": 2, "draw": 5}, "influence": {"cards": 4, "gain": 3}},
    "mafia": {"cards": 4, "gain": 2, "lose_cards": 2, "lose_influence": 1},
    "police": {"min_cards": 1, "extra": 1, "gain_per_match": 1, "draw_per_police": 1},
    "hacker": {"min_cards": 1, "max_cards": 4, "gain_per_hacker": 1},
}


@clause("CC-63")
def test_the_edition_has_the_numbers_of_the_box():
    assert msgspec.json.decode(msgspec.json.encode(EDITION)) == BOX


def test_the_canonical_order_is_that_of_the_box():
    assert list(FACTIONS) == BOX["factions"]


def test_another_edition_is_dealt_with_its_own_numbers():
    short = editions_of(CATHAM_CITY)["short"]
    position = set_up(short, Options(first_seat=0), 3, Seeded("short"))
    short.check(position)
    assert [total(seat.hand) for seat in position.seats] == [5, 5, 6]
    assert total(position.market) == 6
    assert len(position.draw_pile) == 60 - 16 - 6
    assert short.edition_hash != CATHAM_CITY.edition_hash


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("copies_per_faction = 15", "copies_per_faction = 14", "the market can always be refilled"),
        ("market_size = 7", "market_size = 0", "the market can always be refilled"),
        ("hand_limit = 10", "hand_limit = 7", "no hand is dealt beyond the limit"),
        ("deal = [6, ", "deal = [", "every seat is dealt a hand"),
        ("3 = 16, ", "", "every number of seats has a threshold"),
        ("factions_in_play = 5", "factions_in_play = 6", "the default factions are as many as are in play"),
        ('"journalist", "detective", "bure', '"detective", "journalist", "bure', "the eight of the box"),
        ("expert = 2", "expert = 3", "a turn has one action, two in the expert variant"),
    ],
)
def test_an_edition_that_cannot_be_played_is_refused(before, after, fault):
    text = (PACKAGE / "edition.toml").read_text(encoding="utf-8")
    assert before in text
    with pytest.raises(ValueError, match=fault):
        read_edition(text.replace(before, after, 1), Edition)


def test_an_edition_has_playable_numbers_only():
    with pytest.raises(ValueError, match="two in the expert variant"):
        msgspec.structs.replace(EDITION, actions=Actions(normal=2, expert=2))


def test_a_misspelt_number_of_a_faction_is_refused():
    text = (PACKAGE / "edition.toml").read_text(encoding="utf-8")
    with pytest.raises(msgspec.ValidationError):
        read_edition(text.replace("match_gain", "matchgain"), Edition)


def test_every_clause_and_ruling_of_the_rules_is_read():
    ids = {f"CC-{number}" for number in range(1, 67)}
    ids |= {f"CC-S{number}" for number in range(1, 9)}
    ids |= {f"CC-R{number}" for number in range(1, 37)}
    assert set(CATHAM_CITY.rulebook.clauses) == ids
    assert all(clause.text for clause in CATHAM_CITY.rulebook.clauses.values())


def test_the_variants_begin_with_the_defaults_and_show_every_choice_of_factions():
    variants = CATHAM_CITY.variants
    assert variants[0] == Options()
    assert len({options.factions for options in variants}) == 56
    assert {options.expert for options in variants} == {False, True}
    assert {options.journalists_bonus for options in variants} == {"giver", "active"}
    assert {options.first_seat for options in variants} == {None, 0, 1}
    assert all("journalist" in each.factions for each in variants if each.journalists_bonus == "active")
