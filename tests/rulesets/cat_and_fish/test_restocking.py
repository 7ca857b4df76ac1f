"""New tiles on empty hexes: CF-83 and CF-84."""

from msgspec import UNSET

from referee.kernel.audience import redact
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.position import Position
from referee.rulesets.cat_and_fish.restocking import HexesRestocked, PileReshuffled
from referee.rulesets.cat_and_fish.seasons import StartYear, YearStarted
from referee.rulesets.editions import editions_of
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, a_position, given, with_piles

SHORT = editions_of(CAT_AND_FISH)["short"]


def at_year_end(**rest: object) -> Given:
    return given(phase="year_end", season="winter", **rest)


@clause("CF-83")
def test_every_empty_hex_is_refilled_in_hex_order_colour_by_colour() -> None:
    table = at_year_end(empty="1,-3 0,-1 1,-1 0,2", piles="squid crab salmon whale")
    table = table.when(REFEREE, StartYear()).says(
        YearStarted(2, 1),
        HexesRestocked("green", ("1,-1", "0,-1"), ("squid", "crab")),
        HexesRestocked("blue", ("0,2",), ("salmon",)),
        HexesRestocked("pink", ("1,-3",), ("whale",)),
    )
    assert (table.position.board["1,-1"], table.position.board["0,-1"]) == ("squid", "crab")
    assert table.position.board["1,-3"] == "whale"


@clause("CF-83")
def test_a_colour_without_empty_hexes_has_no_event() -> None:
    at_year_end().when(REFEREE, StartYear()).tells("year_started")
    at_year_end(empty="0,2").when(REFEREE, StartYear()).tells("year_started", "hexes_restocked")


@clause("CF-83", "CF-R39")
def test_a_hex_under_a_catastrophe_is_not_refilled() -> None:
    table = given(
        Cat(cards="summoner"), Cat("c2"), phase="year_end", season="winter", year=4, monster="-1,1", empty="0,1"
    )
    then = table.when(REFEREE, StartYear())
    assert then.event(HexesRestocked).hexes == ("0,1",)
    assert [then.position.board[hex] for hex in ("3,0", "-3,0", "-1,1")] == [None] * 3


@clause("CF-84", "CF-R40")
def test_the_discards_are_shuffled_when_the_pile_runs_out_on_the_way() -> None:
    position = with_piles(a_position(phase="year_end", season="winter", empty="1,-1 1,0 0,1"), "green", pile=1)
    first, discards = position.piles.green[0], position.discards.green
    order = tuple(reversed(discards))
    table = Given(CAT_AND_FISH, position)
    table = table.when(REFEREE, StartYear(), ("reshuffle_green", list(order))).says(
        YearStarted(2, 1),
        HexesRestocked("green", ("1,-1",), (first,)),
        PileReshuffled("green", order),
        HexesRestocked("green", ("1,0", "0,1"), order[:2]),
    )
    assert table.position.discards.green == ()
    assert table.position.piles.green == order[2:]


@clause("CF-84")
def test_a_pile_that_is_empty_at_once_is_shuffled_first() -> None:
    position = with_piles(a_position(phase="year_end", season="winter", empty="1,-2"), "blue", pile=0)
    Given(CAT_AND_FISH, position).when(REFEREE, StartYear()).tells("year_started", "pile_reshuffled", "hexes_restocked")


@clause("CF-84")
def test_a_pile_that_just_suffices_is_not_shuffled() -> None:
    position = with_piles(a_position(phase="year_end", season="winter", empty="1,-2"), "blue", pile=1)
    after = Given(CAT_AND_FISH, position).when(REFEREE, StartYear()).tells("year_started", "hexes_restocked").position
    assert after.piles.blue == ()
    assert after.discards.blue != ()


def with_one_green_tile_left(hoarder: Cat, other: Cat, **rest: object) -> Position:
    """The short edition has ten green tiles; nine are in the stores."""
    sea = {"typhoon": "0,3", "oil": "0,-3", "empty": "1,-1 1,0 0,1 -1,1 -1,0 0,-1", "edition": SHORT.edition}
    position = a_position(hoarder, other, **sea, **rest)
    assert position.piles.green == ("green_treasure",)
    return position


@clause("CF-84")
def test_when_pile_and_discards_are_empty_the_remaining_hexes_stay_empty() -> None:
    position = with_one_green_tile_left(
        Cat("c0", cards="cold_storage summoner", store="crab crab crab shrimp shrimp"),
        Cat("c3", cards="cold_storage", store="sardine sardine squid green_bone"),
        phase="year_end",
        season="winter",
        year=2,
        monster="-3,0",
    )
    then = Given(SHORT, position).when(REFEREE, StartYear())
    assert then.event(HexesRestocked).hexes == ("1,-1",)
    assert [then.position.board[hex] for hex in ("1,0", "0,1", "-1,1", "-1,0", "0,-1")] == [None] * 5
    assert then.position.piles.green == then.position.discards.green == ()


@clause("CF-25", "CF-84", "CF-R55")
def test_good_haul_fills_as_far_as_the_tiles_go_and_the_hex_fished_must_get_one() -> None:
    position = with_one_green_tile_left(
        Cat("c0", cards="cold_storage", store="crab crab crab shrimp", magic="good_haul", placed="fishing fishing"),
        Cat("c3", cards="cold_storage", store="shrimp sardine sardine squid green_bone"),
    )
    for pile, reshuffle in ((1, ()), (0, ("pile_reshuffled",))):
        table = Given(SHORT, with_piles(position, "green", pile=pile))
        table.when(0, Fish("0,-1", good_haul=True)).refused("CF-25")
        table.when(0, Fish("1,-1", good_haul=True)).tells(
            "magic_played", *reshuffle, "hexes_restocked", "treasure_fished"
        )


def test_nobody_sees_what_was_laid_down_or_shuffled() -> None:
    for event in (HexesRestocked("blue", ("0,2",), ("salmon",)), PileReshuffled("blue", ("salmon",))):
        for reader in (None, Seat(0)):
            copy = redact(event, reader)
            assert getattr(copy, "tiles", UNSET) is UNSET
            assert getattr(copy, "order", UNSET) is UNSET
