"""Finished games are packed some time after their end, and archived where there is an archive."""

import logging
from collections.abc import Iterator
from typing import Literal

import msgspec

from referee.audit.record import write_record
from referee.audit.verify import audit_lines
from referee.service.access import OVER
from referee.service.audits import all_entries
from referee.service.game import Game
from referee.service.repository import Repository, now_ms
from referee.store.packed_game import FinishedGame, Packed, unpack

RETRY_MS = 600_000
"""A game that could not be packed or archived is tried again after this time."""

_log = logging.getLogger(__name__)

Outcome = Literal["packed", "archived", "not over", "changed", "kept as it is"]


class _Verdict(msgspec.Struct):
    verdict: str


def pack_if_due(repository: Repository, game: Game) -> None:
    """Pack a game if the time for it has come, and archive it if there is an archive."""
    at = repository.pack_at(game, repository.newest(game))
    if at is None or at > now_ms():
        return
    # In case this process dies, or the archive is away.
    repository.log.wake(game.id, now_ms() + RETRY_MS)
    if pack(repository, game) != "changed":
        repository.log.wake(game.id, None)


def pack(repository: Repository, game: Game) -> Outcome:
    """Pack a finished game unless that is done, and archive it if there is an archive; raises Unavailable.

    Its bytes are read back and audited before they replace the log.
    """
    finished = repository.finished
    assert finished is not None, "the log of this service can pack games"
    games = finished.packed_games
    if games.packed(game.id) is None and (refused := _pack(repository, game)) is not None:
        return refused
    if not games.has_archive:
        return "packed"
    games.archive(game.id)
    return "archived"


def _pack(repository: Repository, game: Game) -> Outcome | None:
    """Pack a game; returns why it was not packed."""
    finished = repository.finished
    assert finished is not None
    games = finished.packed_games
    loose = games.loose(game.id)
    if loose is None or not game.is_started or repository.newest(game).status not in OVER:
        return "not over"
    verdict = msgspec.json.decode(loose.beside.audit, type=_Verdict).verdict
    if verdict not in ("proved", "failed"):
        return "kept as it is"
    entries = tuple(all_entries(repository, game))
    written = FinishedGame(b"".join(write_record(game.header, entries, game.secret)), loose.beside)
    try:
        blob, hash = written.pack()
    except ValueError as error:
        _log.warning("not packed: game=%s %s", game.id, error)
        return "kept as it is"
    packed = Packed(entries[-1].version, hash)
    read = unpack(blob, packed)
    is_same = (read.record, read.beside, read.entries) == (written.record, loose.beside, entries)
    if not is_same or audit_lines(_lines(read)).verdict != verdict:
        _log.error("not packed, because it would not be read as it is: game=%s", game.id)
        return "kept as it is"
    return None if games.pack(game.id, loose, entries[-1], packed, blob) else "changed"


def _lines(game: FinishedGame) -> Iterator[bytes]:
    yield from game.record.splitlines(keepends=True)
