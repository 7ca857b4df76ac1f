"""Commits for tests that need no hashes."""

from typing import Any

from referee.kernel.message import Event, Move
from referee.table.record import AnyCommit, Commit


def a_commit(
    version: int,
    actor: int | str,
    move: Move,
    events: tuple[Event, ...] = (),
    cause: dict[str, Any] | None = None,
    **parts: Any,
) -> AnyCommit:
    """A commit that is not sealed, with the parts that a test needs."""
    left_out = {"at": "", "draws": 0, "prev": "", "salt": ""}
    return Commit(version=version, actor=actor, move=move, events=events, cause=cause, **{**left_out, **parts})
