"""Text of others on a terminal: no name, sentence or record can move the cursor, forge a line or change a colour."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

UNSEEN = "\N{REPLACEMENT CHARACTER}"
"""Stands for every character that a terminal would obey instead of showing it."""

ISOLATES = "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
"""The service puts these around names with right-to-left characters; terminals do not know them."""


def clean(text: str) -> str:
    """Return a text on one line, without characters that a terminal would obey."""
    shown = (" " if each.isspace() else each for each in text if each not in ISOLATES)
    return "".join(each if each.isprintable() else UNSEEN for each in shown)


def cleaned(value: Any) -> Any:
    """Return a JSON value in which every text is clean."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(name): cleaned(each) for name, each in value.items()}
    return [cleaned(each) for each in value] if isinstance(value, list) else value


class SafeConsole(Console):
    """A console that cleans all text before it shows it, also that of other players, and interprets no markup."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **settings)

    def on_broken_pipe(self) -> None:
        """Raise the error: the command handles a closed output itself."""
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as usual, and clean every piece of text between the line breaks."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                lines = "\n".join(clean(line) for line in segment.text.split("\n"))
                yield Segment(lines, segment.style)
