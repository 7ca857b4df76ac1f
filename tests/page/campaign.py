"""Plays whole games on the boards: `python -m tests.page.campaign`, or `make campaign-page`.

Every title is played to its end against bots with the mouse only, with the keyboard only, and by touch on a phone.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.page.chromium import find_chromium
from tests.page.moments import MOMENTS
from tests.page.playing import CHOICES, FAMILY, LISTS, READY, THINGS, VERBS
from tests.service import Client, Service

PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 720}
KINDS = (THINGS, VERBS, CHOICES, LISTS)


def click(target: Locator) -> None:
    """As with a mouse."""
    target.click()


def tap(target: Locator) -> None:
    """As with a finger."""
    target.tap()


def press(target: Locator) -> None:
    """As with a keyboard: the element has the focus, and Enter does it."""
    target.focus()
    target.page.keyboard.press("Enter")


WAYS: dict[str, Callable[[Locator], None]] = {"mouse": click, "keyboard": press, "touch": tap}


def make_a_move(page: Page, do: Callable[[Locator], None], luck: random.Random) -> int:
    """Do what is ready, or click something that can be clicked, until a move is sent; returns the number of clicks."""
    before = page.locator(".entry").count()
    for clicks in range(1, 60):
        if page.locator(READY).count() and not page.locator(FAMILY).count():
            do(page.locator(READY).first)
            page.locator(f".entry >> nth={before}").or_(page.locator(".refusal")).first.wait_for(state="attached")
            page.locator(".sending").wait_for(state="detached")
            return clicks
        kinds = [kind for kind in KINDS if page.locator(kind).count()]
        if not kinds:
            return clicks
        kind = kinds[0] if clicks == 1 else luck.choice(kinds)
        found = page.locator(kind)
        if kind == LISTS:
            found.first.select_option(index=1)
        elif page.locator(FAMILY).count():
            page.keyboard.press("Escape")
        else:
            do(found.nth(luck.randrange(found.count())))
    raise AssertionError(f"no move in {clicks} clicks: {page.locator('.actions').inner_text()}")


def play(browser: Browser, service: Service, slug: str, way: str) -> str:
    """Play a whole game; returns a line about it."""
    ada: Client = service.player("ada")
    seats = ["me", {"bot": "greedy"}, {"bot": "greedy"}]
    id = ada.started(*seats, ruleset=slug)["id"]
    touch = {"viewport": PHONE, "has_touch": True} if way == "touch" else {"viewport": WIDE}
    context = browser.new_context(base_url=service.url, reduced_motion="reduce", **touch)
    context.set_default_timeout(60_000)
    faults: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.add_init_script(f"localStorage.setItem('referee.key', '\"{ada.key}\"')")
    page.goto(f"/games/{id}")
    moves, most, luck, began = 0, 0, random.Random(f"{slug} {way}"), time.monotonic()
    while True:
        page.locator(".picking :is(button, select), .result").first.wait_for()
        if page.locator(".result").count():
            break
        most = max(most, make_a_move(page, WAYS[way], luck))
        moves += 1
    context.close()
    assert not faults, faults
    assert ada.game(id)["status"] == "finished"
    return f"{slug:24}{way:10}{moves:6} moves  at most {most:2} clicks  {time.monotonic() - began:6.0f} s"


def main() -> None:
    """Play, and print a line for each game."""
    parser = argparse.ArgumentParser(description="Play whole games on the boards.")
    parser.add_argument("--titles", nargs="*", default=list(MOMENTS), help="slugs; all titles by default")
    parser.add_argument("--ways", nargs="*", default=list(WAYS), help="mouse, keyboard, touch; all by default")
    chosen = parser.parse_args()
    chromium = find_chromium()
    assert chromium is not None, "`make test` installs a Chromium"
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        service = Service(Path(directory)).start()
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        environment = {**os.environ, **chromium.environment}
        browser = playwright.chromium.launch(executable_path=chromium.path, args=sandbox, env=environment)
        for slug in chosen.titles:
            for way in chosen.ways:
                print(play(browser, service, slug, way), flush=True)
        browser.close()
        service.stop()


if __name__ == "__main__":
    main()
