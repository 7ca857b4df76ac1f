"""Point 19: counts of legal sequences stay as recorded."""

from referee.kernel.judge import read_position
from tests.conformance.counting import count_sequences, recorded_counts
from tests.subjects import Subject, every_ruleset


@every_ruleset
def test_the_numbers_of_legal_sequences_are_as_recorded(subject: Subject) -> None:
    """`python -m tests.record` counts again; the diff shows the effect of a changed rule."""
    counts = recorded_counts(subject.ruleset)
    assert counts, "nothing is recorded: run `python -m tests.record`"
    for count in counts:
        position = read_position(subject.ruleset, count.position)
        assert count_sequences(subject.ruleset, position) == count.sequences
