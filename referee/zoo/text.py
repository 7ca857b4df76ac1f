"""A view as text for people: one line per value, seats side by side in a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

INDENT = "  "
NOTHING = "-"


def outline(view: Mapping[str, Any]) -> str:
    """Return a view as text. What the view hides is left out, and its number of items stays."""
    shown = {name: value for name, value in view.items() if value is not None and name != "seats"}
    lines = list(_lines(shown, ""))
    seats = view.get("seats")
    return "\n".join(lines + (["", *_table(seats)] if seats else []))


def _lines(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, each in value.items():
        if isinstance(each, Mapping) and not _is_short(each):
            yield f"{indent}{_spoken(name)}:"
            yield from _lines(each, indent + INDENT)
        else:
            yield f"{indent}{_spoken(name)}: {_short(each)}"


def _is_short(value: Mapping[str, Any]) -> bool:
    return all(not isinstance(each, Mapping | list | tuple) for each in value.values()) and len(value) <= 12


def _short(value: Any) -> str:
    """Return a value on one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_spoken(name)} {_short(each)}" for name, each in value.items()) or NOTHING
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(f"({_short(each)})" if isinstance(each, Mapping) else _short(each) for each in value) or NOTHING
    if value is None:
        return NOTHING
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _table(seats: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the seats as columns, with a row for each field that at least one seat shows."""
    names = [name for name in seats[0] if any(seat.get(name) is not None for seat in seats)]
    rows = [["", *(f"seat {number}" for number in range(len(seats)))]]
    rows += [[_spoken(name), *(_short(seat.get(name)) for seat in seats)] for name in names]
    widths = [max(len(row[column]) for row in rows) for column in range(len(seats) + 1)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _spoken(name: str) -> str:
    return name.replace("_", " ")
