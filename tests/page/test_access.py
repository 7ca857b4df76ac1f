"""Access: axe finds nothing on any page, in light, in dark and on a phone; text at 200 % and narrow screens fit."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.generators.tools import NODE
from tests.page.conftest import Windows
from tests.page.playing import settled
from tests.service import Service

AXE = Path(os.environ.get("AXE", NODE / "browser" / "node_modules" / "axe-core" / "axe.min.js"))
PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 720}
NARROW = {"width": 320, "height": 640}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CHECK = """async (tags) => {
    const found = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
    const tell = ({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`;
    return found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(tell)]);
}"""
COLOURS = {"type": "rule", "values": ["color-contrast"]}

PAGES = {
    "lobby": "/",
    "new table": "/?new={slug}",
    "waiting room": "/games/{waiting}",
    "table": "/games/{running}",
    "replay": "/games/{finished}?at=9",
    "log": "/games/{finished}/log",
    "audit of a game": "/games/{finished}/audit",
    "audit": "/audit",
    "audit to take away": "/audit.html",
    "rules": "/rules/{slug}",
    "judge": "/judge/{slug}",
    "keys": "/keys",
    "operate": "/operate",
    "guides": "/guides",
    "a guide": "/guides/auditors",
    "calls": "/docs",
    "nothing there": "/games/g_000000000000000000000000",
}
"""Every kind of page, by an address."""


@cache
def axe() -> str:
    assert AXE.is_file(), "`make test` installs axe"
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def games(service: Service, finished: str) -> dict[str, str]:
    """A game in each state."""
    ada = service.player("ada")
    running = ada.started("me", {"bot": "random"}, options={"first_seat": 0})["id"]
    return {"waiting": ada.create("me", "open")["id"], "running": running, "finished": finished, "slug": "catham-city"}


def faults_of(page: Page, what: Any) -> Any:
    """What axe finds. It is handed over as code of the test, so the page's own policy stays in force."""
    return ["; ".join(fault) for fault in page.evaluate(CHECK, what)]


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_in_light_dark_and_on_a_phone(
    player_window: Windows, games: dict[str, str], name: str
) -> None:
    page = player_window()
    page.goto(PAGES[name].format(**games))
    expect(page.locator("main h1, main h2, main .table, .log-page").first).to_be_attached()
    if name == "table":
        settled_or_watched(page)
    page.evaluate(axe())
    assert faults_of(page, RULES) == []
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert faults_of(page, COLOURS) == []
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert faults_of(page, RULES) == []
    assert overflow(page) <= 0
    page.set_viewport_size(NARROW)
    assert overflow(page) <= 0


def settled_or_watched(page: Page) -> None:
    expect(page.locator("#board [data-thing]").first).to_be_visible()


def overflow(page: Page) -> int:
    """The pixels by which a page is wider than its window."""
    return int(page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize("address", ["/", "/games/{running}", "/rules/{slug}", "/judge/{slug}"])
def test_text_of_200_percent_fits(player_window: Windows, games: dict[str, str], address: str) -> None:
    page = player_window()
    page.goto(address.format(**games))
    expect(page.locator("main h2, main .table").first).to_be_attached()
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert overflow(page) <= 0


def test_what_can_be_picked_is_a_labelled_button_of_at_least_24_pixels_and_no_two_have_one_label(
    player_window: Windows, service: Service
) -> None:
    page = player_window(viewport=PHONE, has_touch=True)
    page.goto("/")
    page.get_by_role("button", name="Play now").nth(1).click()
    settled(page)
    things = page.locator("#board .pickable")
    labels = [thing.get_attribute("aria-label") for thing in things.all()]
    assert len(labels) == len(set(labels)) > 0
    for thing in things.all():
        box = thing.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 24
    tab_stops = page.locator("#board [tabindex='0']")
    expect(tab_stops).to_have_count(1)


def test_one_key_tells_whose_turn_it_is_what_is_asked_the_hand_and_the_last_move(player_window: Windows) -> None:
    page = player_window()
    page.goto("/")
    page.get_by_role("button", name="Play now").nth(1).click()
    settled(page)
    speech = page.get_by_role("status").and_(page.locator("#speech"))
    said: dict[str, str] = {}
    read: Callable[[], str] = speech.inner_text
    for key in "wmhsb":
        page.keyboard.press(key)
        expect(speech).not_to_be_empty()
        said[key] = read()
    assert "Your turn" in said["w"]
    assert len(set(said.values())) == len(said)
