"""A proxy between a client and the service that can lose an answer, as a bad network does."""

import contextlib
import socket
import threading


class LossyProxy:
    """Forwards connections to the service; each answer counted in `to_lose` is received and thrown away.

    The next streams that are asked for get the answers in `recorded` in place of the service's.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.to_lose = 0
        self.lost: list[bytes] = []
        self.recorded: list[bytes] = []
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                self._open += [near, far]
                threading.Thread(target=self._pump, args=(near, far, False), daemon=True).start()
                threading.Thread(target=self._pump, args=(far, near, True), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_answer and self.to_lose:
                    self.to_lose -= 1
                    self.lost.append(data)
                    break
                if not is_answer and self.recorded and b"accept: text/event-stream" in data.lower():
                    source.sendall(self.recorded.pop(0))
                    break
                sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.shutdown(socket.SHUT_RDWR)  # A thread that waits in `accept` would keep it open.
        self._listener.close()

    def cut(self) -> None:
        """Accept no more connections and end those that are open, as a service that is killed does."""
        self.close()
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
