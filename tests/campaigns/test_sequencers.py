"""The short form of the campaign against the transparency log."""

from pathlib import Path

from tests.campaigns.sequencers import Campaign


def test_two_sequencers_under_load_that_are_killed_and_stopped_write_one_log(tmp_path: Path) -> None:
    done = Campaign(tmp_path, seed=7).run(3)
    assert done.faults == []
    assert done.moves > 0 and len(done.roots) > 1
