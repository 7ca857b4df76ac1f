"""Waiting games: each waits once, and players are served in turn, however many games are queued, lost or duplicated."""

import json
import threading
import zlib
from collections import Counter
from collections.abc import Callable
from subprocess import Popen

import pytest
from redis import Redis
from redis.exceptions import RedisError

from referee.service.game import Game
from referee.service.lobby import NewGame, create
from referee.service.players import SCOPES, Caller, add_player
from referee.service.repository import Repository, now_ms
from referee.table.record import Secret
from referee.table.terms import TABLE_VERSION, Terms
from referee.wiring import connect
from tests.waiting import eventually
from tests.workers.conftest import bots_only, caller
from workers.nudger import BEHIND_GAMES, Nudger
from workers.queues import AUDITS, BOTS, GAMES_MAX, NUDGES, QUICK_BOTS, GamesJob, GamesQueue, queue
from workers.sweep import look

Start = Callable[..., "Popen[bytes]"]


def game_of(player: str, number: int) -> Game:
    return Game(
        id=f"g_{number:024x}",
        ruleset="catham-city",
        version="1",
        edition="",
        options={},
        seats=(),
        created_at="2026-11-16T08:00:00.000Z",
        created_by=player,
        secret=Secret(salt="", seed=""),
        terms=Terms(bots=(), table=TABLE_VERSION),
    )


def take(queues: Redis, kind: str) -> GamesJob | None:
    """The job that a worker would take next."""
    taken = GamesQueue.dequeue_any([queue(queues, kind)], None, queues)
    return None if taken is None else taken[0]


def take_all(queues: Redis, nudger: Nudger, kind: str) -> list[list[str]]:
    """The games of each job that one worker would take, job after job."""
    found = []
    while (job := take(queues, kind)) is not None:
        nudger.taken(job)
        found.append(list(job.games))
    return found


def queued(queues: Redis, kind: str) -> list[list[str]]:
    """The games of each job in a queue, read from its JSON."""
    found = []
    for id in queues.lrange(f"rq:queue:{kind}", 0, -1):
        named, _, (games,), _ = json.loads(zlib.decompress(queues.hget(b"rq:job:" + id, "data")))
        assert named == kind
        found.append(games)
    return found


def waiting(queues: Redis, kind: str) -> Counter[str]:
    """The number of times each game waits, in a job or beside the queue."""
    beside = [id.decode() for id in queues.zrange(f"waiting:{kind}", 0, -1)]
    return Counter([*beside, *(game for job in queued(queues, kind) for game in job)])


ASKING: dict[str, Callable[[Nudger, Game], bool]] = {
    NUDGES: lambda nudger, game: nudger.nudge(game),
    QUICK_BOTS: lambda nudger, game: nudger.call_bots(game, thinking=False),
    BOTS: lambda nudger, game: nudger.call_bots(game, thinking=True),
    AUDITS: lambda nudger, game: nudger.call_audit(game),
}


@pytest.mark.parametrize("kind", GAMES_MAX)
def test_a_game_waits_once_for_a_kind_of_work_however_often_it_is_queued(
    nudger: Nudger, queues: Redis, kind: str
) -> None:
    games, ask = [game_of("p_1", number) for number in range(120)], ASKING[kind]
    assert [ask(nudger, game) for game in games] == [True] * 120
    assert [ask(nudger, game) for _ in range(5) for game in games] == [False] * 600
    assert waiting(queues, kind) == Counter(game.id for game in games)
    assert len(queued(queues, kind)) == 1, "RQ's queue has one job"
    jobs = take_all(queues, nudger, kind)
    assert Counter(game for job in jobs for game in job) == Counter(game.id for game in games)
    assert max(len(job) for job in jobs[1:]) == GAMES_MAX[kind]
    assert len(jobs) == 1 + -(-119 // GAMES_MAX[kind]), "the first job was packed for the first game"


def test_a_game_can_wait_for_each_kind_of_work_at_once(nudger: Nudger, queues: Redis) -> None:
    game = game_of("p_1", 1)
    for kind, ask in ASKING.items():
        assert ask(nudger, game)
        assert queued(queues, kind) == [[game.id]]


def test_a_game_that_a_worker_has_taken_can_wait_again(nudger: Nudger, queues: Redis) -> None:
    """Work that is queued while a worker handles the game may have come too late for it."""
    game = game_of("p_1", 1)
    nudger.nudge(game)
    job = take(queues, NUDGES)
    assert job is not None
    nudger.taken(job)
    assert nudger.nudge(game)
    assert queued(queues, NUDGES) == [[game.id]]


def test_the_games_of_a_lost_job_can_wait_again(nudger: Nudger, queues: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("p_1", 1)
    nudger.nudge(game)
    assert take(queues, NUDGES) is not None
    assert not nudger.nudge(game), "the job may be on its way to the queue"
    monkeypatch.setattr("workers.nudger.QUEUEING_MS", 0)
    assert nudger.nudge(game)
    assert queued(queues, NUDGES) == [[game.id]]


def test_the_sweep_packs_the_job_that_a_dead_worker_did_not(nudger: Nudger, queues: Redis) -> None:
    for number in range(3):
        nudger.nudge(game_of("p_1", number))
    assert take(queues, NUDGES) is not None
    assert queued(queues, NUDGES) == []
    nudger.tend()
    assert [len(job) for job in queued(queues, NUDGES)] == [2]
    nudger.tend()
    assert [len(job) for job in queued(queues, NUDGES)] == [2]


@pytest.mark.parametrize("kind", GAMES_MAX)
def test_players_are_served_in_turn_however_many_games_one_has(nudger: Nudger, queues: Redis, kind: str) -> None:
    many = [game_of("p_many", number) for number in range(200)]
    for game in many:
        ASKING[kind](nudger, game)
    others = [game_of(f"p_{number}", 1000 + number) for number in range(5)]
    for game in others:
        ASKING[kind](nudger, game)
    served = [game for job in take_all(queues, nudger, kind) for game in job]
    assert set(served) == {game.id for game in (*many, *others)}
    turns = [served.index(game.id) for game in others]
    assert max(turns) <= 1 + 2 * len(others), "one game of each other player may come before"


def test_a_player_with_repeated_requests_overtakes_nobody(nudger: Nudger, queues: Redis) -> None:
    for number in range(20):
        nudger.call_bots(game_of("p_many", number), True)
        nudger.call_bots(game_of(f"p_{number}", 100 + number), True)
    served: list[str] = []
    while (job := take(queues, BOTS)) is not None:
        nudger.taken(job)
        served += job.games
        if len(served) < 60:
            nudger.call_bots(game_of("p_many", 1000 + len(served)), True)
    own = [place for place, id in enumerate(served) if 100 <= int(id[2:], 16) < 120]
    assert max(own) <= 45, "an earlier request is served before later ones"


def test_no_game_waits_twice_when_many_processes_queue_it_at_once(queue_url: str, queues: Redis) -> None:
    games = [game_of(f"p_{number % 7}", number) for number in range(60)]
    taken: list[str] = []
    is_new: list[bool] = []

    def ask() -> None:
        own = Nudger(connect(queue_url))
        for game in games:
            is_new.append(own.nudge(game))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(is_new) == len(games)
    assert waiting(queues, NUDGES) == Counter(game.id for game in games)
    for job in take_all(queues, Nudger(queues), NUDGES):
        taken += job
    assert sorted(taken) == sorted(game.id for game in games)


def test_an_unreachable_queue_breaks_nothing(nudger: Nudger, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise RedisError("away")

    monkeypatch.setattr("workers.nudger.QUEUEING_MS", 0)  # "_pack", away)
    assert nudger.nudge(game_of("p_1", 1))


def test_the_sweep_adds_nothing_to_a_queue_that_is_behind(
    repository: Repository, nudger: Nudger, queues: Redis
) -> None:
    for number in range(BEHIND_GAMES + 1):
        nudger.nudge(game_of("p_1", number))
    overdue = bots_only(repository)
    queues.zrem("waiting:nudges", overdue)
    repository.log.wake(overdue, now_ms() - 10_000)
    before = queues.zcard("waiting:nudges")
    for _ in range(3):
        look(repository, nudger, 1000)
    assert queues.zcard("waiting:nudges") == before
    take_all(queues, nudger, NUDGES)
    look(repository, nudger, 1000)
    assert waiting(queues, NUDGES) == Counter([overdue])


def test_a_waiting_game_stays_one_job_however_often_the_sweep_runs(
    quiet_repository: Repository, repository: Repository, nudger: Nudger, queues: Redis, set_time: Callable[[int], None]
) -> None:
    ids = [bots_only(quiet_repository) for _ in range(20)]
    begun = now_ms()
    for second in range(30):
        set_time(begun + 1100 * second)
        look(repository, nudger, 1000)
    assert waiting(queues, NUDGES) == Counter(ids)
    assert queues.llen("rq:queue:nudges") == 1


def test_games_that_a_flush_of_the_queues_removed_are_queued_again(
    repository: Repository, queues: Redis, start: Start
) -> None:
    ids = [bots_only(repository) for _ in range(5)]
    queues.flushdb()
    start("workers.worker")
    start("workers.sweep")
    eventually(lambda: any(repository.newest(repository.game(id)).version > 3 for id in ids))
    queues.flushdb()
    eventually(lambda: all(repository.newest(repository.game(id)).status == "finished" for id in ids), 60)
    eventually(lambda: all(repository.log.audit(id) for id in ids), 60)


def test_a_player_with_many_games_keeps_nobody_waiting(repository: Repository, start: Start) -> None:
    """One player has forty games of bots that think for a second about every move; then another player has one."""
    admin = Caller(add_player(repository, "admin").id, "admin", None, SCOPES)
    seats = tuple({"bot": "search"} for _ in range(3))
    for _ in range(40):
        create(repository, admin, NewGame(ruleset="catham-city", seats=seats))
    start("workers.worker", "nudges")
    start("workers.worker", "bots")
    start("workers.worker", "quick-bots")
    start("workers.sweep")
    mine = create(
        repository, caller(repository), NewGame(ruleset="catham-city", seats=("me", {"bot": "search"}), options=FIRST)
    )
    quick = create(
        repository, caller(repository), NewGame(ruleset="catham-city", seats=("me", {"bot": "greedy"}), options=FIRST)
    )
    eventually(lambda: repository.newest(quick).version > 1)
    eventually(lambda: repository.newest(mine).version > 1)  # the other games take 40 s for one move each


FIRST = {"first_seat": 1}


def test_invalid_game_ids_are_left_out_of_jobs(nudger: Nudger, queues: Redis) -> None:
    """A move that is in the log is answered, whatever another program has written to the queues' Redis."""
    for member in (b"\xff", b"g_", b"x" * 1000):
        queues.zadd("waiting:nudges", {member: -1})
    game = game_of("p_1", 1)
    nudger.nudge(game)
    assert queued(queues, NUDGES) == [[game.id]]


@pytest.mark.parametrize("key", ["waiting:nudges", "waiting:nudges:turns", "packed:nudges", "rq:queue:nudges"])
def test_a_redis_key_of_the_wrong_type_does_not_stop_games_for_good(nudger: Nudger, queues: Redis, key: str) -> None:
    queues.set(key, "x")
    game = game_of("p_1", 1)
    for _ in range(2):
        nudger.nudge(game)
    assert queued(queues, NUDGES) == [[game.id]]


def test_foreign_turns_and_notes_do_not_stop_games(nudger: Nudger, queues: Redis) -> None:
    game = game_of("p_1", 1)
    for field in ("served", "p_1"):
        queues.hset("waiting:nudges:turns", field, "x")
    for note in ("", "x", "x y"):
        queues.hset("packed:nudges", game.id, note)
        nudger.nudge(game)
    assert queued(queues, NUDGES) == [[game.id]]
