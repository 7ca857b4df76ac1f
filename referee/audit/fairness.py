"""The secret is the one that was committed to, and it blinds the hashes."""

from collections.abc import Sequence

from referee.audit.fault import Fault
from referee.audit.record import Record, Written
from referee.kernel.record import Secret


def check_commitment(record: Record, is_over: bool) -> str | None:
    """The secret is the one whose hash was published at the start; None as long as it is rightly kept."""
    if record.secret is None:
        if is_over:
            raise Fault(0, "The game is over, but the secret is missing.")
        return None
    if record.secret.commitment != record.header.commitment:
        raise Fault(0, "The secret is not the one that the header commits to.")
    return f"The secret is the one that was committed to: {record.header.commitment}."


def check_blinding(secret: Secret, commits: Sequence[Written]) -> str:
    """Each hash is blinded by the salt that follows from the secret, and by no other."""
    for place, commit in enumerate(commits, 1):
        if commit.salt != secret.blind(place):
            raise Fault(place, "The salt does not follow from the secret.")
    return f"{len(commits)} salts follow from the secret."
