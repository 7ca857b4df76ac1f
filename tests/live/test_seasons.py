"""Seasons over HTTP: triggers that workers carry out, and answers that arrive at the same time."""

import os
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
import requests

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, set_up
from referee.kernel.seat import REFEREE
from referee.rulesets import LATEST
from tests.clauses import clause
from tests.service import Client, Service
from tests.waiting import eventually

RULES = LATEST["cat-and-fish"]
ROUNDS = 100 if os.environ.get("CAMPAIGN") == "long" else 30


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("seasons"), OPEN_GAMES="0").start()
    yield running
    running.kill()


def commits(client: Client, id: str) -> list[dict]:
    return client.get(f"/games/{id}/events?limit=1000").json()["commits"]


@pytest.fixture(scope="module")
def dues() -> dict:
    """Return a position, reached by random play, in which three seats choose how to pay."""
    for seed in range(500):
        chance = Seeded(f"dues:{seed}")
        position = set_up(RULES, RULES.variants[0], 4, chance)
        while position.phase != "finished":
            awaited = RULES.awaited(position)
            if position.phase == "dues" and len(awaited) >= 3:
                return msgspec.to_builtins(position)
            due = RULES.due(position)
            if due is not None:
                _, position = RULES.play(position, REFEREE, due.move, chance)
                continue
            seat = awaited[0].seat
            moves = legal_moves(RULES, position, seat)
            _, position = RULES.play(position, seat, moves[chance.number("move", 0, len(moves) - 1)], chance)
    raise AssertionError("no random game reached such a position")


def test_a_game_of_bots_has_exactly_27_triggers(service: Service) -> None:
    ada = service.player("ada")
    id = ada.create(*({"bot": "random"} for _ in range(3)), ruleset="cat-and-fish")["id"]
    eventually(lambda: ada.game(id)["status"] == "finished", 120)
    triggers = Counter(commit["move"]["type"] for commit in commits(ada, id) if commit["actor"] == "referee")
    assert triggers == {"set_up": 1, "end_season": 19, "start_year": 4, "award_summoner": 2, "score_game": 1}


@clause("CF-76")
def test_dues_paid_at_the_same_time_are_hidden_and_resolved_once(service: Service, dues: dict) -> None:
    ada = service.player("ada")
    others = [service.player(f"sailor {number}") for number in range(4)]
    payers = [int(seat) for seat in dues["pending"]["seats"] if str(seat) not in dues["pending"]["answers"]]
    first = ada.create(*others, ruleset="cat-and-fish", position=dues)["id"]
    answers = {seat: others[seat].legal(first)["moves"][0] for seat in payers}
    one, two = payers[0], payers[1]
    assert others[one].move(first, answers[one]).status_code == 201
    (commit,) = commits(others[two], first)
    assert set(commit["events"][0]) == {"type", "seat"}

    def pay(id: str, seat: int, start: threading.Barrier) -> requests.Response:
        start.wait()
        return others[seat].move(id, answers[seat])

    with ThreadPoolExecutor(len(payers)) as pool:
        for _ in range(ROUNDS):
            id = ada.create(*others, ruleset="cat-and-fish", position=dues)["id"]
            start = threading.Barrier(len(payers))
            paid = list(pool.map(lambda seat, id=id, start=start: pay(id, seat, start), payers))
            assert [answer.status_code for answer in paid] == [201] * len(payers), [each.text for each in paid]
            types = [event["type"] for commit in commits(ada, id) for event in commit["events"]]
            assert types.count("dues_chosen") == len(payers)
            assert types.count("dues_closed") == 1
