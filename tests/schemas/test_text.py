"""What people read is what it seems: names, labels, reasons."""

import sys
import time
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import Schema, ValidationError

from schemas.games import Administration
from schemas.players import NewKey, NewPlayer
from schemas.seats import NewSeat

PLACES: tuple[tuple[type[Schema], str, dict[str, Any], int], ...] = (
    (NewPlayer, "name", {}, 40),
    (NewKey, "label", {}, 80),
    (Administration, "reason", {"action": "pause"}, 500),
)
every_place = pytest.mark.parametrize(("schema", "field", "rest", "longest"), PLACES)

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
FILLERS = "\u115f\u1160\u3164\uffa0\u2800"


def load(schema: type[Schema], field: str, rest: dict[str, Any], text: str) -> str:
    found: str = schema().load({**rest, field: text})[field]
    return found


def refused(schema: type[Schema], field: str, rest: dict[str, Any], text: str) -> bool:
    try:
        load(schema, field, rest, text)
    except ValidationError as error:
        assert list(error.messages_dict) == [field]
        return True
    return False


@every_place
def test_no_hidden_character_is_accepted_anywhere(
    schema: type[Schema], field: str, rest: dict[str, Any], longest: int
) -> None:
    hidden = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in HIDDEN]
    # Every one of the lower planes, and some of the endless rest.
    for character in (*(each for each in hidden if ord(each) < 0x3000), *hidden[::5000], *FILLERS, "\ufe0f", "\u034f"):
        for text in (character, f"a{character}b", f"{character}ab", f"ab{character}"):
            assert refused(schema, field, rest, text), f"{ord(character):x}"


@every_place
@pytest.mark.parametrize("text", [" ", "\u3000\u00a0", "\u0301", " \u0301\u0302 ", "\u0489", "\u093e", *FILLERS])
def test_text_that_shows_nothing_is_refused(
    schema: type[Schema], field: str, rest: dict[str, Any], longest: int, text: str
) -> None:
    if field == "label" and not text.strip():
        assert load(schema, field, rest, text) == ""
    else:
        assert refused(schema, field, rest, text)


@every_place
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("ada", "ada"),
        ("Zoe\u0308", "Zoë"),
        ("  Ada \u00a0 King\u3000", "Ada King"),
        ("한글", "한글"),
        (unicodedata.normalize("NFD", "한글 Ωδή"), "한글 Ωδή"),
        ("မြို့", "မြို့"),
        ("שָׁלוֹם", unicodedata.normalize("NFC", "שָׁלוֹם")),
        ("🦊 & 🐟", "🦊 & 🐟"),
        ("\u212b", "Å"),
    ],
)
def test_text_is_composed_and_trimmed(
    schema: type[Schema], field: str, rest: dict[str, Any], longest: int, sent: str, kept: str
) -> None:
    assert load(schema, field, rest, sent) == kept


@every_place
def test_the_length_counts_before_and_after_composing(
    schema: type[Schema], field: str, rest: dict[str, Any], longest: int
) -> None:
    assert load(schema, field, rest, "x" * longest) == "x" * longest
    assert refused(schema, field, rest, "x" * (longest + 1))
    # One character that is two when composed.
    assert refused(schema, field, rest, "\u0958" * longest)


@every_place
def test_marks_do_not_pile_up(schema: type[Schema], field: str, rest: dict[str, Any], longest: int) -> None:
    assert load(schema, field, rest, "q" + "\u0323\u0307\u0301\u0302")
    assert refused(schema, field, rest, "q" + "\u0323\u0307\u0301\u0302\u0303")
    assert refused(schema, field, rest, "q\u0301\u0489\u093e\u0302\u0303")


@every_place
def test_long_rows_of_marks_cost_nothing(schema: type[Schema], field: str, rest: dict[str, Any], longest: int) -> None:
    began = time.process_time()
    assert refused(schema, field, rest, "q" + "\u0301\u0323" * 60_000)
    assert time.process_time() - began < 0.2


def test_a_nonce_is_kept_as_it_was_sent_and_hides_nothing() -> None:
    assert load(NewSeat, "nonce", {}, "  Zoe\u0308 ") == "  Zoe\u0308 "
    for text in ("a\u202eb", "\u200b", "a\u2028", "\u3164", "q" + "\u0301" * 5):
        assert refused(NewSeat, "nonce", {}, text)


@given(st.text(max_size=60))
def test_whatever_is_accepted_as_a_name_is_fit_to_be_seen(text: str) -> None:
    if refused(NewPlayer, "name", {}, text):
        return
    name = load(NewPlayer, "name", {}, text)
    assert name == unicodedata.normalize("NFC", name) == " ".join(name.split())
    assert 1 <= len(name) <= 40
    assert not {unicodedata.category(each) for each in name} & HIDDEN
    assert load(NewPlayer, "name", {}, name) == name
