"""Seasons over HTTP: triggers carried out by workers, and answers that arrive at the same instant."""

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
ROUNDS = 100


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("seasons"), OPEN_GAMES="0").start()
    yield running
    running.kill()


def commits(client: Client, id: str) -> list[dict]:
    return client.get(f"/games/{id}/events?limit=1000").json()["commits"]


@pytest.fixture(scope="module")
def dues() -> dict:
    """A position in which three seats choose how to pay, reached by random play."""
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
    raise AssertionError("no random game came to such dues")


def test_a_game_of_bots_runs_through_exactly_27_triggers(service: Service) -> None:
    ada = service.player("ada")
    id = ada.create(*({"bot": "random"} for _ in range(3)), ruleset="cat-and-fish")["id"]
    eventually(lambda: ada.game(id)["status"] == "finished", 120)
    triggers = Counter(commit["move"]["type"] for commit in commits(ada, id) if commit["actor"] == "referee")
    assert triggers == {"set_up": 1, "end_season": 19, "start_year": 4, "award_summoner": 2, "score_game": 1}


@clause("CF-76")
def test_dues_paid_at_the_same_instant_are_hidden_and_resolved_once(service: Service, dues: dict) -> None:
    ada = service.player("ada")
    others = [service.player(f"sailor {number}") for number in range(4)]
    asked = [int(seat) for seat in dues["pending"]["seats"] if str(seat) not in dues["pending"]["answers"]]
    first = ada.create(*others, ruleset="cat-and-fish", position=dues)["id"]
    answers = {seat: others[seat].legal(first)["moves"][0] for seat in asked}
    one, two = asked[0], asked[1]
    assert others[one].move(first, answers[one]).status_code == 201
    (seen,) = commits(others[two], first)
    assert set(seen["events"][0]) == {"type", "seat"}

    def pay(id: str, seat: int, start: threading.Barrier) -> requests.Response:
        start.wait()
        return others[seat].move(id, answers[seat])

    with ThreadPoolExecutor(len(asked)) as pool:
        for _ in range(ROUNDS):
            id = ada.create(*others, ruleset="cat-and-fish", position=dues)["id"]
            start = threading.Barrier(len(asked))
            paid = list(pool.map(lambda seat, id=id, start=start: pay(id, seat, start), asked))
            assert [answer.status_code for answer in paid] == [201] * len(asked), [each.text for each in paid]
            told = [event["type"] for commit in commits(ada, id) for event in commit["events"]]
            assert told.count("dues_chosen") == len(asked)
            assert told.count("dues_closed") == 1
