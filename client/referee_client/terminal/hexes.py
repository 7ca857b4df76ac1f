"""A map of hexes as text: values by their places `q,r`, each row half a hex to the side of the next."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

_PLACE = re.compile(r"-?\d{1,3},-?\d{1,3}", re.ASCII)
PLACES_MIN = 4
SIDE_MAX = 40
"""A map with more rows or columns than this is no map for a terminal."""
WIDTH_MIN, WIDTH_MAX = 6, 12
"""The width of a hex."""
COLOURS = {name: name for name in ("red", "green", "blue", "yellow", "magenta", "cyan", "white")} | {"pink": "magenta"}


def is_place(value: Any) -> bool:
    """Whether a value names a hex."""
    return isinstance(value, str) and _PLACE.fullmatch(value) is not None


def is_places(value: Any) -> bool:
    """Whether a value is a map: an object with a value for each of several hexes."""
    return isinstance(value, Mapping) and len(value) >= PLACES_MIN and all(map(is_place, value)) and _fits(value)


def _fits(places: Iterable[str]) -> bool:
    found = [_numbers(place) for place in places]
    return all(max(axis) - min(axis) <= SIDE_MAX for axis in zip(*found, strict=True))


def _numbers(place: str) -> tuple[int, int]:
    q, r = place.split(",")
    return int(q), int(r)


class HexMap:
    """All maps of a view drawn as one. A hex has its label above its place; a mark, by its name, replaces the label."""

    def __init__(
        self, maps: Iterable[Mapping[str, Any]], marks: Mapping[str, str], label: Callable[[Any], str]
    ) -> None:
        self._cells = {_numbers(place): label(value) for each in maps for place, value in each.items()}
        self._cells |= {_numbers(place): name.upper() for name, place in marks.items()}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the map as wide as the terminal allows."""
        columns = [2 * q + r for q, r in self._cells]
        halves = max(columns) - min(columns) + 2
        width = max(WIDTH_MIN, min(WIDTH_MAX, 2 * options.max_width // halves))
        for row in sorted({r for _, r in self._cells}):
            above, below = Text(no_wrap=True, overflow="crop"), Text(no_wrap=True, overflow="crop")
            for q in sorted(q for q, r in self._cells if r == row):
                at, label = (2 * q + row - min(columns)) * width // 2, self._cells[q, row]
                for line, text, style in ((above, label, _style(label)), (below, f"{q},{row}", "dim")):
                    line.append(" " * (at - len(line)))
                    line.append(text[: width - 1], style)
            yield above
            yield below


def _style(label: str) -> str:
    """Return the style of a label: what is called by a colour has it."""
    return f"bold {COLOURS.get(label, '')}".strip()
