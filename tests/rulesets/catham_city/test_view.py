"""Hidden information (section 11)."""

import msgspec
import pytest

from referee.kernel.audience import redact, redact_move
from referee.kernel.chance import Seeded
from referee.kernel.judge import judge
from referee.kernel.seat import REFEREE
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import counted, in_order
from referee.rulesets.catham_city.factions.bureaucrats import PlayBureaucrats
from referee.rulesets.catham_city.factions.hackers import PlayHackers
from referee.rulesets.catham_city.factions.mafia import SurrenderCards
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.piles import CardsDrawn, DiscardReshuffled, PileRevealed
from referee.rulesets.catham_city.position import Options, Pending, Revealed
from referee.rulesets.catham_city.questions import AnswerLocked
from referee.rulesets.catham_city.setup import GameSetUp, SetUp
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import DiscardExcess
from referee.rulesets.editions import editions_of
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.catham_city.tables import asked, given, row, surrenders

SHORT = editions_of(CATHAM_CITY)["short"]


def seen(position, reader):
    return msgspec.to_builtins(CATHAM_CITY.view(position, reader))


def copy_of(event, reader):
    return msgspec.to_builtins(redact(event, reader))


@clause("CC-R23")
@pytest.mark.parametrize("reader", [None, 0, 1, 2])
def test_a_hand_is_seen_by_its_seat_and_counted_by_all(reader):
    position = given("D2", "S3 H1", "M1", influence=(1, 2, 3)).position
    for seat, state in enumerate(seen(position, reader)["seats"]):
        own = msgspec.to_builtins(position.seats[seat].hand)
        assert state["hand"] == (own if seat == reader else None)
        assert state["hand_count"] == (2, 4, 1)[seat]
        assert state["influence"] == seat + 1


@pytest.mark.parametrize("reader", [None, 0, 1])
def test_the_draw_pile_is_only_counted(reader):
    position = given("D2", "S3").position
    view = seen(position, reader)
    assert view["draw_pile"] is None
    assert view["draw_pile_count"] == len(position.draw_pile)


@pytest.mark.parametrize("reader", [None, 0, 1])
def test_everything_else_is_open(reader):
    position = given("D2", "S3", discarded="H2 M1").position
    whole, view = msgspec.to_builtins(position), seen(position, reader)
    hidden = {"seats", "draw_pile", "draw_pile_count", "pending", "threshold"}
    assert {key: view[key] for key in view.keys() - hidden} == {key: whole[key] for key in whole.keys() - hidden}
    assert view.keys() - whole.keys() == {"draw_pile_count", "threshold"}
    assert view["pending"] is None


@clause("CC-63")
@pytest.mark.parametrize(("seats", "threshold"), [(2, 16), (3, 16), (4, 13), (6, 13)])
def test_a_view_shows_the_influence_that_wins(seats, threshold):
    assert seen(given(*["D1"] * seats).position, None)["threshold"] == threshold
    assert msgspec.to_builtins(SHORT.view(given(*["D1"] * seats).position, 0))["threshold"] < threshold


@pytest.mark.parametrize("reader", [None, 0, 1, 2])
def test_cards_that_the_police_reveal_stay_in_sight_until_the_next_move(reader):
    table = given("P2 S1", "M1 R1", "H1", factions="SRMPH", market="H7")
    assert seen(table.position, reader)["revealed"] is None
    searched = Given(CATHAM_CITY, table.when(0, PlayPolice(count=2, extra="scientist", target=1)).position)
    assert seen(searched.position, reader)["revealed"] == {"seat": 1, "cards": row("RM"), "taken_by": None}
    assert not any(seen(searched.position, reader)["table"].values())
    taken = searched.when(1, TakeCards(faction="hacker", count=1))
    assert seen(taken.position, reader)["revealed"] is None


def test_cards_that_bureaucrats_reveal_stay_in_sight_in_the_order_of_the_pile():
    table = given("B3", "M1", factions="BSRMH", top="MSM", market="B7")
    revealed = seen(table.when(0, PlayBureaucrats(count=3)).position, 1)["revealed"]
    assert revealed == {"seat": None, "cards": row("MSM"), "taken_by": None}


def test_cards_on_both_sides_of_a_reshuffle_stay_in_sight():
    table = given("B3", "M1", factions="BSRMH", top="M", rest="discard_pile")
    then = table.when(0, PlayBureaucrats(count=3))
    first, second = (event.cards for event in then.events if isinstance(event, PileRevealed))
    assert seen(then.position, None)["revealed"]["cards"] == first + second


def test_the_view_shows_who_took_what_the_hackers_found():
    table = given("H2", "S1 M1").when(0, PlayHackers(count=2, target=1), ("hackers_reveal", row("HS")))
    assert seen(table.position, 1)["revealed"] == {"seat": 1, "cards": row("SH"), "taken_by": 0}


def test_an_excess_is_discarded_with_the_revealed_cards_in_sight_and_then_they_are_gone():
    shown = Revealed(seat=None, cards=row("M"))
    table = given("S11", "", phase="discard_excess", discarded="M1", revealed=shown)
    assert seen(table.position, 1)["revealed"]["cards"] == row("M")
    assert table.when(0, DiscardExcess(cards=row("S"))).position.revealed is None


def test_at_the_end_the_last_revealed_cards_stay_in_sight():
    table = given("B1", "M1", factions="BSRMH", influence=(15, 0), top="M").when(0, PlayBureaucrats(count=1))
    assert table.position.phase == "finished"
    assert seen(table.position, None)["revealed"]["cards"] == row("M")
    CATHAM_CITY.check(table.position)


@clause("CC-R16")
@pytest.mark.parametrize("reader", [None, 0, 1, 2])
def test_a_reader_sees_of_another_seats_answer_only_that_it_is_given(reader):
    position = given(
        "", "S3", "D3", phase="mafia_answers", on_table="M4", pending=asked(None, surrenders("S2"), None)
    ).position
    answer = {"answer": "surrender_cards", "faction": None, "cards": ("scientist", "scientist")}
    assert seen(position, reader)["pending"] == {
        "faction": None,
        "answers": (None, answer if reader == 1 else True, None),
    }


def test_the_faction_asked_for_and_the_cards_given_are_open():
    position = given(
        "", "S3", phase="detectives_answers", on_table="D4", pending=asked(None, None, faction="D")
    ).position
    assert seen(position, None)["pending"] == {"faction": "detective", "answers": (None, None)}
    position = given(
        "S1",
        "R1",
        factions="JDSRM",
        phase="journalists_cash_in",
        on_table="J2",
        journalists_bonus="active",
        pending=Pending(given=counted(in_order(row("JDSRM")), row("S"))),
    ).position
    assert seen(position, 1)["pending"] == {
        "given": {"journalist": 0, "detective": 0, "scientist": 1, "robocat": 0, "mafia": 0}
    }


@pytest.mark.parametrize("reader", [None, 0, 1, 2])
def test_a_reader_of_the_deal_sees_its_own_hand_the_market_and_the_sizes(reader):
    blank = CATHAM_CITY.blank(Options(first_seat=0), 3)
    (event,) = CATHAM_CITY.decide(blank, REFEREE, SetUp(), Seeded("deal"))
    assert isinstance(event, GameSetUp)
    copied = copy_of(event, reader)
    assert copied["hands"] == tuple(event.hands[seat] if seat == reader else None for seat in range(3))
    assert copied["hand_counts"] == (6, 6, 7)
    assert copied["market"] == event.market
    assert "draw_pile" not in copied
    assert copied["draw_pile_count"] == 49


@clause("CC-R32", "CC-40", "CC-42", "CC-55")
def test_only_the_seat_that_draws_sees_the_drawn_cards():
    then = given("R2", "S1", top="DSRMH").when(0, PlayRobocats(mode="draw"))
    drawn = then.event(CardsDrawn)
    assert copy_of(drawn, 0)["cards"] == row("DSRMH")
    for reader in (1, None):
        assert copy_of(drawn, reader) == {"type": "cards_drawn", "seat": 0, "count": 5}
    searched = given("P1 S1", "P1", factions="SRMPH", top="H").when(0, PlayPolice(count=1, extra="scientist", target=1))
    drawn = searched.event(CardsDrawn)
    assert copy_of(drawn, 1)["cards"] == row("H")
    assert "cards" not in copy_of(drawn, 0)


def test_the_order_of_a_reshuffle_is_seen_by_nobody():
    then = given("R2", "S1", rest="discard_pile").when(0, PlayRobocats(mode="draw"))
    event = then.event(DiscardReshuffled)
    for reader in (None, 0, 1):
        assert copy_of(event, reader) == {"type": "discard_reshuffled", "count": event.count}


@clause("CC-R16")
def test_a_locked_answer_is_seen_by_its_seat_only():
    table = given("", "S3", "D3", phase="mafia_answers", on_table="M4", pending=asked(None, None, None))
    move = SurrenderCards(cards=row("SS"))
    event = table.when(1, move).event(AnswerLocked)
    assert copy_of(event, 1) == {
        "type": "answer_locked",
        "seat": 1,
        "answer": "surrender_cards",
        "faction": None,
        "cards": row("SS"),
    }
    for reader in (None, 0, 2):
        assert copy_of(event, reader) == {"type": "answer_locked", "seat": 1}
        assert redact_move(move, 1, reader) is None


def test_a_redacted_event_can_be_read_again():
    position = given("R2", "S1", rest="discard_pile").position
    events = judge(CATHAM_CITY, position, 0, PlayRobocats(mode="draw")).events
    for event in events:
        written = msgspec.json.encode(redact(event, None))
        assert msgspec.json.decode(written, type=CATHAM_CITY.any_event) == redact(event, None)


def test_the_view_of_a_blank_table_shows_that_nothing_is_dealt():
    view = seen(CATHAM_CITY.blank(Options(), 2), 0)
    assert view["phase"] == "setup"
    assert view["draw_pile_count"] == 0
    assert [state["hand_count"] for state in view["seats"]] == [0, 0]


def test_after_the_end_hands_stay_hidden_from_the_others():
    position = given("D2", "S3", phase="finished", influence=(16, 0)).position
    assert seen(position, 0)["seats"][1]["hand"] is None
    assert seen(position, 0)["seats"][1]["hand_count"] == 3
