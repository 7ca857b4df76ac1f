"""Refusals of a move, a position, or a forced outcome."""


class Rejection(Exception):
    """A move that the rules refuse, with the clause that refuses it."""

    def __init__(self, clause: str, message: str) -> None:
        super().__init__(clause, message)
        self.clause = clause
        self.message = message


class Malformed(Exception):
    """A position that breaks an invariant."""

    def __init__(self, invariant: str) -> None:
        super().__init__(invariant)
        self.invariant = invariant


class InvalidChance(Exception):
    """A forced outcome that is impossible, or whose point does not occur."""

    def __init__(self, point: str, message: str) -> None:
        super().__init__(point, message)
        self.point = point
        self.message = message


def require(clause: str, holds: bool, message: str) -> None:
    """Refuse the move with this clause unless the condition holds."""
    if not holds:
        raise Rejection(clause, message)


def ensure(holds: bool, invariant: str) -> None:
    """Refuse the position unless the invariant holds."""
    if not holds:
        raise Malformed(invariant)
