"""Asks witnesses to cosign a checkpoint, as C2SP's tlog-witness describes it."""

import http.client
import logging
import queue
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from urllib.parse import urlsplit

from referee.tlog.note import NOTE_BYTES_MAX, SIGNATURES_MAX, Checkpoint, Cosigner, InvalidNote, read_signature
from referee.tlog.policy import InvalidPolicy, Policy

SECONDS_MAX = 5.0
"""The longest time that a checkpoint waits for its quorum."""
MORE_SECONDS = 1.0
"""The longest time that it waits for the other witnesses after that."""
WITNESSES_MAX = SIGNATURES_MAX // 2
SIZE_TYPE = "text/x.tlog.size"

Prove = Callable[[int], Sequence[bytes]]
"""Proves that a checkpoint continues the tree of an older size."""
Question = Callable[["AskedWitness"], str]
Answers = queue.Queue[tuple[str, str]]
"""The names of witnesses, each with its answer, which is empty if there is none."""

_log = logging.getLogger(__name__)


class Cosigners:
    """The witnesses of a policy that have a URL."""

    def __init__(self, policy: Policy, seconds: float = SECONDS_MAX) -> None:
        """Raises InvalidPolicy if they could never make a quorum."""
        if len(policy.urls) > WITNESSES_MAX:
            raise InvalidPolicy(f"A log asks at most {WITNESSES_MAX} witnesses.")
        if not policy.is_reached(policy.urls):
            raise InvalidPolicy(f"The quorum {policy.quorum} needs witnesses that have no URL.")
        self._policy = policy
        self._seconds = seconds
        self._asked = [AskedWitness(name, policy.witnesses[name], url) for name, url in policy.urls.items()]

    def cosign(self, note: str, checkpoint: Checkpoint, prove: Prove) -> tuple[str, bool]:
        """The lines with the cosignatures of a signed checkpoint, and whether they are a quorum."""
        lines = self._ask(lambda witness: witness.cosignature(note, checkpoint, prove), self._policy.is_reached)
        return "".join(lines.values()), self._policy.is_reached(lines)

    def newest(self, origin: str) -> list[str]:
        """The notes that the witnesses of a log cosigned last, where they show them. Nothing in them is checked."""
        return list(self._ask(lambda witness: witness.newest(origin), lambda _: False).values())

    def _ask(self, question: Question, is_enough: Callable[[Collection[str]], bool]) -> dict[str, str]:
        """Ask all witnesses at once; returns the answers that come in time, by their names."""
        answers: Answers = queue.Queue()
        awaited = [witness for witness in self._asked if witness.begin(question, answers)]
        found = dict[str, str]()
        until = time.monotonic() + self._seconds
        for _ in awaited:
            if is_enough(found):
                until = min(until, time.monotonic() + MORE_SECONDS)
            try:
                name, text = answers.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                break
            if text:
                found[name] = text
        return found


class AskedWitness:
    """A witness of another person, which may be slow, silent or hostile."""

    def __init__(self, name: str, key: Cosigner, url: str) -> None:
        """Raises InvalidPolicy for an URL that cannot be asked."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise InvalidPolicy(f"{url!r} is not the URL of a witness.")
        self._name = name
        self._key = key
        self._is_secure = parts.scheme == "https"
        self._host, self._path = parts.netloc.rpartition("@")[2], parts.path.rstrip("/")
        self._seen = 0
        self._thread: threading.Thread | None = None

    def begin(self, question: Question, answers: Answers) -> bool:
        """Ask in a thread of its own; returns False if the last question is not answered yet."""
        if self._thread is not None and self._thread.is_alive():
            return False

        def ask() -> None:
            text = ""
            try:
                text = question(self)
            except (OSError, http.client.HTTPException, InvalidNote, ValueError) as error:
                _log.warning("no answer of the witness %s: %s", self._name, error)
            finally:
                answers.put((self._name, text))

        self._thread = threading.Thread(target=ask, daemon=True)
        self._thread.start()
        return True

    def newest(self, origin: str) -> str:
        """The note that the witness cosigned last for a log; empty: it shows none."""
        status, _, text = self._call("GET", f"/{sha256(origin.encode()).hexdigest()}/checkpoint")
        return text if status == 200 else ""

    def cosignature(self, note: str, checkpoint: Checkpoint, prove: Prove) -> str:
        """The line with the cosignature; raises InvalidNote for any other answer.

        A witness that has seen another size than was thought says so, and is asked once more.
        """
        status, kind, text = self._submit(note, checkpoint, prove)
        if (status, kind) == (409, SIZE_TYPE) and text.strip().isdecimal() and int(text) <= checkpoint.size:
            self._seen = int(text)
            status, kind, text = self._submit(note, checkpoint, prove)
        if status != 200:
            raise InvalidNote(f"It answers {status} {text[:200]!r}.")
        for line in text.splitlines():
            name, signature = read_signature(line)
            if (name, signature[:4]) == (self._key.name, self._key.id):
                if self._key.cosigned_at(checkpoint.text, signature[4:]) is None:
                    raise InvalidNote("Its cosignature is wrong.")
                self._seen = checkpoint.size
                return f"{line}\n"
        raise InvalidNote("Its answer has no cosignature of its key.")

    def _submit(self, note: str, checkpoint: Checkpoint, prove: Prove) -> tuple[int, str, str]:
        old = min(self._seen, checkpoint.size)
        steps = [b64encode(step).decode() for step in prove(old)]
        return self._call("POST", "/add-checkpoint", "".join(f"{line}\n" for line in (f"old {old}", *steps, "")) + note)

    def _call(self, method: str, path: str, body: str = "") -> tuple[int, str, str]:
        """The status, the type and the text of an answer. It follows no redirects."""
        kind = http.client.HTTPSConnection if self._is_secure else http.client.HTTPConnection
        connection = kind(self._host, timeout=SECONDS_MAX)
        try:
            connection.request(method, self._path + path, body.encode())
            answer = connection.getresponse()
            return answer.status, answer.headers.get_content_type(), answer.read(NOTE_BYTES_MAX).decode()
        finally:
            connection.close()
