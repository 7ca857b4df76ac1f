"""Writes every recorded file anew: `python -m tests.record`. What changed shows in the diff."""

from tests.conformance.counting import record_counts
from tests.conformance.recorded import record_tags
from tests.shown_by import main as write_shown_by
from tests.subjects import BOXES


def main() -> None:
    for box in BOXES:
        record_tags(box.ruleset)
        record_counts(box)
    write_shown_by()


if __name__ == "__main__":
    main()
