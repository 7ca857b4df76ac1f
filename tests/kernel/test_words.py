"""Sentences from templates: what a hole can be, what is refused, and the sentence of a message without a template."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from referee.kernel.audience import only, redact
from referee.kernel.message import Event, Move
from referee.kernel.seat import Seat
from referee.kernel.templates import holes, read_template
from referee.kernel.words import Line, Sentence, Speaker, Words, line_of, read_words, with_clauses_of
from referee.rulesets import LATEST
from referee.rulesets.words import words_of
from referee.table.moves import TABLE_EVENTS, TABLE_MOVES
from referee.table.words import ENGLISH, WORDS

Fish = Literal["carp", "pike", "eel"]
NAMES = ("Ada", "Bob", "Cleo")
THINGS = {"carp": ("carp", "carps", "a carp"), "eel": ("eel", "eels", "an eel"), "coin": ("coin", "coins")}


class Place(msgspec.Struct, frozen=True):
    """A place within a message."""

    pond: str = ""
    seat: Seat | UnsetType = UNSET


class FishTaken(Event):
    """Something of every type happened."""

    seat: Seat = Seat(0)
    others: tuple[Seat, ...] = ()
    fish: Fish = "eel"
    basket: Annotated[tuple[Fish, ...] | UnsetType, only("seat")] = ()
    purse: dict[Fish, int] = msgspec.field(default_factory=dict)
    coins: int = 0
    scores: tuple[int | None, ...] = ()
    need: dict[str, int] = msgspec.field(default_factory=dict)
    last: bool = False
    note: str = ""
    place: Place = Place()
    path: tuple[Fish, ...] = ()
    partner: Seat | None = msgspec.field(name="with", default=None)


def said(template: str, event: FishTaken, **parts: str) -> str:
    words = Words(things=THINGS, parts=parts, events={"fish_taken": template})
    return Speaker((words, [FishTaken])).say(event, NAMES).text


@pytest.mark.parametrize(
    ("template", "event", "text"),
    [
        ("{seat} fishes.", FishTaken(), "Ada fishes."),
        ("{others} watch.", FishTaken(others=(Seat(0), Seat(1), Seat(2))), "Ada, Bob and Cleo watch."),
        ("{others} watch.", FishTaken(others=(Seat(2),)), "Cleo watch."),
        ("{fish} swims.", FishTaken(), "Eel swims."),
        ("It is {fish, a}.", FishTaken(), "It is an eel."),
        ("It is {fish, a}.", FishTaken(fish="pike"), "It is pike."),
        ("Got {basket}.", FishTaken(basket=("eel", "carp", "eel", "pike")), "Got 2 eels, a carp and pike."),
        ("Got {basket}.", FishTaken(basket=("pike", "pike")), "Got 2 × pike."),
        ("Got {basket|nothing}.", FishTaken(), "Got nothing."),
        ("Has {purse}.", FishTaken(purse={"eel": 1, "carp": 3, "pike": 0}), "Has 1 eel and 3 carps."),
        ("Pays {coins, of, coin}.", FishTaken(coins=1), "Pays 1 coin."),
        ("Pays {coins, of, coin}.", FishTaken(coins=2), "Pays 2 coins."),
        ("Takes {coins, of, fish}.", FishTaken(coins=2), "Takes 2 eels."),
        ("{coins, plural, =0 {None} one {One} other {#}}.", FishTaken(coins=7), "7."),
        ("{coins, plural, =0 {None} one {One} other {#}}.", FishTaken(), "None."),
        ("{basket, plural, one {A fish} other {# fish}}.", FishTaken(basket=("eel", "eel")), "2 fish."),
        ("{last, select, true {Yes, {seat}} other {No}}.", FishTaken(last=True), "Yes, Ada."),
        ("{with, select, none {Alone} other {With {with|nobody}}}.", FishTaken(), "Alone."),
        ("{with, select, none {Alone} other {With {with|nobody}}}.", FishTaken(partner=Seat(1)), "With Bob."),
        ("{scores, by_seat}.", FishTaken(scores=(3, None, 5)), "Ada 3 and Cleo 5."),
        ("{need, by_seat}.", FishTaken(need={"1": 4}), "Bob 4."),
        ("{path, last}.", FishTaken(path=("eel", "carp")), "Carp."),
        ("At {place}.", FishTaken(place=Place("north_pond", Seat(2))), "At north_pond, with Cleo."),
        ("{note}", FishTaken(note="{seat} <b> said_so"), "{seat} <b> said_so"),
        ("#{coins}.", FishTaken(coins=3), "#3."),
    ],
)
def test_a_hole_is_filled_by_its_field(template: str, event: FishTaken, text: str) -> None:
    assert said(template, event, place="{pond}{seat, select, none {} other {, with {seat|nobody}}}") == text


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("{nobody} fishes.", "fish_taken: there is no field `nobody`"),
        ("{seat fishes.", "a hole is not closed"),
        ("Ada} fishes.", "the brace at 3 closes nothing"),
        ("{coins, plural, one {x}}", "the case `other` is missing"),
        ("{coins, roman}", "fish_taken: no thing has a form `roman`"),
        ("{last}", "cannot be said like this"),
        ("{place}", "cannot be said like this"),
    ],
)
def test_a_template_that_does_not_fit_is_refused(template: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        said(template, FishTaken())


def test_words_with_unknown_parts_or_forms_are_refused() -> None:
    for toml in ("[evnts]\n", "[things]\neel = []\n", '[events]\nx = {say = "x", clause = "y"}\n', "[events\n"):
        with pytest.raises(ValueError):
            read_words(toml)


def test_a_sentence_has_its_clauses_and_says_whether_it_is_quiet() -> None:
    words = read_words('[events]\nfish_taken = { say = "{seat} fishes.", clauses = ["TY-5"], quiet = true }\n')
    assert Speaker((words, [FishTaken])).say(FishTaken(), NAMES) == Sentence("Ada fishes.", ("TY-5",), True)


def test_a_message_without_a_template_is_told_by_its_type_and_fields() -> None:
    speaker = Speaker((Words(), [FishTaken]))
    event = FishTaken(
        others=(Seat(1),),
        fish="pike",
        basket=("eel",) * 9,
        last=True,
        place=Place("pond"),
        scores=(1, None, 2),
        note="hi",
    )
    assert speaker.say(event, NAMES).text == (
        "Fish taken: seat Ada; others Bob; fish pike; basket 9 items; coins 0; scores 1 and 2; last yes; note hi; "
        "place pond pond."
    )
    assert Speaker((Words(), TABLE_MOVES)).say(TABLE_MOVES[3](), NAMES).text == "Resign."


def test_what_is_hidden_from_a_reader_is_not_in_the_readers_sentence() -> None:
    event = FishTaken(basket=("eel", "pike"))
    for words in (Words(), Words(events={"fish_taken": "{seat} takes {basket|fish}."})):
        speaker = Speaker((words, [FishTaken]))
        assert "pike" in speaker.say(redact(event, Seat(0)), NAMES).text
        assert "pike" not in speaker.say(redact(event, Seat(1)), NAMES).text


GERMAN = {"eel": {"one": "Aal", "other": "Aale", "a": "einen Aal", "dative": "einem Aal"}, "carp": "Karpfen"}
FRENCH = {"eel": ("anguille", "anguilles", "une anguille"), "coin": ("sou", "sous")}


@pytest.mark.parametrize(
    ("language", "things", "template", "event", "text"),
    [
        (
            "de",
            GERMAN,
            "{seat} gibt {basket}.",
            FishTaken(basket=("eel", "carp", "eel")),
            "Ada gibt 2 Aale und Karpfen.",
        ),
        ("de", GERMAN, "Mit {fish, dative}.", FishTaken(), "Mit einem Aal."),
        ("de", GERMAN, "Mit {fish, dative}.", FishTaken(fish="carp"), "Mit Karpfen."),
        ("de", GERMAN, "{coins, of, eel}.", FishTaken(coins=1), "Einen Aal."),
        ("de", GERMAN, "{coins, plural, one {# Münze} other {# Münzen}}.", FishTaken(), "0 Münzen."),
        ("fr", FRENCH, "Le tour de {seat}.", FishTaken(), "Le tour d'Ada."),
        ("fr", FRENCH, "Le tour de {seat}.", FishTaken(seat=Seat(1)), "Le tour de Bob."),
        ("fr", FRENCH, "Plus que {fish, a} de {fish}.", FishTaken(), "Plus qu'une anguille d'anguille."),
        ("fr", FRENCH, "Grande {fish}.", FishTaken(), "Grande anguille."),
        (
            "fr",
            FRENCH,
            "{others} ont {coins, of, coin}.",
            FishTaken(others=(Seat(0), Seat(1))),
            "Ada et Bob ont 0 sou.",
        ),
    ],
)
def test_a_language_has_its_own_plurals_lists_cases_and_elisions(
    language: str, things: Any, template: str, event: FishTaken, text: str
) -> None:
    words = Words(things=things, events={"fish_taken": template}, language=language)
    assert Speaker((words, [FishTaken])).say(event, NAMES).text == text


def test_a_translation_has_the_clauses_of_english_and_is_as_quiet() -> None:
    english = Words(events={"a": Line("A.", ("TY-1",), True), "b": "B."})
    french = with_clauses_of(Words(events={"a": "À.", "b": Line("B."), "c": "C."}, language="fr"), english)
    assert french.events == {"a": Line("À.", ("TY-1",), True), "b": Line("B."), "c": "C."}
    assert french.language == "fr"


def test_what_stands_alone_is_a_name_or_the_first_form_of_a_thing() -> None:
    words = Words(
        things={"eel": ("Aal", "Aale"), "carp": {"one": "Karpfen"}, "ring": "läutet"}, names={"ring": "Läuten"}
    )
    assert words.labels() == {"eel": "Aal", "carp": "Karpfen", "ring": "Läuten"}
    with pytest.raises(ValueError, match="carp has no form `one`"):
        Words(things={"carp": {"a": "einen Karpfen"}})


@pytest.mark.parametrize("language", [language for language in WORDS if language != ENGLISH])
def test_every_language_tells_every_title_and_every_table(language: str) -> None:
    assert [slug for slug, ruleset in LATEST.items() if language not in words_of(ruleset)] == []
    own, english = WORDS[language], WORDS[ENGLISH]
    for part in ("things", "moves", "events"):
        assert set(getattr(own, part)) == set(getattr(english, part)), part
    for ours, theirs in ((own.moves, english.moves), (own.events, english.events)):
        for name in ours:
            fields = [{hole.name for hole in holes(read_template(str(lines[name])))} for lines in (ours, theirs)]
            assert fields[0] == fields[1], name
    Speaker((own, (*TABLE_MOVES, *TABLE_EVENTS))).say(TABLE_MOVES[3](), NAMES)


def test_every_title_is_told_in_english_and_so_is_every_table() -> None:
    assert [slug for slug, ruleset in LATEST.items() if ENGLISH not in words_of(ruleset)] == []
    assert [kind.__name__ for kind in (*TABLE_MOVES, *TABLE_EVENTS) if line_of(WORDS[ENGLISH], kind) is None] == []
    Speaker((WORDS[ENGLISH], (*TABLE_MOVES, *TABLE_EVENTS))).say(TABLE_MOVES[3](), NAMES)


def test_a_line_may_be_a_template_alone() -> None:
    class Wait(Move):
        """Wait."""

    assert line_of(Words(moves={"wait": "Wait."}), Wait) == Line("Wait.")
    assert line_of(Words(events={"wait": "Wait."}), Wait) is None
