"""The audit of a kept game, and its portable record."""

import contextlib
import logging
import threading
from collections.abc import Iterator
from typing import Literal

import msgspec

from referee.audit.chain import is_ending
from referee.audit.record import read_commit, write_record
from referee.audit.verify import Check, Report, audit_lines
from referee.kernel.canon import steady
from referee.kernel.record import Entry
from referee.log.log import Unavailable
from referee.service.desk import Desk, now_ms
from referee.service.game import Game

COMMITS_MAX = 1000
"""The audit of a running game checks at most this many commits, the newest ones."""

ATTEMPTS_MAX = 3
"""When this many attempts at an audit have failed, no other is made."""

ATTEMPT_MS = 6000
"""An attempt that has not been heard of for this long has ended with its process."""

_log = logging.getLogger(__name__)

Outcome = Literal["made", "failed", "given up", "nothing to do"]


class NoReport(msgspec.Struct, frozen=True):
    """What stands in the place of an audit that could not be made."""

    reason: str
    verdict: Literal["unavailable"] = "unavailable"
    checks: tuple[Check, ...] = ()
    first_bad_version: None = None


def _entries(desk: Desk, game: Game) -> Iterator[Entry]:
    after = 0
    while entries := desk.log.read(game.id, after):
        yield from entries
        after = entries[-1].version


def record_lines(desk: Desk, game: Game) -> Iterator[bytes]:
    """The portable record of a game that is over."""
    return write_record(game.header, _entries(desk, game), game.secret)


def audit_game(desk: Desk, game: Game) -> Report:
    """What can be proved of a game now, from the bytes that are its record, or will be when it is over."""
    entries = tuple(_entries(desk, game))
    return audit_lines(write_record(game.header, entries, game.secret if _is_over(entries) else None))


def _is_over(entries: tuple[Entry, ...]) -> bool:
    """Whether the last commit ends the game: then its secret belongs to the record."""
    try:
        return bool(entries) and is_ending(read_commit(entries[-1].body))
    except ValueError:
        return False


def audit_newest(desk: Desk, game: Game) -> Report | None:
    """What can be proved of the newest commits of a running game; None: the game is over."""
    first = max(0, desk.log.length(game.id) - COMMITS_MAX)
    entries = tuple(desk.log.read(game.id, first, COMMITS_MAX))
    if _is_over(entries):
        return None
    before = desk.log.read(game.id, first - 1, 1)[0] if first else None
    return audit_lines(write_record(game.header, entries, None), before=before)


def make_audit(desk: Desk, game: Game) -> Outcome:
    """Make the audit of a game that is over and keep it, unless it is kept, or somebody else is at it.

    An attempt counts when it begins: one that kills its process counts like one that fails.
    """
    attempt = desk.log.begin_audit(game.id, now_ms(), now_ms() + ATTEMPT_MS)
    if attempt == 0:
        return "nothing to do"
    if attempt > ATTEMPTS_MAX:
        return _give_up(desk, game, f"Each of {ATTEMPTS_MAX} attempts ended before it was done.")
    try:
        with _going_on(desk, game):
            report = audit_game(desk, game)
    except Unavailable:
        raise
    except Exception as error:
        _log.exception("audit failed: game=%s attempt=%s", game.id, attempt)
        if attempt == ATTEMPTS_MAX:
            return _give_up(desk, game, f"{ATTEMPTS_MAX} attempts failed, the last with {type(error).__name__}.")
        desk.log.end_audit(game.id, None)
        return "failed"
    _keep(desk, game, report)
    return "made"


def _give_up(desk: Desk, game: Game, reason: str) -> Outcome:
    _keep(desk, game, NoReport(reason))
    return "given up"


def _keep(desk: Desk, game: Game, report: Report | NoReport) -> None:
    desk.log.end_audit(game.id, steady(report))
    desk.log.wake(game.id, None)


@contextlib.contextmanager
def _going_on(desk: Desk, game: Game) -> Iterator[None]:
    """Say again and again that the attempt goes on, until it ends."""
    ended = threading.Event()

    def say() -> None:
        while not ended.wait(ATTEMPT_MS / 3000):
            with contextlib.suppress(Unavailable):
                desk.log.go_on_with_audit(game.id, now_ms() + ATTEMPT_MS)

    saying = threading.Thread(target=say, name=f"audit of {game.id}", daemon=True)
    saying.start()
    try:
        yield
    finally:
        ended.set()
        saying.join()
