"""The stored games, and what occurs in them."""

import lzma
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee.audit.chain import is_ending
from referee.audit.record import Record, WrittenCommit, read_commit, read_record, write_record
from referee.bots import BOTS
from referee.kernel.canon import canonical
from referee.kernel.judge import read_options, read_position, replay
from referee.kernel.message import tag
from referee.kernel.ruleset import Ruleset
from referee.offline.play import bots_for
from referee.rulesets import RULESETS
from referee.rulesets.editions import editions_of, with_edition_of
from referee.table.moves import TABLE_EVENTS, TABLE_MOVES, MoveUndone
from referee.table.record import commit_type
from referee.table.terms import TABLE_VERSION
from tests.conformance.showing import reasons

DIRECTORY = Path(__file__).parent / "games"
SUFFIX = ".jsonl.xz"

ENDS: dict[str, tuple[str, ...]] = {
    "catham-city": (
        "the end by cash_in",
        "the end by play_bureaucrats",
        "the end by play_detectives",
        "the end by play_hackers",
        "the end by play_journalists",
        "the end by play_mafia",
        "the end by play_police",
        "the end by play_robocats",
        "the end by play_scientists",
        "the end by resolve_answers",
    ),
    "explorers-and-pirates": (
        "the end by build_harbor",
        "the end by build_settlement",
        "the end by claim_hero",
        "the end by end_turn",
        "the end by found_settlement",
        "the end by move_ship",
        "the end by resolve_capture",
    ),
    "hund-und-katz": ("event end_reached deck_empty", "event end_reached penultimate_sated"),
}
"""The ways in which a game of a title can end, where there are several."""


def files() -> list[Path]:
    """Every stored game."""
    return sorted(DIRECTORY.rglob(f"*{SUFFIX}"))


def read_game(file: Path) -> Record:
    """A stored game."""
    return read_record(lzma.decompress(file.read_bytes()).splitlines(keepends=True))


class End(NamedTuple):
    """The end of a game, and the rules that it was played by."""

    rules: Ruleset
    position: Any


def replayed(record: Record, ruleset: Ruleset) -> End:
    """The end of a game, replayed from its stored events, each of which must be encoded again as it was stored."""
    header = record.header
    rules = with_edition_of(ruleset, header.edition)
    assert rules is not None, f"the edition {header.edition} is no longer known"
    decoder = msgspec.json.Decoder(commit_type(rules))
    position = (
        rules.blank(read_options(rules, header.options), len(header.nonces))
        if header.position is None
        else read_position(rules, header.position)
    )
    before: dict[int, Any] = {}
    for entry in record.entries:
        commit = decoder.decode(entry.body)
        assert canonical(commit) == entry.body, f"commit {entry.version} is encoded differently now"
        for event in commit.events:
            if isinstance(event, MoveUndone):
                position = before[event.version]
        before[entry.version] = position
        position = replay(rules, position, (event for event in commit.events if not isinstance(event, TABLE_EVENTS)))
    return End(rules, position)


def packed(record: Record) -> bytes:
    """The bytes to store."""
    lines = b"".join(write_record(record.header, record.entries, record.secret))
    return lzma.compress(lines, preset=9 | lzma.PRESET_EXTREME)


def title_of(ruleset: Ruleset) -> str:
    """A ruleset in one of its versions."""
    return f"{ruleset.slug} {ruleset.version}"


def wanted(ruleset: Ruleset) -> frozenset[str]:
    """What must occur in the stored games of a ruleset: everything that it and the table declare."""
    title = title_of(ruleset)
    return frozenset(
        [
            *(item for edition in editions_of(ruleset) for item in _choices(ruleset, edition)),
            *(f"{title}: move {name}" for name in (*ruleset.moves, *map(tag, TABLE_MOVES))),
            *(f"{title}: event {name}" for name in (*ruleset.events, *map(tag, TABLE_EVENTS))),
            *(f"{title}: {at_table(f'event {tag(event)}', TABLE_VERSION)}" for event in TABLE_EVENTS),
            *(f"{title}: {way}" for way in ENDS.get(ruleset.slug, ())),
            *(f"{title}: {bot_at(name, BOTS[name].version, item)}" for name, item in _games_of_bots(ruleset)),
            f"{title}: a given position",
            f"{title}: a nonce",
        ]
    )


def at_table(item: str, version: int) -> str:
    """The name of something that occurs in a game with this version of the table."""
    return f"{item} at table {version}"


def bot_at(name: str, version: str, option: str) -> str:
    """The name of a bot's move, in its current version, in a game with some option."""
    return f"bot {name} {version} at {option}"


def _games_of_bots(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """The names of the moves of every bot that plays a title, with every value of every option."""
    for options in ruleset.variants:
        yield from product(bots_for(ruleset), _options(msgspec.to_builtins(options)))


def _choices(ruleset: Ruleset, edition: str) -> Iterator[str]:
    """Every number of seats and every value of every option that the variants show, in one edition."""
    rules = editions_of(ruleset)[edition]
    where = f"{title_of(ruleset)} {edition}"
    yield from (f"{where}: {seats} seats" for seats in rules.seats)
    for options in rules.variants:
        yield from (f"{where}: {item}" for item in _options(msgspec.to_builtins(options)))


def _options(options: dict[str, Any]) -> Iterator[str]:
    """Every single value of the options, with lists taken apart."""
    for name, value in options.items():
        yield from (f"{name} = {each}" for each in (value if isinstance(value, (list, tuple)) else (value,)))


def occurring(record: Record) -> frozenset[str]:
    """What occurs in a game."""
    header = record.header
    ruleset = RULESETS[header.ruleset, header.version]
    (edition,) = (name for name, rules in editions_of(ruleset).items() if rules.edition_hash == header.edition)
    title = title_of(ruleset)
    options = tuple(_options(header.options))
    items = frozenset(in_commits(ruleset, map(read_commit, bodies(record))))
    return frozenset(
        [
            f"{title} {edition}: {len(header.nonces)} seats",
            *(f"{title} {edition}: {item}" for item in options),
            *(f"{title}: {bot_at(*bot, item)}" for bot, item in product(_bots(record), options)),
            *(f"{title}: {item}" for item in items),
            *(f"{title}: {at_table(item, header.terms.table)}" for item in items),
            *([f"{title}: a given position"] if header.position is not None else []),
            *([f"{title}: a nonce"] if any(header.nonces) else []),
        ]
    )


def _bots(record: Record) -> frozenset[tuple[str, str]]:
    """The bots that move in a game, with their versions."""
    causes = (read_commit(body).cause or {} for body in bodies(record))
    return frozenset((cause["bot"], cause["version"]) for cause in causes if "bot" in cause)


def bodies(record: Record) -> Iterator[bytes]:
    """The commits of a record as they are stored."""
    return (entry.body for entry in record.entries)


def in_commits(ruleset: Ruleset, commits: Iterable[WrittenCommit]) -> Iterator[str]:
    """What occurs in some commits."""
    for commit in commits:
        yield f"move {commit.move['type']}"
        for event in commit.events:
            yield f"event {event['type']}"
            kind = ruleset.events.get(event["type"])
            if kind is not None and (why := reasons(kind)) is not None:
                yield f"event {event['type']} {event.get(why[0])}"
        if is_ending(commit):
            yield f"the end by {commit.move['type']}"
