"""Single Redis commands with the fewest layers: for the one round trip that a move costs."""

import threading
from typing import Any

import hiredis
from redis import Redis
from redis.exceptions import ConnectionError, ResponseError, TimeoutError

CONNECTIONS_MAX = 32


class LeanConnections:
    """Connections that are kept open and used by one caller at a time.

    A command is sent again if a connection that was kept turns out to be broken: the server may have carried it
    out already, so it must be one that can be told to have been.
    """

    def __init__(self, redis: Redis, most: int = CONNECTIONS_MAX) -> None:
        self._pool = redis.connection_pool
        self._idle: list[Any] = []
        self._free = threading.Semaphore(most)

    def call(self, *command: Any) -> Any:
        """The answer to a command; waits for a connection if all are in use."""
        with self._free:
            return self._call(command)

    def _call(self, command: tuple[Any, ...]) -> Any:
        packed = [hiredis.pack_command(command)]
        while True:
            kept = bool(self._idle)
            connection = self._idle.pop() if kept else self._pool.make_connection()
            try:
                connection.send_packed_command(packed, check_health=False)
                answer = connection.read_response()
            except ResponseError:
                self._idle.append(connection)
                raise
            except (ConnectionError, TimeoutError) as error:
                connection.disconnect()
                if not kept or isinstance(error, TimeoutError):
                    raise
            except BaseException:
                connection.disconnect()
                raise
            else:
                self._idle.append(connection)
                return answer
