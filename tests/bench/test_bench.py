"""Every benchmark runs in a short form and returns plausible figures."""

import pytest

from bench import clients, flat, http, kernel, log, streams, workers
from referee.rulesets import LATEST


@pytest.mark.parametrize("slug", LATEST)
def test_the_kernel_is_measured_with_every_ruleset(slug: str) -> None:
    rules = LATEST[slug]
    found = kernel.measure_ruleset(rules, rules.seats.start, rules.variants[0], games=1)
    assert all(figure > 0 for figure in found.values()), found
    assert kernel.iterations_per_second(rules, rules.seats.start, rules.variants[0], 2) > 0


def test_moves_over_http_are_measured_beside_their_anchors() -> None:
    found = http.measure(0.2, 1)
    assert {name: set(each.statuses) for name, (each,) in found.items()} == {
        "hello": {"200"},
        "append": {"201"},
        "move": {"201"},
    }


def test_long_games_are_measured_beside_short_ones() -> None:
    assert all(figure > 0 for figure in flat.measure(0.1, long=50, rounds=1).values())


def test_workers_are_measured() -> None:
    assert len(workers.trigger_delays(3)) == 3
    assert workers.bot_commits_per_second(2) > 0
    assert min(workers.default_move_delays(2, 1)) > 0
    many = workers.set_ups(60)
    assert many.per_second > 0 < many.bare_per_second
    assert many.jobs in (2, 3)


def test_streams_are_measured() -> None:
    found = streams.measure(20)
    assert 0 < found["p50_ms"] <= found["p99_ms"]


def test_the_client_and_the_runner_are_measured() -> None:
    assert clients.overhead(5, 1) > -1
    found = clients.many_games(2)
    assert found["moves"] > 10
    assert found["cpu_ms_per_move"] > 0
    assert found["missed"] == 0


def test_the_transparency_log_is_measured() -> None:
    found = {**log.rounds(50, 1), **log.proofs(2000, 5)}
    assert all(figure > 0 for figure in found.values()), found
    assert len(log.sealed_starts(2)) == 2
