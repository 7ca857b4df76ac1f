"""What happened, in sentences, and how a game stands: shared by playing, watching and replaying."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from referee_client.terminal.board import board
from referee_client.terminal.context import Context
from referee_client.terminal.games import free_seats, names_of

OVER = ("finished", "annulled")
WITHDRAWN = "The service has lost the newest moves. The game goes on from version {}."


def tell(context: Context, commit: Mapping[str, Any], with_quiet: bool = False) -> None:
    """Print the sentences of a commit, with its version before the first and their clauses behind them."""
    events = commit.get("text", {}).get("events", [])
    for number, each in enumerate(each for each in events if with_quiet or not each["quiet"]):
        version = Text(f"{commit['version']:>4}" if number == 0 else "    ", style="dim")
        sentence = Text.assemble(each["text"], (f"  {' '.join(each['clauses'])}", "dim"))
        if context.out.is_terminal:
            line = Table.grid(padding=(0, 1, 0, 0))
            line.add_row(version, sentence)
            context.out.print(line)
        else:
            context.out.print(Text.assemble(version, " ", sentence), soft_wrap=True)


def standing(game: Mapping[str, Any], own: int | None, view: Mapping[str, Any] | None = None) -> RenderableType:
    """Return a game as its board, under a line that says which game it is."""
    title = f"{game['ruleset']} · {game['status']} · version {game['version']}"
    return Group(Rule(Text(title), align="left", style="dim"), board(view or game["view"], names_of(game), own))


def waiting_for(game: Mapping[str, Any]) -> str:
    """Return in a few words what a game waits for."""
    if game["status"] == "waiting":
        free = free_seats(game)
        return f"waiting for {free} more player{'s' if free != 1 else ''}"
    if game["status"] == "revealing":
        return "waiting until all sealed nonces are revealed"
    if game["status"] == "paused":
        return "paused"
    names = names_of(game)
    seats = [each["seat"] for each in game["awaited"] if each["obliged"]]
    return f"waiting for {', '.join(names[seat] for seat in seats)}" if seats else "waiting for the referee"


def result(game: Mapping[str, Any]) -> RenderableType:
    """Return how a game ended."""
    if not game["ranking"]:
        reason = f": {game['reason']}" if game["reason"] else ""
        return Text(f"The game is {game['status']}{reason}.", style="bold")
    return ranking(game["ranking"], names_of(game))


def ranking(places: Sequence[Mapping[str, Any]], names: Sequence[str]) -> RenderableType:
    """Return the places of the seats."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("rank", "player", "score", "decided by"):
        table.add_column(heading)
    for place in sorted(places, key=lambda each: (each["rank"], each["seat"])):
        style = "bold green" if place["rank"] == 1 else ""
        row = (str(place["rank"]), names[place["seat"]], str(place["score"]), place["clause"])
        table.add_row(*(Text(each) for each in row), style=style)
    return table
