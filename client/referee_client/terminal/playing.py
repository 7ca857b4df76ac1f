"""A game in progress: shows what happens, lists the legal moves, and makes those that the player types."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from rich.text import Text

from referee_client.asynchronous_game import AsyncGame
from referee_client.luck import Links, LinkWithheld
from referee_client.problems import Problem, Refused, Unauthorized
from referee_client.shapes import Commit, GameState, LegalMoves
from referee_client.terminal.context import Context
from referee_client.terminal.faults import sentence_of_problem
from referee_client.terminal.moves import HELP, listed_moves, moves_with, time_left
from referee_client.terminal.prompting import Asking
from referee_client.terminal.safe import clean, cleaned
from referee_client.terminal.telling import OVER, WITHDRAWN, result, standing, tell, waiting_for


class Leave(Exception):
    """The player has had enough for now."""


class Player:
    """One player at one table. What the service says is shown as it comes; what the player types is carried out."""

    def __init__(
        self, context: Context, game: AsyncGame, links: Links, asking: Asking, state: GameState, patience_s: float
    ) -> None:
        self._context, self._game, self._links, self._asking = context, game, links, asking
        self._state: dict[str, Any] = dict(state)
        self._legal: LegalMoves | None = None
        self._patience_s = patience_s
        self._filter = ""
        self._ahead_s = 0.0
        self._told = state["version"]

    async def play(self) -> None:
        """Play until the game is over or the player leaves."""
        await self._look()
        async with aclosing(self._game.follow(self._state["version"], self._patience_s, extra="text,legal")) as commits:
            try:
                await self._listen(commits)
            except Leave:
                self._context.note(f"The game is kept. Go on with: referee play {self._game.id}")
                return
        state = await self._game.read()
        self._links.forget(self._game.id)
        if self._context.as_json:
            self._context.print_json({"game": state})
        else:
            self._context.out.print(result(cleaned(state)))
            self._context.note(f"Prove that it was fair: referee audit {self._game.id}")

    async def _listen(self, commits: AsyncGenerator[Commit, None]) -> None:
        """Take commits of the service and lines of the player, whichever comes first."""
        news: asyncio.Future[Commit | None] = asyncio.ensure_future(_next(commits))
        typed: asyncio.Future[str | None] | None = None
        try:
            while True:
                if typed is None and (self._asking.is_live or self._legal is not None):
                    typed = asyncio.ensure_future(self._asking.line(self._words, self._below))
                await asyncio.wait([each for each in (news, typed) if each], return_when=asyncio.FIRST_COMPLETED)
                if news.done():
                    commit = news.result()
                    if commit is None:
                        return
                    await self._tell(commit)
                    news = asyncio.ensure_future(_next(commits))
                elif typed is not None and typed.done():
                    line, typed = typed.result(), None
                    await self._obey(line)
        finally:
            for each in (news, typed):
                if each is not None:
                    each.cancel()
            await asyncio.wait([each for each in (news, typed) if each])

    def _words(self) -> str:
        """The words of the prompt."""
        if self._legal is not None:
            return "Your move (a number, ? for help): "
        return f"({clean(waiting_for(cleaned(self._state)))}) "

    def _below(self) -> str:
        """The line at the bottom of the terminal."""
        left = time_left(self._state["deadlines"], self._state["seat"], self._ahead_s)
        return clean(f" {self._state['ruleset']} {self._game.id}  version {self._state['version']}{left} ")

    async def _look(self, is_shown: bool = True) -> None:
        """Read the game and the legal moves, and show them."""
        state, self._ahead_s = await self._game.read_with_clock()
        self._state = dict(state)
        own = {number for number, seat in enumerate(state["seats"]) if number == state["seat"] or _is_mine(state, seat)}
        awaited = [each["seat"] for each in state["awaited"] if each["seat"] in own]
        legal = None
        if awaited and state["status"] == "running" and state["version"]:
            self._game.seat = awaited[0]
            legal = await self._game.legal_moves(extra="text")
            if awaited[0] != state["seat"]:
                self._state = dict(await self._game.read())
        self._offer(legal)
        if self._context.as_json:
            self._context.print_json({"game": self._state, "legal": legal})
        elif is_shown:
            self._show_board()

    def _offer(self, legal: LegalMoves | None) -> None:
        self._legal = legal if legal is not None and legal["default"] is not None else None
        self._filter = ""
        self._asking.refresh()

    async def _tell(self, commit: Commit) -> None:
        """Tell a commit; after the newest one, show the board if it is the player's turn."""
        if self._context.as_json:
            self._context.print_json(commit)
        elif commit["version"] <= self._told:
            self._complain(WITHDRAWN.format(commit["version"]))
        else:
            tell(self._context, cleaned(commit))
        self._told = commit["version"]
        if "legal" not in commit:  # An older commit: the stream has more.
            return
        if commit["legal"]:
            await self._look()
        else:
            state, self._ahead_s = await self._game.read_with_clock()
            self._state = dict(state)
            self._offer(None)
            self._note_waiting()

    def _show_board(self) -> None:
        state = cleaned(self._state)
        self._context.out.print(standing(state, state["seat"]))
        if self._legal is not None:
            self._show_moves()
        self._note_waiting()

    def _note_waiting(self) -> None:
        """Print what the game waits for, unless a prompt shows it."""
        if self._legal is None and not self._asking.is_live and self._state["status"] not in OVER:
            self._context.note(waiting_for(cleaned(self._state)))

    def _show_moves(self, everything: bool = False) -> None:
        assert self._legal is not None
        self._context.out.print(listed_moves(cleaned(dict(self._legal)), self._filter, everything))

    async def _obey(self, line: str | None) -> None:
        """Do what the player typed; raises Leave."""
        if line is None:
            raise Leave
        word = line.strip()
        try:
            await self._carry_out(word)
        except Unauthorized:
            raise
        except Refused as refused:
            self._complain(f"{refused.detail} ({refused.clause}: {refused.text})", refused.members)
        except LinkWithheld as withheld:
            self._complain(f"{withheld} If you play this game in another window, go on there.")
        except Problem as problem:
            self._complain(sentence_of_problem(problem), problem.members)
            if problem.code in ("stale-version", "move-refused"):
                await self._look()

    def _complain(self, sentence: str, members: dict[str, Any] | None = None) -> None:
        if self._context.as_json:
            self._context.print_json({"problem": members or {"detail": sentence}})
        else:
            self._context.out.print(Text(clean(sentence), style="red"))

    async def _carry_out(self, word: str) -> None:
        if word in ("q", "quit", "exit"):
            raise Leave
        if word in ("?", "h", "help"):
            self._context.out.print(Text(HELP))
        elif word in ("b", "board"):
            await self._look()
        elif word in ("undo", "resign", "pause", "resume", "seal"):
            await self._act(word)
        elif self._legal is None:
            if word:
                self._complain(f"It is not your turn: {waiting_for(cleaned(self._state))}. Type ? for help.")
        elif word in ("", "m", "moves", "more"):
            self._filter = ""
            self._show_moves(everything=word == "more")
        elif word.isdecimal() or word.startswith("{") or word in ("d", "default"):
            await self._move(word)
        else:
            self._narrow(word)

    async def _act(self, word: str) -> None:
        """Do something at the table that is no move of the title."""
        if word == "undo":
            await self._game.undo()
        elif word == "seal":
            await self._game.reseal(self._state["seat"])
        elif word != "resign":
            await self._game.agree({"pause": "pause", "resume": "resumption"}[word])
        elif not self._asking.is_live or (await self._asking.line("Resign? [y/N] ") or "").strip().lower() == "y":
            await self._game.resign()

    async def _move(self, word: str) -> None:
        assert self._legal is not None
        moves = self._legal["moves"]
        if word in ("d", "default"):
            move = self._legal["default"] or {}
        elif word.startswith("{"):
            try:
                move = json.loads(word)
            except ValueError as error:
                self._complain(f"This is not JSON: {error}.")
                return
        elif 1 <= int(word[:6]) <= len(moves):
            move = moves[int(word[:6]) - 1]
        else:
            self._complain(f"There are moves 1 to {len(moves)}." if moves else "Type the move as JSON.")
            return
        version, legal = self._legal["version"], self._legal
        self._legal = None
        try:
            await self._game.move(move, version)
        except (Problem, LinkWithheld):
            self._legal = legal
            raise
        self._asking.refresh()

    def _narrow(self, word: str) -> None:
        """Show only the moves that contain a text."""
        assert self._legal is not None
        if not moves_with(cleaned(dict(self._legal)), word):
            self._complain(f"No legal move contains {word!r}. Type a number, or ? for help.")
            return
        self._filter = word
        self._show_moves()


def _is_mine(state: GameState, seat: dict[str, Any]) -> bool:
    """Whether the player of your seat holds this one, too."""
    own = state["seats"][state["seat"]]["player"] if state["seat"] is not None else None
    return own is not None and seat["player"] is not None and seat["player"]["id"] == own["id"]


async def _next(commits: AsyncGenerator[Commit, None]) -> Commit | None:
    """Return the next commit; None after the last."""
    return await anext(commits, None)
