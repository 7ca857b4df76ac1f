"""The audit of a kept game, and its portable record."""

from collections.abc import Iterator

from referee.audit.chain import is_ending
from referee.audit.record import read_commit, write_record
from referee.audit.verify import Report, audit_lines
from referee.kernel.record import Entry
from referee.service.desk import Desk
from referee.service.game import Game


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
