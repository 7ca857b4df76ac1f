"""Hostile input does no harm: the short form of `make campaign-hostile`."""

import os
import random
from pathlib import Path

import pytest

from referee.kernel.ruleset import Ruleset
from referee.rulesets import TITLES
from tests.campaigns.hostile.fuzz import Findings, Fuzzer
from tests.campaigns.hostile.siege import Effort, Siege

SEED = os.environ.get("CAMPAIGN_SEED", "short")


@pytest.mark.parametrize("ruleset", TITLES, ids=lambda ruleset: ruleset.slug)
def test_mutated_moves_and_positions_are_refused_or_playable(ruleset: Ruleset) -> None:
    findings = Findings()
    Fuzzer(ruleset, random.Random(f"{SEED}:{ruleset.slug}"), findings).run(150)
    print(findings)
    assert findings.faults == []
    assert findings.counts["positions taken"] and findings.counts["moves refused"]


def test_hostile_clients_do_no_harm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    effort = Effort(slow=150, big_rounds=1, nonsense=4, idle=300, unread=10, flood_s=5, patience_ms=5000)
    siege = Siege(tmp_path, SEED, effort)
    siege.run()
    with capsys.disabled():
        print("", *siege.figures, sep="\n  ")
    assert siege.faults == []
