"""Plays one seat of one game: asks the bot, and makes its move or, if it has none in time, the default move."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from referee_client.asynchronous import AsyncClient
from referee_client.bot.config import Config
from referee_client.bot.faults import NoMove
from referee_client.bot.program import Program
from referee_client.patience import PASSING
from referee_client.problems import Problem, RefereeError, Refused, Unauthorized, Unreachable
from referee_client.shapes import GameState, LegalMoves, Message

_log = logging.getLogger("referee_client.bot")

MARGIN_S = 2.0
MARGIN_SHARE = 0.1
"""The bot's time ends this long before the deadline, or this share of the time left: whichever is more."""

UNACCEPTABLE = (400, 413, 422)
"""The statuses of a body that is too long, too deep, or no move at all."""

AGAIN_S = 5.0
"""After a failed call the position is read again after this time."""

READS_MAX = 5
"""A position that changes between two calls is read again, at most this number of times."""


def thinking_time(left_s: float) -> float:
    """Return how long a bot may think when a deadline is this far away; very short clocks are halved."""
    return max(left_s - max(MARGIN_S, MARGIN_SHARE * left_s), left_s / 2, 0.0)


class SeatPlayer:
    """One seat of one game. It thinks about the newest message only."""

    def __init__(
        self, client: AsyncClient, config: Config, key: str, message: Message, show: Callable[[str], None]
    ) -> None:
        self.name = f"{message['game']} seat {message['seat']}"
        self._game = client.game(message["game"], message["seat"])
        self._config = config
        self._key = key
        self._ruleset = message["ruleset"]
        self._show = show
        self._program: Program | None = None
        self._message = message
        self._news = asyncio.Event()
        self._made: set[int] = set()
        """The versions that this player made."""
        self._moves = self._defaults = 0

    def notify(self, message: Message) -> None:
        """Take note that the seat is awaited."""
        self._message = message
        self._news.set()

    def look_again(self) -> None:
        """Read the position again: what the bot thinks about may be out of date."""
        self._news.set()

    async def run(self) -> None:
        """Decide whenever the seat is awaited, for ever. Only a refused key gets out."""
        self._news.set()
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                await self._decide(self._message)
            except Unauthorized:
                raise
            except RefereeError as error:
                _log.warning("%s: %s", self.name, error)
                if isinstance(error, Unreachable) or getattr(error, "status", 0) in PASSING:
                    # If the stream has not broken as well, the service does not repeat what it waits for.
                    await self._hears_news_within(AGAIN_S)
                    self._news.set()
            except Exception as error:
                # A fault in one game must not end the others.
                _log.error("%s: a fault of the runner: %r", self.name, error)

    async def end(self, status: str) -> None:
        """Let the bot know how the game ended, and stop its process."""
        if self._program is not None:
            result: dict[str, Any] = {"status": status, "ranking": None}
            try:
                result["ranking"] = (await self._game.read())["ranking"]
            except (Problem, Unreachable) as error:
                _log.warning("%s: %s", self.name, error)
            await self._program.end(result)
        self._tell(f"{status}, {self._moves} moves, {self._defaults} defaults")

    async def kill(self) -> None:
        """Stop the process of the bot at once."""
        if self._program is not None:
            await self._program.kill()

    async def _decide(self, message: Message) -> None:
        legal, game, ahead_s = await self._read()
        default = legal["default"]
        decisions = [each for each in game["awaited"] if each["seat"] == self._game.seat]
        if default is None or not decisions:
            return
        obliged = any(each["obliged"] for each in decisions)
        wait_s = min(each["not_before_s"] for each in decisions)
        if wait_s and await self._hears_news_within(wait_s):
            return
        left_s = min((_seconds_until(each["at"], ahead_s) for each in self._deadlines(game)), default=None)
        seconds = self._config.think_s if left_s is None else min(self._config.think_s, thinking_time(left_s))
        self._tell(f"version {legal['version']}: thinks for at most {seconds:.1f} s about {len(legal['moves'])} moves")
        question = {
            **{name: legal[name] for name in ("version", "seat", "moves", "families", "default")},
            "view": game["view"],
            "obliged": obliged,
            "seconds": round(seconds, 3),
        }
        try:
            move = await self._unless_news(self._bot(game).ask(question, seconds))
        except NoMove as reason:
            _log.warning("%s, version %s: the bot %s.", self.name, legal["version"], reason)
            move = default if obliged else None
            self._defaults += obliged
        else:
            if self._news.is_set():
                await self._look_for_twin(legal["version"])
                return
            if move is None and obliged:
                _log.warning("%s, version %s: the bot waits, but must move.", self.name, legal["version"])
                move, self._defaults = default, self._defaults + 1
        if move is not None:
            await self._make(move, legal, obliged)

    async def _read(self) -> tuple[LegalMoves, GameState, float]:
        """Return the legal moves, the game at the same version, and how far the clock of the service is ahead."""
        for _ in range(READS_MAX):
            legal = await self._game.legal_moves()
            game, ahead_s = await self._game.read_with_clock()
            if game["version"] == legal["version"]:
                break
        return legal, game, ahead_s

    def _deadlines(self, game: GameState) -> list[Any]:
        return [each for each in game["deadlines"] if each["seat"] == self._game.seat]

    def _bot(self, game: GameState) -> Program:
        if self._program is None:
            about: dict[str, Any] = {"game": game["id"], "ruleset": game["ruleset"], "seat": self._game.seat}
            about |= {"seats": len(game["seats"]), "options": game["options"], "terms": game["terms"]}
            self._program = Program(self._config, self._key, about)
        return self._program

    async def _hears_news_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        return self._news.is_set()

    async def _unless_news(self, asked: Awaitable[Any]) -> Any:
        """Return what the bot chooses; None as soon as the position has changed."""
        thinking, news = asyncio.ensure_future(asked), asyncio.ensure_future(self._news.wait())
        try:
            await asyncio.wait({thinking, news}, return_when=asyncio.FIRST_COMPLETED)
            return thinking.result() if thinking.done() else None
        finally:
            for task in (thinking, news):
                task.cancel()

    async def _make(self, move: Any, legal: LegalMoves, obliged: bool) -> None:
        """Make a move at the version that it was chosen for; if the rules refuse it, the default."""
        version = legal["version"]
        try:
            answer = await self._game.move(move, version=version)
        except ValueError as error:
            return await self._make_default(f"the bot chose what cannot be sent: {error}", legal, obliged)
        except Refused as refusal:
            return await self._make_default(f"the rules refuse {str(move)[:200]}: {refusal}", legal, obliged)
        except Problem as problem:
            if problem.status in UNACCEPTABLE:
                return await self._make_default(f"the service refuses the move: {problem}", legal, obliged)
            if problem.code != "stale-version":
                raise
            # A position that the service has lost is followed by no message, so look again.
            self._news.set()
            return await self._look_for_twin(version)
        self._made.add(answer["version"])
        self._moves += 1
        self._tell(f"version {answer['version']}: made {move.get('type')}")

    async def _make_default(self, reason: str, legal: LegalMoves, obliged: bool) -> None:
        """Make the default move instead of one that was refused; a refused default is a fault of the service."""
        _log.warning("%s, version %s: %s", self.name, legal["version"], reason)
        if obliged:
            self._defaults += 1
            answer = await self._game.move(legal["default"] or {}, version=legal["version"])
            self._made.add(answer["version"])
            self._moves += 1

    async def _look_for_twin(self, version: int) -> None:
        """Warn if another program has moved for the same seat."""
        async for commit in self._game.commits(after=version):
            if commit["actor"] == self._game.seat and commit["cause"] is None and commit["version"] not in self._made:
                _log.error(
                    "%s: another program moved for this seat (version %s). Do two runners play with one key? Stop one.",
                    self.name,
                    commit["version"],
                )
                return

    def _tell(self, text: str) -> None:
        self._show(f"{self.name} ({self._ruleset}): {text}")


def _seconds_until(at: str, ahead_s: float) -> float:
    """Return the seconds until a moment of the service's clock, which is ahead of ours."""
    return datetime.fromisoformat(at).timestamp() - (time.time() + ahead_s)
