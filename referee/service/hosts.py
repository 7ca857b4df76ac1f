"""Two versions of the service side by side: new games are played by rules that every living process has."""

import contextlib
import time
from collections.abc import Mapping

from referee.kernel.ruleset import Ruleset
from referee.rulesets import RULESETS
from referee.service.problems import Unavailable
from referee.store.members import Members

ANNOUNCE_S = 2.0
"""The time between two announcements of a process."""
LASTS_MS = 10_000
"""A process that has announced nothing for this time is taken to be gone."""


class Hosts:
    """What every living process has said about the rules that it has."""

    def __init__(self, members: Members, rulesets: Mapping[tuple[str, str], Ruleset] = RULESETS) -> None:
        self._members = members
        self._rulesets = rulesets
        self._common: frozenset[str] = frozenset()
        self._until = 0.0

    def announce(self) -> None:
        """Announce the rules of this process, and note which ones every living process has."""
        own = " ".join(sorted(f"{slug}/{version}" for slug, version in self._rulesets))
        with contextlib.suppress(Unavailable):
            said = self._members.join(own)
            self._common = frozenset.intersection(*(frozenset(body.split()) for body in said.values()))
            self._until = time.monotonic() + LASTS_MS / 1000

    def leave(self) -> None:
        """Announce that this process ends."""
        with contextlib.suppress(Unavailable):
            self._members.leave()

    def for_new_games(self, latest: Ruleset) -> Ruleset:
        """The newest version of a ruleset that every living process has; the latest one while that is not known."""
        if time.monotonic() < self._until:
            for (slug, version), rules in reversed(tuple(self._rulesets.items())):
                if slug == latest.slug and f"{slug}/{version}" in self._common:
                    return rules
        return latest
