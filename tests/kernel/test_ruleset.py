"""The contract: chapters, cases, attempts."""

from dataclasses import replace

import pytest

from referee.kernel.attempt import Attempt
from referee.kernel.chance import Seeded
from referee.kernel.changes import replace as changed
from referee.kernel.chapter import Chapter
from referee.kernel.judge import set_up
from referee.kernel.message import Trigger, tag, type_of
from referee.kernel.rejection import Malformed, Rejection, ensure, require
from referee.kernel.ruleset import Case, no_families
from referee.kernel.seat import REFEREE, Seat, clockwise, is_seat, next_seat
from tests.toy import TOY
from tests.toy.bidding import Bid, BidMade
from tests.toy.setup import SetUp


@pytest.mark.parametrize(("name", "type"), [("TakeCards", "take_cards"), ("Bid", "bid"), ("SetUp", "set_up")])
def test_the_type_of_a_message_is_its_name_in_snake_case(name: str, type: str) -> None:
    assert type_of(name) == type


def test_a_message_and_its_class_have_the_same_type() -> None:
    assert tag(Bid) == tag(Bid(coins=1)) == "bid"
    assert issubclass(SetUp, Trigger)


def test_messages_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Bid(coins=1).coins = 2


def test_a_kind_of_message_has_one_function_in_a_chapter() -> None:
    chapter = Chapter()
    chapter.decides(Bid)(print)
    chapter.applies(BidMade)(print)
    with pytest.raises(AssertionError, match="Bid is decided twice"):
        chapter.decides(Bid)(print)
    with pytest.raises(AssertionError, match="BidMade is applied twice"):
        chapter.applies(BidMade)(print)
    chapter.requires(Bid)(print)
    with pytest.raises(AssertionError, match="Bid is required twice"):
        chapter.requires(Bid)(print)


def test_an_attempt_refuses_an_unknown_type_before_wrong_parameters() -> None:
    unknown, unreadable = Attempt(kind=None, fault="What?"), Attempt(kind=Bid, fault="How much?")
    with pytest.raises(Rejection, match="What"):
        unknown.known("TY-2")
    assert unreadable.known("TY-2") is Bid
    with pytest.raises(Rejection, match="How much"):
        unreadable.readable("TY-2")
    assert Attempt(kind=Bid, move=Bid(coins=1)).readable("TY-2") == Bid(coins=1)


def test_a_rule_for_seats_has_the_acting_seat() -> None:
    assert Case(None, Seat(2), Seeded(0), None).seat == 2
    with pytest.raises(AssertionError):
        _ = Case(None, REFEREE, Seeded(0), None).seat
    assert is_seat(Seat(0)) and not is_seat(REFEREE)


def test_seats_are_counted_clockwise() -> None:
    assert clockwise(2, 4) == (2, 3, 0, 1)
    assert clockwise(4, 4) == (0, 1, 2, 3)
    assert [next_seat(Seat(seat), 3) for seat in range(3)] == [1, 2, 0]


def test_another_edition_is_another_ruleset_with_the_same_rules() -> None:
    richer = replace(TOY, edition=changed(TOY.edition, coins=9))
    position = set_up(richer, richer.variants[0], 2, Seeded(0))
    assert [seat.coins for seat in position.seats] == [9, 9]
    richer.check(position)
    with pytest.raises(Malformed):
        TOY.check(position)


def test_deciding_and_applying_is_playing() -> None:
    blank = TOY.blank(TOY.variants[0], 2)
    events = TOY.decide(blank, REFEREE, SetUp(), Seeded(3))
    assert (events, TOY.apply(blank, events[0])) == TOY.play(blank, REFEREE, SetUp(), Seeded(3))


def test_a_ruleset_without_families_offers_none() -> None:
    assert tuple(no_families(None, Seat(0), None)) == ()


def test_refusals_and_faults_carry_their_reason() -> None:
    require("TY-1", True, "Never said.")
    ensure(True, "Never said.")
    with pytest.raises(Rejection) as refused:
        require("TY-1", False, "The game is over.")
    assert (refused.value.clause, refused.value.message) == ("TY-1", "The game is over.")
    with pytest.raises(Malformed) as malformed:
        ensure(False, "No coin is lost.")
    assert malformed.value.invariant == "No coin is lost."
