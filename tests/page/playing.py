"""Plays in a browser as a person does: things of the board first, then what is still to be said."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.service import Client, Service

CLICKS_MAX = 9
READY, THINGS = ".do .primary", "#board .pickable[aria-pressed='false']"
VERBS, CHOICES, LISTS = ".verb", ".choice button", ".picking select"
FAMILY = "form.family"


def slug_of(page: Page) -> str:
    """The id of the game that a page shows."""
    found = re.search(r"g_[0-9a-f]{24}", page.url)
    assert found is not None, page.url
    return found[0]


def move_by_clicks(page: Page) -> int:
    """Make a move; gives the number of clicks."""
    before = page.locator(".entry").count()
    clicks = pick_until_ready(page)
    page.locator(READY).first.click()
    expect(page.locator(f".entry >> nth={before}").or_(page.locator(".refusal"))).to_be_visible()
    return clicks + 1


def pick_until_ready(page: Page) -> int:
    """Pick until a move is ready to be made; gives the number of clicks."""
    for click in range(CLICKS_MAX):
        if page.locator(READY).count():
            return click
        pick_something(page, click + 1)
    raise AssertionError(f"no move in {CLICKS_MAX} clicks: {page.locator('.actions').inner_text()}")


def pick_something(page: Page, click: int) -> None:
    """Click a thing first, then a verb, then a value."""
    order = (THINGS, VERBS, CHOICES, LISTS) if click == 1 else (VERBS, CHOICES, LISTS, THINGS)
    for kind in order:
        found = page.locator(kind)
        if found.count() and kind == LISTS:
            return void(found.first.select_option(index=1))
        if found.count():
            return found.first.click()
    raise AssertionError(f"nothing to click: {page.locator('.actions').inner_text()}")


def void(_: object) -> None:
    """Nothing."""


def play_by_clicks(page: Page, moves: int) -> None:
    """Make moves until there were enough, or until the game is over."""
    for _ in range(moves):
        page.locator(".picking, .result").first.wait_for()
        if page.locator(".result").count():
            return
        move_by_clicks(page)


def client_of(page: Page, service: Service) -> Client:
    """A client with the key of the page's player; the page must have been opened."""
    return Client(service.url, page.evaluate("() => JSON.parse(localStorage.getItem('referee.key'))"), {})


def card(page: Page, title: str) -> Locator:
    return page.locator(".title-card", has_text=title)


def start(page: Page, title: str) -> None:
    """Begin a game against bots, and wait until it is set up."""
    page.goto("/")
    card(page, title).get_by_role("button", name="Play now").click()
    expect(page.locator(".entry").first).to_be_attached()
    settled(page)


def settled(page: Page) -> None:
    """Wait until the page asks for a move or the game is over."""
    expect(page.locator(".picking .pickable, .picking button, .picking select, .result").first).to_be_visible()
