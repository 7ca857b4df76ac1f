"""Takes pictures of every board early, in the middle and late in a game: `python -m tests.page.gallery DIRECTORY`.

Each is taken in a wide window, on a phone and in the dark, to be judged by people who have not seen it before.
"""

import argparse
from pathlib import Path

from tests.page.moments import MOMENTS, seated
from tests.page.playing import settled
from tests.page.studio import PHONE, WIDE, Studio, studio

WINDOWS: dict[str, dict[str, object]] = {
    "wide": {"viewport": WIDE},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
}
STAGES: dict[str, tuple[tuple[int, int], ...]] = {
    "cat-and-fish": ((10, 0), (120, 0), (370, 0)),
    "catham-city": ((4, 0), (33, 0), (53, 0)),
    "explorers-and-pirates": ((24, 0), (150, 4), (250, 4)),
    "fangfrisch": ((12, 0), (83, 0), (330, 0)),
    "hund-und-katz": ((6, 0), (50, 0), (90, 0)),
}
"""For each title three moments: the number of moves, and the number of its options."""
NAMES = ("early", "middle", "late")


def take(room: Studio, directory: Path, slug: str) -> None:
    """Take nine pictures of a title."""
    for name, (moves, options) in zip(NAMES, STAGES[slug], strict=True):
        ada = room.service.player("Ada")
        id = seated(ada, slug, moves, options)
        for window, settings in WINDOWS.items():
            page = room.page_of(ada, **settings)
            page.goto(f"/games/{id}")
            settled(page)
            page.locator("#board .b").wait_for()
            page.screenshot(path=directory / f"{slug}-{name}-{window}.png")
            page.context.close()


def main() -> None:
    """Take the pictures of the titles that are named, or of all."""
    parser = argparse.ArgumentParser(description="Take pictures of the boards.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--titles", nargs="*", default=list(MOMENTS), help="slugs; all titles by default")
    chosen = parser.parse_args()
    chosen.directory.mkdir(parents=True, exist_ok=True)
    with studio() as room:
        for slug in chosen.titles:
            take(room, chosen.directory, slug)


if __name__ == "__main__":
    main()
