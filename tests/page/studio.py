"""A service and a browser for commands that play or take pictures outside of the tests."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests.page.chromium import find_chromium
from tests.service import Client, Service

WIDE, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}


class Studio(NamedTuple):
    """Where games are played and looked at."""

    service: Service
    browser: Browser

    def page_of(self, player: Client, **options: object) -> Page:
        """A window in which a player is known and nothing moves."""
        usual = {"base_url": self.service.url, "reduced_motion": "reduce", "viewport": WIDE}
        page = self.browser.new_context(**{**usual, **options}).new_page()
        page.add_init_script(f"localStorage.setItem('referee.key', {json.dumps(json.dumps(player.key))})")
        return page


@contextmanager
def studio() -> Iterator[Studio]:
    """Start both, and stop both."""
    chromium = find_chromium()
    assert chromium is not None, "`make test` installs a Chromium"
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        service = Service(Path(directory)).start()
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        environment = {**os.environ, **chromium.environment}
        browser = playwright.chromium.launch(executable_path=chromium.path, args=sandbox, env=environment)
        try:
            yield Studio(service, browser)
        finally:
            browser.close()
            service.stop()
