"""Plays the games that are stored: between offline bots, or at random at a table with pauses, resignations and undo."""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from referee.audit.record import Beside, Record
from referee.audit.record import read_commit as commit_of
from referee.audit.seats import reason_in
from referee.bots.choices import bot_decisions
from referee.kernel.canon import digest
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.offline.game import of_players, offline_game, player_at
from referee.offline.play import next_commit, time_of
from referee.table.commits import Prepared, duty, prepare_due, prepare_move, prepare_table_move
from referee.table.duties import first_missed_deadline
from referee.table.match import first_state, read_commit
from referee.table.moves import (
    AgreeToPause,
    AgreeToResume,
    AnnulGame,
    PauseGame,
    Reseal,
    Resign,
    ResumeGame,
    ReturnToSeat,
    Undo,
)
from referee.table.record import ADMIN, AnyCommit, Entry, Text, nonce_of, seal_of
from referee.table.rules import TableRefusal
from referee.table.terms import Clock
from tests.chains import links_of

Choosing = Callable[[Any], tuple[Actor, Move]]

THINKING_MS = 250
NONCES = tuple(map(nonce_of, ("ada's luck", "", "zoë", "42", "", "x")))
REASONS = tuple(Text(salt=digest(text.encode()), text=text) for text in ("The power failed.", "It is late."))


class Sitting:
    """A game between players, commit by commit as the service makes them, with simulated time."""

    def __init__(
        self, ruleset: Ruleset, options: Any, seats: int, seed: str, position: Any = None, **terms: Any
    ) -> None:
        game = offline_game(ruleset, options, ["random"] * seats, seed)
        game = of_players(game, NONCES[:seats])
        self.game = msgspec.structs.replace(
            game,
            position=None if position is None else msgspec.to_builtins(position),
            terms=msgspec.structs.replace(game.terms, takeover_bot="greedy", **terms),
        )
        self.chains = [links_of(game.id, digest(f"{seed} {seat}".encode())) for seat in range(seats)]
        if self.game.terms.luck == "fresh":
            first = tuple([links[0] for links in self.chains])
            seals = tuple([seal_of(game.id, link) for link in first])
            self.game = msgspec.structs.replace(self.game, nonces=first, seals=seals)
        self.state = first_state(self.game)
        self.entries: list[Entry] = []
        self.states = [self.state]

    @property
    def record(self) -> Record:
        """The record with its secret."""
        holders = tuple((seat, player_at(seat)) for seat in range(len(self.game.nonces)))
        by_hash = {text.hash: text for text in REASONS}
        reasons = [reason_in(commit_of(entry.body)) for entry in self.entries]
        texts = tuple(by_hash[reason] for reason in reasons if reason is not None)
        return Record(self.game.header, tuple(self.entries), self.game.secret, Beside(holders, texts))

    def play(self, choosing: Choosing, commits: int | None = None) -> "Sitting":
        """Play until the end, or for the given number of commits."""
        left = self.game.rules.commits_max if commits is None else commits
        while self.state.status == "running" and left > 0:
            self._keep(self._next(choosing))
            left -= 1
        return self

    def make(self, actor: int | str, move: Move) -> "Sitting":
        """Make a move of a seat or of the referee."""
        return self._keep(self._prepare(REFEREE if isinstance(actor, str) else Seat(actor), move))

    @property
    def newest(self) -> AnyCommit:
        """The last commit."""
        return self.commits[-1]

    @property
    def commits(self) -> list[AnyCommit]:
        """All commits so far."""
        return [read_commit(self.game, entry) for entry in self.entries]

    def try_at_the_table(self, actor: int | str, move: Move) -> bool:
        """Make a move at the table; returns False if it is refused."""
        try:
            self.at_the_table(actor, move)
        except TableRefusal:
            return False
        return True

    def _next(self, choosing: Choosing) -> Prepared:
        now = self.state.at + THINKING_MS
        is_late = first_missed_deadline(self.game.terms, self.state.table, now) is not None
        if is_late or duty(self.game, self.state) is not None:
            prepared = prepare_due(self.game, self.state, now)
            assert prepared is not None
            return prepared
        if any(decision.obliged for decision in bot_decisions(self.game, self.state, self.state.at)):
            prepared = next_commit(self.game, self.state)
            assert prepared is not None
            return prepared
        actor, move = choosing(self.state.position)
        while actor != REFEREE and self.state.table.bot(self.game.terms, actor) is not None:
            actor, move = choosing(self.state.position)
        return self._prepare(actor, move)

    def _prepare(self, actor: Actor, move: Move) -> Prepared:
        due = self.game.rules.due(self.state.position)
        is_race_on = due is not None and due.runs_on
        thinking = 0 if actor == REFEREE or is_race_on else THINKING_MS
        now = time_of(self.game, self.state, actor, move) + thinking
        return prepare_move(self.game, self.state, actor, move, None, now, self._link(actor))

    def _link(self, actor: Actor) -> str | None:
        """The link that a move carries, where luck is fresh; the game ends with the last link at the latest."""
        luck = self.state.table.luck
        chain = None if luck is None or actor == REFEREE else luck.chains[actor]
        return None if chain is None or not chain.counts else self.chains[actor][chain.index]

    def reseal(self) -> "Sitting":
        """Let every player agree to a pause, in which the first one seals a new chain, and go on."""
        players = range(len(self.game.nonces))
        for seat in players:
            self.at_the_table(seat, AgreeToPause())
        self.chains[0] = links_of(self.game.id, digest(f"again {self.game.id}".encode()))
        self.at_the_table(0, Reseal(seal=seal_of(self.game.id, self.chains[0][0])))
        for seat in players:
            self.at_the_table(seat, AgreeToResume())
        return self

    def pause_and_resume(self) -> "Sitting":
        """Let an admin pause the game for a minute."""
        reason = REASONS[0].hash
        self.at_the_table(ADMIN, PauseGame(reason=reason))
        return self.at_the_table(ADMIN, ResumeGame(reason=reason), wait_ms=60_000)

    def annul(self) -> "Sitting":
        """Let an admin annul the game."""
        return self.at_the_table(ADMIN, AnnulGame(reason=REASONS[1].hash))

    def pause_by_consent(self) -> "Sitting":
        """Let every player agree to a pause, and then to its end."""
        for move in (AgreeToPause(), AgreeToResume()):
            for seat in range(len(self.game.nonces)):
                self.at_the_table(seat, move)
        return self

    def fall_asleep(self) -> "Sitting":
        """Let all players miss their deadlines until a bot takes over a seat or the game is over."""
        while not self.state.table.bots and self.state.status == "running":
            self._clocks_turn()
        return self

    def die(self) -> "Sitting":
        """Let all players miss their deadlines until the game is over."""
        while self.state.status == "running":
            self._clocks_turn()
        return self

    def _clocks_turn(self) -> None:
        if any(decision.obliged for decision in bot_decisions(self.game, self.state, self.state.at)):
            prepared = next_commit(self.game, self.state)
        else:
            waits = [at for seat in self.game.terms.players if (at := self.state.table.deadline(self.game.terms, seat))]
            due = self.game.rules.due(self.state.position)
            waits += [] if due is None else [self.state.due_since + due.after_ms]
            prepared = prepare_due(self.game, self.state, self.state.at)
            prepared = prepared or prepare_due(self.game, self.state, min(waits) + 1)
        assert prepared is not None
        self._keep(prepared)

    def wake_up(self) -> "Sitting":
        """Let the player return to the seat that a bot took over."""
        ((seat, _),) = self.state.table.bots
        return self.at_the_table(seat, ReturnToSeat())

    def play_until_undone(self, choosing: Choosing) -> "Sitting":
        """Play until a move can be undone, and undo it."""
        while self.state.status == "running":
            self._keep(self._next(choosing))
            actor = self.state.table.past[-1].actor if self.state.table.past else REFEREE
            if actor != REFEREE:
                with suppress(TableRefusal):
                    return self.at_the_table(actor, Undo(), wait_ms=100)
        return self

    def resign(self, seat: Seat) -> "Sitting":
        """Let a seat resign: a bot takes over or the game ends, as was agreed."""
        return self.at_the_table(seat, Resign())

    def at_the_table(self, actor: int | str, move: Move, wait_ms: int = 1000) -> "Sitting":
        """Make a move at the table; raises TableRefusal."""
        return self._keep(prepare_table_move(self.game, self.state, actor, move, self.state.at + wait_ms))

    def _keep(self, prepared: Prepared) -> "Sitting":
        self.entries.append(prepared.entry)
        self.state = prepared.state
        self.states.append(self.state)
        return self

    def back_to(self, version: int) -> "Sitting":
        """Drop everything after a version."""
        self.entries, self.states = self.entries[:version], self.states[: version + 1]
        self.state = self.states[-1]
        return self


def stories(ruleset: Ruleset, choosing: Callable[[Ruleset, random.Random], Choosing], seed: str) -> dict[str, Record]:
    """Games that between them show everything that can happen at a table, whatever is played."""
    options, seats = ruleset.variants[0], ruleset.seats[0]

    def sitting(story: str, position: Any = None, **terms: Any) -> tuple[Sitting, Choosing]:
        name = f"{seed}-{story}"
        return Sitting(ruleset, options, seats, name, position, **terms), choosing(ruleset, random.Random(name))

    interrupted, choose = sitting("interrupted")
    interrupted.play(choose, 8).pause_and_resume().play(choose, 4).resign(Seat(0)).play(choose)
    given_up, choose = sitting("given-up", on_resignation="end")
    given_up.play(choose, 20).resign(Seat(1))
    called_off, choose = sitting("called-off")
    called_off.play(choose, 12).pause_and_resume().annul()
    whole, choose = sitting("whole")
    whole.play(choose)
    late = whole.states[len(whole.entries) * 3 // 4].position
    taken_up, choose = sitting("taken-up", late)
    clock = Clock(decision_s=30, bank_s=60, increment_s=5, missed_deadlines_max=1)
    asleep, choose = sitting("asleep", clock=clock)
    asleep.play(choose, 4).pause_by_consent().play(choose, 4).fall_asleep().wake_up().play(choose, 4).die()
    regretted, choose = sitting("regretted", undo="free")
    regretted.play_until_undone(choose).play(choose, 6).annul()
    fresh, choose = sitting("fresh", luck="fresh")
    fresh.play(choose, 12).reseal().play(choose, 30).annul()
    return {
        "fresh": fresh.record,
        "asleep": asleep.record,
        "regretted": regretted.record,
        "interrupted": interrupted.record,
        "given-up": given_up.record,
        "called-off": called_off.record,
        "taken-up": taken_up.play(choose).record,
    }
