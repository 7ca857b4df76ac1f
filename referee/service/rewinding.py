"""Commits that a reader has and the log has lost."""

from collections.abc import Mapping

from referee.service.metrics import REWOUND
from referee.service.problems import Problem
from referee.service.repository import Repository
from referee.store.log import ENTRIES_MAX


def newest_kept(repository: Repository, game: str, version: int, hashes: Mapping[int, str]) -> int:
    """The newest version up to this one that the log still has, as far as the hashes of versions can show.

    It is this version itself unless something was lost.
    """
    (entry,) = repository.log.read(game, version - 1, 1) or (None,)
    if entry is not None and entry.hash == hashes.get(version, entry.hash):
        return version
    log = {entry.version: entry.hash for entry in repository.log.read(game, max(0, version - ENTRIES_MAX), ENTRIES_MAX)}
    length = repository.log.length(game)
    kept = version
    while kept > 0 and kept > length - ENTRIES_MAX:
        if kept in log and log[kept] == hashes.get(kept, log[kept]):
            break
        kept -= 1
    if kept < version:
        REWOUND.inc()
    return min(kept, length)


def require_kept(repository: Repository, game: str, version: int, hash: str) -> None:
    """Raise a problem if the log does not have the commit of a version with this hash any more."""
    kept = newest_kept(repository, game, version, {version: hash})
    if version and kept < version:
        detail = f"The service has lost the commit that you have as version {version}: read again after version {kept}."
        raise Problem("rewound", detail, version=kept)
