"""An append whose answer is lost is sent again, and is still written once."""

import socket
import threading
from pathlib import Path

from redis import Redis

from referee.store.log import Written
from referee.store.redis_log import RedisLog
from referee.table.record import Entry
from tests.redis_server import RedisServer


class LossyProxy:
    """Forwards everything to Redis, but closes the connection instead of forwarding one chosen answer."""

    def __init__(self, path: Path, target: str) -> None:
        self.path = path
        self.target = target
        self.lose_next = False
        self.lost = 0
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            client, _ = self._server.accept()
            redis = socket.socket(socket.AF_UNIX)
            redis.connect(self.target)
            threading.Thread(target=self._serve, args=(client, redis), daemon=True).start()

    def _serve(self, client: socket.socket, redis: socket.socket) -> None:
        while data := client.recv(1 << 20):
            redis.sendall(data)
            answer = redis.recv(1 << 20)
            if self.lose_next and b"EVAL" in data:
                self.lose_next = False
                self.lost += 1
                client.close()
                return
            client.sendall(answer)


def test_an_append_whose_answer_was_lost_is_written_once(tmp_path: Path) -> None:
    server = RedisServer(tmp_path / "redis").start()
    try:
        target = server.url.removeprefix("unix://")
        proxy = LossyProxy(tmp_path / "proxy.sock", target)
        log = RedisLog(Redis.from_url(f"unix://{proxy.path}"))
        assert log.append("g_one", Entry(1, b"{}", "a"), None, None) == Written()
        proxy.lose_next = True
        assert log.append("g_one", Entry(2, b"{}", "b"), None, None) == Written()
        assert proxy.lost == 1
        assert [entry.hash for entry in log.read("g_one", 0)] == ["a", "b"]
        other = RedisLog(Redis.from_url(server.url))
        assert other.append("g_one", Entry(2, b"{}", "b"), None, None) != Written()
    finally:
        server.stop()
