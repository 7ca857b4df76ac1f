"""Finds games for the bot: it answers invitations by rule, sits down at tables, and opens tables."""

import difflib
import logging
from collections.abc import Iterator, Sequence, Set
from itertools import cycle
from typing import Any

from referee_client.asynchronous import AsyncClient
from referee_client.bot.config import Config
from referee_client.bot.faults import Usage
from referee_client.problems import Problem, Unauthorized
from referee_client.shapes import GameSummary, Message

_log = logging.getLogger("referee_client.bot")

OPEN = ("waiting", "revealing", "running", "paused")


UNUSABLE = (400, 404, 422)
"""The statuses of a new game that the service will always refuse."""


def check_titles(config: Config, titles: Sequence[str]) -> None:
    """Compare the titles of the configuration with those of the service; raises Usage."""
    for where, names in (("seek", config.seek.rulesets), ("invitations", config.invitations.rulesets)):
        for name in names:
            if name not in titles:
                close = difflib.get_close_matches(name, titles, 1)
                hint = f"Did you mean {close[0]}?" if close else f"It has {', '.join(titles)}."
                raise Usage(f"The service has no title {name!r}, which [{where}] names. {hint}")


def is_wanted(config: Config, invitation: Message, playing: int) -> bool:
    """Whether the rules of the configuration accept an invitation."""
    rule = config.invitations
    return (
        rule.accept
        and playing < config.games_max
        and invitation["ruleset"] in (rule.rulesets or [invitation["ruleset"]])
        and invitation["by"]["id"] in (rule.players or [invitation["by"]["id"]])
    )


class Seeker:
    """Answers invitations, and keeps the number of games that the configuration asks for."""

    def __init__(self, client: AsyncClient, config: Config, player: str) -> None:
        self._client = client
        self._config = config
        self._player = player
        self._rulesets: Iterator[str] = cycle(config.seek.rulesets)
        self._started: set[str] = set()
        self._accepted: set[str] = set()

    async def answer(self, invitation: Message, playing: Set[str], over: Set[str]) -> None:
        """Accept or decline an invitation, by the games that are going and those that are over."""
        game, seat = self._client.game(invitation["game"]), invitation["seat"]
        accepts = is_wanted(self._config, invitation, len((playing | self._accepted) - over))
        _log.info("%s the invitation of %s to %s.", "accepts" if accepts else "declines", invitation["by"], game.id)
        try:
            if accepts:
                self._accepted.add(game.id)
                await game.sit(seat)
            else:
                await game.leave(seat)
        except Unauthorized:
            raise
        except Problem as problem:
            self._accepted.discard(game.id)
            _log.warning("%s: %s", game.id, problem)

    async def seek(self, most: int | None, over: Set[str]) -> None:
        """Start games until there are enough, or until this number is going or over; None: the configuration's limit.

        A game may be over before its message has come, so every game that was started counts.
        """
        if not self._config.seek.rulesets:
            return
        lists = [self._client.games(mine=True, status=status) for status in OPEN]
        own = [game for games in lists async for game in games]
        going = {game["id"] for game in own if self._plays(game)}
        unseated = [game for game in own if game["ruleset"] in self._config.seek.rulesets and self._is_for_us(game)]
        wanted = min(self._config.seek.games, self._config.games_max) - len(going)
        for _ in range(wanted if most is None else min(wanted, most - len(over | self._started | going))):
            try:
                await self._start(next(self._rulesets), unseated)
            except Unauthorized:
                raise
            except Problem as problem:
                if not self._started and problem.status in UNUSABLE:
                    reasons = problem.members.get("errors") or ""
                    raise Usage(f"The service refuses the game that the bot seeks: {problem} {reasons}") from None
                _log.warning("no game: %s", problem)
                return

    async def _start(self, ruleset: str, unseated: list[GameSummary]) -> None:
        """Sit down at a table, or open one. A table that this player opened without sitting down comes first."""
        while unseated:
            if await self._sits_down(unseated.pop()):
                return
        seek = self._config.seek
        if not seek.opponents:
            async for table in self._client.games(ruleset=ruleset, status="waiting"):
                if self._is_for_us(table) and await self._sits_down(table):
                    return
        others: list[Any] = [{"bot": bot} for bot in seek.opponents] or ["open"] * (seek.seats - 1)
        clock = {"clock": seek.clock} if seek.clock else {}
        game = await self._client.create(ruleset, ["open", *others], options=seek.options, **clock)
        self._started.add(game.id)
        await game.sit(0)  # afterwards, because a seal needs the id of the game
        _log.info("created %s (%s).", game.id, ruleset)

    def _plays(self, table: GameSummary) -> bool:
        return any(seat["player"] is not None and seat["player"]["id"] == self._player for seat in table["seats"])

    def _is_for_us(self, table: GameSummary) -> bool:
        is_open = any(seat["player"] is None and seat["bot"] is None for seat in table["seats"])
        is_admitted = table["bots"] != "forbidden" and table["visibility"] == "public"
        return table["status"] == "waiting" and is_open and is_admitted and not self._plays(table)

    async def _sits_down(self, table: GameSummary) -> bool:
        try:
            await self._client.game(table["id"]).sit()
        except Unauthorized:
            raise
        except Problem as problem:
            _log.info("no seat in %s: %s", table["id"], problem)
            return False
        self._started.add(table["id"])
        _log.info("sat down in %s (%s).", table["id"], table["ruleset"])
        return True
