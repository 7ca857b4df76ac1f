"""Runs a bot that is a Python function or class. It speaks the protocol of programs, and imports nothing but it.

Started as `python -P worker.py DIRECTORY module:name`; with `--check` at the end it only loads the bot.
"""

import importlib
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

Choose = Callable[..., Any]


def load(directory: str, target: str) -> Any:
    """Import the bot."""
    sys.path.insert(0, directory)
    module, _, name = target.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise TypeError(f"{target} is neither a function nor a class.")
    if inspect.isclass(found) and not callable(getattr(found, "choose", None)):
        raise TypeError(f"The class {target} has no method choose(self, view, moves).")
    if not inspect.isclass(found) and not any(_takes(found, number) for number in (2, 3)):
        raise TypeError(f"{target} must take two arguments, view and moves, or three.")
    return found


def _takes(function: Choose, number: int) -> bool:
    try:
        inspect.signature(function).bind(*range(number))
    except TypeError:
        return False
    return True


def chooser(target: Any, game: dict[str, Any]) -> Choose:
    """Return the function that answers the questions of one game; a class gets an object per game."""
    is_class = inspect.isclass(target)
    choose: Choose = target(game).choose if is_class else target
    takes_more = _takes(choose, 3)

    def answer(question: dict[str, Any]) -> Any:
        moves = question["moves"] or [question["default"]]
        return choose(question["view"], moves, question) if takes_more else choose(question["view"], moves)

    return answer


def serve(target: Any, answers: Any) -> None:
    """Answer every question on the standard input until it ends."""
    choose: Choose | None = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["kind"] == "game":
            choose = chooser(target, message)
        elif message["kind"] == "choose" and choose is not None:
            try:
                answer = {"id": message["id"], "move": choose(message)}
                text = json.dumps(answer, allow_nan=False)
            except Exception as error:
                traceback.print_exc()
                text = json.dumps({"id": message["id"], "error": f"{type(error).__name__}: {error}"})
            answers.write(text + "\n")
            answers.flush()


def main(directory: str, target: str, *flags: str) -> None:
    """Load the bot, and let it play unless it is only checked."""
    # What the bot prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        found = load(directory, target)
    except Exception as error:
        if flags:
            sys.exit(f"{type(error).__name__}: {error}")
        raise
    if not flags:
        serve(found, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
