"""A process that remembers what the log has lost must neither show it for long nor build on it."""

import msgspec
import pytest
from redis import Redis

from referee.kernel.judge import legal_moves
from referee.service import nudges
from referee.service.audits import audit_newest
from referee.service.commits import Outcome
from referee.service.game import Game
from referee.service.lobby import NewGame, create
from referee.service.moves import submit
from referee.service.players import Caller, add_player
from referee.service.repository import Repository
from referee.settings import Settings
from referee.store.redis_log import tag_of
from referee.wiring import connect, make_repository


@pytest.fixture
def other(redis_url: str) -> Repository:
    """Another process."""
    return make_repository(Settings(redis_url=redis_url), connect(redis_url), nudge=lambda game: None)


@pytest.fixture
def game(quiet_repository: Repository) -> Game:
    """A game that waits for its first move."""
    player = add_player(quiet_repository, "ada")
    ada = Caller(player.id, player.name, "k_1", ("play", "watch"))
    game = create(quiet_repository, ada, NewGame(ruleset="catham-city", seats=("me", "me"), options={"first_seat": 0}))
    nudges.run(quiet_repository, game.id)
    return game


def move(repository: Repository, game: Game, number: int) -> Outcome:
    """Make one of the legal moves."""
    state = repository.newest(game)
    seat = game.rules.awaited(state.position)[0].seat
    chosen = legal_moves(game.rules, state.position, seat)[number]
    return submit(repository, game, seat, msgspec.json.encode(chosen))


def move_legal_in_both(repository: Repository, other: Repository, game: Game) -> Outcome:
    """Make a move that is legal in the states of both processes, so that neither refuses it."""
    position, others = repository.known(game).position, other.known(game).position
    seat = game.rules.awaited(others)[0].seat
    common = [each for each in legal_moves(game.rules, position, seat) if each in legal_moves(game.rules, others, seat)]
    return submit(repository, game, seat, msgspec.json.encode(common[0]))


def lose_the_last_entry(redis_url: str, game: Game) -> None:
    """As after a failover to a replica that did not have it."""
    redis, log = Redis.from_url(redis_url), f"game:{tag_of(game.id)}:{game.id}:log"
    *kept, _lost = redis.xrange(log)
    redis.delete(log)
    for id, fields in kept:
        redis.xadd(log, fields, id=id)


def test_a_lost_commit_is_not_built_on(
    quiet_repository: Repository, other: Repository, game: Game, redis_url: str
) -> None:
    """Both make a second commit; the first process remembers its own, which the log has lost."""
    assert move(quiet_repository, game, 0).commit.version == 2
    lose_the_last_entry(redis_url, game)
    assert move(other, game, 1).commit.version == 2
    assert quiet_repository.known(game).hash != other.known(game).hash
    third = move_legal_in_both(quiet_repository, other, game)
    assert (third.commit.version, third.commit.prev) == (3, other.known(game).hash)
    report = audit_newest(quiet_repository, game)
    assert report is not None and report.first_bad_version is None
    assert quiet_repository.newest(game) == other.newest(game)


def test_a_commit_after_a_lost_one_is_read_from_the_log_again(
    quiet_repository: Repository, other: Repository, game: Game, redis_url: str
) -> None:
    move(quiet_repository, game, 0)
    lose_the_last_entry(redis_url, game)
    move(other, game, 1)
    move(other, game, 0)
    assert quiet_repository.newest(game) == other.newest(game)
    assert quiet_repository.at(game, 2) == other.at(game, 2)
