"""How a player is asked: a prompt below which nothing is written over, or the lines of a program."""

import asyncio
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.patch_stdout import patch_stdout

REFRESH_S = 0.5
"""How often the prompt shows the time that is left."""

Words = str | Callable[[], str]


class Asking(Protocol):
    """Where the words of a player come from."""

    is_live: bool
    """Whether a person can type at any time."""

    def __enter__(self) -> object: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def line(self, words: Words, below: Callable[[], str] | None = None) -> str | None:
        """Return the next line; None: there will be no more."""

    def refresh(self) -> None:
        """Show the words of the prompt again, which may have changed."""


class Prompt:
    """A prompt on a terminal. What is printed meanwhile appears above it."""

    is_live = True

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession(reserve_space_for_menu=0)
        self._stack = ExitStack()

    def __enter__(self) -> "Prompt":
        self._stack.enter_context(patch_stdout(raw=True))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    async def line(self, words: Words, below: Callable[[], str] | None = None) -> str | None:
        """Return what the player types; None after Ctrl-D."""
        try:
            return await self._session.prompt_async(words, bottom_toolbar=below, refresh_interval=REFRESH_S)
        except EOFError:
            return None

    def refresh(self) -> None:
        """Show the words of the prompt again."""
        self._session.app.invalidate()


class Piped:
    """The lines of a program or of a file."""

    is_live = False

    def __enter__(self) -> "Piped":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to do: a thread that still reads ends with the process."""

    async def line(self, words: Words, below: Callable[[], str] | None = None) -> str | None:
        """Return the next line of the input."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[str | None] = loop.create_future()

        def read() -> None:
            text = sys.stdin.readline()
            if not loop.is_closed():
                loop.call_soon_threadsafe(_give, found, text.rstrip("\n") if text else None)

        threading.Thread(target=read, daemon=True).start()
        return await found

    def refresh(self) -> None:
        """Nothing is shown."""


def _give(found: "asyncio.Future[str | None]", line: str | None) -> None:
    if not found.done():
        found.set_result(line)
