"""What an audit is asked about each commit: does it follow from where the game stands?"""

from datetime import datetime
from typing import Any

import msgspec

from referee.audit.chain import is_timestamp
from referee.audit.fault import Fault
from referee.audit.record import Written
from referee.kernel.course import Course
from referee.kernel.ruleset import Ruleset
from referee.kernel.table import Status
from referee.kernel.terms import Terms


class IllegalMove(Fault):
    """The rules refuse the move, or they say other events to it, whatever the luck."""


class OtherOutcome(Fault):
    """The move is legal, but its luck does not follow from the seed."""


class Standing(msgspec.Struct, frozen=True):
    """A game after some commit, as the audit has worked it out."""

    position: Any
    course: Course


class Claim(msgspec.Struct, frozen=True):
    """A commit that claims to follow from where the game stands."""

    ruleset: Ruleset
    terms: Terms
    key: bytes
    """Of all luck of the game."""
    standing: Standing
    version: int
    commit: Written

    def require(self, holds: bool, detail: str) -> None:
        """Refuse the commit unless the condition holds."""
        if not holds:
            raise IllegalMove(self.version, detail)

    def require_draws(self, draws: int) -> None:
        """Refuse the commit unless it reports the drawings that were made: all later luck follows from their number."""
        self.require(self.commit.draws == draws, f"{self.whose} reports {self.commit.draws} drawings, not {draws}.")

    def require_status(self, *statuses: Status) -> None:
        """Refuse the commit unless the game had one of these."""
        status = self.standing.course.status(self.standing.position)
        self.require(status in statuses, f"{self.whose} came while the game was {status}.")

    @property
    def seats(self) -> int:
        """So many sit at the table."""
        return len(self.terms.bots)

    @property
    def at_ms(self) -> int:
        """When the commit was made; 0 if it does not say."""
        at = self.commit.at
        return round(datetime.fromisoformat(at).timestamp() * 1000) if is_timestamp(at) else 0

    @property
    def type(self) -> str:
        """What the move is called."""
        return str(self.commit.move.get("type"))

    @property
    def whose(self) -> str:
        """The move and who made it, for a sentence."""
        actor = self.commit.actor
        return f"{self.type} of {actor if isinstance(actor, str) else f'seat {actor}'}"
