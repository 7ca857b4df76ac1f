"""The legal moves as a numbered list of sentences."""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

SHOWN = 24
"""A longer list of moves is cut unless the player asks for all of it."""

HELP = """\
  a number    make this move
  a word      show only the moves that contain it
  Enter       show the moves again; `more` shows all of them
  {…}         make a move written as JSON
  default     make the legal move with the least effect
  board       show the board and the moves
  undo        undo your last move, if the game allows it
  pause       agree to a pause; `resume` agrees to go on
  resign      resign
  seal        where luck is fresh: seal a new chain, if yours is lost
  quit        leave; the game is kept, and you can come back"""


def moves_with(legal: Mapping[str, Any], word: str) -> list[tuple[int, str]]:
    """Return the moves whose sentences contain a text, each with its number."""
    texts = legal.get("text", {}).get("moves") or [str(move) for move in legal["moves"]]
    return [(number, text) for number, text in enumerate(texts, 1) if word.casefold() in text.casefold()]


def listed_moves(legal: Mapping[str, Any], word: str, everything: bool) -> RenderableType:
    """Return the legal moves as a list to print."""
    found = moves_with(legal, word)
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", style="bold cyan", min_width=4)
    table.add_column(overflow="fold")
    shown = found if everything else found[:SHOWN]
    for number, text in shown:
        table.add_row(str(number), Text(text))
    parts: list[RenderableType] = [Text(), table]
    if len(shown) < len(found):
        rest = f"     … and {len(found) - len(shown)} more: `more` shows them, or type a word such as a place."
        parts.append(Text(rest, style="dim"))
    if word and len(found) < len(legal["moves"]):
        parts.append(Text(f"     {len(found)} of {len(legal['moves'])} moves; Enter shows all again.", style="dim"))
    return Group(*parts, *_families(legal["families"]))


def _families(families: Sequence[Mapping[str, Any]]) -> list[Text]:
    """Return how to make the moves of which there are too many to list."""
    return [
        Text.assemble(("     also ", "dim"), (each["type"], "cyan"), f": {each['description']} {_example(each)}")
        for each in families
    ]


def _example(family: Mapping[str, Any]) -> str:
    fields = [f', "{name}": …' for name in family["schema"].get("properties", {}) if name != "type"]
    return f'Type it as JSON: {{"type": "{family["type"]}"{"".join(fields)}}}'


def time_left(deadlines: Sequence[Mapping[str, Any]], seat: int | None, ahead_s: float) -> str:
    """Return how much time your clock, or the first that runs, has left; empty without one."""
    running = sorted(deadlines, key=lambda each: each["seat"] != seat)
    if not running:
        return ""
    until = datetime.fromisoformat(running[0]["at"].replace("Z", "+00:00")).timestamp()
    seconds = max(0, round(until - time.time() - ahead_s))
    whose = "your clock" if running[0]["seat"] == seat else f"clock of seat {running[0]['seat']}"
    return f"  {whose} {seconds // 60}:{seconds % 60:02}"
