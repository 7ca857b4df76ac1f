"""Plays a little of every ruleset and prints what came of it: run in another process, it must print the same."""

import sys

import msgspec

from referee.kernel.canon import canonical, digest
from referee.kernel.judge import legal_moves
from tests.conformance.play import play
from tests.subjects import SUBJECTS, Subject

COMMITS = 100


def trace(subject: Subject) -> str:
    """The hash of a game's commits, and of what its seats were told on the way."""
    ruleset = subject.ruleset
    told: list[object] = []
    for number, seats in enumerate((ruleset.seats[0], ruleset.seats[-1])):
        options = ruleset.variants[0]
        for commit in play(ruleset, options, seats, f"elsewhere:{subject}:{number}", COMMITS).commits:
            told.append(commit.written())
            if commit.version % 10 == 0:
                told.append([ruleset.view(commit.after, seat) for seat in (None, *range(seats))])
                told.append([legal_moves(ruleset, commit.after, seat) for seat in range(seats)])
                told.append(ruleset.awaited(commit.after))
    return digest(canonical(told))


def main() -> None:
    sys.stdout.buffer.write(msgspec.json.encode({str(subject): trace(subject) for subject in SUBJECTS}))


if __name__ == "__main__":
    main()
