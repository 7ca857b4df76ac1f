"""The stream of what awaits a player misses nothing, whenever the feed joins a channel and whenever a game ends."""

from typing import Any

import msgspec
import pytest

from referee.service import nudges
from referee.service.inbox import Inboxes, last_message
from referee.service.lobby import NewGame, create
from referee.service.moves import act
from referee.service.players import Caller
from referee.service.repository import Repository
from referee.store.channels import player_channel
from referee.store.feed import Feed, Heard, Joined
from referee.table.moves import Resign
from referee.wiring import connect
from tests.waiting import eventually
from tests.workers.conftest import caller


class SlowFeed(Feed):
    """A feed that joins the player's channel when the test calls `join`, and hears nothing."""

    def listen(self, channel: str, heard: Heard, joined: Joined | None = None) -> None:
        if channel.startswith(player_channel("")):
            assert joined is not None
            self.join = joined


class Messages:
    """Records the event, game and version of each message that is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, int]] = []

    def send(self, data: bytes) -> bool:
        event, message = msgspec.json.decode(data, type=tuple[str, dict[str, Any]])
        self.sent.append((event, message["game"], message["version"]))
        return True


def written(id: str, event: str, data: bytes) -> bytes:
    return msgspec.json.encode((event, msgspec.Raw(data)))


def begun(repository: Repository, player: Caller) -> str:
    """A running game that ends when a seat resigns."""
    new_game = NewGame(ruleset="catham-city", seats=("me", "me"), options={"first_seat": 0}, on_resignation="end")
    id = create(repository, player, new_game).id
    nudges.run(repository, id)
    return id


def end(repository: Repository, id: str) -> None:
    """Resign, and let a worker store the end."""
    act(repository, repository.game(id), 0, Resign())
    nudges.run(repository, id)


@pytest.fixture
def ada(quiet_repository: Repository) -> Caller:
    return caller(quiet_repository)


@pytest.fixture
def feed(redis_url: str) -> SlowFeed:
    return SlowFeed(connect(redis_url))


def reconnected(repository: Repository, feed: Feed, player: Caller, last: str) -> Messages:
    messages = Messages()
    Inboxes(repository, feed).open(player.player or "", messages.send, written, last_message(repository, player, last))
    return messages


def test_a_game_that_ends_before_the_channel_is_joined_is_reported(
    quiet_repository: Repository, feed: SlowFeed, ada: Caller
) -> None:
    id = begun(quiet_repository, ada)
    messages = reconnected(quiet_repository, feed, ada, f"{id}:1")
    end(quiet_repository, id)
    feed.join()
    assert messages.sent == [("finished", id, 2)]


def test_a_game_that_ends_while_the_lists_are_read_is_reported(
    quiet_repository: Repository, feed: SlowFeed, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = begun(quiet_repository, ada)
    games = quiet_repository.directory.games

    def games_of_a_moment(name: str, before: tuple[int, str] | None, count: int) -> list[tuple[int, str]]:
        found = games(name, before, count)
        monkeypatch.undo()
        end(quiet_repository, id)
        return found

    messages = reconnected(quiet_repository, feed, ada, f"{id}:1")
    monkeypatch.setattr(quiet_repository.directory, "games", games_of_a_moment)
    feed.join()
    assert messages.sent == [("finished", id, 2)]


def test_a_game_that_is_leaving_the_list_of_open_games_is_reported(
    quiet_repository: Repository, feed: SlowFeed, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = begun(quiet_repository, ada)
    take_off = quiet_repository.directory.unlist_game
    messages = reconnected(quiet_repository, feed, ada, f"{id}:1")

    def take_off_and_join(game: str, lists: list[str]) -> None:
        take_off(game, lists)
        feed.join()

    monkeypatch.setattr(quiet_repository.directory, "unlist_game", take_off_and_join)
    end(quiet_repository, id)
    assert messages.sent == [("finished", id, 2)]


def test_a_game_that_began_and_ended_while_the_connection_was_lost_is_reported_once(
    quiet_repository: Repository, feed: SlowFeed, ada: Caller
) -> None:
    first = begun(quiet_repository, ada)
    messages = reconnected(quiet_repository, feed, ada, f"{first}:1")
    end(quiet_repository, first)
    feed.join()
    second = begun(quiet_repository, ada)
    end(quiet_repository, second)
    for _ in range(2):
        feed.join()
    assert messages.sent == [("finished", first, 2), ("finished", second, 2)]


def test_the_end_in_the_last_message_is_not_reported_again(
    quiet_repository: Repository, feed: SlowFeed, ada: Caller
) -> None:
    ids = [begun(quiet_repository, ada) for _ in range(2)]
    for id in ids:
        end(quiet_repository, id)
    messages = reconnected(quiet_repository, feed, ada, f"{ids[0]}:2")
    feed.join()
    assert messages.sent == [("finished", ids[1], 2)]


def test_an_end_that_is_not_stored_yet_is_not_reported_again(
    quiet_repository: Repository, ada: Caller, redis_url: str
) -> None:
    feed = Feed(connect(redis_url))
    over, running = begun(quiet_repository, ada), begun(quiet_repository, ada)
    act(quiet_repository, quiet_repository.game(over), 0, Resign())
    messages = reconnected(quiet_repository, feed, ada, f"{over}:2")
    eventually(lambda: messages.sent)
    end(quiet_repository, running)
    eventually(lambda: len(messages.sent) > 1)
    assert messages.sent == [("awaited", running, 1), ("finished", running, 2)]
    feed.stop()
