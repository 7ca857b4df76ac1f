"""The runner: listens to everything that awaits the player, and lets the bot play all its games at once."""

import asyncio
import contextlib
import logging
from contextlib import aclosing

from referee_client.asynchronous import AsyncClient
from referee_client.bot.config import Config
from referee_client.bot.display import Display
from referee_client.bot.faults import KeyRefused, NoService, Stop, Usage
from referee_client.bot.processes import keep_descendants
from referee_client.bot.program import check_bot
from referee_client.bot.seat_player import SeatPlayer
from referee_client.bot.seeking import Seeker
from referee_client.problems import Problem, RefereeError, Unauthorized, Unreachable
from referee_client.shapes import Message

_log = logging.getLogger("referee_client.bot")

START_PATIENCE_S = 5.0
"""At the start a wrong address should be noticed soon; later the runner waits for the service as long as it takes."""

SEEK_EVERY_S = 10.0


class Runner:
    """Plays for one key."""

    def __init__(self, config: Config, key: str, display: Display) -> None:
        self._config = config
        self._key = key
        self._display = display
        self._players: dict[tuple[str, int], SeatPlayer] = {}
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._over: set[str] = set()
        self._wakes_seeker = asyncio.Event()

    async def run(self) -> None:
        """Play until the configured number of games is over, or for ever; raises Stop."""
        keep_descendants()
        await check_bot(self._config, self._key)
        try:
            async with AsyncClient(self._config.url, self._key, patience_s=START_PATIENCE_S) as client:
                me = (await client.me())["player"]
        except ValueError as error:
            raise Usage(str(error)) from None
        except Unreachable as error:
            raise NoService(f"{error} Check the address, and whether the service runs.") from None
        _log.info("plays as %s (%s) at %s.", me["name"], me["id"], self._config.url)
        if not me["bot"]:
            _log.warning("%s is not a bot account: others cannot see that a program plays.", me["name"])
        async with AsyncClient(self._config.url, self._key) as client:
            seeker = Seeker(client, self._config, me["id"])
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._seek(seeker))
                    await self._listen(client, seeker, group)
            finally:
                await asyncio.gather(*(player.kill() for player in self._players.values()))

    async def _listen(self, client: AsyncClient, seeker: Seeker, group: asyncio.TaskGroup) -> None:
        async with aclosing(client.inbox(patience_s=None)) as inbox:
            async for message in inbox:
                try:
                    await self._take(client, seeker, group, message)
                except Unauthorized:
                    raise
                except RefereeError as error:
                    _log.warning("%s: %s", message.get("game"), error)
                if 0 < self._config.stop_after <= len(self._over):
                    raise Stop(f"{len(self._over)} games are over.")

    async def _take(self, client: AsyncClient, seeker: Seeker, group: asyncio.TaskGroup, message: Message) -> None:
        match message["event"]:
            case "awaited":
                self._play(client, group, message)
            case "finished" | "annulled":
                await self._end(message["game"], message["event"])
            case "invited":
                await seeker.answer(message, len(self._players))
            case "asked" if self._config.agree_to_pauses:
                await client.game(message["game"], message["seat"]).agree(message["consent"])
            case "taken_over":
                _log.warning("%s: a bot has taken over; returns to the seat.", message["game"])
                await client.game(message["game"]).return_to_seat(message["seat"])
            case "recovered":
                _log.warning("an admin replaced the keys of this player at %s.", message["recovered_at"])

    def _play(self, client: AsyncClient, group: asyncio.TaskGroup, message: Message) -> None:
        place = message["game"], message["seat"]
        if place in self._players:
            self._players[place].notify(message)
            return
        name = f"{place[0]}:{place[1]}"
        player = SeatPlayer(client, self._config, self._key, message, lambda text: self._display.show(name, text))
        self._players[place] = player
        self._tasks[place] = group.create_task(player.run())

    async def _end(self, game: str, status: str) -> None:
        for place in [place for place in self._players if place[0] == game]:
            self._tasks.pop(place).cancel()
            await self._players.pop(place).end(status)
            self._display.remove(f"{place[0]}:{place[1]}")
        self._over.add(game)
        self._wakes_seeker.set()

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


def stop_of(error: BaseException) -> Stop | None:
    """Return why the runner ends, if an error, or one in a group of errors, says so."""
    if isinstance(error, BaseExceptionGroup):
        return next((stop for each in error.exceptions if (stop := stop_of(each)) is not None), None)
    if isinstance(error, Unauthorized):
        return KeyRefused(f"The service refuses the key ({error.code}): {error.detail} Use another key.")
    return error if isinstance(error, Stop) else None
