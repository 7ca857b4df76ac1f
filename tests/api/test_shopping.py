"""Shopping for luck on a service: an operator who reads the store sits last, and wishes for a six.

The operator reads seeds, and nonces as soon as they are there, and sends its own when it likes. Every game begins at
a position in which the dice are rolled next.
"""

import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from referee.audit.record import read_record
from referee.audit.verify import audit
from referee.kernel.canon import plain
from referee.kernel.chance import Derived, Seeded
from referee.kernel.judge import legal_moves, set_up
from referee.rulesets import LATEST
from referee.service import nudges
from referee.service.repository import now_ms
from referee.service.sealing import look_after_revealing
from referee.table.record import seal_of
from tests.api.house import House
from tests.redis_server import RedisServer

TITLE = "explorers-and-pirates"
ROLL = {"type": "roll_dice"}
WISHES = 24


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    server = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield House(server, tmp_path_factory.mktemp("log"))
    server.stop()


@pytest.fixture(scope="module")
def position() -> dict[str, Any]:
    """A position in which a seat may roll the dice."""
    rules, luck = LATEST[TITLE], Seeded("shopping")
    position = set_up(rules, rules.variants[0], 2, luck)
    while True:
        seat = rules.awaited(position)[0].seat
        moves = legal_moves(rules, position, seat)
        if ROLL in map(plain, moves):
            found: dict[str, Any] = plain(position)
            return found
        _, position = rules.play(position, seat, moves[0], luck)


class Table:
    """A table of ada, at which the operator, as bob, sits last."""

    def __init__(self, house: House, position: dict[str, Any], **ada: str) -> None:
        self.house = house
        fields = {"ruleset": TITLE, "seats": ["open", "open"], "position": position, "on_resignation": "end"}
        self.id = str(house.call("POST", "/v1/games", house.ada, json=fields).get_json()["id"])
        self.secret = house.repository.game(self.id).secret
        self.sealed = secrets.token_hex(32)
        self.sit(house.ada, **(ada or {"seal": seal_of(self.id, self.sealed)}))

    def sit(self, key: str, **fields: str) -> None:
        assert self.house.call("POST", f"/v1/games/{self.id}/seats", key, json=fields).status_code == 201

    def reveal(self, key: str, seat: int, link: str) -> None:
        path = f"/v1/games/{self.id}/seats/{seat}/reveal"
        assert self.house.call("POST", path, key, json={"link": link}).status_code == 200

    def foreseen(self, nonces: tuple[str, str]) -> int:
        """The first die, as the operator computes it from the store."""
        return Derived(self.secret.chance_key(nonces), 0).dice("roll_dice", 2)[0]

    def nonce_for_a_six(self, adas: str) -> str:
        """The operator tries nonces until the first die is a six, if this is the nonce of ada."""
        while self.foreseen((adas, nonce := secrets.token_hex(32))) != 6:
            pass
        return nonce

    def roll(self) -> int:
        """Let the game begin, and roll the dice; returns the first die."""
        nudges.run(self.house.repository, self.id)
        game = self.house.call("GET", f"/v1/games/{self.id}", self.house.ada).get_json()
        seat = game["awaited"][0]["seat"]
        key = (self.house.ada, self.house.bob)[seat]
        made = self.house.move(self.id, seat, ROLL, key)
        assert made.status_code == 201, made.text
        rolled = next(event for event in made.get_json()["events"] if "dice" in event)
        return int(rolled["dice"][0])

    def is_proved(self) -> bool:
        resigned = self.house.call("POST", f"/v1/games/{self.id}/resignation", self.house.ada)
        assert resigned.status_code == 201
        record = self.house.call("GET", f"/v1/games/{self.id}/record", self.house.ada).data
        return audit(read_record(record.splitlines(keepends=True))).verdict == "proved"


def test_at_a_plain_table_the_operator_rolls_a_six_whenever_it_wishes_and_no_audit_sees_it(
    house: House, position: dict[str, Any]
) -> None:
    for _ in range(5):
        table = Table(house, position, nonce="a" * 64)
        table.sit(house.bob, nonce=table.nonce_for_a_six("a" * 64))
        assert table.roll() == 6
    assert table.is_proved()


def test_at_a_sealed_table_the_operator_rolls_what_comes_or_annuls_games_for_everybody_to_count(
    house: House, position: dict[str, Any]
) -> None:
    """The operator prepares a six for a nonce that it guesses, sees ada's nonce first, and reveals only for a six."""
    wishes, annulled = 0, 0
    for _ in range(WISHES):
        table = Table(house, position)
        own = table.nonce_for_a_six(secrets.token_hex(32))
        table.sit(house.bob, seal=seal_of(table.id, own))
        table.reveal(house.ada, 0, table.sealed)
        if table.foreseen((table.sealed, own)) == 6:
            table.reveal(house.bob, 1, own)
            assert wishes or table.roll() == 6
            wishes += 1
        else:
            look_after_revealing(house.repository, house.repository.game(table.id), now_ms() + 200_000)
            annulled += 1
    assert wishes + annulled == WISHES
    assert wishes < 2 / 3 * WISHES, "one in six: two thirds of them come once in ten million runs"
    listed = house.call("GET", "/v1/games?status=annulled&limit=100", None).get_json()["games"]
    assert len(listed) == annulled
    me = house.call("GET", "/v1/me", house.bob).get_json()["player"]["id"]
    counted = house.call("GET", f"/v1/players/{me}", None).get_json()["reveals"]
    assert counted == {"sealed": WISHES, "missed": annulled}
