"""A network between servers on one machine that can be cut, without root: every connection goes through a relay."""

import asyncio
import contextlib
import threading
from collections.abc import Mapping, Sequence
from functools import partial

HOST = "127.0.0.1"
FIRST_SOURCE = 10
"""Server n connects to others from the address 127.0.0.(10 + n), so that the relay knows who connects."""
HOLD_S = 0.02
BYTES_AT_ONCE = 1 << 16


def source_of(number: int) -> str:
    """The address from which a server connects to others."""
    return f"127.0.0.{FIRST_SOURCE + number}"


def close_all(loop: asyncio.AbstractEventLoop, listening: Sequence[asyncio.Server]) -> None:
    """Close servers and every connection of a loop that has stopped."""
    for server in listening:
        server.close()
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    loop.close()


class Network:
    """Relays connections to servers. Between servers that are cut off from each other it holds the bytes back.

    Clients are never cut off: only servers connect from addresses of their own.
    """

    def __init__(self, ports: Mapping[int, tuple[int, int]]) -> None:
        """`ports`: for each port that others connect to, the number of the server and its own port."""
        self._ports = dict(ports)
        self._groups: dict[int, int] = {}
        self._loop = asyncio.new_event_loop()
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)

    def start(self) -> "Network":
        """Relay from now on."""
        self._thread.start()
        self._is_ready.wait(10)
        return self

    def stop(self) -> None:
        """Close every connection."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def split(self, groups: Mapping[int, int]) -> None:
        """Connect only servers of the same group; servers that are not named are in group 0."""
        self._groups = dict(groups)

    def _are_cut(self, one: int | None, other: int) -> bool:
        groups = self._groups
        return bool(groups) and one is not None and groups.get(one, 0) != groups.get(other, 0)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        listening = self._loop.run_until_complete(self._listen())
        self._is_ready.set()
        self._loop.run_forever()
        close_all(self._loop, listening)

    async def _listen(self) -> list[asyncio.Server]:
        return [
            await asyncio.start_server(partial(self._relay, to=number, port=own), HOST, port)
            for port, (number, own) in self._ports.items()
        ]

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, to: int, port: int) -> None:
        number = int(writer.get_extra_info("peername")[0].rpartition(".")[2]) - FIRST_SOURCE
        peer = number if number >= 0 else None
        with contextlib.suppress(OSError, asyncio.CancelledError):
            there_reader, there_writer = await asyncio.open_connection(HOST, port)
            await asyncio.gather(self._pump(reader, there_writer, peer, to), self._pump(there_reader, writer, peer, to))
        writer.close()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, one: int | None, other: int
    ) -> None:
        with contextlib.suppress(OSError, asyncio.CancelledError):
            while data := await reader.read(BYTES_AT_ONCE):
                while self._are_cut(one, other):
                    await asyncio.sleep(HOLD_S)
                writer.write(data)
                await writer.drain()
        writer.close()
