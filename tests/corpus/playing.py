"""Plays the games that are stored: by bots offline, or by everybody at random at a table where anything may happen."""

import random
from collections.abc import Callable
from typing import Any

import msgspec

from referee.audit.record import Record
from referee.kernel.message import Event, Move
from referee.kernel.record import ADMIN, Entry
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.kernel.table import (
    AnnulGame,
    GameAnnulled,
    GamePaused,
    GameResumed,
    PauseGame,
    Resign,
    ResumeGame,
    SeatResigned,
    SeatTakenOver,
    conceded,
)
from referee.offline.play import next_commit, offline_game, time_of
from referee.service.commits import Made, at_the_table, follow_rules
from referee.service.game import Holder
from referee.service.nudges import bot_awaited
from referee.service.state import first_state

Choosing = Callable[[Any], tuple[Actor, Move]]

THINKING_MS = 250
NONCES = ("ada's luck", "", "zoë", "42", "", "x")


class Sitting:
    """A game at a table of people, commit by commit as the service makes them, in a time that is made up."""

    def __init__(self, ruleset: Ruleset, options: Any, seats: int, seed: str, position: Any = None) -> None:
        game = offline_game(ruleset, options, ["random"] * seats, seed)
        self.game = msgspec.structs.replace(
            game,
            seats=tuple(Holder(player=f"p_{seat}", nonce=NONCES[seat]) for seat in range(seats)),
            position=None if position is None else msgspec.to_builtins(position),
        )
        self.state = first_state(self.game)
        self.entries: list[Entry] = []
        self.states = [self.state]

    @property
    def record(self) -> Record:
        """The record with its secret."""
        return Record(self.game.header, tuple(self.entries), self.game.secret)

    def play(self, choosing: Choosing, commits: int | None = None) -> "Sitting":
        """Go on until the end, or for so many commits."""
        left = self.game.rules.moves_max if commits is None else commits
        while self.state.status == "running" and left > 0:
            self._keep(self._next(choosing))
            left -= 1
        return self

    def _next(self, choosing: Choosing) -> Made:
        if bot_awaited(self.game, self.state) is not None:
            made = next_commit(self.game, self.state)
            assert made is not None
            return made
        actor, move = choosing(self.state.position)
        thinking = 0 if actor == REFEREE else THINKING_MS
        now = time_of(self.game, self.state, actor, move) + thinking
        return follow_rules(self.game, self.state, actor, move, None, now)

    def pause_and_resume(self) -> "Sitting":
        """An admin stops the game for a minute."""
        reason = "The power failed."
        self._at_the_table(ADMIN, PauseGame(reason=reason), GamePaused(reason=reason))
        return self._at_the_table(ADMIN, ResumeGame(reason=reason), GameResumed(reason=reason), wait_ms=60_000)

    def annul(self) -> "Sitting":
        """An admin ends the game without a result."""
        return self._at_the_table(ADMIN, AnnulGame(reason="It is late."), GameAnnulled(reason="It is late."))

    def resign(self, seat: Seat, bot: str) -> "Sitting":
        """A seat concedes, and a bot plays on for it."""
        return self._at_the_table(seat, Resign(), SeatResigned(seat=seat), SeatTakenOver(seat=seat, bot=bot))

    def concede(self, seat: Seat) -> "Sitting":
        """A seat concedes, and that is the end."""
        end = conceded(self.game.rules.ranking(self.state.position), seat)
        return self._at_the_table(seat, Resign(), SeatResigned(seat=seat), end)

    def _at_the_table(self, actor: int | str, move: Move, *events: Event, wait_ms: int = 1000) -> "Sitting":
        return self._keep(at_the_table(self.game, self.state, actor, move, events, self.state.at + wait_ms))

    def _keep(self, made: Made) -> "Sitting":
        self.entries.append(made.entry)
        self.state = made.state
        self.states.append(self.state)
        return self

    def back_to(self, version: int) -> "Sitting":
        """Take back everything after a version."""
        self.entries, self.states = self.entries[:version], self.states[: version + 1]
        self.state = self.states[-1]
        return self


def stories(ruleset: Ruleset, choosing: Callable[[Ruleset, random.Random], Choosing], seed: str) -> dict[str, Record]:
    """What can happen at every table, whatever is played on it."""
    options, seats = ruleset.variants[0], ruleset.seats[0]

    def sitting(story: str, position: Any = None) -> tuple[Sitting, Choosing]:
        name = f"{seed}-{story}"
        return Sitting(ruleset, options, seats, name, position), choosing(ruleset, random.Random(name))

    interrupted, choose = sitting("interrupted")
    interrupted.play(choose, 8).pause_and_resume().play(choose, 4).resign(Seat(0), "greedy").play(choose)
    given_up, choose = sitting("given-up")
    given_up.play(choose, 20).concede(Seat(1))
    called_off, choose = sitting("called-off")
    called_off.play(choose, 12).pause_and_resume().annul()
    whole, choose = sitting("whole")
    whole.play(choose)
    late = whole.states[len(whole.entries) * 3 // 4].position
    taken_up, choose = sitting("taken-up", late)
    return {
        "interrupted": interrupted.record,
        "given-up": given_up.record,
        "called-off": called_off.record,
        "taken-up": taken_up.play(choose).record,
    }
