"""`referee watch` and `referee replay`: a game as it is played, and as it was played."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from referee_client.problems import Unreachable
from referee_client.terminal.board import board
from referee_client.terminal.choices import GameId
from referee_client.terminal.context import Context
from referee_client.terminal.faults import DONE, SERVICE, Fault
from referee_client.terminal.games import names_of
from referee_client.terminal.keys import keys
from referee_client.terminal.options import Subcommand, patience_option
from referee_client.terminal.recorded import read_steps
from referee_client.terminal.safe import cleaned
from referee_client.terminal.telling import OVER, WITHDRAWN, result, standing, tell, waiting_for

pass_context = click.make_pass_decorator(Context)

NEXT, BACK = ("\r", "\n", " ", "n", "\x1b[C", "\x1b[B"), ("b", "p", "\x7f", "\x1b[D", "\x1b[A")
FIRST, LAST, QUIT = ("g", "\x1b[H"), ("G", "\x1b[F"), ("q", "\x1b", "\x04")


@click.command(cls=Subcommand)
@click.argument("game", type=GameId())
@click.option("--board", "with_boards", is_flag=True, help="Show the board after every move.")
@click.option("--all", "with_quiet", is_flag=True, help="Also tell what follows from the other sentences.")
@patience_option
@pass_context
def watch(context: Context, game: str, with_boards: bool, with_quiet: bool, patience: float) -> int:
    """Watch a game live, as you may see it, until it ends or you press Ctrl-C."""
    with context.client() as client:
        table = client.game(game)
        first = table.read()
        state = cleaned(first)
        told = 0
        after = 0 if context.as_json else state["version"] if state["status"] not in OVER else 0
        if not context.as_json:
            context.out.print(standing(state, state["seat"]))
            context.note(waiting_for(state) if state["status"] not in OVER else "")
        try:
            for commit in table.follow(after, patience, extra="view,text"):
                if context.as_json:
                    context.print_json(commit)
                    continue
                if commit["version"] <= told:
                    context.note(WITHDRAWN.format(commit["version"]), "red")
                else:
                    _tell(context, state, cleaned(commit), with_boards, with_quiet)
                told = commit["version"]
        except KeyboardInterrupt:
            return DONE
        except Unreachable as error:
            raise Fault(f"{error} The game is kept: `referee watch {game}` goes on.", SERVICE) from None
        if not context.as_json:
            context.out.print(result(cleaned(table.read())))
    return DONE


def _tell(
    context: Context, game: Mapping[str, Any], commit: Mapping[str, Any], with_boards: bool, with_quiet: bool
) -> None:
    tell(context, commit, with_quiet)
    if with_boards and "view" in commit:
        context.out.print(
            standing({**game, "version": commit["version"], "status": "running"}, game["seat"], commit["view"])
        )


@dataclass(frozen=True)
class Steps:
    """A whole game: its commits with views and sentences, the names of its seats, and yours."""

    commits: Sequence[Mapping[str, Any]]
    names: Sequence[str]
    own: int | None


@click.command(cls=Subcommand)
@click.argument("what", metavar="FILE|GAME", type=GameId(or_file=True))
@click.option("--at", type=click.IntRange(min=1), help="Show only the position after this version.")
@click.option("--seat", type=click.IntRange(min=0), help="See a finished game as this seat saw it.")
@click.option("--log", "as_log", is_flag=True, help="Print all sentences at once, as it does without a terminal.")
@pass_context
def replay(context: Context, what: str, at: int | None, seat: int | None, as_log: bool) -> int:
    """Step through a game: a record in a file, or a game of the service as you may see it.

    On a terminal: → or Enter goes on, ← goes back, g goes to the start, G to the end, q ends.
    """
    steps = _recorded(context, Path(what)) if what == "-" or Path(what).exists() else _played(context, what, seat)
    if not steps.commits:
        raise Fault("The game has no moves yet.")
    if at is not None and at > len(steps.commits):
        raise Fault(f"The game has {len(steps.commits)} versions: --at takes 1 to {len(steps.commits)}.")
    chosen = steps.commits if at is None else [steps.commits[at - 1]]
    if context.as_json:
        for commit in chosen:
            context.print_json(commit)
    elif at is not None:
        _show(context, steps, at - 1)
    elif as_log or not (context.out.is_terminal and sys.stdin.isatty()):
        for commit in chosen:
            tell(context, cleaned(commit))
    else:
        _step_through(context, steps)
    return DONE


def _played(context: Context, game: str, seat: int | None) -> Steps:
    with context.client() as client:
        table = client.game(game, seat)
        state = table.read()
        commits = []
        with context.progress("Reading the game", state["version"]) as progress:
            for commit in table.commits(extra="view,text"):
                commits.append(commit)
                progress.reach(len(commits))
    return Steps(commits, names_of(cleaned(state)), state["seat"])


def _recorded(context: Context, file: Path) -> Steps:
    commits, seats = read_steps(file, context.progress, context.language)
    return Steps(commits, [f"seat {seat}" for seat in range(seats)], None)


def _step_through(context: Context, steps: Steps) -> None:
    """Show one position after the other, as keys are pressed."""
    at, last = 0, len(steps.commits) - 1
    with keys() as pressed:
        while True:
            context.out.clear()
            _show(context, steps, at)
            context.out.print(Text("→ next  ← back  g start  G end  q quit", style="dim"))
            key = next(pressed, QUIT[0])
            if key in QUIT:
                return
            if key in NEXT:
                at = min(at + 1, last)
            elif key in BACK:
                at = max(at - 1, 0)
            elif key in (*FIRST, *LAST):
                at = 0 if key in FIRST else last


def _show(context: Context, steps: Steps, at: int) -> None:
    commit = cleaned(steps.commits[at])
    context.out.print(Text(f"version {commit['version']} of {len(steps.commits)}", style="bold"))
    tell(context, commit)
    context.out.print()
    context.out.print(board(commit["view"], steps.names, steps.own))


COMMANDS = {"watch": watch, "replay": replay}
