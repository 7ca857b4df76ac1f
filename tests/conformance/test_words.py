"""Words: whatever a ruleset brings is complete and fits, and no sentence tells more than its reader may know."""

import re
from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from referee.kernel.audience import hidden_fields, move_as_seen, redact
from referee.kernel.message import Event, type_of
from referee.kernel.saying import forms_of
from referee.kernel.templates import ABSENT, BRANCHING, WAYS, Hole, Template, read_template
from referee.kernel.words import Speaker, Words, line_of
from referee.rulesets.words import words_of
from tests.conformance.play import games_of
from tests.conformance.worlds import readers
from tests.subjects import Subject, every_edition, every_ruleset

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
TEXT_MAX = 600
SOUND = re.compile(r"[A-ZÀ-ÖØ-Þ„#\d].*[.?!]", re.S)
ODD = re.compile(r"  | [.,;:?!]|[{}]|\b(None|UNSET|Unset|False|True)\b|_|\.\.|,\.")


def kinds_of(subject: Subject) -> tuple[type[msgspec.Struct], ...]:
    return (*subject.ruleset.moves.values(), *subject.ruleset.events.values())


def speakers(subject: Subject) -> list[Speaker]:
    """A speaker for each language of a ruleset, and one that has only types and fields."""
    return [Speaker((words, kinds_of(subject))) for words in (Words(), *words_of(subject.ruleset).values())]


@every_ruleset
def test_the_words_have_a_sentence_for_every_move_and_event_and_for_nothing_else(subject: Subject) -> None:
    for language, words in words_of(subject.ruleset).items():
        assert set(words.moves) == set(subject.ruleset.moves), language
        assert set(words.events) == set(subject.ruleset.events), language


@every_ruleset
def test_the_clauses_of_sentences_exist(subject: Subject) -> None:
    for words in words_of(subject.ruleset).values():
        for kind in kinds_of(subject):
            line = line_of(words, kind)
            assert line is not None and set(line.clauses) <= set(subject.ruleset.rulebook.clauses), kind


def structs_within(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for hint in get_type_hints(kind).values():
        yield from (each for each in leaves(hint) if isinstance(each, type) and issubclass(each, msgspec.Struct))


def leaves(hint: Any) -> Iterator[Any]:
    """The types that a type is made of."""
    if get_origin(hint) in (Union, UnionType, tuple, dict):
        for each in get_args(hint):
            yield from leaves(each)
    else:
        yield hint


def templates_of(subject: Subject, words: Words) -> Iterator[tuple[type[msgspec.Struct], Template]]:
    parts = {type_of(part.__name__): part for kind in kinds_of(subject) for part in structs_within(kind)}
    assert set(words.parts) <= set(parts), "a template for a part that no message has"
    yield from ((parts[name], read_template(text)) for name, text in words.parts.items())
    for kind in kinds_of(subject):
        line = line_of(words, kind)
        if line is not None:
            yield kind, read_template(line.say)


@every_ruleset
def test_every_hole_has_its_field_and_every_case_can_occur(subject: Subject) -> None:
    for words in words_of(subject.ruleset).values():
        for kind, template in templates_of(subject, words):
            check_holes(kind, template, words, frozenset())
    for speaker in speakers(subject):
        assert set(speaker._lines) == set(kinds_of(subject)), "every template compiles"


def check_holes(kind: type[msgspec.Struct], template: Template, words: Words, present: frozenset[str]) -> None:
    """Assert that each hole fits its field; `present` are the fields that cannot be absent here."""
    names = {field.encode_name: field.name for field in msgspec.structs.fields(kind)}
    hints = get_type_hints(kind)
    for hole in [part for part in template if isinstance(part, Hole)]:
        assert hole.name in names, f"{kind.__name__} has no {hole.name}"
        hint = hints[names[hole.name]]
        if hole.way in BRANCHING:
            check_cases(kind, hole, hint, words, present)
            continue
        may_be_absent = {UnsetType, type(None)} & {*get_args(hint)} or is_hidden(kind, names[hole.name])
        covered = hole.otherwise is not None or hole.name in present
        assert covered or not may_be_absent, f"{kind.__name__}: {hole.name} may be absent"
        check_forms(kind, hole, hint, words)
        check_holes(kind, hole.otherwise or (), words, present)


def is_hidden(kind: type[msgspec.Struct], name: str) -> bool:
    return name in [hidden for hidden, _ in hidden_fields(kind)]


def check_cases(kind: type[msgspec.Struct], hole: Hole, hint: Any, words: Words, present: frozenset[str]) -> None:
    values = {value for leaf in leaves(hint) if get_origin(leaf) is Literal for value in get_args(leaf)}
    allowed = {"other", ABSENT, "true", "false", *values}
    for case, inner in hole.cases.items():
        fits = re.fullmatch(r"=\d+|one|other", case) if hole.way == "plural" else case in allowed
        assert fits, f"{kind.__name__}: {hole.name} is never {case}"
        is_there = (ABSENT in hole.cases and case != ABSENT) or case not in ("other", ABSENT)
        check_holes(kind, inner, words, present | {hole.name} if is_there else present)


def check_forms(kind: type[msgspec.Struct], hole: Hole, hint: Any, words: Words) -> None:
    """Assert that the words have the forms of everything that is counted, or that needs an article."""
    wanted = {hole.noun} if hole.way == "of" else set()
    is_form = hole.way not in WAYS
    if is_form or (hole.way == "of" and hole.noun in kind.__struct_fields__):
        hint = hint if is_form else get_type_hints(kind)[hole.noun]
        wanted = {value for leaf in leaves(hint) if get_origin(leaf) is Literal for value in get_args(leaf)}
        assert wanted, f"{kind.__name__}: {hole.name} names no thing"
    for thing in wanted:
        forms = words.things.get(thing)
        assert forms is not None, f"{kind.__name__}: {thing} has no word"
        has_form = isinstance(forms, str) or hole.way in forms_of(forms)
        assert has_form or hole.way == "of", f"{thing} has no form {hole.way}"


ID = re.compile(r"[a-z]{2,}\d?([_-][a-z0-9]+)*")
"""Ids that are read as words; corners such as `a12` are not."""
ON_BOARDS = re.compile(r'\bword\("([a-z_]+)"\)')


def ids_of(subject: Subject) -> set[str]:
    """What a page names: types of moves, fields and values of moves, options and views, and words of the board."""
    ruleset = subject.ruleset
    found = {*ruleset.moves, *ON_BOARDS.findall(board_of(subject))}
    waiting: list[Any] = [*ruleset.moves.values(), ruleset.view_type, ruleset.options_type]
    seen: set[Any] = set()
    while waiting:
        for leaf in leaves(waiting.pop()):
            if get_origin(leaf) is Literal:
                found |= {each for each in get_args(leaf) if isinstance(each, str)}
            elif isinstance(leaf, type) and issubclass(leaf, msgspec.Struct) and leaf not in seen:
                seen.add(leaf)
                found |= {field.encode_name for field in msgspec.structs.fields(leaf)}
                waiting += get_type_hints(leaf).values()
    return {id for id in found if ID.fullmatch(id) and not id.endswith("_count")}


def board_of(subject: Subject) -> str:
    file = subject.ruleset.directory / "page" / "board.js"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


@every_ruleset
def test_every_language_names_everything_that_stands_alone_on_a_page(subject: Subject) -> None:
    for language, words in words_of(subject.ruleset).items():
        if language != "en":
            assert ids_of(subject) - set(words.labels()) == set(), language


@every_ruleset
def test_every_language_has_the_same_things_and_parts(subject: Subject) -> None:
    english = words_of(subject.ruleset).get("en", Words())
    for language, words in words_of(subject.ruleset).items():
        assert set(words.things) == set(english.things), language
        assert set(words.parts) == set(english.parts), language


@every_edition
def test_every_sentence_of_every_reader_is_well_formed(subject: Subject) -> None:
    for game in games_of(subject):
        seen = {repr(message): message for commit in game.commits for message in messages_of(commit, game.seats)}
        for speaker in speakers(subject):
            for message in seen.values():
                text = speaker.say(message, NAMES[: game.seats]).text
                assert SOUND.fullmatch(text) and not ODD.search(text), f"{text!r}: {message}"
                assert len(text) <= TEXT_MAX


def messages_of(commit: Any, seats: int) -> Iterator[Any]:
    """The move and the events of a commit, as each reader sees them."""
    for reader in readers(seats):
        move = move_as_seen(commit.move, commit.actor, reader)
        yield from ([] if move is None else [move])
        yield from (redact(event, reader) for event in commit.events)


@every_edition
def test_a_sentence_tells_nothing_that_is_hidden_from_its_reader(subject: Subject) -> None:
    told = speakers(subject)
    for game in games_of(subject):
        for event in [event for event in game.events if hidden_fields(type(event))]:
            for reader in readers(game.seats):
                seen, is_open = redact(marked(event), reader), redact(event, reader) == event
                for text in [speaker.say(seen, NAMES).text for speaker in told]:
                    assert "canary" not in text or is_open, f"{text!r} for {reader}"


def marked(event: Event) -> Event:
    """An event whose hidden things have a name that tells who reads them."""
    hidden = {name: getattr(event, name) for name, audience in hidden_fields(type(event)) if not audience.own_entry}
    return msgspec.structs.replace(event, **{name: as_canary(value) for name, value in hidden.items()})


def as_canary(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(as_canary(each) for each in value)
    if isinstance(value, dict):
        return {f"canary {key}": each for key, each in value.items()}
    return "canary" if isinstance(value, str) else value if value in (None, UNSET) else 7777
