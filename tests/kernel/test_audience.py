"""Which fields each reader sees."""

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from referee.kernel.audience import NOBODY, OWN_ENTRY, hidden_fields, only, redact, redact_move, shown, whole
from referee.kernel.message import Event, Move
from referee.kernel.seat import REFEREE, Seat
from tests.toy.bidding import Bid, CardOffered, OfferCard


class CardStolen(Event):
    """A card went from one hand to another."""

    seat: Seat
    victim: Seat
    card: Annotated[str | UnsetType, only("seat", "victim")]
    rest: Annotated[tuple[str, ...] | UnsetType, NOBODY]
    hands: Annotated[tuple[int | None, ...], OWN_ENTRY]


class HideCard(Move):
    """Put a card away."""

    place: int
    card: Annotated[str, NOBODY] = msgspec.field(name="which")


STOLEN = CardStolen(seat=0, victim=2, card="eel", rest=("pike",), hands=(3, 4, 5))


def test_the_fields_with_an_audience_are_found() -> None:
    assert [name for name, _ in hidden_fields(CardStolen)] == ["card", "rest", "hands"]
    assert hidden_fields(CardOffered) == ()


@pytest.mark.parametrize(("reader", "card"), [(0, "eel"), (1, UNSET), (2, "eel"), (None, UNSET)])
def test_a_field_is_readable_by_the_seats_it_names(reader: Seat | None, card: object) -> None:
    assert redact(STOLEN, reader).card == card


@pytest.mark.parametrize("reader", [0, 1, 2, None])
def test_some_fields_are_readable_by_nobody(reader: Seat | None) -> None:
    copy = redact(STOLEN, reader)
    assert copy.rest is UNSET
    assert b"pike" not in msgspec.json.encode(copy)


@pytest.mark.parametrize(("reader", "hands"), [(0, (3, None, None)), (2, (None, None, 5)), (None, (None,) * 3)])
def test_each_seat_reads_its_own_entry_of_a_list_by_seat(reader: Seat | None, hands: tuple[int | None, ...]) -> None:
    assert redact(STOLEN, reader).hands == hands


def test_an_event_that_hides_nothing_is_the_same_for_everybody() -> None:
    event = CardOffered(seat=0, card="eel")
    assert redact(event, None) is event


def test_the_actor_reads_the_whole_move() -> None:
    assert redact_move(HideCard(place=1, card="eel"), 1, 1) == {"type": "hide_card", "place": 1, "which": "eel"}
    assert redact_move(Bid(coins=3), 1, 1) == {"type": "bid", "coins": 3}


@pytest.mark.parametrize("reader", [0, None])
def test_other_readers_see_a_move_without_its_hidden_fields(reader: Seat | None) -> None:
    assert redact_move(HideCard(place=1, card="eel"), 1, reader) == {"type": "hide_card", "place": 1}
    assert redact_move(OfferCard(card="eel"), 1, reader) == {"type": "offer_card", "card": "eel"}


@pytest.mark.parametrize("reader", [0, None])
def test_other_readers_do_not_see_even_the_type_of_a_secret_move(reader: Seat | None) -> None:
    assert redact_move(Bid(coins=3), 1, reader) is None


def test_the_referee_is_not_a_reader() -> None:
    assert redact_move(Bid(coins=3), REFEREE, None) is None


def test_a_reducer_refuses_redacted_events() -> None:
    assert whole(STOLEN.card) == "eel"
    with pytest.raises(AssertionError):
        whole(redact(STOLEN, None).card)


class Table(msgspec.Struct, frozen=True):
    phase: str
    deck: tuple[str, ...]
    secret: int = 7


class TableView(msgspec.Struct, frozen=True):
    phase: str
    deck: None
    deck_count: int


def test_a_view_shows_what_it_declares_and_nothing_else() -> None:
    view = shown(TableView, Table)(Table("turn", ("eel", "pike")), deck=None, deck_count=2)
    assert view == TableView(phase="turn", deck=None, deck_count=2)


@pytest.mark.parametrize("given", [{"deck_count": 2}, {"deck": None}])
def test_a_view_copies_no_field_of_another_type(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument"):
        shown(TableView, Table)(Table("turn", ("eel",)), **given)


def test_a_view_copies_no_field_that_the_rules_want_to_give() -> None:
    make = shown(TableView, Table, "phase")
    assert make(Table("turn", ("eel",)), phase="hidden", deck=None, deck_count=1).phase == "hidden"
    with pytest.raises(TypeError, match="phase"):
        make(Table("turn", ("eel",)), deck=None, deck_count=1)


def test_a_view_of_the_same_fields_is_a_copy() -> None:
    assert shown(Table, Table)(Table("turn", ("eel",))) == Table("turn", ("eel",))
