"""Who may do what: every role at every call."""

from dataclasses import dataclass

import pytest

from tests.api.test_views import finished
from tests.service import Client, Service

ROLES = ("nobody", "stranger", "seat", "watcher", "auditor", "admin", "revoked")


@dataclass(frozen=True)
class Table:
    """The games that the roles meet."""

    public: str
    private: str
    waiting: str
    over: str


@pytest.fixture(scope="module")
def people(service: Service) -> dict[str, Client]:
    ada, stranger, admin = service.player("ada"), service.player("stranger"), service.admin()
    keys = {
        "watcher": ada.post("/keys", {"scopes": ["watch"]}).json(),
        "auditor": admin.post("/keys", {"scopes": ["audit"], "player": stranger.player["id"]}).json(),
        "revoked": ada.post("/keys", {}).json(),
    }
    assert ada.delete(f"/keys/{keys['revoked']['id']}").status_code == 204
    made = {role: Client(service.url, key["key"], {}) for role, key in keys.items()}
    return {"nobody": service.nobody(), "stranger": stranger, "seat": ada, "admin": admin, **made}


@pytest.fixture(scope="module")
def table(people: dict[str, Client]) -> Table:
    ada = people["seat"]
    return Table(
        public=ada.started("me", "me", options={"first_seat": 0})["id"],
        private=ada.started("me", "me", visibility="private")["id"],
        waiting=ada.create("open", "open", "open")["id"],
        over=finished(ada),
    )


MOVE = {"type": "take_cards", "faction": "mafia", "count": 0}
WISH = {"ruleset": "catham-city", "seats": ["open", "open"]}
PUBLIC = dict.fromkeys(ROLES, 200) | {"revoked": 401}
PRIVATE = PUBLIC | {"nobody": 404, "stranger": 404}
KEYED = PUBLIC | {"nobody": 401}

# Each call, and the status for each role: nobody, stranger, seat, watcher, auditor, admin, revoked.
CALLS: list[tuple[str, str, object, dict[str, int]]] = [
    ("GET", "/rulesets", None, PUBLIC | {"revoked": 200}),
    ("GET", "/rulesets/catham-city", None, PUBLIC | {"revoked": 200}),
    ("GET", "/rulesets/catham-city/clauses/CC-1", None, PUBLIC | {"revoked": 200}),
    ("POST", "/rulesets/catham-city/positions", {"seats": 2}, PUBLIC | {"revoked": 200}),
    ("GET", "/games", None, PUBLIC),
    ("GET", "/games?mine=true", None, KEYED | {"auditor": 403}),
    ("GET", "/games/{public}", None, PUBLIC),
    ("GET", "/games/{private}", None, PRIVATE),
    ("GET", "/games/{public}/events", None, PUBLIC),
    ("GET", "/games/{private}/events", None, PRIVATE),
    ("GET", "/games/{public}/audit", None, PUBLIC),
    ("GET", "/games/{private}/audit", None, PRIVATE),
    ("GET", "/games/{over}/record", None, PUBLIC),
    ("GET", "/games/{public}/record", None, dict.fromkeys(ROLES, 409) | {"revoked": 401}),
    ("GET", "/games/{public}?seat=1", None, PUBLIC | {"nobody": 403, "stranger": 403, "auditor": 403, "admin": 403}),
    ("GET", "/games/{over}?seat=1", None, PUBLIC),
    (
        "GET",
        "/games/{public}/legal-moves",
        None,
        KEYED | {"stranger": 403, "auditor": 403, "admin": 403},
    ),
    (
        "GET",
        "/games/{private}/legal-moves",
        None,
        KEYED | {"stranger": 404, "auditor": 403, "admin": 403},
    ),
    (
        "POST",
        "/games/{public}/moves",
        MOVE,
        {"nobody": 401, "stranger": 403, "seat": 422, "watcher": 403, "auditor": 403, "admin": 403, "revoked": 401},
    ),
    (
        "POST",
        "/games/{private}/moves",
        MOVE,
        {"nobody": 401, "stranger": 404, "seat": 422, "watcher": 403, "auditor": 403, "admin": 403, "revoked": 401},
    ),
    (
        "POST",
        "/games/{over}/resignation",
        None,
        {"nobody": 401, "stranger": 403, "seat": 403, "watcher": 403, "auditor": 403, "admin": 403, "revoked": 401},
    ),
    (
        "POST",
        "/games/{public}/rulings",
        {"action": "resume", "reason": "why not"},
        {"nobody": 401, "stranger": 403, "seat": 403, "watcher": 403, "auditor": 403, "admin": 409, "revoked": 401},
    ),
    (
        "DELETE",
        "/games/{waiting}/seats/0",
        None,
        {"nobody": 401, "stranger": 403, "seat": 403, "watcher": 403, "auditor": 403, "admin": 403, "revoked": 401},
    ),
    (
        "POST",
        "/games/{waiting}/seats",
        {"seat": 99},
        {"nobody": 401, "stranger": 422, "seat": 422, "watcher": 403, "auditor": 403, "admin": 422, "revoked": 401},
    ),
    (
        "POST",
        "/games",
        WISH,
        {"nobody": 401, "stranger": 201, "seat": 201, "watcher": 403, "auditor": 403, "admin": 201, "revoked": 401},
    ),
    ("GET", "/me", None, KEYED),
    ("GET", "/keys", None, KEYED),
    (
        "POST",
        "/keys",
        {"scopes": ["audit"]},
        {"nobody": 401, "stranger": 403, "seat": 403, "watcher": 403, "auditor": 201, "admin": 201, "revoked": 401},
    ),
    ("DELETE", "/keys/k_none", None, dict.fromkeys(ROLES, 404) | {"nobody": 401, "revoked": 401}),
    ("GET", "/me/events", None, KEYED | {"watcher": 403, "auditor": 403}),
]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("method", "path", "body", "expected"), CALLS, ids=lambda value: str(value)[:40])
def test_a_role_gets_what_it_may(
    people: dict[str, Client],
    table: Table,
    role: str,
    method: str,
    path: str,
    body: object,
    expected: dict[str, int],
) -> None:
    full = path.format(public=table.public, private=table.private, waiting=table.waiting, over=table.over)
    arguments = {} if body is None else {"json": body}
    answer = people[role].call(method, f"/v1{full}", stream=True, **arguments)
    assert answer.status_code == expected[role], answer.text
    if answer.status_code >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json"
    answer.close()
