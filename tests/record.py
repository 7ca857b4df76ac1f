"""Writes every recorded file again: `python -m tests.record`, or only those of the rulesets named by slug.

The diff shows the effect of a changed rule.
"""

import sys

from tests.conformance.counting import record_counts
from tests.conformance.recorded import record_tags
from tests.conformance.showing import record_playthroughs
from tests.docs.tables import record_tables
from tests.shown_by import write
from tests.subjects import BOXES


def main(slugs: list[str]) -> None:
    for box in BOXES:
        if not slugs or box.ruleset.slug in slugs:
            record_tags(box.ruleset)
            record_counts(box)
            record_playthroughs(box)
    write()
    record_tables()


if __name__ == "__main__":
    main(sys.argv[1:])
