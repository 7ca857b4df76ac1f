"""What can go wrong, as exceptions: the service refuses, or it cannot be reached."""

from typing import Any

import httpx


class RefereeError(Exception):
    """The base of all exceptions of this package."""


class Unreachable(RefereeError):
    """The service could not be reached, or what answered is not a referee."""


class Problem(RefereeError):
    """The service refused a call. `code` is stable; `detail` is for people."""

    def __init__(self, status: int, members: dict[str, Any]) -> None:
        self.status = status
        self.code = str(members.get("code", "unknown"))
        self.title = str(members.get("title", ""))
        self.detail = str(members.get("detail", ""))
        self.clause: str | None = members.get("clause")
        """The clause of the rulebook that forbids the move or the options."""
        self.text: str | None = members.get("text")
        """The text of that clause."""
        self.version: int | None = members.get("version")
        """The version of the game that the service judged, where it says so."""
        self.request_id = str(members.get("request_id", ""))
        self.members = members
        """Everything that the answer contains."""
        cited = f" ({self.clause}: {self.text})" if self.clause else ""
        super().__init__(f"{self.code}: {self.detail}{cited}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.status, self.members))


class Refused(Problem):
    """The rules refuse a move or options: `clause` and `text` say which rule."""


class Unauthorized(Problem):
    """The key is missing, unknown, revoked or expired. Another call with it does not help."""


def problem_of(answer: httpx.Response) -> RefereeError:
    """Return the exception for an answer that reports an error."""
    try:
        members = answer.json()
    except ValueError:
        members = None
    if not isinstance(members, dict) or "code" not in members:
        return not_a_referee(answer)
    if answer.status_code == httpx.codes.UNAUTHORIZED:
        return Unauthorized(answer.status_code, members)
    return (Refused if members.get("clause") else Problem)(answer.status_code, members)


def read_json(answer: httpx.Response) -> Any:
    """Return the JSON of a good answer; raises Unreachable if it has none."""
    try:
        return answer.json()
    except ValueError:
        raise not_a_referee(answer) from None


def not_a_referee(answer: httpx.Response) -> Unreachable:
    """Return the exception for an answer that no referee gives."""
    kind = answer.headers.get("Content-Type", "no content type")
    return Unreachable(f"{answer.url} answered {answer.status_code} with {kind}. Is this the address of a referee?")
