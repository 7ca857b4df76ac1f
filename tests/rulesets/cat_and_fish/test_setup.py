"""Setup: CF-S1 to CF-S8."""

from collections import Counter

import pytest
from msgspec import UNSET, ValidationError

from referee.kernel.audience import redact
from referee.kernel.chance import Seeded
from referee.kernel.judge import read_options, set_up
from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.board import COLOUR_AT
from referee.rulesets.cat_and_fish.edition import EDITION
from referee.rulesets.cat_and_fish.names import COLOUR_OF, COLOURS, HEXES, TILES_OF
from referee.rulesets.cat_and_fish.position import Card, Options, Position
from referee.rulesets.cat_and_fish.setup import GameSetUp, SetUp
from tests.clauses import clause
from tests.given import Given


def blank(players: int = 2, **options: int) -> Given:
    return Given(CAT_AND_FISH, CAT_AND_FISH.blank(Options(**options), players))


def laid_out(players: int = 2, **options: int) -> Position:
    return blank(players, **options).when(REFEREE, SetUp()).position


@clause("CF-S1")
def test_the_game_begins_in_the_first_spring() -> None:
    position = laid_out()
    assert (position.year, position.season, position.phase) == (1, "spring", "placement")


@clause("CF-S2", "CF-R6")
def test_every_sea_hex_but_those_of_typhoon_and_oil_gets_a_tile_of_its_colour() -> None:
    position = laid_out()
    bare = [hex for hex in HEXES if position.board[hex] is None]
    assert bare == ["3,0", "-3,0"]
    assert all(COLOUR_OF[tile] == COLOUR_AT[hex] for hex, tile in position.board.items() if tile is not None)
    assert [len(position.piles.of(colour)) for colour in COLOURS] == [18, 18, 20]
    for colour in COLOURS:
        on_board = [tile for hex, tile in position.board.items() if tile is not None and COLOUR_AT[hex] == colour]
        assert Counter((*on_board, *position.piles.of(colour))) == Counter(EDITION.tiles_of(colour))


@clause("CF-S2")
def test_tiles_are_laid_in_hex_order_from_the_front_of_the_shuffled_row() -> None:
    pink = tuple(sorted(EDITION.tiles_of("pink"), key=TILES_OF["pink"].index, reverse=True))
    position = blank().when(REFEREE, SetUp(), ("shuffle_pink", list(pink))).position
    in_order = [position.board[hex] for hex in HEXES if COLOUR_AT[hex] == "pink" and hex not in ("3,0", "-3,0")]
    assert (*in_order, *position.piles.pink) == pink


@clause("CF-S3", "CF-R2")
def test_both_decks_are_shuffled() -> None:
    treasure = [5, 4, 3, 3, 3, 2, 2, 2, 1, 0, 0, 0]
    position = blank().when(REFEREE, SetUp(), ("shuffle_treasure", treasure)).position
    assert position.treasure_deck == tuple(treasure)
    assert Counter(position.magic_deck) == Counter(EDITION.magic_cards)
    assert position.treasure_used == position.magic_used == ()


@clause("CF-S4", "CF-R7", "CF-R48")
@pytest.mark.parametrize(
    ("players", "spots"), [(2, ["c0", "c3"]), (3, ["c0", "c2", "c4"]), (4, ["c1", "c2", "c4", "c5"])]
)
def test_every_seat_begins_with_money_a_rod_and_its_start_spot(players: int, spots: list[str]) -> None:
    position = laid_out(players)
    assert [state.pawn for state in position.seats] == spots
    for state in position.seats:
        assert (state.money, state.cards, state.penalties) == (5, (Card("fishing_rod", 0),), 0)
        assert state.store == state.magic == state.placed == ()


@clause("CF-S4")
@pytest.mark.parametrize("players", [0, 1, 5])
def test_there_are_start_spots_for_two_to_four_seats_only(players: int) -> None:
    with pytest.raises(Rejection) as refused:
        CAT_AND_FISH.blank(Options(), players)
    assert refused.value.clause == "CF-S4"


@clause("CF-S5", "CF-R45", "CF-R46")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_other_cards_are_for_sale_the_dearest_first(players: int) -> None:
    market = laid_out(players).market
    assert len(market) == 10
    assert market["fisherman"] == (12, 11, 10)
    assert market["sorcerer"] == (4, 4, 3, 3, 2, 2)
    assert "fishing_rod" not in market
    assert "summoner" not in market


@clause("CF-S6", "CF-R8")
def test_typhoon_and_oil_begin_in_the_east_and_the_west_and_the_monster_off_the_board() -> None:
    position = laid_out()
    assert (position.typhoon, position.oil, position.monster) == ("3,0", "-3,0", None)


@clause("CF-S7")
def test_the_first_seat_is_drawn_unless_the_options_name_it() -> None:
    drawn = blank(4).when(REFEREE, SetUp(), ("draw_first_seat", 2))
    assert drawn.position.first_seat == 2
    named = blank(4, first_seat=3).when(REFEREE, SetUp())
    assert named.position.first_seat == 3
    assert "draw_first_seat" not in [point for point, _ in named.verdict.drawn]


@clause("CF-S7")
@pytest.mark.parametrize("first_seat", [-1, 2])
def test_the_first_seat_is_a_seat_of_the_game(first_seat: int) -> None:
    with pytest.raises(Rejection) as refused:
        blank(2, first_seat=first_seat)
    assert refused.value.clause == "CF-S7"


@pytest.mark.parametrize("options", [{"first_seat": "0"}, {"first_seat": True}, {"first_seat": 1.5}, {"years": 3}])
def test_any_other_key_or_value_is_no_option(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        read_options(CAT_AND_FISH, options)


@clause("CF-S8")
def test_one_event_records_the_whole_set_up_and_hides_every_order() -> None:
    then = blank(3).when(REFEREE, SetUp())
    event = then.event(GameSetUp)
    then.says(event)
    assert event.players == 3
    assert event.first_seat == then.position.first_seat
    assert [point for point, _ in then.verdict.drawn] == [
        "shuffle_green",
        "shuffle_blue",
        "shuffle_pink",
        "shuffle_treasure",
        "shuffle_magic",
        "draw_first_seat",
    ]
    assert redact(event, Seat(0)) == redact(event, None) == GameSetUp(players=3, first_seat=event.first_seat)
    assert redact(event, None).green_order is UNSET


def test_a_fresh_position_waits_for_the_first_seat() -> None:
    position = set_up(CAT_AND_FISH, Options(first_seat=Seat(1)), 3, Seeded(1))
    (decision,) = CAT_AND_FISH.awaited(position)
    assert (decision.seat, decision.moves) == (1, ("place_marker", "stop_placing"))
