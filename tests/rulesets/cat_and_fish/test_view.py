"""What a seat, or a spectator, may see."""

import json
from typing import Any

import msgspec
import pytest

from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.board import COLOUR_AT
from referee.rulesets.cat_and_fish.names import TILES
from referee.rulesets.cat_and_fish.position import DuesAnswer, DuesCall, FlightAnswer, TyphoonFlight
from tests.clauses import clause
from tests.rulesets.cat_and_fish.tables import Cat, a_position, seats

READERS = (None, Seat(0), Seat(1))


def seen(position: Any, reader: Seat | None) -> dict[str, Any]:
    """A view as a client gets it."""
    return json.loads(msgspec.json.encode(CAT_AND_FISH.view(position, reader)))


@pytest.fixture
def position() -> Any:
    return a_position(
        Cat(magic="wind engine", store="tuna", placed="oil", penalties=1),
        Cat("c3", magic="warp", cards="wizard"),
        empty="1,0",
        discards="shark",
        magic_deck="storm blank",
        treasure_deck=(5, 0),
    )


@clause("CF-R6")
@pytest.mark.parametrize("reader", READERS)
def test_tiles_on_the_board_are_face_down(position: Any, reader: Seat | None) -> None:
    board = seen(position, reader)["board"]
    assert board["1,0"] is board["3,0"] is None
    assert all(board[hex] == COLOUR_AT[hex] for hex, tile in position.board.items() if tile is not None)


@pytest.mark.parametrize("reader", READERS)
def test_piles_and_decks_show_their_sizes_only(position: Any, reader: Seat | None) -> None:
    view = seen(position, reader)
    assert view["piles"] == {
        "green": None,
        "green_count": len(position.piles.green),
        "blue": None,
        "blue_count": len(position.piles.blue),
        "pink": None,
        "pink_count": len(position.piles.pink),
    }
    assert (view["treasure_deck"], view["treasure_deck_count"]) == (None, 2)
    assert (view["magic_deck"], view["magic_deck_count"]) == (None, 2)


@clause("CF-R44")
def test_magic_cards_are_seen_by_their_own_seat_only(position: Any) -> None:
    hands = {reader: [state["magic"] for state in seen(position, reader)["seats"]] for reader in READERS}
    assert hands == {None: [None, None], 0: [["wind", "engine"], None], 1: [None, ["warp"]]}
    assert [state["magic_count"] for state in seen(position, None)["seats"]] == [2, 1]


@clause("CF-R44")
@pytest.mark.parametrize("reader", READERS)
def test_everything_else_is_public(position: Any, reader: Seat | None) -> None:
    whole, view = json.loads(msgspec.json.encode(position)), seen(position, reader)
    hidden = ("board", "piles", "treasure_deck", "magic_deck", "seats", "pending")
    assert {key: view[key] for key in whole if key not in hidden} == {
        key: part for key, part in whole.items() if key not in hidden
    }
    for state, public in zip(whole["seats"], view["seats"], strict=True):
        assert {key: public[key] for key in state if key != "magic"} == {
            key: part for key, part in state.items() if key != "magic"
        }


def test_no_tile_that_lies_face_down_occurs_in_a_view() -> None:
    """Nothing is discarded or stored, so that no name of a tile may occur at all."""
    position = a_position(Cat(placed="oil"), Cat("c3"), magic_deck="storm warp wind")
    text = msgspec.json.encode(CAT_AND_FISH.view(position, None)).decode()
    assert not [tile for tile in TILES if f'"{tile}"' in text]
    assert not [card for card in ("storm", "warp", "wind") if f'"{card}"' in json.dumps(json.loads(text)["seats"])]


@clause("CF-9")
def test_a_view_shows_that_others_have_answered_but_not_their_answers() -> None:
    cats = (
        Cat("c3", placed="oil"),
        Cat("b0", cards="fishing_boat fishing_vessel", store="tuna shark"),
        Cat("b0", cards="fishing_boat fishing_vessel"),
    )
    answers = {"1": FlightAnswer("tuna", "b28")}
    pending = TyphoonFlight(Seat(0), "execution", seats(1, 2), answers)
    position = a_position(*cats, phase="flee", typhoon="1,-2", pending=pending)
    public = {"kind": "typhoon", "start": 0, "resume": "execution", "seats": [1, 2]}
    assert seen(position, Seat(1))["pending"] == {**public, "answers": {"1": {"tile": "tuna", "to": "b28"}}}
    for reader in (None, Seat(0), Seat(2)):
        assert seen(position, reader)["pending"] == {**public, "answers": {"1": True}}


@clause("CF-9")
def test_answers_to_the_union_are_hidden_as_well() -> None:
    pending = DuesCall(seats(0, 1), {"0": DuesAnswer("fish", "tuna")})
    cats = (Cat(store="tuna"), Cat("c3", store="tuna"))
    position = a_position(*cats, phase="dues", season="winter", pending=pending)
    assert seen(position, Seat(0))["pending"]["answers"] == {"0": {"tile": "tuna", "with": "fish"}}
    assert seen(position, Seat(1))["pending"] == {"kind": "dues", "seats": [0, 1], "answers": {"0": True}}


@pytest.mark.parametrize("reader", READERS)
def test_a_view_can_be_read_again(position: Any, reader: Seat | None) -> None:
    view = CAT_AND_FISH.view(position, reader)
    assert msgspec.json.decode(msgspec.json.encode(view), type=CAT_AND_FISH.view_type) == view


def test_a_view_before_the_set_up_shows_the_blank_table() -> None:
    blank = CAT_AND_FISH.blank(CAT_AND_FISH.variants[0], 3)
    assert seen(blank, None)["phase"] == "setup"
    assert set(seen(blank, None)["board"].values()) == {None}
