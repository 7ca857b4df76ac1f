"""What can go wrong, each with a sentence that says what to do, and an exit status."""

import json
from pathlib import Path

from referee_client.patience import PASSING
from referee_client.problems import Problem, Refused, Unauthorized, Unreachable

DONE, NO, USAGE, KEY, SERVICE, REFUSED, NOT_YET, OURS, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 70, 130

INSTALL = "pip install . './client[terminal]'"

STATUSES = """\
Exit status: 0 done, 1 no (an audit that failed, a move that the judge rejects), 2 wrong usage or an unreadable file,
3 the service refuses the key, 4 no service at this address, or it cannot answer now, 5 the service refuses what you
ask, 6 not yet (an audit of a game that still runs), 70 a fault of this program, 130 interrupted."""


class Fault(Exception):
    """The command ends with this sentence and this status."""

    def __init__(self, sentence: str, status: int = USAGE) -> None:
        super().__init__(sentence)
        self.status = status


HINTS = {
    "unknown-game": "`referee games` lists the games that you can see.",
    "unknown-ruleset": "`referee rules` lists the titles.",
    "not-your-seat": "`referee watch` shows a game without a seat.",
    "bot-plays": "`referee play` returns you to your seat.",
    "game-running": "Try again when the game is over.",
    "scope-missing": "Log in with a key that may do this: `referee login`.",
    "registration-closed": "Ask an admin of the service for a key, and run `referee login`.",
    "rate-limited": "Wait a little, and try again.",
    "unconfirmed": "It may have taken effect all the same: look with `referee games`, then try again.",
    "join-code-wrong": "`--join-code CODE` takes the code that the creator of the game got.",
}
"""What to do after a problem, by its code."""


def sentence_of(error: BaseException, url: str | None) -> tuple[str, int]:
    """Return the message about an error, and the exit status."""
    match error:
        case Fault():
            return str(error), error.status
        case Unauthorized():
            return f"The service at {url} refuses your key: {error.detail} Log in again: referee login", KEY
        case Refused():
            return f"{error.detail} ({error.clause}: {error.text})", REFUSED
        case Problem():
            return sentence_of_problem(error), SERVICE if error.status in PASSING else REFUSED
        case Unreachable():
            return f"{error} Check the address and that the service runs: `make run` starts one.", SERVICE
        case ModuleNotFoundError():
            return f"The package {error.name} is missing. In the project's directory: {INSTALL}", USAGE
        case json.JSONDecodeError():
            return f"This is not JSON: {error}.", USAGE
        case OSError() if error.filename is not None:
            return f"{Path(str(error.filename))}: {error.strerror}.", USAGE
        case _:
            return f"A fault of this program: {type(error).__name__}: {error} `--traceback` shows more.", OURS


def sentence_of_problem(problem: Problem) -> str:
    """Return what the service says, and what to do."""
    passing = "Try again in a moment." if problem.status in PASSING else ""
    return f"{problem.detail or problem.title} {_hint(problem) or passing}".strip()


def _hint(problem: Problem) -> str:
    """Return what to do, and which fields are wrong where the service names them."""
    errors = problem.members.get("errors")
    fields = f"({json.dumps(errors, ensure_ascii=False)})" if errors else ""
    return f"{fields} {HINTS.get(problem.code, '')}".strip()
