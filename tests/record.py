"""Writes every recorded file anew: `python -m tests.record`. What changed shows in the diff."""

from tests.conformance.recorded import record_tags
from tests.subjects import BOXES


def main() -> None:
    for box in BOXES:
        record_tags(box.ruleset)


if __name__ == "__main__":
    main()
