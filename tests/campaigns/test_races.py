"""Races, the short form; `make campaign-races` is the long one."""

import os
import random
from pathlib import Path

from referee.rulesets import LATEST
from tests.campaigns.races import Races


def test_one_client_wins_each_version_and_one_key_is_one_commit_despite_crashes(tmp_path: Path) -> None:
    races = Races(tmp_path, os.environ.get("CAMPAIGN_SEED") or str(random.randrange(10**6)))
    faults = races.run(seconds=0)
    print(dict(races.figures), races.history.path)
    assert faults == []
    assert races.figures["races for a version"] >= len(LATEST)
    assert races.figures["races with a key"] >= len(LATEST)
    assert races.figures["crashes between append and answer"] >= len(LATEST)
    assert races.figures["web processes that appended"] > 1
