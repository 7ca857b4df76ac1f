"""The witness over HTTP: `POST /add-checkpoint`, and `GET /HASH/checkpoint` of the last cosigned one."""

import time
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from referee.witness.cosign import BODY_BYTES_MAX, Answer, Witness

SECONDS_MAX = 10
"""A client that is slower than this between two packets is dropped."""


class Handler(BaseHTTPRequestHandler):
    """One connection to the witness."""

    protocol_version = "HTTP/1.1"
    timeout = SECONDS_MAX

    def __init__(self, witness: Witness, *rest: Any) -> None:
        self._witness = witness
        super().__init__(*rest)

    def do_POST(self) -> None:
        """Cosign a checkpoint."""
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            return self._send(Answer(411, "Send Content-Length.\n"), close=True)
        if int(length) > BODY_BYTES_MAX:
            return self._send(Answer(413, f"A body has at most {BODY_BYTES_MAX} bytes.\n"), close=True)
        body = self.rfile.read(int(length))
        if self.path != "/add-checkpoint":
            return self._send(Answer(404, "There is no such call.\n"))
        self._send(self._witness.add_checkpoint(body, int(time.time())))

    def do_GET(self) -> None:
        """Show the checkpoint that was cosigned last."""
        origin_hash, separator, call = self.path.removeprefix("/").partition("/")
        note = self._witness.newest(origin_hash) if separator and call == "checkpoint" else None
        self._send(Answer(404, "There is no such checkpoint.\n") if note is None else Answer(200, note))

    def _send(self, answer: Answer, close: bool = False) -> None:
        body = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(body)))
        if close:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: a witness answers anybody."""


def make_server(witness: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """A server for a witness, which does not serve yet."""
    return ThreadingHTTPServer((host, port), partial(Handler, witness))
