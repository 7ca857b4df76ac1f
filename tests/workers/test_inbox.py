"""What awaits a player: nothing is missed, whenever the feed has joined a channel and whenever a game ends."""

from typing import Any

import msgspec
import pytest

from referee.kernel.table import Resign
from referee.log.feed import Feed, Heard, Joined, player_channel
from referee.service import nudges
from referee.service.desk import Desk
from referee.service.games import Wish, create
from referee.service.inbox import Inboxes, last_message
from referee.service.players import Caller
from referee.service.table import act
from referee.wiring import connect
from tests.waiting import eventually
from tests.workers.conftest import caller


class SlowFeed(Feed):
    """Joins the player's channel when the test says so, and hears nothing."""

    def listen(self, channel: str, heard: Heard, joined: Joined | None = None) -> None:
        if channel.startswith(player_channel("")):
            assert joined is not None
            self.join = joined


class Messages:
    """Notes the messages that it is sent: event, game and version of each."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, int]] = []

    def send(self, data: bytes) -> bool:
        event, message = msgspec.json.decode(data, type=tuple[str, dict[str, Any]])
        self.told.append((event, message["game"], message["version"]))
        return True


def written(id: str, event: str, data: bytes) -> bytes:
    return msgspec.json.encode((event, msgspec.Raw(data)))


def begun(desk: Desk, player: Caller) -> str:
    """A game that one's concession ends."""
    wish = Wish(ruleset="catham-city", seats=("me", "me"), options={"first_seat": 0}, on_resignation="end")
    id = create(desk, player, wish).id
    nudges.run(desk, id)
    return id


def end(desk: Desk, id: str) -> None:
    """Concede, and have the end noted."""
    act(desk, desk.game(id), 0, Resign())
    nudges.run(desk, id)


@pytest.fixture
def ada(quiet_desk: Desk) -> Caller:
    return caller(quiet_desk)


@pytest.fixture
def feed(redis_url: str) -> SlowFeed:
    return SlowFeed(connect(redis_url))


def reconnected(desk: Desk, feed: Feed, player: Caller, last: str) -> Messages:
    messages = Messages()
    Inboxes(desk, feed).open(player.player or "", messages.send, written, last_message(desk, player, last))
    return messages


def test_a_game_that_ends_before_the_channel_is_joined_is_told_of(
    quiet_desk: Desk, feed: SlowFeed, ada: Caller
) -> None:
    id = begun(quiet_desk, ada)
    messages = reconnected(quiet_desk, feed, ada, f"{id}:1")
    end(quiet_desk, id)
    feed.join()
    assert messages.told == [("finished", id, 2)]


def test_a_game_that_ends_while_the_lists_are_read_is_told_of(
    quiet_desk: Desk, feed: SlowFeed, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = begun(quiet_desk, ada)
    games = quiet_desk.directory.games

    def games_of_a_moment(name: str, before: tuple[int, str] | None, count: int) -> list[tuple[int, str]]:
        found = games(name, before, count)
        monkeypatch.undo()
        end(quiet_desk, id)
        return found

    messages = reconnected(quiet_desk, feed, ada, f"{id}:1")
    monkeypatch.setattr(quiet_desk.directory, "games", games_of_a_moment)
    feed.join()
    assert messages.told == [("finished", id, 2)]


def test_a_game_that_is_being_taken_off_the_open_ones_is_told_of(
    quiet_desk: Desk, feed: SlowFeed, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = begun(quiet_desk, ada)
    take_off = quiet_desk.directory.unlist_game
    messages = reconnected(quiet_desk, feed, ada, f"{id}:1")

    def take_off_and_join(game: str, lists: list[str]) -> None:
        take_off(game, lists)
        feed.join()

    monkeypatch.setattr(quiet_desk.directory, "unlist_game", take_off_and_join)
    end(quiet_desk, id)
    assert messages.told == [("finished", id, 2)]


def test_a_game_that_began_and_ended_while_the_connection_was_lost_is_told_of_once(
    quiet_desk: Desk, feed: SlowFeed, ada: Caller
) -> None:
    first = begun(quiet_desk, ada)
    messages = reconnected(quiet_desk, feed, ada, f"{first}:1")
    end(quiet_desk, first)
    feed.join()
    second = begun(quiet_desk, ada)
    end(quiet_desk, second)
    for _ in range(2):
        feed.join()
    assert messages.told == [("finished", first, 2), ("finished", second, 2)]


def test_the_end_that_the_last_message_told_of_is_not_told_again(quiet_desk: Desk, feed: SlowFeed, ada: Caller) -> None:
    ids = [begun(quiet_desk, ada) for _ in range(2)]
    for id in ids:
        end(quiet_desk, id)
    messages = reconnected(quiet_desk, feed, ada, f"{ids[0]}:2")
    feed.join()
    assert messages.told == [("finished", ids[1], 2)]


def test_an_end_that_is_not_noted_yet_is_not_told_again_either(quiet_desk: Desk, ada: Caller, redis_url: str) -> None:
    feed = Feed(connect(redis_url))
    over, running = begun(quiet_desk, ada), begun(quiet_desk, ada)
    act(quiet_desk, quiet_desk.game(over), 0, Resign())
    messages = reconnected(quiet_desk, feed, ada, f"{over}:2")
    eventually(lambda: messages.told)
    end(quiet_desk, running)
    eventually(lambda: len(messages.told) > 1)
    assert messages.told == [("awaited", running, 1), ("finished", running, 2)]
    feed.stop()
