"""`referee completion`: what makes a shell complete the other commands."""

import click
from click.shell_completion import get_completion_class

from referee_client.terminal.options import Subcommand

PROGRAM = "referee"
COMPLETE_VARIABLE = "_REFEREE_COMPLETE"


@click.command(cls=Subcommand)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes your shell complete this command.

    For bash: `referee completion bash >> ~/.bashrc`; for zsh `~/.zshrc`; for fish
    `~/.config/fish/completions/referee.fish`.
    """
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(ctx.find_root().command, {}, PROGRAM, COMPLETE_VARIABLE).source())


COMMANDS = {"completion": completion}
