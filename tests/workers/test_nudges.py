"""Workers: triggers and bots, and jobs that are lost, doubled, late, reordered or cut short."""

import random
import subprocess
from collections.abc import Callable

import pytest
from redis import Redis

from referee.kernel.seat import Seat
from referee.rulesets import LATEST
from referee.service.audits import audit_game
from referee.service.commits import PATIENCE_MS
from referee.service.desk import Desk, now_ms
from referee.service.games import Wish, create
from referee.service.moves import submit
from referee.service.nudges import CALLED_MS, WAITING_MS, bots_asked, run
from tests.waiting import eventually
from tests.workers.conftest import Called, bots_only, caller, put_job
from workers.packing import Nudger
from workers.queues import BOTS, NUDGES, QUICK_BOTS
from workers.sweep import sweep

Start = Callable[..., "subprocess.Popen[bytes]"]


def status(desk: Desk, id: str) -> str:
    return desk.newest(desk.game(id)).status


def is_over(desk: Desk, id: str) -> bool:
    return status(desk, id) == "finished"


@pytest.mark.parametrize("slug", LATEST)
def test_a_game_of_bots_plays_itself_to_its_end_and_is_proved(desk: Desk, start: Start, slug: str) -> None:
    start("workers.worker")
    id = bots_only(desk, LATEST[slug].seats.start, slug)
    eventually(lambda: is_over(desk, id), 120)
    assert audit_game(desk, desk.game(id)).verdict == "proved"


def test_the_end_is_noted_beside_the_log_and_the_game_sleeps(quiet_desk: Desk) -> None:
    id = bots_only(quiet_desk)
    run(quiet_desk, id)
    quiet_desk.games.forget(id)
    assert quiet_desk.game(id).status == "finished"
    assert quiet_desk.log.wakeful(2**52, 100) == []


def test_a_nudge_done_twice_does_nothing_more(quiet_desk: Desk) -> None:
    id = create(quiet_desk, caller(quiet_desk), Wish(ruleset="catham-city", seats=("me", {"bot": "random"}))).id
    run(quiet_desk, id)
    version = quiet_desk.newest(quiet_desk.game(id)).version
    assert version >= 1
    assert run(quiet_desk, id) == 0
    assert quiet_desk.newest(quiet_desk.game(id)).version == version


def test_lost_nudges_are_made_up_for_by_the_sweep(quiet_desk: Desk, start: Start) -> None:
    ids = [bots_only(quiet_desk) for _ in range(3)]
    start("workers.worker")
    start("workers.sweep")
    eventually(lambda: all(is_over(quiet_desk, id) for id in ids), 60)


def test_doubled_and_reordered_nudges_do_no_harm(desk: Desk, queues: Redis, start: Start) -> None:
    ids = [bots_only(desk) for _ in range(3)]
    many = [id for id in ids for _ in range(20)] + ["g_" + "0" * 24] * 3
    random.Random(7).shuffle(many)
    for id in many:
        put_job(queues, NUDGES, [id])
    for _ in range(3):
        start("workers.worker")
    eventually(lambda: all(is_over(desk, id) for id in ids), 60)
    eventually(lambda: queues.llen("rq:queue:nudges") == 0)
    for id in ids:
        assert audit_game(desk, desk.game(id)).verdict == "proved"


def test_what_a_killed_worker_left_is_picked_up(desk: Desk, start: Start) -> None:
    id = bots_only(desk, 6)
    worker = start("workers.worker")
    eventually(lambda: desk.newest(desk.game(id)).version >= 2)
    worker.kill()
    worker.wait()
    start("workers.sweep")
    start("workers.worker")
    eventually(lambda: is_over(desk, id), 60)
    assert audit_game(desk, desk.game(id)).verdict == "proved"


def test_a_game_that_does_not_exist_keeps_no_other_of_its_job_waiting(
    quiet_desk: Desk, queues: Redis, start: Start
) -> None:
    id, desk = bots_only(quiet_desk), quiet_desk
    put_job(queues, NUDGES, ["g_" + "0" * 24, id])
    start("workers.worker")
    eventually(lambda: is_over(desk, id), 60)


def test_what_the_referee_owes_waits_for_no_bot(desk: Desk, nudger: Nudger, start: Start) -> None:
    start("workers.worker", "nudges")
    ids = [bots_only(desk) for _ in range(3)]
    eventually(lambda: all(desk.newest(desk.game(id)).version == 1 for id in ids))
    eventually(lambda: nudger.waiting(QUICK_BOTS) == 2)  # one more is in the job that nobody takes
    start("workers.worker", "quick-bots")
    eventually(lambda: all(is_over(desk, id) for id in ids), 60)


def test_quick_bots_wait_for_no_bot_that_thinks(desk: Desk, nudger: Nudger, start: Start) -> None:
    start("workers.worker", "nudges")
    slow = [bots_only(desk, bot="search") for _ in range(3)]
    eventually(lambda: nudger.waiting(BOTS) == 2)
    start("workers.worker", "quick-bots")
    quick = [bots_only(desk, bot=bot) for bot in ("random", "greedy")]
    eventually(lambda: all(is_over(desk, id) for id in quick), 60)
    assert {desk.newest(desk.game(id)).version for id in slow} == {1}


def test_a_bot_that_thinks_is_left_to_others_and_a_quick_one_is_not(quiet_desk: Desk) -> None:
    seats = ({"bot": "search"}, {"bot": "random"}, {"bot": "random"})
    wish = Wish(ruleset="catham-city", seats=seats, options={"first_seat": 1})
    game, called = create(quiet_desk, caller(quiet_desk), wish), Called()
    run(quiet_desk, game.id, called)
    assert (called.bots, quiet_desk.newest(game).version) == ([(game.id, False)], 1)
    run(quiet_desk, game.id, called, bots_for_s=60, may_think=False)
    assert called.bots[1:] == [(game.id, True)]
    assert {decision.seat for decision in bots_asked(game, quiet_desk.newest(game), now_ms())} == {0}


def test_bots_make_room_for_those_of_other_games(quiet_desk: Desk) -> None:
    id, called = bots_only(quiet_desk), Called()
    run(quiet_desk, id, called, bots_for_s=0.0)
    assert called.bots == [(id, False)]
    assert quiet_desk.newest(quiet_desk.game(id)).version == 1
    run(quiet_desk, id, called, bots_for_s=60.0)
    assert called.bots == [(id, False)]
    assert is_over(quiet_desk, id)


def test_a_game_that_waits_for_its_bots_is_nudged_less_often_the_longer_the_queue_is(
    quiet_desk: Desk, set_time: Callable[[int], None]
) -> None:
    id, begun = bots_only(quiet_desk, bot="search"), now_ms()
    set_time(begun)
    run(quiet_desk, id, Called())
    assert quiet_desk.log.wakeful(2**52, 100) == [(id, begun + CALLED_MS)]
    run(quiet_desk, id, Called(anew=False))
    assert quiet_desk.log.wakeful(2**52, 100) == [(id, begun + WAITING_MS)]


def test_a_clock_runs_out_in_time_while_a_bot_thinks(quiet_desk: Desk, set_time: Callable[[int], None]) -> None:
    seats = ("me", "me", {"bot": "search"})
    wish = Wish(ruleset="fangfrisch", seats=seats, options={"first_seat": 0}, clock={"decision_s": 1})
    game, begun, called = create(quiet_desk, caller(quiet_desk), wish), now_ms(), Called()
    set_time(begun)
    run(quiet_desk, game.id)
    submit(quiet_desk, game, Seat(0), b'{"type": "sell_fish", "lots": []}')
    set_time(begun + 400)
    answered = submit(quiet_desk, game, Seat(0), b'{"type": "pass"}')
    assert [decision.seat for decision in answered.awaits.awaited] == [1, 2]
    assert quiet_desk.log.wakeful(2**52, 100) == [(game.id, begun + 1001)]
    set_time(begun + 500)
    run(quiet_desk, game.id, called)
    assert called.bots == [(game.id, True)]
    assert quiet_desk.log.wakeful(2**52, 100) == [(game.id, begun + 1001)]
    set_time(begun + 1001)
    quiet_desk.nudge = lambda id: run(quiet_desk, id, called)
    sweep(quiet_desk, 1000)
    lapsed = quiet_desk.newest(game)
    assert lapsed.version == answered.state.version + 1
    assert [decision.seat for decision in game.rules.awaited(lapsed.position)] == [2]
    assert quiet_desk.log.wakeful(2**52, 100) == [(game.id, begun + 1001 + CALLED_MS)]


def test_a_lost_call_to_bots_that_may_move_is_made_up_for(quiet_desk: Desk, set_time: Callable[[int], None]) -> None:
    seats = ("me", {"bot": "random"}, {"bot": "random"})
    options = {"first_seat": 0, "pace": "live", "reveal_seconds": 60}
    game, begun = create(quiet_desk, caller(quiet_desk), Wish("fangfrisch", seats, options)), now_ms()
    set_time(begun)
    run(quiet_desk, game.id)
    assert submit(quiet_desk, game, Seat(0), b'{"type": "sell_fish", "lots": []}').awaits.ours_now
    assert quiet_desk.log.wakeful(2**52, 100) == [(game.id, begun + PATIENCE_MS)]
    run(quiet_desk, game.id, Called())
    assert quiet_desk.log.wakeful(2**52, 100) == [(game.id, begun + CALLED_MS)]
    run(quiet_desk, game.id)
    assert (game.id, begun + CALLED_MS) not in quiet_desk.log.wakeful(2**52, 100)


def test_a_worker_refuses_a_queue_that_does_not_exist(start: Start) -> None:
    assert start("workers.worker", "naps", ready=False).wait(20) == 1


def test_the_sweep_tells_when_to_look_again(quiet_desk: Desk) -> None:
    assert sweep(quiet_desk, 1000) in range(900, 1001)
