"""The options that every command has, wherever they stand on the line, and the group of all commands."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from referee_client.terminal.context import Context

COMMON = ("given_url", "key_file", "given_language", "as_json", "traceback")


def common_options() -> list[click.Parameter]:
    """Return the options that every command has."""
    return [
        click.Option(
            ["--url", "given_url"],
            envvar="REFEREE_URL",
            metavar="URL",
            help="The address of the service; by default the one where you logged in last.",
        ),
        click.Option(
            ["--key-file"],
            type=click.Path(path_type=Path),
            help="A file that holds your key, as for referee-bot; by default the key of your login.",
        ),
        click.Option(
            ["--lang", "given_language"],
            envvar="REFEREE_LANG",
            metavar="TAG",
            help="The language of sentences about games, such as fr or de; by default the one of your locale.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for programs instead of text for people."),
        click.Option(["--traceback"], is_flag=True, help="Show the traceback of a fault."),
    ]


def _take(ctx: click.Context) -> None:
    """Move the common options of a line to the context of the command, where the last one given holds."""
    context = ctx.ensure_object(Context)
    for name in COMMON:
        value = ctx.params.pop(name, None)
        if value:
            setattr(context, name, value)


patience_option = click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Try to reach a service that has gone away for this time.",
)


class Subcommand(click.Command):
    """A command with the common options."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.params += common_options()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        _take(ctx)
        return super().invoke(ctx)


class Root(click.Group):
    """The group of all commands. A command is imported when it is run, so that it starts at once."""

    def __init__(self, *arguments: Any, modules: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.params += common_options()
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands in the order in which a new user needs them."""
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name."""
        if cmd_name not in self._modules:
            return None
        module = import_module(f"referee_client.terminal.{self._modules[cmd_name]}")
        found: click.Command = module.COMMANDS[cmd_name]
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command."""
        _take(ctx)
        return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command by its name; for a misspelt one, name the commands that look like it."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            close = get_close_matches(args[0], self._modules, 3)
            names = " or ".join(close) if close else ", ".join(self._modules)
            ctx.fail(f"There is no command {args[0]!r}. {'Did you mean' if close else 'There are'} {names}?")
        return super().resolve_command(ctx, args)
