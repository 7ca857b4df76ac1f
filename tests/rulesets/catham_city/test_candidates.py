"""The candidates include every legal move."""

from itertools import combinations, combinations_with_replacement, product

import pytest

from referee.kernel.judge import legal_moves, refusal
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import counted, in_order
from referee.rulesets.catham_city.edition import EDITION
from referee.rulesets.catham_city.factions.bureaucrats import PlayBureaucrats
from referee.rulesets.catham_city.factions.detectives import PlayDetectives
from referee.rulesets.catham_city.factions.hackers import PlayHackers
from referee.rulesets.catham_city.factions.journalists import PlayJournalists
from referee.rulesets.catham_city.factions.mafia import PlayMafia, SurrenderInfluence
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.position import Pending
from referee.rulesets.catham_city.taking import TakeCards
from tests.rulesets.catham_city.tables import asked, given, hand, heap, row


def every_turn_move(seats):
    """Every move of a turn that could be legal in any position."""
    numbers, factions, targets = range(-1, 17), EDITION.factions, range(-1, seats + 1)
    yield from (PlayJournalists(), PlayScientists(), PlayMafia())
    yield from (PlayRobocats(mode=mode) for mode in ("draw", "influence"))
    yield from (TakeCards(faction=faction, count=count) for faction, count in product(factions, numbers))
    yield from (PlayDetectives(extra=extra) for extra in factions)
    yield from (PlayBureaucrats(count=count) for count in numbers)
    yield from (PlayHackers(count=count, target=target) for count, target in product(numbers, targets))
    for count, extra, target in product(numbers, factions, targets):
        yield PlayPolice(count=count, extra=extra, target=target)


@pytest.mark.parametrize(
    ("factions", "hands"),
    [
        ("DSRMH", ("D4 S3 R1 H2", "S2", "M9")),
        ("DSRMH", ("R4 M4 H2", "D1", "M2")),
        ("JBPSH", ("J2 B3 P4 S1", "H1", "")),
        ("JBPSH", ("", "H1", "B1")),
        ("BPRMH", ("B1 P3 R2 M1 H3", "R1", "H4 M2", "P5")),
    ],
)
def test_in_a_turn_the_legal_moves_are_all_that_the_rules_accept(factions, hands):
    position = given(*hands, factions=factions).position
    accepted = {move for move in every_turn_move(len(hands)) if refusal(CATHAM_CITY, position, 0, move) is None}
    assert set(legal_moves(CATHAM_CITY, position, 0)) == accepted


@pytest.mark.parametrize("cards", ["D5 S4 R3 M3 H2", "D11", "D6 S6", "D2 S2 R2 M2 H3", "H15"])
def test_every_different_choice_of_excess_cards_is_listed_once(cards):
    position = given(cards, "", phase="discard_excess", market="S3 R4").position
    excess = len(hand(position, 0)) - 10
    listed = [move.cards for move in legal_moves(CATHAM_CITY, position, 0)]
    assert len(set(listed)) == len(listed)
    assert set(listed) == set(combinations(hand(position, 0), excess))


def test_every_pair_of_cards_and_the_influence_are_listed_for_the_mafia():
    position = given(
        "", "D2 S1 H4", phase="mafia_answers", on_table="M4", pending=asked(None, None), influence=(0, 1)
    ).position
    moves = legal_moves(CATHAM_CITY, position, 1)
    pairs = {move.cards for move in moves if move != SurrenderInfluence()}
    assert SurrenderInfluence() in moves
    assert pairs == set(combinations_with_replacement(row("DSH"), 2)) - {row("SS")}
    assert len(moves) == len(pairs) + 1


def test_every_part_of_the_given_cards_is_listed_for_cashing_in():
    five = in_order(row("JDSRM"))
    position = given(
        "D3 S4",
        "R1",
        "R1",
        "R1",
        factions="JDSRM",
        phase="journalists_cash_in",
        on_table="J2",
        journalists_bonus="active",
        pending=Pending(given=counted(five, heap("D1 S2"))),
    ).position
    listed = [move.cards for move in legal_moves(CATHAM_CITY, position, 0)]
    assert sorted(listed) == sorted([(), row("D"), row("S"), row("DS"), row("SS"), row("DSS")])
