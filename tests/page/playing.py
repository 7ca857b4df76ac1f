"""Plays in a browser as a person does: things of the board first, then what is still to be said."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.service import Client, Service

CLICKS_MAX = 9
READY, THINGS = ".do .primary", "#board .pickable[aria-pressed='false']"
VERBS, CHOICES, LISTS = ".verb", ".choice button:visible", ".picking select:visible"
FOLDED = ".choices [aria-expanded=false]:visible"
FAMILY = "form.family"

Act = Callable[[Locator], None]
"""How something is chosen: `Locator.click`, `Locator.tap` on a touch screen, or a key."""


def slug_of(page: Page) -> str:
    """The id of the game that a page shows."""
    found = re.search(r"g_[0-9a-f]{24}", page.url)
    assert found is not None, page.url
    return found[0]


def move_by_clicks(page: Page, act: Act = Locator.click) -> int:
    """Make a move; gives the number of clicks."""
    before = page.locator(".entry").count()
    clicks = pick_until_ready(page, act)
    act(page.locator(READY).first)
    expect(page.locator(f".entry >> nth={before}").or_(page.locator(".refusal"))).to_be_attached()
    return clicks + 1


def pick_until_ready(page: Page, act: Act = Locator.click) -> int:
    """Pick until a move is ready to be made; gives the number of clicks."""
    for click in range(CLICKS_MAX):
        if page.locator(READY).count():
            return click
        pick_something(page, click + 1, act)
    raise AssertionError(f"no move in {CLICKS_MAX} clicks: {page.locator('.actions').inner_text()}")


def pick_something(page: Page, click: int, act: Act = Locator.click) -> None:
    """Click a thing first, then a verb, then a value."""
    order = (THINGS, VERBS, CHOICES, LISTS, FOLDED) if click == 1 else (VERBS, CHOICES, LISTS, THINGS, FOLDED)
    for kind in order:
        found = page.locator(kind)
        if found.count() and kind == LISTS:
            return void(found.first.select_option(index=1))
        if found.count():
            return act(found.first)
    raise AssertionError(f"nothing to click: {page.locator('.actions').inner_text()}")


def void(_: object) -> None:
    """Nothing."""


def play_by_clicks(page: Page, moves: int, act: Act = Locator.click) -> None:
    """Make moves until there were enough, or until the game is over."""
    for _ in range(moves):
        page.locator(".picking, .result").first.wait_for()
        if page.locator(".result").count():
            return
        move_by_clicks(page, act)


def make_move(page: Page, move: dict[str, Any], act: Act = Locator.click) -> None:
    """Make one certain move: its verb, then the values of its fields, as far as they are asked for."""
    settled(page)
    verb = page.locator(VERBS, has_text=in_words(move["type"]).capitalize())
    if verb.count():
        act(verb.first)
    if page.locator(FOLDED).count():  # what the board offers is folded where the screen is narrow
        act(page.locator(FOLDED).first)
    for field, value in move.items():
        group = page.get_by_role("group", name=in_words(field).capitalize(), exact=True)
        if field == "type" or not group.count():
            continue
        if group.locator("select").count():
            group.locator("select").select_option(label=capital(in_words(value)))
        else:
            act(group.get_by_role("button", name=capital(in_words(value)), exact=True))
    act(page.locator(READY).first)


def capital(text: str) -> str:
    """As what stands alone on a button is written."""
    return text[:1].upper() + text[1:]


def in_words(value: Any) -> str:
    """A value as the page writes it."""
    if isinstance(value, dict):
        return ", ".join(f"{in_words(name)} {in_words(each)}" for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(in_words, value))
    return re.sub("[_-]", " ", value) if re.fullmatch(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*", str(value)) else str(value)


def resign(page: Page) -> None:
    """Give up, by the menu of the table."""
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="are you sure?").click()


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
    asked = page.locator(".picking :is(.pickable, button, select):visible, .result").first
    expect(asked).to_be_visible(timeout=30_000)  # a bot may begin, and think


def press_what_helps(page: Page) -> bool:
    """Make the ready move, else pick the thing at the tab stop, else the first verb, else a value.

    Gives whether a move is under way. Nothing is asked of the page then: it belongs to the others.
    """
    ready, stop = page.locator(".do .primary"), page.locator("#board .pickable[tabindex='0'][aria-pressed='false']")
    if ready.count():
        ready.first.press("Enter")
        return True
    picked = page.locator(".picks").inner_text() if page.locator(".picks").count() else ""
    if stop.count():
        stop.press("Enter")
    elif page.locator(".verb").count():
        page.keyboard.press("1")
    elif page.locator(".choice button").count():
        page.locator(".choice button").first.press("Enter")
    else:
        page.locator(".choice select").first.press("ArrowDown")
    expect(page.locator(".picks")).not_to_have_text(picked)
    return False
