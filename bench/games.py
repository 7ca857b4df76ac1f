"""Games for measurements: their luck is known, so that many legal moves can be prepared in advance."""

import msgspec

from bench.load import request
from referee.kernel.chance import Derived, Seeded
from referee.kernel.judge import legal_moves
from referee.kernel.message import tag
from referee.kernel.seat import REFEREE
from referee.service.commits import append
from referee.service.lobby import NewGame, create, sit
from referee.service.players import Caller, add_key, add_player
from referee.service.repository import Repository, now_ms
from referee.settings import Settings
from referee.table.commits import prepare_move
from referee.wiring import connect, make_repository

QUIET = ("take_cards", "discard_excess")
"""Moves that never end a game and never need an answer from another seat."""


def open_repository(url: str) -> Repository:
    return make_repository(Settings(redis_url=url, open_games=0, bot_games=0), connect(url), nudge=lambda game: None)


def make_player(repository: Repository) -> tuple[Caller, str]:
    player = add_player(repository, "bench")
    key, text = add_key(repository, player.id, ("play", "watch"))
    return Caller(player.id, player.name, key.id, key.scopes), text


class Pair:
    """Two players, and their keys by seat."""

    def __init__(self, repository: Repository) -> None:
        (self.host, first), (self.guest, second) = make_player(repository), make_player(repository)
        self.keys = (first, second)


class ScriptedGame:
    """A game of two players, with prepared moves."""

    def __init__(self, repository: Repository, pair: Pair, seed: int, slug: str = "catham-city") -> None:
        self.repository = repository
        self.keys = pair.keys
        seats = ("me", {"player": pair.guest.player})
        created = create(repository, pair.host, NewGame(ruleset=slug, seats=seats, options={"first_seat": 0}))
        self.game, _ = sit(repository, pair.guest, created.id, 1, "", None)
        self.chance = Seeded(seed)
        state = repository.known(self.game)
        append(repository, self.game, prepare_move(self.game, state, REFEREE, self._due(), None, now_ms()))
        self.position = repository.known(self.game).position
        self.drawn = repository.known(self.game).table.drawn

    def _due(self):
        return self.game.rules.due(self.repository.known(self.game).position).move

    def moves(self, count: int) -> list[tuple[int, bytes]]:
        """Return the next moves with their seats."""
        rules, moves = self.game.rules, []
        for _ in range(count):
            (seat,) = {decision.seat for decision in rules.awaited(self.position)}
            legal = [move for move in legal_moves(rules, self.position, seat) if tag(move) in QUIET]
            move = legal[self.chance.number("move", 0, len(legal) - 1)]
            chance = Derived(self.game.chance_key, self.drawn)
            _, self.position = rules.play(self.position, seat, move, chance)
            self.drawn += len(chance.drawn)
            moves.append((seat, msgspec.json.encode(move)))
        return moves

    def requests(self, count: int) -> list[bytes]:
        """Return the next moves as HTTP requests."""
        path = f"/v1/games/{self.game.id}/moves"
        return [request("POST", path, self.keys[seat], move) for seat, move in self.moves(count)]

    def commit(self, count: int) -> None:
        """Make the next moves without HTTP."""
        for seat, body in self.moves(count):
            state, move = self.repository.known(self.game), self.game.rules.read_move(body)
            prepared = prepare_move(self.game, state, seat, move, None, now_ms())
            append(self.repository, self.game, prepared)
