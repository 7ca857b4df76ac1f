"""The runner: listens to everything that awaits the player, and lets the bot play all its games at once."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from referee_client import calls, connection
from referee_client.asynchronous import AsyncClient
from referee_client.bot.config import Config
from referee_client.bot.display import Display
from referee_client.bot.faults import KeyRefused, NoService, Stop, Usage
from referee_client.bot.files import open_links, prepare_logs
from referee_client.bot.processes import keep_descendants
from referee_client.bot.program import check_bot
from referee_client.bot.seat_player import AGAIN_S, SeatPlayer
from referee_client.bot.seeking import Seeker, check_titles
from referee_client.problems import Problem, RefereeError, Unauthorized, Unreachable
from referee_client.shapes import Message

_log = logging.getLogger("referee_client.bot")

START_PATIENCE_S = 5.0
"""At the start a wrong address should be noticed soon; later the runner waits for the service as long as it takes."""

SEEK_EVERY_S = 10.0

NOTED_PAUSE_S = 1.0
"""Shorter pauses before the next attempt are not worth a line."""

Place = tuple[str, int]


class Runner:
    """Plays for one key. No game waits for another: whatever takes time has a task of its own."""

    def __init__(self, config: Config, key: str, display: Display) -> None:
        self._config = config
        self._key = key
        self._display = display
        self._players: dict[Place, SeatPlayer] = {}
        self._tasks: dict[Place, asyncio.Task[None]] = {}
        self._ending: set[SeatPlayer] = set()
        self._answering: set[tuple[Any, ...]] = set()
        """The messages that are being answered: on every new connection the service repeats what still waits."""
        self._over: set[str] = set()
        self._wakes_seeker = asyncio.Event()
        self._noted = ("", 0.0)

    async def run(self) -> None:
        """Play until the configured number of games is over, or for ever; raises Stop."""
        keep_descendants()
        prepare_logs(self._config)
        await check_bot(self._config, self._key)
        player = await self._introduce()
        async with AsyncClient(self._config.url, self._key) as client:
            client.links = open_links(self._config)
            client.notice = self._note_pause
            seeker = Seeker(client, self._config, player)
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._seek(seeker))
                    await self._listen(client, seeker, group)
            finally:
                await asyncio.gather(*(player.kill() for player in {*self._players.values(), *self._ending}))

    async def _introduce(self) -> str:
        """Find the service, and return the id of the player; raises what is wrong with address, key or titles."""
        try:
            async with AsyncClient(self._config.url, self._key, patience_s=START_PATIENCE_S) as client:
                me = (await client.me())["player"]
                titles = [each["slug"] for each in await client.rulesets()]
        except ValueError as error:
            raise Usage(str(error)) from None
        except Unauthorized:
            raise
        except (Problem, Unreachable) as error:
            raise NoService(f"{error} Check the address, and whether the service runs.") from None
        check_titles(self._config, titles)
        _log.info("plays as %s (%s) at %s.", me["name"], me["id"], self._config.url)
        if not me["bot"]:
            _log.warning("%s is not a bot account: others cannot see that a program plays.", me["name"])
        return str(me["id"])

    async def _listen(self, client: AsyncClient, seeker: Seeker, group: asyncio.TaskGroup) -> None:
        async with aclosing(_messages(client)) as messages:
            async for message in messages:
                if message["event"] == "awaited":
                    self._play(client, group, message)
                else:
                    group.create_task(self._answer(client, seeker, message))

    async def _answer(self, client: AsyncClient, seeker: Seeker, message: Message) -> None:
        """Do what a message asks for, once; only what ends the runner gets out."""
        asked = message["event"], message.get("game"), message.get("seat")
        if asked in self._answering:
            return
        self._answering.add(asked)
        try:
            await self._take(client, seeker, message)
        except Unauthorized:
            raise
        except RefereeError as error:
            _log.warning("%s: %s", message.get("game"), error)
        finally:
            self._answering.discard(asked)

    async def _take(self, client: AsyncClient, seeker: Seeker, message: Message) -> None:
        match message["event"]:
            case "finished" | "annulled":
                await self._end(client, message["game"], message["event"])
            case "invited":
                await seeker.answer(message, {game for game, _ in self._players}, self._over)
            case "revealing":
                await _reveal(client, message)
            case "asked" if self._config.agree_to_pauses:
                await client.game(message["game"], message["seat"]).agree(message["consent"])
            case "taken_over":
                _log.warning("%s: a bot has taken over; returns to the seat.", message["game"])
                await client.game(message["game"]).return_to_seat(message["seat"])
            case "recovered":
                _log.warning("an admin replaced the keys of this player at %s.", message["recovered_at"])
            case "rewound":
                self._go_back(message)

    def _play(self, client: AsyncClient, group: asyncio.TaskGroup, message: Message) -> None:
        place = message["game"], message["seat"]
        if place in self._players:
            self._players[place].notify(message)
            return
        name = f"{place[0]}:{place[1]}"
        player = SeatPlayer(client, self._config, self._key, message, lambda text: self._display.show(name, text))
        self._players[place] = player
        self._tasks[place] = group.create_task(player.run())

    def _go_back(self, message: Message) -> None:
        """Let the bot look again at a game whose newest commits the service has lost."""
        _log.warning("%s: the service lost the moves after version %s.", message["game"], message["version"])
        for (game, _), player in self._players.items():
            if game == message["game"]:
                player.look_again()

    async def _end(self, client: AsyncClient, game: str, status: str) -> None:
        """End what plays a game, and raise Stop if it was the last one."""
        places = [place for place in self._players if place[0] == game]
        players = {self._players.pop(place) for place in places}
        self._ending |= players
        for place in places:
            self._tasks.pop(place).cancel()
        await asyncio.gather(*(player.end(status) for player in players))
        for place in places:
            self._display.remove(f"{place[0]}:{place[1]}")
        self._ending -= players
        client.links.forget(game)
        self._over.add(game)
        self._wakes_seeker.set()
        if 0 < self._config.stop_after <= len(self._over):
            raise Stop("1 game is over." if len(self._over) == 1 else f"{len(self._over)} games are over.")

    async def _seek(self, seeker: Seeker) -> None:
        """Look for games at the start, whenever a game is over, and now and then."""
        while True:
            stop_after = self._config.stop_after
            try:
                await seeker.seek(stop_after or None, self._over)
            except Unauthorized:
                raise
            except (Problem, Unreachable) as error:
                _log.warning("seeks no game now: %s", error)
            self._wakes_seeker.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SEEK_EVERY_S):
                    await self._wakes_seeker.wait()

    def _note_pause(self, reason: RefereeError, pause: float) -> None:
        """Log why nothing happens; the calls of many games that wait for the same thing get one line."""
        text, now = str(reason), time.monotonic()
        if pause >= NOTED_PAUSE_S and (text != self._noted[0] or now > self._noted[1]):
            self._noted = text, now + pause
            _log.warning("%s Trying again in %.0f s.", text, pause)


async def _messages(client: AsyncClient) -> AsyncGenerator[Message, None]:
    """Yield what `inbox` yields, but reveal nothing meanwhile, which can take long."""
    async with aclosing(client.stream(calls.get("me", "events"))) as events:
        async for event in events:
            yield connection.read_message(event)


async def _reveal(client: AsyncClient, message: Message) -> None:
    """Reveal what the bot has sealed, again until the service has it: without it the game may be annulled."""
    while True:
        try:
            state = await client.game(message["game"]).read()
        except Unreachable as error:
            _log.warning("%s: %s", message["game"], error)
        else:
            if message["seat"] not in state["unrevealed"]:
                return
            if not client.links.to_reveal(state):
                _log.error("%s: this runner does not have what the bot has sealed.", message["game"])
                return
        await asyncio.sleep(AGAIN_S)


def stop_of(error: BaseException) -> Stop | None:
    """Return why the runner ends, if an error, or one in a group of errors, says so."""
    if isinstance(error, BaseExceptionGroup):
        return next((stop for each in error.exceptions if (stop := stop_of(each)) is not None), None)
    if isinstance(error, Unauthorized) or (isinstance(error, Problem) and error.code == "scope-missing"):
        return KeyRefused(f"The service refuses the key ({error.code}): {error.detail} Use another key.")
    return error if isinstance(error, Stop) else None
