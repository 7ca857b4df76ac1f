"""A refusal names the thing and the numbers, and each message has one cause."""

import pytest

from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.factions.bureaucrats import PlayBureaucrats
from referee.rulesets.catham_city.factions.detectives import MatchCard, PlayDetectives
from referee.rulesets.catham_city.factions.hackers import PlayHackers
from referee.rulesets.catham_city.factions.journalists import CashIn, GiveCard
from referee.rulesets.catham_city.factions.mafia import PlayMafia, SurrenderCards, SurrenderInfluence
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.position import Options, Pending
from referee.rulesets.catham_city.questions import Decline
from referee.rulesets.catham_city.resolving import ResolveAnswers
from referee.rulesets.catham_city.setup import SetUp
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import DiscardExcess
from tests.rulesets.catham_city.tables import DECLINED, MATCHED, asked, given, row

IN_TURN = given("H2 D2 S3 M1", "H2", "S1", market="H2 S2 R3")
WITH_POLICE = given("P1 B1", "S1", factions="BSRMP")
DETECTIVES = given(
    "S1",
    "H1",
    "S2",
    "",
    "S1",
    phase="detectives_answers",
    on_table="D3 H1",
    pending=asked(None, MATCHED, None, None, None, faction="H"),
)
ANSWERED = given("S1", "H1", phase="detectives_answers", on_table="D3 H1", pending=asked(None, DECLINED, faction="H"))
MAFIA = given(
    "S1", "S3", "S1", influence=(2, 0, 3), phase="mafia_answers", on_table="M4", pending=asked(None, None, None)
)
JOURNALISTS = given(
    "S1", "S2 R1", "S1", factions="JSRMH", phase="journalists_answers", on_table="J2", pending=asked(None, None, None)
)
CASHING_IN = given(
    "S2 R1",
    "",
    factions="JSRMH",
    journalists_bonus="active",
    phase="journalists_cash_in",
    on_table="J2",
    pending=Pending(given=given("S1", "", factions="JSRMH").position.seats[0].hand),
)
EXCESS = given("S13", "", phase="discard_excess", market="R7")


@pytest.mark.parametrize(
    ("table", "actor", "move", "clause", "message"),
    [
        (IN_TURN, REFEREE, SetUp(), "CC-3", "`set_up` is not possible in the phase turn; possible: take_cards, "),
        (DETECTIVES, 0, ResolveAnswers(), "CC-4", "Only the referee makes `resolve_answers`; you are seat 0."),
        (IN_TURN, REFEREE, PlayMafia(), "CC-4", "Only a seat makes `play_mafia`, not the referee."),
        (IN_TURN, 7, PlayMafia(), "CC-4", "There is no seat 7; the seats are 0 to 2."),
        (IN_TURN, 1, PlayMafia(), "CC-4", "It is the turn of seat 0; you are seat 1."),
        (DETECTIVES, 0, Decline(), "CC-4", "You asked the question. Seats 2 and 4 must answer."),
        (DETECTIVES, 1, Decline(), "CC-4", "You have answered already. Seats 2 and 4 must answer."),
        (
            DETECTIVES,
            3,
            Decline(),
            "CC-4",
            "The detectives ask only seats with at least 1 card; you hold 0. Seats 2 and 4 must answer.",
        ),
        (
            JOURNALISTS,
            2,
            Decline(),
            "CC-4",
            "The journalists ask only seats with at least 2 cards; you hold 1. Seat 1 must answer.",
        ),
        (
            MAFIA,
            2,
            SurrenderInfluence(),
            "CC-4",
            "The mafia asks only seats that have a choice, with more than 2 cards, or 2 cards and at least 1 influence;"
            " you hold 1 and have 3 influence. Seat 1 must answer.",
        ),
        (
            DETECTIVES,
            2,
            PlayMafia(),
            "CC-3",
            "`play_mafia` is not possible in the phase detectives_answers; possible: ",
        ),
        (ANSWERED, 1, Decline(), "CC-4", "Every seat that was asked has answered; the referee now carries out the "),
        (DETECTIVES, REFEREE, ResolveAnswers(), "CC-5", "Seats 2 and 4 must answer first."),
        (MAFIA, REFEREE, ResolveAnswers(), "CC-5", "Seat 1 must answer first."),
        (
            IN_TURN,
            0,
            TakeCards(faction="police", count=1),
            "CC-6",
            "police is not in play; the factions in play are detective, scientist, robocat, mafia, hacker.",
        ),
        (
            EXCESS,
            0,
            DiscardExcess(cards=row("SS")),
            "CC-17",
            "You hold 13 cards and the limit is 10: discard ",
        ),
        (IN_TURN, 0, TakeCards(faction="hacker", count=0), "CC-20", "Take at least 1 card, not 0."),
        (
            IN_TURN,
            0,
            TakeCards(faction="hacker", count=3),
            "CC-21",
            "The market shows 2 hacker cards; you cannot take 3.",
        ),
        (IN_TURN, 0, PlayMafia(), "CC-24", "`play_mafia` takes 4 mafia cards from your hand; you hold 1."),
        (
            IN_TURN,
            0,
            PlayDetectives(extra="scientist"),
            "CC-24",
            "`play_detectives` takes 3 detective cards from your hand; you hold 2.",
        ),
        (
            DETECTIVES,
            2,
            MatchCard(),
            "CC-24",
            "A match takes 1 hacker card, like the detectives' extra card; you hold 0.",
        ),
        (
            IN_TURN,
            0,
            PlayHackers(count=1, target=0),
            "CC-26",
            "Choose another seat as the target: seat 0 is your own.",
        ),
        (IN_TURN, 0, PlayHackers(count=1, target=3), "CC-26", "There is no seat 3; the seats are 0 to 2."),
        (
            JOURNALISTS,
            1,
            GiveCard(faction="robocat"),
            "CC-29",
            "A deal takes 2 robocat cards, one to give and one to discard; you hold 1.",
        ),
        (CASHING_IN, 0, CashIn(cards=row("SS")), "CC-33", "You were given 1 scientist card; you cannot cash in 2."),
        (WITH_POLICE, 0, PlayBureaucrats(count=0), "CC-38", "Play at least 1 bureaucrat card, not 0."),
        (MAFIA, 1, SurrenderCards(cards=row("S")), "CC-46", "The mafia takes exactly 2 cards from you, not 1."),
        (MAFIA, 1, SurrenderInfluence(), "CC-47", "The mafia takes 1 influence from you, but you have 0."),
        (
            WITH_POLICE,
            0,
            PlayPolice(count=0, extra="scientist", target=1),
            "CC-51",
            "Play at least 1 police card, not 0.",
        ),
        (
            WITH_POLICE,
            0,
            PlayPolice(count=1, extra="police", target=1),
            "CC-52",
            "The extra card must not be a police card: choose another faction.",
        ),
        (IN_TURN, 0, PlayHackers(count=5, target=1), "CC-58", "Give 1 to 4 hackers, not 5."),
        (
            IN_TURN,
            0,
            PlayHackers(count=2, target=2),
            "CC-59",
            "To be given 2 hackers, seat 2 must hold at least 2 cards; it holds 1.",
        ),
        (
            given("S3", "", influence=(2, 17), phase="finished"),
            0,
            PlayScientists(),
            "CC-1",
            "The game is over: seat 1 has won with 17 influence.",
        ),
    ],
)
def test_a_refusal_names_the_thing_and_the_numbers(table, actor, move, clause, message):
    refused = table.when(actor, move)
    refused.refused(clause)
    assert refused.verdict.message.startswith(message)


@pytest.mark.parametrize(
    ("options", "seats", "message"),
    [
        (Options(factions=("cat",)), 2, "`cat` is no faction; the factions are journalist, detective, bureaucrat, "),
        (Options(factions=("mafia",)), 2, "Choose exactly 5 factions, not 1."),
        (Options(factions=("mafia",) * 5), 2, "Choose 5 different factions: mafia is named more than once."),
        (Options(), 7, "The game takes 2 to 6 seats, not 7."),
        (Options(first_seat=2), 2, "`first_seat` is null or a seat from 0 to 1, not 2."),
    ],
)
def test_a_refusal_of_options_names_what_is_possible(options, seats, message):
    with pytest.raises(Rejection) as refused:
        CATHAM_CITY.blank(options, seats)
    assert refused.value.message.startswith(message)
