"""Every role makes every call."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta

import pytest

from referee.api.routing import ENDPOINTS
from referee.rulesets import LATEST
from tests.api.roles import ROLES, ROWS, Row
from tests.service import Client, Service
from tests.waiting import eventually


@dataclass(frozen=True)
class Table:
    """The games that the roles use, a player and a key that are not theirs, and an edition."""

    public: str
    private: str
    waiting: str
    hidden: str
    over: str
    key: str
    player: str
    edition: str = LATEST["catham-city"].edition_hash


def with_key(owner: Client, **fields: object) -> tuple[Client, str]:
    """Make another key of a player, and return a client with it and its id."""
    created = owner.post("/keys", fields)
    assert created.status_code == 201, created.text
    return Client(owner.url, created.json()["key"], owner.player), created.json()["id"]


def privileged(root: Client, scope: str) -> Client:
    """Return a client with a key that has only this scope and is not the first key of its player."""
    created = root.post("/players", {"name": scope, "scopes": [scope]}).json()
    return with_key(Client(root.url, created["key"], created["player"]), scopes=[scope])[0]


def resigned_game(player: Client) -> str:
    """Return a game that its player ended by resigning."""
    id = player.started("me", "me", on_resignation="end")["id"]
    assert player.post(f"/games/{id}/resignation").status_code == 201
    return id


@pytest.fixture(scope="module")
def people(service: Service) -> dict[str, Client]:
    ada, stranger = (service.player(name) for name in ("ada", "stranger"))
    stranger.started("me", "me")
    root = service.admin()
    soon = datetime.now(UTC) + timedelta(seconds=1)
    created = {
        "watcher": with_key(ada, scopes=["watch"])[0],
        "spectator": with_key(stranger, scopes=["watch"])[0],
        "auditor": privileged(root, "audit"),
        "admin": privileged(root, "admin"),
        "expired": with_key(ada, expires_at=soon.isoformat())[0],
    }
    created["revoked"], id = with_key(ada)
    assert ada.delete(f"/keys/{id}").status_code == 204
    eventually(lambda: created["expired"].get("/me").status_code == 401)
    return {"nobody": service.nobody(), "stranger": stranger, "seat": ada, **created}


@pytest.fixture(scope="module")
def table(service: Service, people: dict[str, Client]) -> Table:
    ada = people["seat"]
    host = service.player("host")
    return Table(
        public=ada.started("me", "me", options={"first_seat": 0})["id"],
        private=ada.started("me", "me", visibility="private", options={"first_seat": 0})["id"],
        waiting=host.create("me", "open", "open")["id"],
        hidden=ada.create("me", "open", "open", visibility="private", join_code="open sesame")["id"],
        over=resigned_game(ada),
        key=host.get("/keys").json()["keys"][0]["id"],
        player=service.player("forgetful").player["id"],
    )


def test_every_call_is_in_the_table() -> None:
    assert {row.call for row in ROWS} == {call.name for call in ENDPOINTS}
    assert all(set(row.statuses) == set(ROLES) for row in ROWS)


def test_every_row_makes_the_call_that_it_names() -> None:
    methods = {call.name: call.method for call in ENDPOINTS}
    assert [row.call for row in ROWS if row.method != methods[row.call]] == []


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("row", [pytest.param(row, id=f"{row.call}-{row.path}") for row in ROWS])
def test_a_role_gets_the_status_in_the_table(people: dict[str, Client], table: Table, role: str, row: Row) -> None:
    arguments = {} if row.body is None else {"json": row.body}
    answer = people[role].call(row.method, row.path.format(**asdict(table)), stream=True, **arguments)
    assert answer.status_code == row.statuses[role], answer.text
    if answer.status_code >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json"
    answer.close()
