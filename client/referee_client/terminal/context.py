"""What every command gets: where it writes, which service it asks, and with which key."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee_client.asynchronous import AsyncClient
from referee_client.luck import Links
from referee_client.problems import RefereeError
from referee_client.synchronous import Client
from referee_client.terminal.account import DEFAULT_URL, Accounts, account_file, links_file, read_private
from referee_client.terminal.faults import KEY, Fault
from referee_client.terminal.safe import SafeConsole

PATIENCE_S = 3.0
"""A person does not want to wait longer for a service that does not answer."""

NOTED_PAUSE_S = 1.0
"""Shorter pauses before the next attempt are not worth a line."""


LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that name a locale; the first that is set counts."""
_LANGUAGE = re.compile("[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_LOCALE = re.compile(r"([a-z]{2,3})(?:[_.@]|$)")


@dataclass
class Context:
    """The options that every command has, and what follows from them."""

    given_url: str | None = None
    key_file: Path | None = None
    given_language: str | None = None
    as_json: bool = False
    traceback: bool = False

    @cached_property
    def out(self) -> SafeConsole:
        """The output."""
        return SafeConsole()

    @cached_property
    def err(self) -> SafeConsole:
        """Where sentences about mistakes and progress go."""
        return SafeConsole(stderr=True)

    @cached_property
    def accounts(self) -> Accounts:
        """Where you are logged in."""
        return Accounts(account_file())

    @cached_property
    def url(self) -> str:
        """The address of the service: the given one, the one where you are logged in, or that of `make run`."""
        return (self.given_url or self.accounts.current or DEFAULT_URL).rstrip("/")

    @cached_property
    def language(self) -> str:
        """The language of sentences: the given one, or that of the locale; English if neither names one."""
        found = _LOCALE.match(next(filter(None, map(os.environ.get, LOCALE)), ""))
        language = self.given_language or (found[1] if found else "en")
        if not _LANGUAGE.fullmatch(language):
            raise Fault(f"A language is a tag such as fr or de-CH, but this is {language!r}.")
        return language

    @cached_property
    def key(self) -> str | None:
        """Your key at this service."""
        if self.key_file is not None:
            return read_private(self.key_file).strip()
        return self.accounts.key(self.url)

    def client(self, needs_key: bool = False) -> Client:
        """Return a client with your key, if you have one; raises Fault if you need one."""
        self._check(needs_key)
        return self.connect(self.key)

    def connect(self, key: str | None) -> Client:
        """Return a client with this key, or without one; raises Fault if the address or the key cannot be one."""
        try:
            client = Client(self.url, key, patience_s=PATIENCE_S)
        except ValueError as error:
            raise Fault(str(error)) from None
        client.headers["Accept-Language"] = self.language
        client.notice = self.note_pause
        return client

    def async_client(self) -> AsyncClient:
        """Return a client with your key for asyncio; raises Fault if you have none."""
        self._check(needs_key=True)
        try:
            client = AsyncClient(self.url, self.key, patience_s=PATIENCE_S)
        except ValueError as error:
            raise Fault(str(error)) from None
        client.headers["Accept-Language"] = self.language
        client.notice = self.note_pause
        return client

    @contextmanager
    def links(self, game: str, client: Client | AsyncClient) -> Iterator[None]:
        """Let a client keep your part of the luck of this game in a file of yours, as long as it is needed."""
        file = links_file(game)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            client.links = Links(file)
        except ValueError:
            raise Fault(f"{file} is damaged. Remove it; where luck is fresh, type `seal` while others move.") from None
        try:
            yield
        finally:
            if client.links.is_empty:
                file.unlink(missing_ok=True)

    def _check(self, needs_key: bool) -> None:
        if needs_key and self.key is None:
            raise Fault(f"You are not logged in at {self.url}. Log in first: referee login", KEY)

    def note_pause(self, reason: RefereeError, pause: float) -> None:
        """Tell a person who waits why nothing happens."""
        if pause >= NOTED_PAUSE_S:
            self.err.print(f"{reason} Trying again in {pause:.0f} s…", style="yellow")

    def answer(self, value: Any, shown: RenderableType) -> None:
        """Print an answer: for programs as JSON on one line, for people as it is shown."""
        if self.as_json:
            self.print_json(value)
        else:
            self.out.print(shown, soft_wrap=isinstance(shown, str) and not self.out.is_terminal)

    def print_json(self, value: Any) -> None:
        """Print a value as JSON on one line; in ASCII, so that it cannot control a terminal either."""
        self.out.file.write(json.dumps(value) + "\n")
        self.out.file.flush()

    def note(self, sentence: str, style: str = "dim") -> None:
        """Tell a person something beside the answer; programs do not get it."""
        if not self.as_json:
            self.out.print(sentence, style=style, soft_wrap=not self.out.is_terminal)

    @contextmanager
    def progress(self, what: str, total: int | None) -> Iterator["Steps"]:
        """Show a bar on a terminal while something long goes on."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        is_shown = self.err.is_terminal and not self.as_json
        with Progress(*columns, console=self.err, transient=True, disable=not is_shown) as bar:
            yield Steps(bar, bar.add_task(what, total=total))


class Steps:
    """A bar of progress."""

    def __init__(self, bar: Progress, task: Any) -> None:
        self._bar, self._task = bar, task

    def reach(self, done: int) -> None:
        """Move the bar to this number of steps."""
        self._bar.update(self._task, completed=done)
