"""Measures how soon workers carry out triggers and default moves, and how fast bots play."""

import json
import os
import statistics
import time
from typing import NamedTuple
from urllib.request import Request, urlopen

from msgspec.structs import replace

from bench.games import make_player, open_repository
from bench.stack import redis, sweep, web, worker
from referee.service import nudges
from referee.service.lobby import NewGame, create
from referee.service.players import SCOPES
from referee.service.repository import Repository
from referee.store.redis_log import RedisLog
from referee.table.match import read_commit
from referee.table.times import milliseconds
from referee.wiring import connect
from workers.nudger import Nudger


def _post(port: int, path: str, key: str, body: object) -> dict:
    request = Request(
        f"http://127.0.0.1:{port}{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
    )
    with urlopen(request) as answer:
        return json.load(answer)


def _await(condition, seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the workers did not finish within {seconds} seconds")
        time.sleep(0.002)


def commits(repository: Repository, id: str) -> list:
    game = repository.game(id)
    log = repository.log
    assert isinstance(log, RedisLog)
    found, after = [], 0
    while entries := log.read(id, after):
        found += [read_commit(game, entry) for entry in entries]
        after = entries[-1].version
    return found


def trigger_delays(samples: int = 100) -> list[float]:
    """Return the milliseconds from the move that makes `resolve_answers` due to its commit, game by game."""
    delays = []
    with redis() as url, web(url, "wsgi:app") as port, worker(url):
        repository = open_repository(url)
        caller, key = make_player(repository)
        fresh = _post(
            port, "/v1/rulesets/catham-city/positions", key, {"seats": 2, "options": {"first_seat": 0}, "seed": "b"}
        )
        position = with_detectives(fresh["position"])
        for _ in range(samples):
            game = create(repository, caller, NewGame(ruleset="catham-city", seats=("me", "me"), position=position))
            _post(port, f"/v1/games/{game.id}/moves?seat=0", key, {"type": "play_detectives", "extra": "mafia"})
            _post(port, f"/v1/games/{game.id}/moves?seat=1", key, {"type": "decline"})
            _await(lambda game=game: len(repository.log.read(game.id, 0)) == 3)
            _, answered, resolved = commits(repository, game.id)
            delays.append(milliseconds(resolved.at) - milliseconds(answered.at))
    return delays


def with_detectives(position: dict) -> dict:
    """Return the position with three detectives and a mafia in the hand of seat 0, and the same cards overall."""
    hand = position["seats"][0]["hand"]
    for faction, count in (("detective", 3), ("mafia", 1)):
        while hand[faction] < count:
            spare = next(f for f in hand if hand[f] > (3 if f == "detective" else 1 if f == "mafia" else 0))
            at = position["draw_pile"].index(faction)
            position["draw_pile"][at] = spare
            hand[spare] -= 1
            hand[faction] += 1
    return position


def default_move_delays(games: int = 50, moves: int = 4) -> list[int]:
    """Return the milliseconds from a missed deadline to the commit of the default move, while bots search."""
    delays: list[int] = []
    with redis() as url, worker(url, "nudges"), worker(url, "quick-bots"), worker(url, "bots"), sweep(url):
        repository = open_repository(url)
        nudger = Nudger(connect(os.environ["QUEUE_REDIS_URL"]))
        repository.nudge = lambda id: nudger.nudge(repository.game(id))
        caller, _ = make_player(repository)
        create(
            repository,
            caller,
            NewGame(ruleset="explorers-and-pirates", seats=tuple({"bot": "search"} for _ in range(4))),
        )
        new_game = NewGame(
            ruleset="catham-city", seats=("me", "me"), clock={"decision_s": 1, "missed_deadlines_max": 100}
        )
        ids = [create(repository, caller, new_game).id for _ in range(games)]
        _await(lambda: all(repository.newest(repository.game(id)).version > moves for id in ids))
        for id in ids:
            missed = [commit for commit in commits(repository, id) if commit.cause and "deadline" in commit.cause]
            delays += [milliseconds(each.at) - milliseconds(each.cause["deadline"]) for each in missed[:moves]]
    return delays


class SetUps(NamedTuple):
    """The speed of set-ups of many games that start at once."""

    per_second: float
    bare_per_second: float
    """The speed of the same work in a plain loop, without queue, worker and sweep."""
    jobs: int


def set_ups(games: int = 3000) -> SetUps:
    """Start many games at once with an admin's key, and let one worker set them up while the sweep runs."""
    with redis() as url:
        repository = open_repository(url)
        admin = replace(make_player(repository)[0], scopes=SCOPES)
        new_game = NewGame(ruleset="catham-city", seats=("me", "me"))
        bare = [create(repository, admin, new_game).id for _ in range(games)]
        began = time.perf_counter()
        for id in bare:
            nudges.run(repository, id)
        bare_s = time.perf_counter() - began
        ids = [create(repository, admin, new_game).id for _ in range(games)]
        queues = connect(os.environ["QUEUE_REDIS_URL"])
        nudger = Nudger(queues)
        for id in ids:
            nudger.nudge(repository.game(id))
        with worker(url, "nudges"), sweep(url):
            _await(lambda: all(repository.log.length(id) for id in ids))
        times = [milliseconds(commits(repository, id)[0].at) for id in ids]
        jobs = queues.info("commandstats")["cmdstat_rpush"]["calls"]
        return SetUps(games / (max(times) - min(times) + 1) * 1000, games / bare_s, jobs)


def bot_commits_per_second(games: int = 20) -> float:
    """Return the commits per second of games between random bots, with one worker process."""
    with redis() as url:
        quiet = open_repository(url)
        caller, _ = make_player(quiet)
        ids = [
            create(quiet, caller, NewGame(ruleset="catham-city", seats=tuple({"bot": "random"} for _ in range(3)))).id
            for _ in range(games)
        ]
        with worker(url):
            nudger = Nudger(connect(os.environ["QUEUE_REDIS_URL"]))
            began = time.perf_counter()
            for id in ids:
                nudger.nudge(quiet.game(id))
            _await(lambda: all(quiet.newest(quiet.game(id)).status == "finished" for id in ids))
            seconds = time.perf_counter() - began
        return sum(quiet.newest(quiet.game(id)).version for id in ids) / seconds


if __name__ == "__main__":
    delays = trigger_delays()
    print("trigger ms median", statistics.median(delays), "p99", sorted(delays)[-2])
    late = default_move_delays()
    print("default move ms median", statistics.median(late), "first", min(late), "last", max(late))
    print("bot commits/s", bot_commits_per_second())
    print(set_ups())
