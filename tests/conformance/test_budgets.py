"""Point 22: time budgets, generous enough for a loaded machine; bench/ has the strict figures."""

import random
from collections.abc import Callable
from statistics import median
from time import perf_counter

from referee.kernel.judge import judge, legal_moves, replay
from tests.conformance.play import games_of, moments_of
from tests.subjects import Subject, every_ruleset

ROOM = 5
MOMENTS = 15
JUDGE_S, LEGAL_MOVES_S, VIEW_S, EVENT_S = 1e-3, 5e-3, 1e-3, 5e-6


def best_of(times: int, call: Callable[[], object]) -> float:
    """The time of the fastest of several calls, in seconds."""

    def once() -> float:
        start = perf_counter()
        call()
        return perf_counter() - start

    return min(once() for _ in range(times))


@every_ruleset
def test_a_verdict_a_list_of_moves_and_a_view_are_quick(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    judging: list[float] = []
    listing: list[float] = []
    viewing: list[float] = []
    for moment in moments_of(subject, rng, MOMENTS):
        position, commit = moment.position, moment.commit
        judging.append(best_of(5, lambda p=position, c=commit: judge(ruleset, p, c.actor, c.move)))
        viewing.append(best_of(5, lambda p=position: ruleset.view(p, 0)))
        for decision in ruleset.awaited(position)[:1]:
            listing.append(best_of(5, lambda p=position, seat=decision.seat: legal_moves(ruleset, p, seat)))
    assert median(judging) < ROOM * JUDGE_S
    assert median(listing) < ROOM * LEGAL_MOVES_S
    assert median(viewing) < ROOM * VIEW_S


@every_ruleset
def test_a_log_is_folded_quickly(subject: Subject) -> None:
    game = games_of(subject)[0]
    events = game.events[:1000]
    blank = subject.ruleset.blank(game.options, game.seats)
    assert best_of(5, lambda: replay(subject.ruleset, blank, events)) < ROOM * EVENT_S * len(events)
