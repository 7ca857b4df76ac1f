"""Workers: how soon triggers and lapses follow, and how fast bots play."""

import json
import os
import statistics
import time
from typing import NamedTuple
from urllib.request import Request, urlopen

from msgspec.structs import replace

from bench.games import make_player, open_desk
from bench.stack import redis, sweep, web, worker
from referee.kernel.moment import milliseconds
from referee.log.redis_log import RedisLog
from referee.service import nudges
from referee.service.desk import Desk
from referee.service.games import Wish, create
from referee.service.players import SCOPES
from referee.service.state import read_commit
from referee.wiring import connect
from workers.packing import Nudger


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
            raise TimeoutError("the workers do not get on")
        time.sleep(0.002)


def commits(desk: Desk, id: str) -> list:
    game = desk.game(id)
    log = desk.log
    assert isinstance(log, RedisLog)
    found, after = [], 0
    while entries := log.read(id, after):
        found += [read_commit(game, entry) for entry in entries]
        after = entries[-1].version
    return found


def trigger_delays(samples: int = 100) -> list[float]:
    """Milliseconds from the move that made `resolve_answers` due to its commit, one game after the other."""
    delays = []
    with redis() as url, web(url, "wsgi:app") as port, worker(url):
        desk = open_desk(url)
        caller, key = make_player(desk)
        fresh = _post(
            port, "/v1/rulesets/catham-city/positions", key, {"seats": 2, "options": {"first_seat": 0}, "seed": "b"}
        )
        position = with_detectives(fresh["position"])
        for _ in range(samples):
            game = create(desk, caller, Wish(ruleset="catham-city", seats=("me", "me"), position=position))
            _post(port, f"/v1/games/{game.id}/moves?seat=0", key, {"type": "play_detectives", "extra": "mafia"})
            _post(port, f"/v1/games/{game.id}/moves?seat=1", key, {"type": "decline"})
            _await(lambda game=game: len(desk.log.read(game.id, 0)) == 3)
            _, asked, resolved = commits(desk, game.id)
            delays.append(milliseconds(resolved.at) - milliseconds(asked.at))
    return delays


def with_detectives(position: dict) -> dict:
    """The same cards, with three detectives and a mafia in the hand of seat 0."""
    hand = position["seats"][0]["hand"]
    for faction, count in (("detective", 3), ("mafia", 1)):
        while hand[faction] < count:
            spare = next(f for f in hand if hand[f] > (3 if f == "detective" else 1 if f == "mafia" else 0))
            at = position["draw_pile"].index(faction)
            position["draw_pile"][at] = spare
            hand[spare] -= 1
            hand[faction] += 1
    return position


def lapse_delays(games: int = 50, lapses: int = 4) -> list[int]:
    """Milliseconds from the deadline of a decision to the commit of its safe default, while bots keep a worker busy."""
    delays: list[int] = []
    with redis() as url, worker(url, "nudges"), worker(url, "quick-bots"), worker(url, "bots"), sweep(url):
        desk = open_desk(url)
        nudger = Nudger(connect(os.environ["QUEUE_REDIS_URL"]))
        desk.nudge = lambda id: nudger.nudge(desk.game(id))
        caller, _ = make_player(desk)
        create(desk, caller, Wish(ruleset="explorers-and-pirates", seats=tuple({"bot": "search"} for _ in range(4))))
        wish = Wish(ruleset="catham-city", seats=("me", "me"), clock={"decision_s": 1, "lapses": 100})
        ids = [create(desk, caller, wish).id for _ in range(games)]
        _await(lambda: all(desk.newest(desk.game(id)).version > lapses for id in ids))
        for id in ids:
            lapsed = [commit for commit in commits(desk, id) if commit.cause and "deadline" in commit.cause]
            delays += [milliseconds(each.at) - milliseconds(each.cause["deadline"]) for each in lapsed[:lapses]]
    return delays


class SetUps(NamedTuple):
    """How fast many games are set up that start at once."""

    per_second: float
    bare_per_second: float
    """The same work in a bare loop, without queue, worker and sweep."""
    jobs: int


def set_ups(games: int = 3000) -> SetUps:
    """Games that an admin's key starts at once, set up by one worker while the sweep looks on."""
    with redis() as url:
        desk = open_desk(url)
        admin = replace(make_player(desk)[0], scopes=SCOPES)
        wish = Wish(ruleset="catham-city", seats=("me", "me"))
        bare = [create(desk, admin, wish).id for _ in range(games)]
        began = time.perf_counter()
        for id in bare:
            nudges.run(desk, id)
        bare_s = time.perf_counter() - began
        ids = [create(desk, admin, wish).id for _ in range(games)]
        queues = connect(os.environ["QUEUE_REDIS_URL"])
        nudger = Nudger(queues)
        for id in ids:
            nudger.nudge(desk.game(id))
        with worker(url, "nudges"), sweep(url):
            _await(lambda: all(desk.log.length(id) for id in ids))
        times = [milliseconds(commits(desk, id)[0].at) for id in ids]
        jobs = queues.info("commandstats")["cmdstat_rpush"]["calls"]
        return SetUps(games / (max(times) - min(times) + 1) * 1000, games / bare_s, jobs)


def bot_commits_per_second(games: int = 20) -> float:
    """Commits a second of games of random bots through one worker process."""
    with redis() as url:
        quiet = open_desk(url)
        caller, _ = make_player(quiet)
        ids = [
            create(quiet, caller, Wish(ruleset="catham-city", seats=tuple({"bot": "random"} for _ in range(3)))).id
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
    lapses = lapse_delays()
    print("lapse ms median", statistics.median(lapses), "first", min(lapses), "last", max(lapses))
    print("bot commits/s", bot_commits_per_second())
    print(set_ups())
