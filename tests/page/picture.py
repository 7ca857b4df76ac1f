"""Takes the picture of a table that the README shows: `python -m tests.page.picture`."""

from tests.page.playing import settled
from tests.page.studio import studio
from tests.subjects import ROOT

FILE = ROOT / "docs" / "table.png"
SIZE = {"width": 1000, "height": 600}


def main() -> None:
    """Play a little, pick something, and take the picture."""
    with studio() as room:
        ada = room.service.player("ada")
        game = ada.started("me", {"bot": "greedy"}, options={"first_seat": 0})["id"]
        page = room.page_of(ada, viewport=SIZE)
        page.goto(f"/games/{game}")
        settled(page)
        page.locator("#board .pickable").nth(1).click()
        page.screenshot(path=FILE)


if __name__ == "__main__":
    main()
