"""A view as text for a terminal: what lies on the table, maps of hexes drawn as such, the seats side by side.

It works for every title: it looks at the shape of values, never at the title.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee_client.terminal.hexes import HexMap, is_place, is_places
from referee_client.terminal.safe import clean

NOTHING = "-"
LEFT_OUT = ("ruleset", "options", "seats")
"""Fields of a view that do not lie on the table."""
FLAT_MAX = 12
"""An object with more fields than this gets a line for each."""
DEEP_MAX = 6
"""What is nested deeper than this is not shown."""


def board(view: Mapping[str, Any], names: Sequence[str], own: int | None) -> RenderableType:
    """Return a view as something to print. What the view hides is left out; its number of items stays."""
    shown = _without_hidden({name: value for name, value in view.items() if name not in LEFT_OUT})
    maps = {name: value for name, value in shown.items() if is_places(value)}
    marks = {name: value for name, value in shown.items() if maps and is_place(value)}
    lines = {name: value for name, value in shown.items() if name not in maps and name not in marks}
    parts: list[RenderableType] = []
    if maps:
        parts += [HexMap(maps.values(), marks, _cell), Text()]
    parts += [_lines(lines, names)]
    parts += [each for name, value in lines.items() if _is_rows(value) for each in (Text(), _rows(name, value))]
    seats = view.get("seats")
    if isinstance(seats, list) and seats and all(isinstance(seat, dict) for seat in seats):
        parts += [Text(), _seats(seats, names, own)]
    return Group(*parts)


def spoken(name: str) -> str:
    """Return the name of a field in words."""
    return clean(name).replace("_", " ")


def _without_hidden(value: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is null or empty; a hidden list is the number of its items, and a shown one needs no number."""
    found: dict[str, Any] = {}
    for name, each in value.items():
        counted = name.removesuffix("_count")
        if counted != name and counted in value:
            if value[counted] is None and each:
                found[counted] = f"{each} hidden"
        elif each in ([], {}):
            if any(sign.isdigit() for sign in name):  # The name of a place or a piece, which is there all the same.
                found[name] = ""
        elif each is not None and each is not False:
            found[name] = each
    return found


def _counted(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave out the zeros of an object that counts things."""
    is_count = all(isinstance(each, int) and not isinstance(each, bool) for each in value.values())
    return {name: each for name, each in value.items() if each} if is_count else value


def _lines(values: Mapping[str, Any], names: Sequence[str]) -> RenderableType:
    """A line per field, as long as the terminal is wide."""
    table = Table.grid(padding=(0, 1))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in values.items():
        if _is_rows(value):
            continue
        if isinstance(value, Mapping) and len(value) <= FLAT_MAX:
            table.add_row(spoken(name), Text(_listed(_counted(_without_hidden(value))) or NOTHING))
        elif name.endswith("seat") and isinstance(value, int) and 0 <= value < len(names):
            table.add_row(spoken(name), Text(f"{value} {clean(names[value])}"))
        else:
            table.add_row(spoken(name), Text(brief(value)))
    return table


def _listed(values: Mapping[str, Any]) -> str:
    """The fields of an object one after the other, with a mark between them."""
    return " · ".join(f"{spoken(name)} {brief(each)}".strip() for name, each in values.items())


def _is_rows(value: Any) -> bool:
    """Whether a value is a list of objects with the same fields, such as cards that lie in a row."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, dict) and each.keys() == value[0].keys() for each in value)
    )


def _rows(name: str, rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Objects with the same fields as a table."""
    table = _table(title=spoken(name))
    for field in rows[0]:
        table.add_column(spoken(field), overflow="fold")
    for row in rows:
        table.add_row(*(Text(brief(each)) for each in row.values()))
    return table


def _seats(seats: Sequence[Mapping[str, Any]], names: Sequence[str], own: int | None) -> RenderableType:
    """The seats as columns, with a row for each field that at least one seat shows."""
    shown = [_without_hidden(seat) for seat in seats]
    table = _table()
    table.add_column("", style="cyan", no_wrap=True)
    for number, _ in enumerate(seats):
        name = names[number] if number < len(names) else f"seat {number}"
        heading = Text(f"{number} {clean(name)}{' (you)' if number == own else ''}")
        table.add_column(heading, overflow="fold", style="bold" if number == own else "")
    for field in dict.fromkeys(name for seat in shown for name in seat):
        table.add_row(spoken(field), *(Text(brief(seat.get(field))) for seat in shown))
    return table


def _table(title: str | None = None) -> Table:
    return Table(title=title, title_justify="left", title_style="cyan", box=None, padding=(0, 2, 0, 0), pad_edge=False)


def _cell(value: Any) -> str:
    """What a hex shows: the words and numbers of its value, without yes and no."""
    if isinstance(value, Mapping):
        leaves = [each for each in value.values() if each is not None and not isinstance(each, (bool, dict, list))]
        return " ".join(brief(each) for each in leaves) or "?"
    return "." if value is None else brief(value)


def brief(value: Any, depth: int = 0) -> str:
    """Return a value on one line."""
    if value is None or depth > DEEP_MAX:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        shown = _counted(_without_hidden(value))
        return ", ".join(f"{spoken(name)} {brief(each, depth + 1)}".strip() for name, each in shown.items()) or NOTHING
    if isinstance(value, list):
        parts = [f"({brief(each, depth + 1)})" if isinstance(each, dict) else brief(each, depth + 1) for each in value]
        return (", " if any(" " in part for part in parts) else " ").join(parts) or NOTHING
    return spoken(str(value))
