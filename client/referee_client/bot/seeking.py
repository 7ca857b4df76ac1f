"""Finds games for the bot: it answers invitations by rule, sits down at tables, and opens tables."""

import logging
from collections.abc import Iterator, Set
from itertools import cycle
from typing import Any

from referee_client.asynchronous import AsyncClient
from referee_client.bot.config import Config
from referee_client.problems import Problem, Unauthorized
from referee_client.shapes import GameSummary, Message

_log = logging.getLogger("referee_client.bot")

OPEN = ("waiting", "revealing", "running", "paused")


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

    async def answer(self, invitation: Message, playing: int) -> None:
        """Accept or decline an invitation."""
        game, seat = self._client.game(invitation["game"]), invitation["seat"]
        accepts = is_wanted(self._config, invitation, playing)
        _log.info("%s the invitation of %s to %s.", "accepts" if accepts else "declines", invitation["by"], game.id)
        try:
            if accepts:
                await game.sit(seat)
            else:
                await game.leave(seat)
        except Unauthorized:
            raise
        except Problem as problem:
            _log.warning("%s: %s", game.id, problem)

    async def seek(self, most: int | None, over: Set[str]) -> None:
        """Start games until there are enough, or until this number is going or over; None: the configuration's limit.

        A game may be over before its message has come, so every game that was started counts.
        """
        if not self._config.seek.rulesets:
            return
        lists = [self._client.games(mine=True, status=status) for status in OPEN]
        going = {game["id"] for games in lists async for game in games}
        wanted = min(self._config.seek.games, self._config.games_max) - len(going)
        for _ in range(wanted if most is None else min(wanted, most - len(over | self._started | going))):
            try:
                await self._start(next(self._rulesets))
            except Unauthorized:
                raise
            except Problem as problem:
                _log.warning("no game: %s", problem)
                return

    async def _start(self, ruleset: str) -> None:
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

    def _is_for_us(self, table: GameSummary) -> bool:
        held = [seat["player"]["id"] for seat in table["seats"] if seat["player"] is not None]
        is_open = any(seat["player"] is None and seat["bot"] is None for seat in table["seats"])
        return is_open and table["bots"] != "forbidden" and table["visibility"] == "public" and self._player not in held

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
