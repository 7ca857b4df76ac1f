"""A client's connection, which can be cut off in the middle of a request or before the answer."""

import contextlib
import http.client
import socket
from collections import Counter
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

import msgspec

Cut = Literal["within", "before the answer"]
TIMEOUT_S = 20.0


class Answer(msgspec.Struct, frozen=True):
    """A status and a body."""

    status: int
    body: bytes
    headers: dict[str, str]

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Connection:
    """Calls the service over one connection, which is opened again when it breaks."""

    def __init__(self, url: str, key: str | None) -> None:
        self._address = urlsplit(url).netloc
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._connection: http.client.HTTPConnection | None = None
        self.broken: Counter[str] = Counter()
        """The number of forbidden answers by kind: any 5xx except 503."""

    def call(
        self, method: str, path: str, body: bytes | None = None, cut: Cut | None = None, **more: Any
    ) -> Answer | None:
        """The answer, or None if none arrived. `more`: headers, params."""
        query = urlencode({name: value for name, value in more.get("params", {}).items() if value is not None})
        target = f"/v1{path}?{query}" if query else f"/v1{path}"
        headers = {**self._headers, **more.get("headers", {})}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        try:
            answer = self._send(method, target, headers, body or b"", cut)
        except (OSError, http.client.HTTPException):
            self.close()
            return None
        if answer is not None and answer.status >= 500 and answer.status != 503:
            self.broken[f"{answer.status} to {method} {path}"] += 1
        return answer

    def _send(self, method: str, target: str, headers: dict[str, str], body: bytes, cut: Cut | None) -> Answer | None:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._address, timeout=TIMEOUT_S)
            self._connection.connect()
            self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = self._connection
        connection.putrequest(method, target)
        for name, value in headers.items():
            connection.putheader(name, value)
        if cut == "within":
            connection.endheaders(body[: len(body) // 2])
            self.close()
            return None
        connection.endheaders(body)
        if cut is not None:
            self.close()
            return None
        answer = connection.getresponse()
        content = answer.read()
        if answer.will_close:
            self.close()
        return Answer(answer.status, content, dict(answer.getheaders()))

    def close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.close()
            self._connection = None
