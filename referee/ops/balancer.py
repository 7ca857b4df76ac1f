"""A balancer for trying out several web hosts: each connection goes to the next host that accepts it."""

import asyncio
import contextlib
import itertools
import threading
from collections.abc import Sequence

from referee.ops.network import BYTES_AT_ONCE, HOST, close_all


class Balancer:
    """Passes connections on to ports on this machine, in turn."""

    def __init__(self, port: int, ports: Sequence[int]) -> None:
        self.url = f"http://{HOST}:{port}"
        self._port = port
        self._ports = tuple(ports)
        self._turns = itertools.count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="balancer", daemon=True)

    def start(self) -> None:
        """Pass connections on from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Close every connection."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        listening = self._loop.run_until_complete(asyncio.start_server(self._serve, HOST, self._port))
        self._loop.run_forever()
        close_all(self._loop, [listening])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        turn = next(self._turns)
        for number in range(len(self._ports)):
            port = self._ports[(turn + number) % len(self._ports)]
            with contextlib.suppress(OSError, asyncio.CancelledError):
                there = await asyncio.open_connection(HOST, port)
                await asyncio.gather(_pump(reader, there[1]), _pump(there[0], writer))
                return
        writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, asyncio.CancelledError):
        while data := await reader.read(BYTES_AT_ONCE):
            writer.write(data)
            await writer.drain()
    writer.close()
