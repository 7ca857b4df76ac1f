"""Keys that are made with keys: a child has no more scopes than its parent, expires no later and is revoked with it."""

import threading
from datetime import UTC, datetime, timedelta
from itertools import chain, combinations
from typing import Any

import pytest

from referee.service import players
from referee.service.players import Caller, Keyring
from referee.service.problems import Problem
from referee.store.channels import REVOKED
from tests.api.world import World
from tests.service import Client, Service
from tests.waiting import eventually

GRANTED = {
    "play": {"play", "watch"},
    "watch": {"watch"},
    "audit": {"audit"},
    "admin": {"play", "watch", "audit", "admin"},
}
"""What each scope includes."""

SCOPE_SETS = [list(some) for some in chain.from_iterable(combinations(GRANTED, count) for count in (1, 2, 4))]


class Branch(Client):
    """A client with a key of the tree, and the id of the key."""

    id: str

    def child(self, **fields: Any) -> "Branch":
        """Return a client with a key that is made with this key."""
        created = self.post("/keys", fields)
        assert created.status_code == 201, created.text
        return branch(self.url, created.json()["key"], self.player)

    def is_good(self) -> bool:
        """Whether all processes of the service accept the key."""
        statuses = {Client(self.url, self.key, {}).get("/me").status_code for _ in range(6)}
        assert statuses <= {200, 401}
        return statuses == {200}


def branch(url: str, key: str, player: dict[str, Any]) -> Branch:
    created = Branch(url, key, player)
    created.id = key[3:].rpartition("_")[0]
    return created


def first_key(service: Service, name: str = "ada") -> Branch:
    player = service.player(name)
    return branch(service.url, str(player.key), player.player)


class Tree:
    """The keys of a player, as a tree."""

    def __init__(self, service: Service) -> None:
        self.first = first_key(service)
        self.phone = self.first.child(label="phone")
        self.watch = self.phone.child(scopes=["watch"], label="watch")
        self.screen = self.watch.child(scopes=["watch"], label="screen")
        self.bot = self.first.child(label="bot")
        self.parents: dict[str, str | None] = {
            "first": None,
            "phone": "first",
            "watch": "phone",
            "screen": "watch",
            "bot": "first",
        }

    def __getitem__(self, name: str) -> Branch:
        found: Branch = getattr(self, name)
        return found

    def below(self, name: str) -> set[str]:
        """Return a key and all keys made with it."""
        found = {name}
        while more := {child for child, parent in self.parents.items() if parent in found} - found:
            found |= more
        return found

    def good(self) -> set[str]:
        return {name for name in self.parents if self[name].is_good()}


NAMES = ("first", "phone", "watch", "screen", "bot")


@pytest.fixture
def tree(service: Service) -> Tree:
    return Tree(service)


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("by", NAMES)
def test_a_key_revokes_itself_and_the_keys_made_with_it_only(service: Service, by: str, target: str) -> None:
    tree = Tree(service)
    answer = tree[by].delete(f"/keys/{tree[target].id}")
    if target in tree.below(by):
        assert answer.status_code == 204
        left = set(NAMES) - tree.below(target)
        eventually(lambda: tree.good() == left)
        for name in left:
            listed = {key["id"] for key in tree[name].get("/keys").json()["keys"]}
            assert listed == {tree[other].id for other in left}
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "not-your-key")
        assert tree.good() == set(NAMES)


def test_another_player_cannot_revoke_a_key(tree: Tree, service: Service, admin: Client) -> None:
    for stranger in (first_key(service, "eve"), admin):
        for name in NAMES:
            answer = stranger.delete(f"/keys/{tree[name].id}")
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown-key")
    assert service.nobody().delete(f"/keys/{tree.bot.id}").status_code == 401
    assert tree.first.delete("/keys/self").status_code == 404
    assert tree.good() == set(NAMES)


def test_streams_and_long_polls_end_when_the_parent_of_their_key_is_revoked(tree: Tree) -> None:
    game = tree.first.started("me", "me", options={"first_seat": 0})["id"]
    streams = [tree[name].stream(f"/games/{game}/events") for name in ("screen", "watch", "phone")]
    streams.append(tree.phone.stream("/me/events"))
    others = [tree.bot.stream("/me/events"), tree.first.stream(f"/games/{game}/events")]
    for stream in (*streams, *others):
        stream.await_messages(1)
    assert tree.first.delete(f"/keys/{tree.phone.id}").status_code == 204
    eventually(lambda: not any(stream.is_open() for stream in streams))
    assert all(stream.is_open() for stream in others)
    for stream in others:
        stream.close()


def scopes_of(client: Client) -> set[str]:
    found: set[str] = set().union(*(GRANTED[scope] for scope in client.get("/me").json()["key"]["scopes"]))
    return found


@pytest.mark.parametrize("scopes", SCOPE_SETS, ids="+".join)
def test_a_key_has_no_more_scopes_than_its_parent(admin: Client, scopes: list[str]) -> None:
    owner = admin.post("/players", {"name": "root", "scopes": list(GRANTED)}).json()
    parent = branch(admin.url, owner["key"], owner["player"]).child(scopes=scopes)
    for wanted in SCOPE_SETS:
        answer = parent.post("/keys", {"scopes": wanted})
        allowed = set(wanted) <= scopes_of(parent)
        assert answer.status_code == (201 if allowed else 403), (scopes, wanted)
        if allowed:
            assert scopes_of(Client(admin.url, answer.json()["key"], {})) <= scopes_of(parent)


def at(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def expiry(client: Client) -> datetime:
    return datetime.fromisoformat(client.get("/me").json()["key"]["expires_at"])


def test_a_key_expires_no_later_than_its_parent(tree: Tree) -> None:
    parent = tree.first.child(expires_at=at(1000))
    same, grandchild = parent.child(), parent.child().child()
    assert expiry(same) == expiry(grandchild) == expiry(parent)
    assert expiry(parent.child(expires_at=at(500))) < expiry(parent)
    for seconds in (1001, 10**8):
        answer = parent.post("/keys", {"expires_at": at(seconds)})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["expires_at"])
    short = parent.child(expires_at=at(2))
    child = short.child()
    assert child.is_good()
    eventually(lambda: not child.is_good())
    assert child.get("/me").json()["code"] == "key-expired"
    assert child.post("/keys", {}).status_code == 401


def test_the_ids_of_all_revoked_keys_are_published(world: World) -> None:
    first = Keyring(world.repository, 0.5).caller(world.player("ada"))
    created = [players.make_key(world.repository, first, ("play", "watch"), None, "")[0]]
    for _ in range(3):
        above = Caller(first.player, key=created[-1].id, scopes=("play", "watch"))
        created.append(players.make_key(world.repository, above, ("watch",), None, "")[0])
    heard = world.redis.pubsub(ignore_subscribe_messages=True)
    heard.subscribe(REVOKED)
    heard.get_message(timeout=5)
    players.revoke(world.repository, first, created[1].id)
    messages = [heard.get_message(timeout=5) for _ in range(3)]
    assert {message["data"].decode() for message in messages if message} == {key.id for key in created[1:]}
    assert {key.id for key in world.repository.directory.keys_of(str(first.player))} == {first.key, created[0].id}


def test_no_key_survives_its_parent_in_a_race(world: World) -> None:
    for _ in range(20):
        first = Keyring(world.repository, 0.5).caller(world.player("ada"))
        parent, _text = players.make_key(world.repository, first, ("play", "watch"), None, "")
        makers = [threading.Thread(target=make_until_refused, args=(world, parent.player, parent.id)) for _ in range(3)]
        for maker in makers:
            maker.start()
        eventually(lambda first=first: len(world.repository.directory.keys_of(str(first.player))) > 5)
        players.revoke(world.repository, first, parent.id)
        for maker in makers:
            maker.join(20)
            assert not maker.is_alive()
        assert [key.id for key in world.repository.directory.keys_of(parent.player)] == [first.key]


def make_until_refused(world: World, player: str, key: str) -> None:
    """Make keys, each with the one before, like a process that still trusts the first of them."""
    caller = Caller(player, key=key, scopes=("play", "watch"))
    try:
        while True:
            created, _ = players.make_key(world.repository, caller, ("play", "watch"), None, "")
            players.make_key(
                world.repository, Caller(player, key=created.id, scopes=("play", "watch")), ("watch",), None, ""
            )
    except Problem as problem:
        assert problem.code == "key-unknown"


def test_listing_the_keys_of_a_player_takes_one_round_trip(world: World) -> None:
    first = Keyring(world.repository, 0.5).caller(world.player("ada"))
    for _ in range(20):
        players.make_key(world.repository, first, ("watch",), None, "")

    def commands() -> int:
        return int(world.redis.info("stats")["total_commands_processed"])

    before = commands()
    assert len(world.repository.directory.keys_of(str(first.player))) == 21
    # `INFO` itself is a command.
    assert commands() - before == 2
