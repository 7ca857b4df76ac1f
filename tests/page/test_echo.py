"""A move shows as soon as it is made: the stream brings the commit, its view, its sentence and the next legal moves."""

import re

from playwright.sync_api import Browser, Route, expect

from bench.page import echo_ratio
from tests.page.conftest import Windows
from tests.page.playing import READY, client_of, move_by_clicks, pick_until_ready, settled, slug_of, start
from tests.service import Service

RATIO_MAX = 2
MOVES, ROUNDS = 7, 5


def test_a_commit_of_the_stream_is_drawn_before_anything_else_is_asked_for(player_window: Windows) -> None:
    page = player_window()
    start(page, "Catham City")
    game, held = slug_of(page), list[Route]()
    before = page.locator(".entry").count()
    pick_until_ready(page)
    shown = page.locator("#board").inner_text()
    page.route(re.compile(rf"/v1/games/{game}(\?|/legal|/events\?after)"), lambda route: held.append(route))
    page.locator(READY).first.click()
    expect(page.locator(".entry").nth(before)).to_be_visible()
    expect(page.locator("#board")).not_to_have_text(shown)
    assert page.locator(".sending").count() <= 1
    page.unroute_all(behavior="ignoreErrors")
    for route in held:
        route.continue_()
    settled(page)


def test_the_stream_brings_the_legal_moves_so_that_nobody_asks_for_them(
    player_window: Windows, service: Service
) -> None:
    page, asked = player_window(), list[str]()
    page.goto("/")
    ada = client_of(page, service)
    page.goto(f"/games/{ada.started('me', 'me')['id']}")
    settled(page)
    page.on("request", lambda request: asked.append(request.url))
    for _ in range(2):
        move_by_clicks(page)
        expect(page.locator(".sending")).to_have_count(0)
        settled(page)
    assert len([url for url in asked if "/moves?" in url]) == 2
    assert not [url for url in asked if "legal-moves" in url]


def test_from_a_click_to_its_echo_takes_at_most_twice_as_long_as_a_raw_post(browser: Browser, service: Service) -> None:
    """Whatever else the machine does can only make it slower, so the best of a few rounds counts."""
    ratios: list[float] = []
    while len(ratios) < ROUNDS and (not ratios or min(ratios) > RATIO_MAX):
        click, post = echo_ratio(browser, service, MOVES)
        ratios.append(click / post)
    print(f"a click to its echo: {click:.1f} ms, a raw POST {post:.1f} ms")
    assert min(ratios) <= RATIO_MAX, ratios
