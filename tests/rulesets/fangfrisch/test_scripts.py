"""Two games played step by step, each event named."""

from typing import Any

from referee.kernel.changes import without
from referee.kernel.judge import read_options
from referee.kernel.seat import REFEREE
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.auction import AuctionOpened, CardAnnounced, CardRevealed
from referee.rulesets.fangfrisch.bell import AnswerGiven, AnswersShown
from referee.rulesets.fangfrisch.edition import EDITION
from referee.rulesets.fangfrisch.purchase import CansSpent, LotSold, ThievesSpent
from referee.rulesets.fangfrisch.stowing import CardsStowed
from referee.rulesets.fangfrisch.thieving import CardStolen
from referee.rulesets.fangfrisch.turns import StepStarted, TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import cards, money

SELL_NOTHING = {"type": "sell_fish", "lots": []}


def a_game(seats: int, first: str, tail: str, *chance: tuple[str, Any], **options: Any) -> Given:
    """The table after a set-up in which the deck begins with these cards, the rest in the canonical order."""
    blank = Given(FANGFRISCH, FANGFRISCH.blank(read_options(FANGFRISCH, options), seats))
    deck = cards(first) + without(EDITION.ordinary_cards, cards(first))
    outcomes = (("shuffle_deck", list(deck)), ("shuffle_tail", tail.split()), *chance)
    return blank.when(REFEREE, {"type": "set_up"}, *outcomes).tells("game_set_up", "turn_started")


def turned(card: str) -> CardRevealed:
    return CardRevealed(card, "offer")


@clause("FF-29", "FF-41", "FF-42", "FF-46", "FF-49", "FF-65", "FF-67")
def test_script_a_four_seats_in_live_pace() -> None:
    table = a_game(
        4,
        "eel_1 lobster_2 tuna_3 octopus_2 eel_3 plaice_2 thief can",
        "can thief market_close can thief can",
        ("draw_first_seat", 1),
        pace="live",
    )
    assert table.position.deck.index("end_phase") == 88
    assert table.position.deck.index("market_close") == 100
    assert (table.position.seller, table.position.phase) == (1, "selling")
    assert money(table) == [30] * 4

    table = table.when(1, SELL_NOTHING).says(AuctionOpened(1), CardAnnounced(1))
    for card in cards("eel_1 lobster_2 tuna_3"):
        table = table.when(REFEREE, {"type": "show_offer"}).says(turned(card))
    table = table.when(1, {"type": "reveal_card", "seen": 3}).says(CardAnnounced(1))
    for card in cards("octopus_2 eel_3"):
        table = table.when(REFEREE, {"type": "show_offer"}).says(turned(card))
    hand = cards("eel_1 lobster_2 tuna_3 octopus_2 eel_3")
    table = table.when(3, {"type": "ring", "seen": 5}).says(AnswerGiven(3, "ring"))
    table = table.when(0, {"type": "ring", "seen": 5}).says(AnswerGiven(0, "ring"))
    table = table.when(REFEREE, {"type": "close_bell"}, ("draw_buyer", [3])).says(
        AnswersShown(("ring", None, None, "ring")), LotSold(3, 1, 10, 5, hand, (), 0, 0), StepStarted("stowing", 3)
    )
    assert money(table) == [30, 35, 30, 20]
    place = {"basin": ["eel_1", "eel_3"], "crate_1": ["tuna_3", "octopus_2"], "crate_2": ["lobster_2"]}
    table = table.when(3, {"type": "stow_cards", "place": place}).says(
        CardsStowed(3, "crate_1", cards("tuna_3 octopus_2")),
        CardsStowed(3, "crate_2", cards("lobster_2")),
        CardsStowed(3, "basin", cards("eel_1 eel_3")),
        TurnStarted(2),
    )

    table = table.when(2, SELL_NOTHING).says(AuctionOpened(2), CardAnnounced(2))
    for card in cards("plaice_2 thief can"):
        table = table.when(REFEREE, {"type": "show_offer"}).says(turned(card))
    table = table.when(0, {"type": "ring", "seen": 8}).says(AnswerGiven(0, "ring"))
    table = table.when(REFEREE, {"type": "close_bell"}).says(
        AnswersShown(("ring", None, None, None)),
        LotSold(0, 2, 10, 3, ("plaice_2",), cards("thief can"), 1, 1),
        StepStarted("thieving", 0),
    )
    assert money(table) == [20, 35, 33, 20]
    table = table.when(0, {"type": "steal_cards", "from": [{"seat": 3, "slot": "crate_1"}]}).says(
        CardStolen(0, 3, "crate_1", "octopus_2"), ThievesSpent(0, 1, 0), StepStarted("stowing", 0)
    )
    assert table.position.purchase.hand == cards("plaice_2 octopus_2")
    table = table.when(0, {"type": "stow_cards", "place": {"crate_1": ["plaice_2", "octopus_2"]}}).says(
        CardsStowed(0, "crate_1", cards("plaice_2 octopus_2")), CansSpent(0, 0, 1), TurnStarted(3)
    )


@clause("FF-37", "FF-38", "FF-39", "FF-40", "FF-46", "FF-60")
def test_script_b_three_seats_in_turn_pace() -> None:
    table = a_game(3, "crab_2 crab_3 shark_1 shark_3", "market_close thief can can can can", first_seat=0)
    assert table.position.seller == 0
    assert table.position.deck.index("market_close") == 98

    table = table.when(0, SELL_NOTHING).says(AuctionOpened(0), turned("crab_2"))
    table = table.when(0, {"type": "pass"}).says(AnswerGiven(0, "pass"))
    table = table.when(2, {"type": "pass"}).says(AnswerGiven(2, "pass"))
    table = table.when(1, {"type": "pass"}).says(
        AnswerGiven(1, "pass"), AnswersShown(("pass", "pass", "pass")), turned("crab_3")
    )
    table = table.when(0, {"type": "ring"}).says(AnswerGiven(0, "ring"))
    table = table.when(2, {"type": "ring"}).says(AnswerGiven(2, "ring"))
    table = table.when(1, {"type": "pass"}, ("draw_buyer", [2])).says(
        AnswerGiven(1, "pass"),
        AnswersShown(("ring", "pass", "ring")),
        LotSold(2, 0, 10, 2, cards("crab_2 crab_3"), (), 0, 0),
        StepStarted("stowing", 2),
    )
    assert money(table) == [32, 30, 20]
    table = table.when(2, {"type": "stow_cards", "place": {"basin": ["crab_3", "crab_2"]}}).says(
        CardsStowed(2, "basin", cards("crab_3 crab_2")), TurnStarted(1)
    )
    table.when(1, SELL_NOTHING).says(AuctionOpened(1), turned("shark_1"))
