"""Who reads which field."""

from typing import Annotated

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from referee.kernel.audience import NOBODY, OWN_ENTRY, hidden_fields, only, redact, redact_move, whole
from referee.kernel.message import Event, Move
from referee.kernel.seat import REFEREE, Seat
from tests.toy.rules import Bid, CardOffered, OfferCard


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


def test_the_fields_with_an_audience_are_known() -> None:
    assert [name for name, _ in hidden_fields(CardStolen)] == ["card", "rest", "hands"]
    assert hidden_fields(CardOffered) == ()


@pytest.mark.parametrize(("reader", "card"), [(0, "eel"), (1, UNSET), (2, "eel"), (None, UNSET)])
def test_a_field_is_read_by_the_seats_that_it_names(reader: Seat | None, card: object) -> None:
    assert redact(STOLEN, reader).card == card


@pytest.mark.parametrize("reader", [0, 1, 2, None])
def test_some_fields_are_read_by_nobody(reader: Seat | None) -> None:
    copy = redact(STOLEN, reader)
    assert copy.rest is UNSET
    assert b"pike" not in msgspec.json.encode(copy)


@pytest.mark.parametrize(("reader", "hands"), [(0, (3, None, None)), (2, (None, None, 5)), (None, (None,) * 3)])
def test_of_a_list_by_seat_everybody_reads_its_own_entry(reader: Seat | None, hands: tuple[int | None, ...]) -> None:
    assert redact(STOLEN, reader).hands == hands


def test_what_hides_nothing_is_the_same_for_everybody() -> None:
    event = CardOffered(seat=0, card="eel")
    assert redact(event, None) is event


def test_who_made_a_move_reads_all_of_it() -> None:
    assert redact_move(HideCard(place=1, card="eel"), 1, 1) == {"type": "hide_card", "place": 1, "which": "eel"}
    assert redact_move(Bid(coins=3), 1, 1) == {"type": "bid", "coins": 3}


@pytest.mark.parametrize("reader", [0, None])
def test_others_read_a_move_without_its_hidden_fields(reader: Seat | None) -> None:
    assert redact_move(HideCard(place=1, card="eel"), 1, reader) == {"type": "hide_card", "place": 1}
    assert redact_move(OfferCard(card="eel"), 1, reader) == {"type": "offer_card", "card": "eel"}


@pytest.mark.parametrize("reader", [0, None])
def test_others_do_not_even_read_the_type_of_a_secret_move(reader: Seat | None) -> None:
    assert redact_move(Bid(coins=3), 1, reader) is None


def test_the_referee_is_no_reader() -> None:
    assert redact_move(Bid(coins=3), REFEREE, None) is None


def test_reducers_read_hidden_fields_of_whole_events_only() -> None:
    assert whole(STOLEN.card) == "eel"
    with pytest.raises(AssertionError):
        whole(redact(STOLEN, None).card)
