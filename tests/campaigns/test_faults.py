"""Exactly once despite failures, the short form; `make campaign-faults` is the long one."""

import os
import random
from pathlib import Path

from referee.rulesets import LATEST
from tests.campaigns.faults import Campaign


def test_every_accepted_move_counts_once_however_processes_and_connections_fail(tmp_path: Path) -> None:
    seed = os.environ.get("CAMPAIGN_SEED") or str(random.randrange(10**6))
    campaign = Campaign(tmp_path, seed, players=5, tables=10)
    faults = campaign.run(seconds=8, kills=8)
    print(campaign.figures, campaign.history.path)
    assert faults == []
    figures = campaign.figures
    assert figures["kills"] >= 3
    assert set(figures["titles"]) == set(LATEST)
    assert figures["requests"]["ok"] > 10
    assert figures["unknown_then_accepted"] > 0
