"""Runs a command and turns whatever goes wrong into a sentence and an exit status."""

import json
import os
import sys
from collections.abc import Sequence

import click

from referee_client.terminal.completion import COMPLETE_VARIABLE, PROGRAM
from referee_client.terminal.context import Context
from referee_client.terminal.faults import DONE, INTERRUPTED, OURS, STATUSES, USAGE, sentence_of
from referee_client.terminal.options import Root
from referee_client.terminal.safe import clean

BROKEN_PIPE = 141
MODULES = {
    "login": "login",
    "logout": "login",
    "games": "games",
    "new": "games",
    "play": "table",
    "watch": "watching",
    "replay": "watching",
    "judge": "proving",
    "audit": "proving",
    "rules": "rules",
    "completion": "completion",
}
"""The module of each command."""


@click.group(
    cls=Root,
    modules=MODULES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=STATUSES,
)
@click.version_option(package_name="referee-client", message="%(version)s")
def root() -> None:
    """Play, watch, replay, judge and audit board games in a terminal.

    Begin with `referee login`, then `referee new TITLE --play`. `referee COMMAND --help` explains a command.
    """


def main(arguments: Sequence[str]) -> int:
    """Run the command, and return the exit status."""
    context = Context()
    try:
        status = root.main(list(arguments), PROGRAM, COMPLETE_VARIABLE, standalone_mode=False, obj=context)
        sys.stdout.flush()
        return status if isinstance(status, int) else DONE
    except BrokenPipeError:
        # Nobody reads the output, as in `referee games | head`; Python would complain when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort, EOFError):
        context.err.print("interrupted.", style="dim")
        return INTERRUPTED
    except Exception as error:
        return _report(error, context)


def _report(error: Exception, context: Context) -> int:
    """Print what to do about an error; returns the exit status."""
    if isinstance(error, click.ClickException):
        usage = error.ctx.get_usage() if isinstance(error, click.UsageError) and error.ctx else ""
        sentence, status = error.format_message(), USAGE
    else:
        usage = ""
        sentence, status = sentence_of(error, _url_of(context))
    if context.as_json:
        context.err.file.write(json.dumps({"error": sentence, "status": status}) + "\n")
        return status
    for line in usage.splitlines():
        context.err.print(clean(line), style="dim")
    context.err.print(clean(sentence), style="red", soft_wrap=not context.err.is_terminal)
    if context.traceback:
        context.err.print_exception(show_locals=False)
    elif status == OURS:
        context.err.print("Please report it.", style="dim")
    return status


def _url_of(context: Context) -> str | None:
    """Return the address of the service, if it can be known."""
    try:
        return context.url
    except Exception:
        return None
