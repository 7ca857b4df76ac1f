"""The process that writes the transparency log: `python -m workers.sequencer`, or `--restore` to repair it."""

import logging
import os
import select
import signal
import sys
from pathlib import Path

from redis.exceptions import RedisError

from referee.ops.logs import set_up_logs
from referee.settings import Settings, read_settings
from referee.tlog.cosigning import Cosigners
from referee.tlog.keys import LOG_FILE, KeyFile, Notices
from referee.tlog.leaf import KeyNotice
from referee.tlog.note import InvalidNote
from referee.tlog.policy import InvalidPolicy, read_policy
from referee.tlog.sequencer import RolledBack, Sequencer
from referee.tlog.tree import Tree, TreeDamaged
from referee.wiring import connect

_log = logging.getLogger(__name__)


def make_tree(settings: Settings) -> Tree:
    """The tree of the settings."""
    confirmation = settings.redis_replicas, settings.redis_replicas_timeout_ms
    return Tree(connect(settings.redis_url), Path(settings.log_dir), *confirmation)


def make_sequencer(settings: Settings) -> Sequencer:
    """The sequencer of the settings; raises InvalidNote, InvalidPolicy or OSError."""
    directory, redis = Path(settings.log_dir), connect(settings.redis_url)
    *others, newest = KeyFile(directory / LOG_FILE, settings.log_origin).signers()
    cosigners = Cosigners(read_policy(Path(settings.log_policy).read_bytes())) if settings.log_policy else None
    return Sequencer(redis, make_tree(settings), newest, directory, others, cosigners)


def announce_keys(settings: Settings) -> None:
    """Have the keys of the log logged themselves, those for which that was not done before."""
    notices = Notices(connect(settings.redis_url))
    for signer in KeyFile(Path(settings.log_dir) / LOG_FILE, settings.log_origin).signers():
        notices.announce(KeyNotice("begin", signer.verifier.vkey, "log"))


def try_round(sequencer: Sequencer, period_ms: int) -> None:
    """Log what waits if no other sequencer does; a fault stops checkpoints, never games."""
    try:
        if sequencer.holds_lease(3 * period_ms):
            sequencer.round()
    except RolledBack:
        pass  # it has rung its alarm
    except (RedisError, OSError, TreeDamaged) as error:
        _log.warning("no checkpoint now: %s", error)


def main(arguments: list[str]) -> None:
    """Sequence until a signal comes."""
    settings = read_settings()
    set_up_logs(settings.log_level)
    if arguments == ["--restore"]:
        try:
            edge = make_tree(settings).restore()
        except (OSError, TreeDamaged) as error:
            sys.exit(f"The tree cannot be restored: {error}")
        print(f"The tree has {edge.size} leaves again, as on disk.")
        return
    try:
        sequencer = make_sequencer(settings)
    except (InvalidNote, InvalidPolicy, OSError) as error:
        sys.exit(f"The transparency log cannot be written: {error}")
    stopped, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: None)
    try:
        announce_keys(settings)
    except RedisError as error:
        _log.warning("the key of the log is not announced: %s", error)
    while not select.select([stopped], [], [], settings.log_seconds)[0]:
        try_round(sequencer, round(settings.log_seconds * 1000))


if __name__ == "__main__":
    main(sys.argv[1:])
