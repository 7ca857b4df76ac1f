"""Records what the boards say and takes their pictures for the tour: `python -m tests.page.tour`."""

import sys
from pathlib import Path

from tests.page.moments import MOMENTS, seated
from tests.page.playing import settled
from tests.page.studio import studio
from tests.subjects import ROOT

SPOKEN = Path(__file__).parent / "spoken"
PICTURES = ROOT / "docs" / "tour"


def main(slugs: list[str]) -> None:
    """Open each board at its moment, write down its ARIA text, and take its picture."""
    for directory in (SPOKEN, PICTURES):
        directory.mkdir(exist_ok=True)
    with studio() as room:
        for slug in slugs or MOMENTS:
            ada = room.service.player("ada")
            page = room.page_of(ada, device_scale_factor=0.75)
            page.goto(f"/games/{seated(ada, slug)}")
            settled(page)
            page.locator("#board .b").wait_for()
            (SPOKEN / f"{slug}.txt").write_text(page.locator("#board").aria_snapshot(), encoding="utf-8")
            page.locator(".stage").screenshot(path=PICTURES / f"{slug}.png")
            page.context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
