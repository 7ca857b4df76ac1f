"""Arguments that a shell can complete: titles, clauses, games."""

import contextlib
from typing import Any

import click
from click.shell_completion import CompletionItem

from referee_client.problems import RefereeError
from referee_client.synchronous import Client
from referee_client.terminal.context import Context
from referee_client.terminal.faults import Fault
from referee_client.terminal.safe import cleaned

COMPLETION_S = 2.0
"""A shell does not wait longer for the games of the service."""
COMPLETED_GAMES = 20


class Title(click.ParamType[str]):
    """The slug of a title."""

    name = "title"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the titles of this package."""
        from referee.rulesets import LATEST

        return [CompletionItem(slug, help=each.title) for slug, each in LATEST.items() if slug.startswith(incomplete)]


class Clause(click.ParamType[str]):
    """The id of a clause, or the slug of a title."""

    name = "clause"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete titles, and clauses as soon as their first letters are there."""
        from referee.rulesets import LATEST

        ids = [id for each in LATEST.values() for id in each.rulebook.clauses if id.startswith(incomplete.upper())]
        slugs = [slug for slug in LATEST if slug.startswith(incomplete)]
        return [CompletionItem(each) for each in (slugs if not incomplete else [*slugs, *ids])]


class GameId(click.ParamType[str]):
    """The id of a game. Where a record is possible, completion also offers files."""

    name = "game"

    def __init__(self, or_file: bool = False) -> None:
        self._or_file = or_file

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Take the id out of an address of a game, as browsers show it."""
        text = str(value).rstrip("/")
        return text.rsplit("/", 1)[-1] if "://" in text else text

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete your newest games; nothing if the service does not answer at once."""
        found = [CompletionItem(incomplete, type="file")] if self._or_file else []
        with contextlib.suppress(RefereeError, Fault, ValueError, OSError):
            context = Context(given_url=ctx.params.get("given_url"))
            filters: dict[str, Any] = {"mine": True} if context.key else {}
            with Client(context.url, context.key, timeout_s=COMPLETION_S, patience_s=0) as client:
                page = client.games(limit=COMPLETED_GAMES, **filters)
                games = [cleaned(game) for game, _ in zip(page, range(COMPLETED_GAMES), strict=False)]
            found += [
                CompletionItem(game["id"], help=f"{game['ruleset']}, {game['status']}")
                for game in games
                if game["id"].startswith(incomplete)
            ]
        return found
