"""Every stored game is replayed and audited; everything declared occurs in one; a change that breaks one is caught."""

from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from types import new_class
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields

from referee.audit.record import Record
from referee.audit.verify import Report, audit
from referee.bots import BOTS
from referee.bots.bot import Turn
from referee.bots.search_bot import SearchBot
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move, tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.rulesets import RULESETS, TITLES
from referee.table.terms import TABLE_VERSION
from tests.corpus import __main__ as maker
from tests.corpus.stored_games import DIRECTORY, SUFFIX, files, occurring, read_game, replayed, wanted

BYTES_MAX = 2_000_000
FIRST_TWO = (f"table-{TABLE_VERSION}-interrupted", f"table-{TABLE_VERSION}-given-up")

every_game = pytest.mark.parametrize(
    "file", [pytest.param(file, id=f"{file.parent.name}/{file.name.removesuffix(SUFFIX)}") for file in files()]
)
every_title = pytest.mark.parametrize("title", [pytest.param(title, id=title.slug) for title in TITLES])


@every_game
def test_a_stored_game_is_proved(file: Path) -> None:
    """This includes the moves of its bots: a bot that plays differently needs a new version."""
    report = audit(read_game(file), with_bots=True)
    assert report.verdict == "proved", [check for check in report.checks if check.passed is False]


@every_game
def test_a_stored_game_is_replayed_from_its_events_alone(file: Path) -> None:
    record = read_game(file)
    end = replayed(record, RULESETS[record.header.ruleset, record.header.version])
    last = msgspec.json.decode(record.entries[-1].body)["events"][-1]
    if last["type"] == "game_finished":
        places = sorted(end.rules.ranking(end.position), key=lambda place: place.seat)
        assert end.position.phase == "finished"
        assert [place.rank for place in places] == last["ranks"]
        assert [place.score for place in places] == last["scores"]
    else:
        assert last["type"] in ("game_adjudicated", "game_annulled", "game_resigned")


@every_title
def test_everything_that_a_title_declares_occurs_in_a_stored_game(title: Ruleset) -> None:
    """`make corpus` adds games for what is missing."""
    stored = [read_game(file) for file in files() if file.parent.name == title.slug]
    assert wanted(title) - frozenset[str]().union(*map(occurring, stored)) == frozenset()


def test_every_stored_game_is_of_a_version_that_is_still_known() -> None:
    """A game ends under the version it began with, so a title keeps its old versions."""
    versions = {(record.header.ruleset, record.header.version) for record in map(read_game, files())}
    assert versions == set(RULESETS)


def test_the_stored_games_are_small() -> None:
    assert sum(file.stat().st_size for file in files()) < BYTES_MAX


def game_of(title: Ruleset) -> Record:
    return read_game(DIRECTORY / title.slug / f"{title.version}-{FIRST_TWO[0]}{SUFFIX}")


def with_rule(title: Ruleset, kind: type[Move], rule: Callable[..., Generator[Event, Any, None]]) -> Ruleset:
    """The title with another rule for one kind of move."""
    return replace(
        title,
        chapters=tuple(
            replace(chapter, rules={**chapter.rules, kind: rule}) if kind in chapter.rules else chapter
            for chapter in title.chapters
        ),
    )


def with_reducer(title: Ruleset, kind: type[Event], other: type[Event], reducer: Callable[..., Any]) -> Ruleset:
    """The title with another class and another function for one kind of event."""

    def changed(chapter: Chapter) -> Chapter:
        kept = {each: function for each, function in chapter.reducers.items() if each is not kind}
        return replace(chapter, reducers={**kept, other: reducer})

    chapters = (changed(chapter) if kind in chapter.reducers else chapter for chapter in title.chapters)
    return replace(title, chapters=tuple(chapters))


def audited(record: Record, title: Ruleset) -> Report:
    return audit(record, {(title.slug, title.version): title})


def commonest_event(title: Ruleset, record: Record) -> type[Event]:
    """The most frequent event that has fields."""
    commits = [msgspec.json.decode(entry.body) for entry in record.entries]
    names = [event["type"] for commit in commits for event in commit["events"]]
    known = [name for name in names if name in title.events and title.events[name].__struct_fields__]
    return title.events[max(sorted(set(known)), key=known.count)]


def event_class(kind: type[Event], base: type[Event], annotations: dict[str, Any], **defaults: Any) -> type[Event]:
    """Another class of the same `type`."""
    body = {"__annotations__": annotations, "__module__": __name__, **defaults}
    return new_class(kind.__name__, (base,), {"tag": tag(kind)}, lambda namespace: namespace.update(body))


@every_title
def test_a_rule_that_refuses_what_it_allowed_is_caught(title: Ruleset) -> None:
    record = game_of(title)
    moves = [msgspec.json.decode(entry.body)["move"]["type"] for entry in record.entries]
    name = next(name for name in moves if name in title.moves and name not in title.triggers)

    def no_longer(case: Any, move: Move) -> Generator[Event, Any, None]:
        raise Rejection("XX-1", "This is not allowed any more.")

    report = audited(record, with_rule(title, title.moves[name], no_longer))
    assert report.verdict == "failed"
    assert report.first_bad_version == 1 + moves.index(name)


@every_title
def test_a_rule_with_other_events_is_caught(title: Ruleset) -> None:
    record = game_of(title)
    kind = title.moves["set_up"]
    (rule,) = (chapter.rules[kind] for chapter in title.chapters if kind in chapter.rules)

    def says_it_twice(case: Any, move: Move) -> Generator[Event, Any, None]:
        event = next(rule(case, move))
        yield event
        yield event

    report = audited(record, with_rule(title, kind, says_it_twice))
    assert report.verdict == "failed"
    assert report.first_bad_version == 1


@every_title
def test_an_event_that_means_something_else_is_caught(title: Ruleset) -> None:
    record = game_of(title)
    kind = title.events[msgspec.json.decode(record.entries[0].body)["events"][-1]["type"]]
    idle = with_reducer(title, kind, kind, lambda position, event: position)
    assert audited(record, idle).verdict == "failed"


@every_title
def test_an_event_that_has_another_shape_is_caught(title: Ruleset) -> None:
    record = game_of(title)
    kind = commonest_event(title, record)
    other = event_class(kind, Event, {f"{field.encode_name}_now": field.type for field in fields(kind)})
    reshaped = with_reducer(title, kind, other, lambda position, event: position)
    with pytest.raises(msgspec.ValidationError):
        replayed(record, reshaped)


@every_title
def test_an_event_with_an_additional_field_is_caught(title: Ruleset) -> None:
    """Its old form can still be read, but would no longer be encoded in the same way."""
    record = game_of(title)
    kind = commonest_event(title, record)
    other = event_class(kind, kind, {"mood": str}, mood="calm")
    longer = with_reducer(title, kind, other, lambda position, event: position)
    with pytest.raises(AssertionError, match="is encoded differently now"):
        replayed(record, longer)


class HastyBot(SearchBot):
    """A bot that takes the first move, and has the version of the bot that it replaces."""

    def choose(self, turn: Turn) -> Move:
        super().choose(turn)
        return turn.moves[0].move


@every_title
def test_a_bot_that_plays_differently_is_caught(title: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "search", HastyBot())
    game = next(file for file in files() if file.match(f"{title.slug}/*-search-{HastyBot.version}-*"))
    report = audit(read_game(game), with_bots=True)
    assert report.verdict == "failed"
    assert "but the bot search plays " in report.checks[-1].detail


def test_a_stored_game_is_never_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "DIRECTORY", tmp_path)
    title = TITLES[0]
    first, other = (read_game(DIRECTORY / title.slug / f"{title.version}-{name}{SUFFIX}") for name in FIRST_TWO)
    maker.Shelf(title, occurring(first)).offer("same-name", first)
    (stored,) = tmp_path.rglob(f"*{SUFFIX}")
    before = stored.read_bytes()
    with pytest.raises(AssertionError, match="is stored and stays as it is"):
        maker.Shelf(title, occurring(other)).offer("same-name", other)
    assert stored.read_bytes() == before


def test_a_game_in_which_nothing_new_occurs_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "DIRECTORY", tmp_path)
    shelf = maker.Shelf(TITLES[0], frozenset({"something else"}))
    shelf.offer("idle", game_of(TITLES[0]))
    assert list(tmp_path.iterdir()) == []
    assert shelf.missing == {"something else"}
