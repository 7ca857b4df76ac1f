"""Records what the boards say and takes their pictures for the tour: `python -m tests.page.tour`."""

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.page.chromium import find_chromium
from tests.page.moments import MOMENTS, seated
from tests.page.playing import settled
from tests.service import Service
from tests.subjects import ROOT

SPOKEN = Path(__file__).parent / "spoken"
PICTURES = ROOT / "docs" / "tour"
SIZE = {"width": 1280, "height": 720}
SMALL = {"device_scale_factor": 0.75}


def main(slugs: list[str]) -> None:
    """Open each board at its moment, write down its ARIA text, and take its picture."""
    chromium = find_chromium()
    assert chromium is not None, "`make test` installs a Chromium"
    for directory in (SPOKEN, PICTURES):
        directory.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        service = Service(Path(directory)).start()
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        environment = {**os.environ, **chromium.environment}
        browser = playwright.chromium.launch(executable_path=chromium.path, args=sandbox, env=environment)
        for slug in slugs or MOMENTS:
            ada = service.player("ada")
            page = browser.new_context(base_url=service.url, viewport=SIZE, reduced_motion="reduce", **SMALL).new_page()
            page.add_init_script(f"localStorage.setItem('referee.key', '\"{ada.key}\"')")
            page.goto(f"/games/{seated(ada, slug)}")
            settled(page)
            page.locator("#board .b").wait_for()
            (SPOKEN / f"{slug}.txt").write_text(page.locator("#board").aria_snapshot(), encoding="utf-8")
            page.locator(".stage").screenshot(path=PICTURES / f"{slug}.png")
        browser.close()
        service.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
