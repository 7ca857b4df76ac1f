"""Answers depend on nothing that the caller may not know: the short form of `make campaign-leaks`."""

from pathlib import Path

import pytest

from referee.rulesets import LATEST
from tests.campaigns.leaks.__main__ import in_process, over_http
from tests.campaigns.leaks.campaign import Effort, Figures


def assert_nothing_leaks(figures: Figures, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n  {figures}")
    assert set(figures.by_ruleset) == set(LATEST)
    assert figures.commits
    assert not figures.differences, "\n".join(map(str, figures.differences))


def test_worlds_that_a_reader_cannot_distinguish_are_answered_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_nothing_leaks(in_process(tmp_path, "short", Effort(positions=1, readers=2, commits=1, watchers=2)), capsys)


def test_they_are_answered_alike_over_http_by_streams_and_long_polls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_nothing_leaks(over_http(tmp_path, "short", Effort(positions=1, readers=1, commits=1, watchers=1)), capsys)
