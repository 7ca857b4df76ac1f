"""What each reader sees, and which positions it cannot tell apart (section 11 of rules.md)."""

from collections import Counter

import msgspec
import pytest

from referee.kernel.audience import redact
from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, set_up
from referee.rulesets.editions import editions_of
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.actions import ActionPlayed, PlayAction
from referee.rulesets.hund_und_katz.edition import EDITION
from referee.rulesets.hund_und_katz.food_actions import FoodReturned
from referee.rulesets.hund_und_katz.position import Options
from tests.clauses import clause
from tests.rulesets.hund_und_katz.tables import a_position, a_table, animal

READERS = (None, 0, 1, 2)


def seen(position, reader):
    """A view as its reader gets it."""
    return msgspec.json.decode(msgspec.json.encode(HUND_UND_KATZ.view(position, reader)))


def a_middle_game():
    hands = {0: ["return_food"], 1: ["swap_pawns", "return_pawn"], 2: ["swap_meals_any"]}
    return a_position(animal("igor", ["bone_1", "fish_6"], [0, 1]), animal("hazel", [], [2]), hands=hands)


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_sees_its_own_hand_and_the_sizes_of_other_hands_and_of_the_deck(reader):
    position = a_middle_game()
    view = seen(position, reader)
    for seat, state in enumerate(position.seats):
        own = list(state.hand) if seat == reader else None
        assert view["seats"][seat] == {"stock": state.stock, "hand": own, "hand_count": len(state.hand)}
    assert (view["food_deck"], view["food_deck_count"]) == (None, 52)


@clause("HK-R25")
@pytest.mark.parametrize("reader", READERS)
def test_everything_else_is_open_the_discard_pile_too(reader):
    position = a_middle_game()
    written, view = msgspec.json.decode(msgspec.json.encode(position)), seen(position, reader)
    hidden = {"seats", "food_deck", "animals"}
    assert {name: view[name] for name in written.keys() - hidden} == {
        name: written[name] for name in written.keys() - hidden
    }
    assert view.keys() - written.keys() == {"food_deck_count"}
    assert len(view["action_discard"]) == 5


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("edition", ["box", "more-squares"])
def test_an_animal_shows_what_lies_at_it_and_what_is_printed_on_its_card(reader, edition):
    rules = editions_of(HUND_UND_KATZ)[edition]
    position = a_position(animal("edda", ["bone_1", "fish_6"], [0, 1]), animal("amber", [], [2]))
    edda, amber, *others = msgspec.to_builtins(rules.view(position, reader))["animals"]
    squares = {"box": 2, "more-squares": 3}[edition]
    pieces = {"food": ("bone_1", "fish_6"), "pawns": (0, 1)}
    assert edda == {"id": "edda", "species": "dog", "squares": squares, **pieces}
    assert amber == {"id": "amber", "species": "cat", "squares": 1, "food": (), "pawns": (2,)}
    assert [(each["species"], each["squares"]) for each in others] == [
        (rules.edition.species[each["id"]], rules.edition.squares[each["id"]]) for each in others
    ]


@clause("HK-R24")
def test_everybody_sees_which_card_goes_under_the_deck_but_the_view_does_not_repeat_it():
    table = a_table(animal("igor", ["fish_6"]), hands={0: ["return_food"]})
    then = table.when(0, PlayAction(card="return_food", animal="igor", food="fish_6"))
    for reader in READERS:
        played, returned, _ = (redact(event, reader) for event in then.events)
        assert played == ActionPlayed(seat=0, card="return_food")
        assert returned == FoodReturned(seat=0, animal="igor", food="fish_6")
        assert (seen(then.position, reader)["food_deck"], seen(then.position, reader)["food_deck_count"]) == (None, 54)


@pytest.mark.parametrize("reader", READERS)
def test_an_alike_position_is_possible_and_looks_the_same(reader):
    position = a_middle_game()
    others = [HUND_UND_KATZ.alike(position, reader, Seeded(seed)) for seed in range(20)]
    for other in others:
        HUND_UND_KATZ.check(other)
        assert seen(other, reader) == seen(position, reader)
        assert HUND_UND_KATZ.awaited(other) == HUND_UND_KATZ.awaited(position)
        if reader is not None:
            assert legal_moves(HUND_UND_KATZ, other, reader) == legal_moves(HUND_UND_KATZ, position, reader)
    assert len({other.food_deck for other in others}) == 20


def test_alike_positions_may_deal_the_others_every_card_the_reader_has_not_seen():
    """Seat 0 cannot tell the cards of the others from those that were never dealt."""
    position = a_middle_game()
    held = {card for seed in range(60) for card in HUND_UND_KATZ.alike(position, 0, Seeded(seed)).seats[1].hand}
    known = Counter(position.action_discard) + Counter(position.seats[0].hand)
    assert held == set(Counter(EDITION.action_cards) - known)


def test_before_the_set_up_there_is_nothing_to_hide():
    blank = HUND_UND_KATZ.blank(Options(), 2)
    assert HUND_UND_KATZ.alike(blank, None, Seeded(1)) == blank


@pytest.mark.parametrize("seats", HUND_UND_KATZ.seats)
def test_no_word_of_a_hidden_hand_is_in_a_view(seats):
    position = set_up(HUND_UND_KATZ, Options(), seats, Seeded(seats))
    for reader in range(seats):
        view = msgspec.json.encode(HUND_UND_KATZ.view(position, reader)).decode()
        own = set(position.seats[reader].hand)
        assert {card for card in EDITION.action_cards if f'"{card}"' in view} == own
        assert not any(f'"{food}"' in view for food in EDITION.food_cards)
