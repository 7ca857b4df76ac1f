"""Plays a little of every ruleset and prints a hash of it: another process must print the same."""

import sys

import msgspec

from referee.kernel.canon import canonical, digest
from referee.kernel.judge import legal_moves
from tests.conformance.play import play
from tests.subjects import SUBJECTS, Subject

COMMITS = 100


def trace(subject: Subject) -> str:
    """The hash of a game's commits and of what its seats see on the way."""
    ruleset = subject.ruleset
    seen: list[object] = []
    for number, seats in enumerate((ruleset.seats[0], ruleset.seats[-1])):
        options = ruleset.variants[0]
        for commit in play(ruleset, options, seats, f"elsewhere:{subject}:{number}", COMMITS).commits:
            seen.append(commit.written())
            if commit.version % 10 == 0:
                seen.append([ruleset.view(commit.after, seat) for seat in (None, *range(seats))])
                seen.append([legal_moves(ruleset, commit.after, seat) for seat in range(seats)])
                seen.append(ruleset.awaited(commit.after))
    return digest(canonical(seen))


def main() -> None:
    sys.stdout.buffer.write(msgspec.json.encode({str(subject): trace(subject) for subject in SUBJECTS}))


if __name__ == "__main__":
    main()
