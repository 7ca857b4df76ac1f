"""The audit of a stored game, and its portable record."""

import contextlib
import logging
import threading
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Literal

from referee.audit.chain import is_ending
from referee.audit.luck import Drawing
from referee.audit.record import Beside, Logged, read_commit, write_record
from referee.audit.seats import reason_in
from referee.audit.verify import Report, audit_lines
from referee.kernel.canon import steady
from referee.service.access import OVER
from referee.service.game import Game
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.store.log import Unavailable
from referee.table.record import Entry
from schemas.audits import Audit, Luck

COMMITS_MAX = 1000
"""The audit of a running game checks at most this many commits, the newest ones."""

ATTEMPTS_MAX = 3
"""The number of failed attempts after which an audit is given up."""

ATTEMPT_MS = 6000
"""An attempt that has not renewed its claim for this long is taken to have died with its process."""

_log = logging.getLogger(__name__)

AuditOutcome = Literal["made", "failed", "given up", "nothing to do"]


def all_entries(repository: Repository, game: Game) -> Iterator[Entry]:
    """Every entry of a game's log, oldest first."""
    after = 0
    while entries := repository.log.read(game.id, after):
        yield from entries
        after = entries[-1].version


def require_over(repository: Repository, game: Game) -> None:
    """Raise a problem unless the game was played and is over."""
    if game.is_started:
        status = repository.newest(game).status
        if status not in OVER:
            raise Problem("game-running", f"This is available when the game is over; the game is {status}.")
    elif game.status == "annulled":
        raise Problem("game-annulled", "The game was annulled before it started, so there is nothing to show.")
    else:
        raise Problem(f"game-{game.status}", "This is available when the game is over; the game has not started.")


def record_tag(repository: Repository, game: Game, logged: Sequence[Logged]) -> str:
    """A tag that changes exactly when the record of a game does: with the log's word, or when something is erased."""
    last = repository.log.read(game.id, repository.newest(game).version - 1, 1)[0]
    return sha256(steady([last.hash, _beside(repository, game), logged])).hexdigest()[:16]


def record_lines(repository: Repository, game: Game, logged: Iterable[Logged] = ()) -> Iterator[bytes]:
    """The portable record of a game that is over, with what the transparency log says about it."""
    return write_record(game.header, all_entries(repository, game), game.secret, _beside(repository, game), logged)


def _beside(repository: Repository, game: Game) -> Beside:
    """What lies beside the log: who held the seats, and the reasons of admins in the order of their commits."""
    holders = [(seat, held) for seat, holder in enumerate(game.seats) if (held := holder.held_by) is not None]
    names = repository.names((game,)) if holders else {}
    texts = repository.texts(game.id)
    entries = all_entries(repository, game) if texts else ()
    reasons = [reason for entry in entries if (reason := reason_in(read_commit(entry.body))) in texts]
    return Beside(
        tuple((seat, held) for seat, held in holders if held.player in names),
        tuple(texts[str(reason)] for reason in reasons),
    )


def audit_game(repository: Repository, game: Game, drawings: list[Drawing] | None = None) -> Report:
    """Audit a game from the bytes of its record as far as it goes, and add its drawings to the list, if any."""
    entries = tuple(all_entries(repository, game))
    record = write_record(game.header, entries, game.secret if _is_over(entries) else None)
    return audit_lines(record, drawings=drawings)


def _is_over(entries: tuple[Entry, ...]) -> bool:
    """Whether the last commit ends the game, so that the record includes its secret."""
    try:
        return bool(entries) and is_ending(read_commit(entries[-1].body))
    except ValueError:
        return False


def audit_newest(repository: Repository, game: Game) -> Report | None:
    """Audit the newest commits of a running game; None: the game is over."""
    first = max(0, repository.log.length(game.id) - COMMITS_MAX)
    entries = tuple(repository.log.read(game.id, first, COMMITS_MAX))
    if _is_over(entries):
        return None
    before = repository.log.read(game.id, first - 1, 1)[0] if first else None
    return audit_lines(write_record(game.header, entries, None), before=before)


def make_audit(repository: Repository, game: Game) -> AuditOutcome:
    """Audit a game that is over and store the report, unless it is stored already or another process is at work on it.

    An attempt counts from its beginning, so one that kills its process counts like one that fails.
    """
    attempt = repository.log.begin_audit(game.id, now_ms(), now_ms() + ATTEMPT_MS)
    if attempt == 0:
        return "nothing to do"
    if attempt > ATTEMPTS_MAX:
        return _give_up(repository, game, f"{ATTEMPTS_MAX} processes died while they made the audit.")
    try:
        with _renewing_claim(repository, game):
            drawings: list[Drawing] = []
            report = audit_game(repository, game, drawings)
    except Unavailable:
        raise
    except Exception as error:
        _log.exception("audit failed: game=%s attempt=%s", game.id, attempt)
        if attempt == ATTEMPTS_MAX:
            return _give_up(repository, game, f"{ATTEMPTS_MAX} attempts failed, the last with {type(error).__name__}.")
        repository.log.end_audit(game.id, None)
        return "failed"
    _keep(repository, game, report, Luck(tuple(drawings), report.verdict == "proved"))
    return "made"


def _give_up(repository: Repository, game: Game, reason: str) -> AuditOutcome:
    _keep(repository, game, Audit("unavailable", (), None, reason), Luck((), False))
    return "given up"


def _keep(repository: Repository, game: Game, report: Report | Audit, luck: Luck) -> None:
    repository.log.end_audit(game.id, steady(report), steady(luck))
    repository.log.wake(game.id, repository.pack_at(game, repository.newest(game)))


@contextlib.contextmanager
def _renewing_claim(repository: Repository, game: Game) -> Iterator[None]:
    """Renew the claim on the audit in a thread until the work ends, so that no other process begins it."""
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(ATTEMPT_MS / 3000):
            with contextlib.suppress(Unavailable):
                repository.log.go_on_with_audit(game.id, now_ms() + ATTEMPT_MS)

    thread = threading.Thread(target=renew, name=f"audit of {game.id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
