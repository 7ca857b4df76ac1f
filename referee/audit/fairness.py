"""Checks that the secret fits its commitment, and that the salts follow from the secret."""

from collections.abc import Sequence

from referee.audit.fault import Fault
from referee.audit.record import Record, WrittenCommit
from referee.table.record import Secret


def check_commitment(record: Record, is_over: bool) -> str | None:
    """Check that the secret has the hash in the header; returns None while the game runs and the secret is hidden."""
    if record.secret is None:
        if is_over:
            raise Fault(0, "The game is over, but the record has no secret.")
        return None
    revealed, committed = record.secret.commitment, record.header.commitment
    if revealed != committed:
        raise Fault(0, f"The header commits to {committed}, but the secret has the commitment {revealed}.")
    return f"The secret is the one that the header commits to: {committed}."


def check_blinding(secret: Secret, commits: Sequence[WrittenCommit]) -> str:
    """Check that the salt of each commit follows from the secret."""
    for place, commit in enumerate(commits, 1):
        if commit.salt != secret.blind(place):
            raise Fault(place, f"Its salt is {commit.salt}, but {secret.blind(place)} follows from the secret.")
    return f"The salts of {len(commits)} commits follow from the secret."
