"""A process that made the commits and one that read them from the log return the same answers."""

import random

import pytest

from referee.api.context import EXTENSION
from referee.app import create_app
from referee.rulesets import LATEST
from referee.settings import Settings
from tests.api.world import UNLIMITED, World

MOVES = 150


@pytest.mark.parametrize("slug", LATEST)
def test_two_processes_return_the_same_bytes(world: World, slug: str) -> None:
    url = f"unix://{world.redis.connection_pool.connection_kwargs['path']}"
    other = create_app(Settings(redis_url=url, log_level="CRITICAL", **UNLIMITED))
    forgetful = other.extensions[EXTENSION].repository.states
    key = {"Authorization": f"Bearer {world.ada}"}
    game = world.game(world.ada, ruleset=slug, seats=["me"] * LATEST[slug].seats.start)
    rng = random.Random(slug)
    for number in range(MOVES):
        found = world.get(f"/v1/games/{game}", world.ada).get_json()
        if found["status"] == "finished":
            break
        seat = rng.choice(found["awaited"])["seat"]
        moves = world.get(f"/v1/games/{game}/legal-moves?seat={seat}", world.ada).get_json()["moves"]
        call = {"path": f"/v1/games/{game}/moves?seat={seat}", "json": rng.choice(moves)}
        headers = {**key, "Idempotency-Key": str(number)}
        first = world.post(call["path"], world.ada, json=call["json"], headers={"Idempotency-Key": str(number)})
        assert first.status_code == 201
        forgetful.forget(game)
        again = other.test_client().post(call["path"], json=call["json"], headers=headers)
        assert again.data == first.data
        for path in (f"/v1/games/{game}", f"/v1/games/{game}/legal-moves?seat={seat}"):
            assert other.test_client().get(path, headers=key).data == world.get(path, world.ada).data, path
        world.nudge(game)
