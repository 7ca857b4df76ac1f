"""Workers: triggers and bots, and jobs that are lost, duplicated, late, reordered or cut short."""

import random
import subprocess
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from redis import Redis

from referee.bots.choices import bot_decisions
from referee.kernel.seat import Seat
from referee.rulesets import LATEST
from referee.service.audits import audit_game
from referee.service.game import encode_game
from referee.service.lobby import NewGame, create
from referee.service.moves import submit
from referee.service.nudges import CALLED_MS, WAITING_MS, run
from referee.service.repository import Repository, now_ms
from referee.store.log import Head
from tests.waiting import eventually
from tests.workers.conftest import Called, bots_only, caller, put_job
from workers import jobs
from workers.jobs import ELSEWHERE_MS
from workers.nudger import Nudger
from workers.queues import BOTS, NUDGES, QUICK_BOTS
from workers.sweep import sweep

Start = Callable[..., "subprocess.Popen[bytes]"]


def status(repository: Repository, id: str) -> str:
    return repository.newest(repository.game(id)).status


def is_over(repository: Repository, id: str) -> bool:
    return status(repository, id) == "finished"


@pytest.mark.parametrize("slug", LATEST)
def test_a_game_of_bots_is_played_to_its_end_and_proved(repository: Repository, start: Start, slug: str) -> None:
    start("workers.worker")
    id = bots_only(repository, LATEST[slug].seats.start, slug)
    eventually(lambda: is_over(repository, id), 120)
    assert audit_game(repository, repository.game(id)).verdict == "proved"


def test_the_end_is_stored_beside_the_log_and_the_game_sleeps(quiet_repository: Repository) -> None:
    id = bots_only(quiet_repository)
    run(quiet_repository, id)
    quiet_repository.games.forget(id)
    assert quiet_repository.game(id).status == "finished"
    assert quiet_repository.log.due_games(2**52, 100) == []


def test_a_second_nudge_does_nothing(quiet_repository: Repository) -> None:
    id = create(
        quiet_repository, caller(quiet_repository), NewGame(ruleset="catham-city", seats=("me", {"bot": "random"}))
    ).id
    run(quiet_repository, id)
    version = quiet_repository.newest(quiet_repository.game(id)).version
    assert version >= 1
    assert run(quiet_repository, id) == 0
    assert quiet_repository.newest(quiet_repository.game(id)).version == version


def test_the_sweep_makes_up_for_lost_nudges(quiet_repository: Repository, start: Start) -> None:
    ids = [bots_only(quiet_repository) for _ in range(3)]
    start("workers.worker")
    start("workers.sweep")
    eventually(lambda: all(is_over(quiet_repository, id) for id in ids), 60)


def test_duplicate_and_reordered_nudges_do_no_harm(repository: Repository, queues: Redis, start: Start) -> None:
    ids = [bots_only(repository) for _ in range(3)]
    many = [id for id in ids for _ in range(20)] + ["g_" + "0" * 24] * 3
    random.Random(7).shuffle(many)
    for id in many:
        put_job(queues, NUDGES, [id])
    for _ in range(3):
        start("workers.worker")
    eventually(lambda: all(is_over(repository, id) for id in ids), 60)
    eventually(lambda: queues.llen("rq:queue:nudges") == 0)
    for id in ids:
        assert audit_game(repository, repository.game(id)).verdict == "proved"


def test_the_work_of_a_killed_worker_is_continued(repository: Repository, start: Start) -> None:
    id = bots_only(repository, 6)
    worker = start("workers.worker")
    eventually(lambda: repository.newest(repository.game(id)).version >= 2)
    worker.kill()
    worker.wait()
    start("workers.sweep")
    start("workers.worker")
    eventually(lambda: is_over(repository, id), 60)
    assert audit_game(repository, repository.game(id)).verdict == "proved"


def test_an_unknown_game_does_not_stop_the_others_of_its_job(
    quiet_repository: Repository, queues: Redis, start: Start
) -> None:
    id, repository = bots_only(quiet_repository), quiet_repository
    put_job(queues, NUDGES, ["g_" + "0" * 24, id])
    start("workers.worker")
    eventually(lambda: is_over(repository, id), 60)


def test_the_referee_does_not_wait_for_bots(repository: Repository, nudger: Nudger, start: Start) -> None:
    start("workers.worker", "nudges")
    ids = [bots_only(repository) for _ in range(3)]
    eventually(lambda: all(repository.newest(repository.game(id)).version == 1 for id in ids))
    eventually(lambda: nudger.waiting(QUICK_BOTS) == 2)  # one more game is in the job that nobody takes
    start("workers.worker", "quick-bots")
    eventually(lambda: all(is_over(repository, id) for id in ids), 60)


def test_quick_bots_do_not_wait_for_bots_that_think(repository: Repository, nudger: Nudger, start: Start) -> None:
    start("workers.worker", "nudges")
    slow = [bots_only(repository, bot="search") for _ in range(3)]
    eventually(lambda: nudger.waiting(BOTS) == 2)
    start("workers.worker", "quick-bots")
    quick = [bots_only(repository, bot=bot) for bot in ("random", "greedy")]
    eventually(lambda: all(is_over(repository, id) for id in quick), 60)
    assert {repository.newest(repository.game(id)).version for id in slow} == {1}


def test_only_bots_that_think_are_left_to_other_workers(quiet_repository: Repository) -> None:
    seats = ({"bot": "search"}, {"bot": "random"}, {"bot": "random"})
    new_game = NewGame(ruleset="catham-city", seats=seats, options={"first_seat": 1})
    game, called = create(quiet_repository, caller(quiet_repository), new_game), Called()
    run(quiet_repository, game.id, called)
    assert (called.bots, quiet_repository.newest(game).version) == ([(game.id, False)], 1)
    run(quiet_repository, game.id, called, bots_for_s=60, may_think=False)
    assert called.bots[1:] == [(game.id, True)]
    assert {decision.seat for decision in bot_decisions(game, quiet_repository.newest(game), now_ms())} == {0}


def test_bots_give_way_to_the_bots_of_other_games(quiet_repository: Repository) -> None:
    id, called = bots_only(quiet_repository), Called()
    run(quiet_repository, id, called, bots_for_s=0.0)
    assert called.bots == [(id, False)]
    assert quiet_repository.newest(quiet_repository.game(id)).version == 1
    run(quiet_repository, id, called, bots_for_s=60.0)
    assert called.bots == [(id, False)]
    assert is_over(quiet_repository, id)


def test_a_game_whose_bots_are_queued_is_nudged_less_often_when_the_queue_is_long(
    quiet_repository: Repository, set_time: Callable[[int], None]
) -> None:
    id, begun = bots_only(quiet_repository, bot="search"), now_ms()
    set_time(begun)
    run(quiet_repository, id, Called())
    assert quiet_repository.log.due_games(2**52, 100) == [(id, begun + CALLED_MS)]
    run(quiet_repository, id, Called(is_new=False))
    assert quiet_repository.log.due_games(2**52, 100) == [(id, begun + WAITING_MS)]


def test_a_deadline_is_enforced_in_time_while_a_bot_thinks(
    quiet_repository: Repository, set_time: Callable[[int], None]
) -> None:
    seats = ("me", "me", {"bot": "search"})
    new_game = NewGame(ruleset="fangfrisch", seats=seats, options={"first_seat": 0}, clock={"decision_s": 1})
    game, begun, called = create(quiet_repository, caller(quiet_repository), new_game), now_ms(), Called()
    set_time(begun)
    run(quiet_repository, game.id)
    submit(quiet_repository, game, Seat(0), b'{"type": "sell_fish", "lots": []}')
    set_time(begun + 400)
    answered = submit(quiet_repository, game, Seat(0), b'{"type": "pass"}')
    assert [decision.seat for decision in answered.expectations.awaited] == [1, 2]
    assert quiet_repository.log.due_games(2**52, 100) == [(game.id, begun + 1001)]
    set_time(begun + 500)
    run(quiet_repository, game.id, called)
    assert called.bots == [(game.id, True)]
    assert quiet_repository.log.due_games(2**52, 100) == [(game.id, begun + 1001)]
    set_time(begun + 1001)
    quiet_repository.nudge = lambda id: run(quiet_repository, id, called)
    sweep(quiet_repository, 1000)
    newest = quiet_repository.newest(game)
    assert newest.version == answered.commit.version + 1
    assert [decision.seat for decision in game.rules.awaited(newest.position)] == [2]
    assert quiet_repository.log.due_games(2**52, 100) == [(game.id, begun + 1001 + CALLED_MS)]


def test_a_lost_call_to_bots_that_may_move_is_repeated(
    quiet_repository: Repository, set_time: Callable[[int], None]
) -> None:
    seats = ("me", {"bot": "random"}, {"bot": "random"})
    options = {"first_seat": 0, "pace": "live", "reveal_seconds": 60}
    game, begun = create(quiet_repository, caller(quiet_repository), NewGame("fangfrisch", seats, options)), now_ms()
    set_time(begun)
    run(quiet_repository, game.id)
    submit(quiet_repository, game, Seat(0), b'{"type": "sell_fish", "lots": []}')
    assert quiet_repository.log.due_games(2**52, 100) == [(game.id, begun + 300)], "the first card is shown"
    set_time(begun + 300)
    run(quiet_repository, game.id)
    ((_, ready),) = quiet_repository.log.due_games(2**52, 100)
    assert 400 <= ready - (begun + 300) <= 1000, "the first bot has reacted"
    later = begun + 300 + 1000
    set_time(later)
    run(quiet_repository, game.id, Called())
    assert quiet_repository.log.due_games(2**52, 100) == [(game.id, later + CALLED_MS)]
    run(quiet_repository, game.id)
    assert (game.id, later + CALLED_MS) not in quiet_repository.log.due_games(2**52, 100)


def test_a_worker_refuses_a_queue_that_does_not_exist(start: Start) -> None:
    assert start("workers.worker", "naps", ready=False).wait(20) == 1


def test_the_sweep_returns_the_time_until_the_next_one(quiet_repository: Repository) -> None:
    assert sweep(quiet_repository, 1000) in range(900, 1001)


def test_a_game_whose_rules_this_worker_does_not_have_is_left_to_another(
    quiet_repository: Repository, monkeypatch: pytest.MonkeyPatch, set_time: Callable[[int], None]
) -> None:
    game, now = quiet_repository.game(bots_only(quiet_repository)), now_ms()
    newer = replace(game, version="next", revision=game.revision + 1)
    quiet_repository.log.change_head(Head(game.id, newer.revision, encode_game(newer)))
    monkeypatch.setattr(jobs, "repository", lambda: quiet_repository)
    monkeypatch.setattr(jobs, "nudger", Called)
    set_time(now)
    jobs._try(NUDGES, game.id)
    assert quiet_repository.log.due_games(2**52, 100) == [(game.id, now + ELSEWHERE_MS)]
    assert quiet_repository.log.length(game.id) == 0
