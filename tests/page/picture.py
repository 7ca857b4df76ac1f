"""Takes the picture of a table that the README shows: `python -m tests.page.picture`."""

import json
import os
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.page.chromium import find_chromium
from tests.page.playing import settled
from tests.service import Service
from tests.subjects import ROOT

FILE = ROOT / "docs" / "table.png"
SIZE = {"width": 1000, "height": 600}


def main() -> None:
    """Play a little, pick something, and take the picture."""
    chromium = find_chromium()
    assert chromium is not None, "`make test` installs a Chromium"
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        service = Service(Path(directory)).start()
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        environment = {**os.environ, **chromium.environment}
        browser = playwright.chromium.launch(executable_path=chromium.path, args=sandbox, env=environment)
        ada = service.player("ada")
        game = ada.started("me", {"bot": "greedy"}, options={"first_seat": 0})["id"]
        page = browser.new_context(base_url=service.url, viewport=SIZE, reduced_motion="reduce").new_page()
        page.add_init_script(f"localStorage.setItem('referee.key', {json.dumps(json.dumps(ada.key))})")
        page.goto(f"/games/{game}")
        settled(page)
        page.locator("#board .pickable").nth(1).click()
        page.screenshot(path=FILE)
        browser.close()
        service.stop()


if __name__ == "__main__":
    main()
