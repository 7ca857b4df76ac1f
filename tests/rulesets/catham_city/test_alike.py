"""Another position that a reader cannot tell from the true one."""

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves
from referee.kernel.seat import Seat
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import counted, in_order, listed
from referee.rulesets.catham_city.position import Options, Pending, Revealed
from tests.rulesets.catham_city.tables import MATCHED, PAYS_INFLUENCE, asked, given, gives, hand, row, surrenders

TABLES = {
    "turn": given("D3 S2 H1", "S4 M2", "R5 H3"),
    "detectives": given(
        "S2",
        "H2 R1",
        "H1",
        "M2",
        phase="detectives_answers",
        on_table="D3 H1",
        pending=asked(None, MATCHED, MATCHED, None, faction="H"),
    ),
    "mafia": given(
        "S2",
        "D2 R2",
        "H3",
        phase="mafia_answers",
        on_table="M4",
        pending=asked(None, surrenders("D1 R1"), PAYS_INFLUENCE),
        influence=(2, 0, 1),
    ),
    "journalists": given(
        "S2",
        "D2 R1",
        "S3",
        factions="JDSRM",
        phase="journalists_answers",
        on_table="J2",
        pending=asked(None, gives("D"), None),
    ),
    "cash_in": given(
        "S3 D2",
        "R2",
        "M2",
        factions="JDSRM",
        phase="journalists_cash_in",
        on_table="J2",
        journalists_bonus="active",
        pending=Pending(given=counted(in_order(row("JDSRM")), row("SS"))),
    ),
    "discard_excess": given("D5 S6 H2", "M4", phase="discard_excess"),
    "found": given(
        "S2 D1",
        "R1",
        "R4",
        discarded="H1",
        revealed=Revealed(seat=Seat(1), cards=row("SH"), taken_by=Seat(0)),
        active=1,
    ),
    "finished": given("D5 S6 H2", "M4", phase="finished", on_table="R4", influence=(17, 2)),
}


@pytest.mark.parametrize("name", TABLES)
def test_an_alike_position_has_the_same_view_and_the_same_legal_moves(name):
    position = TABLES[name].position
    for reader in (None, *range(len(position.seats))):
        for seed in range(10):
            other = CATHAM_CITY.alike(position, reader, Seeded(f"{reader} {seed}"))
            CATHAM_CITY.check(other)
            assert CATHAM_CITY.view(other, reader) == CATHAM_CITY.view(position, reader)
            assert CATHAM_CITY.awaited(other) == CATHAM_CITY.awaited(position)
            assert CATHAM_CITY.due(other) == CATHAM_CITY.due(position)
            if reader is not None:
                assert legal_moves(CATHAM_CITY, other, reader) == legal_moves(CATHAM_CITY, position, reader)


def test_hidden_hands_and_the_draw_pile_are_dealt_anew():
    position = TABLES["turn"].position
    others = [CATHAM_CITY.alike(position, 0, Seeded(seed)) for seed in range(20)]
    assert all(hand(other, 0) == hand(position, 0) for other in others)
    assert len({hand(other, 1) for other in others}) > 5
    assert len({other.draw_pile for other in others}) > 5


def test_the_answers_of_others_are_drawn_again_from_what_their_new_hands_allow():
    position = TABLES["detectives"].position
    answers = {CATHAM_CITY.alike(position, 3, Seeded(seed)).pending.answers[1].answer for seed in range(40)}
    assert answers == {"match_card", "decline"}
    own = {CATHAM_CITY.alike(position, 1, Seeded(seed)).pending.answers[1] for seed in range(10)}
    assert own == {MATCHED}


def test_cards_that_everybody_saw_given_stay_in_the_active_hand():
    position = TABLES["cash_in"].position
    for seed in range(20):
        other = CATHAM_CITY.alike(position, 1, Seeded(seed))
        assert listed(other.seats[0].hand).count("scientist") >= 2


def test_cards_that_everybody_saw_taken_stay_in_the_hand_of_the_taker():
    position = TABLES["found"].position
    for seed in range(20):
        assert "scientist" in hand(CATHAM_CITY.alike(position, 1, Seeded(seed)), 0)


def test_before_the_deal_there_is_nothing_to_deal_anew():
    blank = CATHAM_CITY.blank(Options(), 3)
    assert CATHAM_CITY.alike(blank, 1, Seeded(1)) == blank
