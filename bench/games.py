"""Games to measure with: their luck is known, so that whole rows of legal moves can be written down before."""

import msgspec

from bench.load import request
from referee.kernel.chance import Derived, Seeded
from referee.kernel.judge import legal_moves
from referee.kernel.message import tag
from referee.kernel.seat import REFEREE
from referee.service.commits import append, follow_rules
from referee.service.desk import Desk
from referee.service.games import Wish, create, sit
from referee.service.players import Caller, add_key, add_player
from referee.settings import Settings
from referee.wiring import connect, make_desk

QUIET = ("take_cards", "discard_excess")
"""Moves that never end a game and never ask anybody else."""


def open_desk(url: str) -> Desk:
    return make_desk(Settings(redis_url=url, open_games=0, bot_games=0), connect(url), nudge=lambda game: None)


def make_player(desk: Desk) -> tuple[Caller, str]:
    player = add_player(desk, "bench")
    key, text = add_key(desk, player.id, ("play", "watch"))
    return Caller(player.id, player.name, key.id, key.scopes), text


class Pair:
    """Two players, and their keys by seat."""

    def __init__(self, desk: Desk) -> None:
        (self.host, first), (self.guest, second) = make_player(desk), make_player(desk)
        self.keys = (first, second)


class Row:
    """A game of two players, and the moves that come next."""

    def __init__(self, desk: Desk, pair: Pair, seed: int, slug: str = "catham-city") -> None:
        self.desk = desk
        self.keys = pair.keys
        seats = ("me", {"player": pair.guest.player})
        invites = create(desk, pair.host, Wish(ruleset=slug, seats=seats, options={"first_seat": 0}))
        self.game, _ = sit(desk, pair.guest, invites.id, 1, "", None)
        self.chance = Seeded(seed)
        append(desk, self.game, follow_rules(self.game, desk.known(self.game), REFEREE, self._due(), None))
        self.position = desk.known(self.game).position
        self.drawn = desk.known(self.game).course.drawn

    def _due(self):
        return self.game.rules.due(self.desk.known(self.game).position).move

    def moves(self, count: int) -> list[tuple[int, bytes]]:
        """The next moves with the seats that make them."""
        rules, row = self.game.rules, []
        for _ in range(count):
            (seat,) = {decision.seat for decision in rules.awaited(self.position)}
            legal = [move for move in legal_moves(rules, self.position, seat) if tag(move) in QUIET]
            move = legal[self.chance.number("move", 0, len(legal) - 1)]
            chance = Derived(self.game.chance_key, self.drawn)
            _, self.position = rules.play(self.position, seat, move, chance)
            self.drawn += len(chance.drawn)
            row.append((seat, msgspec.json.encode(move)))
        return row

    def requests(self, count: int) -> list[bytes]:
        """The next moves as requests."""
        path = f"/v1/games/{self.game.id}/moves"
        return [request("POST", path, self.keys[seat], move) for seat, move in self.moves(count)]

    def commit(self, count: int) -> None:
        """Make the next moves without HTTP."""
        for seat, body in self.moves(count):
            made = follow_rules(self.game, self.desk.known(self.game), seat, self.game.rules.read_move(body), None)
            append(self.desk, self.game, made)
