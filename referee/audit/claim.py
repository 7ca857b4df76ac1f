"""The claim that an audit checks for each commit: it follows from the game before it."""

from datetime import datetime
from typing import Any

import msgspec

from referee.audit.chain import is_timestamp
from referee.audit.fault import Fault
from referee.audit.luck import Drawing
from referee.audit.record import WrittenCommit
from referee.kernel.ruleset import Ruleset
from referee.table.moves import Status
from referee.table.state import TableState
from referee.table.terms import Terms


class IllegalMove(Fault):
    """The rules refuse the move, or it leads to other events, whatever the luck."""


class WrongOutcome(Fault):
    """The move is legal, but its luck does not follow from the seed."""


class Standing(msgspec.Struct, frozen=True):
    """A game after some commit, as the audit computed it."""

    position: Any
    table: TableState


class Claim(msgspec.Struct, frozen=True):
    """A commit, and the state of the game from which it must follow."""

    ruleset: Ruleset
    terms: Terms
    key: bytes
    """The key from which all luck of the game follows; where luck is fresh, together with the links."""
    standing: Standing
    version: int
    commit: WrittenCommit
    drawings: list[Drawing] | None = None
    """Where the drawings of moves are listed; None: nobody wants them."""

    def require(self, holds: bool, detail: str) -> None:
        """Refuse the commit unless the condition holds."""
        if not holds:
            raise IllegalMove(self.version, detail)

    def require_draws(self, draws: int) -> None:
        """Refuse the commit unless it reports this number of draws: all later luck depends on it."""
        self.require(self.commit.draws == draws, f"{self.label} reports {self.commit.draws} draws, but made {draws}.")

    def require_status(self, *statuses: Status) -> None:
        """Refuse the commit unless the game had one of these statuses."""
        status = self.standing.table.status_at(self.standing.position)
        self.require(status in statuses, f"{self.label} was made while the game was {status}.")

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return len(self.terms.bots)

    @property
    def at_ms(self) -> int:
        """The time of the commit in milliseconds; 0 if the commit has no valid time."""
        at = self.commit.at
        return round(datetime.fromisoformat(at).timestamp() * 1000) if is_timestamp(at) else 0

    @property
    def type(self) -> str:
        """The type of the move."""
        return str(self.commit.move.get("type"))

    @property
    def label(self) -> str:
        """The move and its actor, as findings name them: `roll by seat 1`."""
        actor = self.commit.actor
        return f"{self.type} by {actor if isinstance(actor, str) else f'seat {actor}'}"
