"""Journeys in a real browser: begin, play by clicking things, be refused, come back."""

import random
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page import hands
from tests.page.conftest import Windows
from tests.page.playing import (
    card,
    client_of,
    in_words,
    move_by_clicks,
    press_what_helps,
    resign,
    settled,
    slug_of,
    start,
)
from tests.service import Client, Service

PHONE = {"width": 390, "height": 844}
TITLES = ["cat-and-fish", "catham-city", "explorers-and-pirates", "fangfrisch", "hund-und-katz"]
KEYS_MAX = 8


def test_from_opening_to_ones_first_legal_move_against_a_bot_takes_at_most_5_clicks_and_20_seconds(
    window: Windows,
) -> None:
    page, began = window(), time.monotonic()
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto("/")
    page.get_by_label("Your name").fill("Ada")
    clicks = [page.get_by_role("button", name="Begin"), page.get_by_role("button", name="Play now").nth(1)]
    for target in clicks:
        target.click()
    expect(page.locator(".asked")).to_contain_text(re.compile("Your turn|Waiting"))
    settled(page)
    used = len(clicks) + move_by_clicks(page)
    assert used <= 5
    assert time.monotonic() - began <= 20
    assert len(hosts) == 1


@pytest.mark.parametrize("way", hands.WAYS)
def test_a_whole_game_against_a_bot_is_played_with_the_mouse_the_keyboard_or_a_finger(
    player_window: Windows, service: Service, way: str
) -> None:
    page = player_window(**({"viewport": PHONE, "has_touch": True} if way == "touch" else {}))
    start(page, "Catham City")
    made, most = hands.play(page, hands.WAYS[way], random.Random(way))
    assert made > 5
    assert most < hands.CLICKS_MAX
    expect(page.locator(".result li").first).to_contain_text(re.compile(r"\d"))
    assert service.nobody().game(slug_of(page))["status"] == "finished"


def test_a_seat_is_resigned_in_the_menu_of_the_table(player_window: Windows) -> None:
    page = player_window()
    start(page, "Hund und Katz")
    resign(page)
    expect(page.locator(".seats")).to_contain_text("resigned")


def test_every_move_that_legal_moves_lists_can_be_made_by_clicks(player_window: Windows, service: Service) -> None:
    """And what cannot be clicked now is no button; at most 20 buttons stand below the board."""
    page = player_window()
    start(page, "Catham City")
    expect(page.locator(".picking")).to_be_visible()
    client = service_client(page, service)
    legal = client["moves"]
    reached = set()
    for move in legal:
        page.keyboard.press("Escape")
        page.locator(".verb", has_text=in_words(move["type"]).capitalize()).first.click() if page.locator(
            ".verb"
        ).count() else None
        for field, value in move.items():
            if field == "type" or value is None:
                continue
            group = page.get_by_role("group", name=in_words(field).capitalize(), exact=True)
            if group.count():
                assert page.locator(".actions button").count() <= 20
                group.get_by_role("button", name=re.compile(f"^{re.escape(str(value))}$", re.IGNORECASE)).first.click()
        expect(page.locator(".do .primary")).to_be_visible()
        reached.add(page.locator(".do .primary").inner_text())
    assert len(reached) == len(legal)


def test_a_move_that_the_rules_refuse_shows_the_clause_and_a_click_leads_to_it(
    player_window: Windows, service: Service
) -> None:
    page = player_window()
    page.goto("/")
    game = client_of(page, service).started("me", {"bot": "greedy"}, options={"first_seat": 0})
    page.goto(f"/games/{game['id']}")
    settled(page)
    forged = {"type": "take_cards", "faction": "hacker", "count": 8}
    page.route("**/moves?*", lambda route: route.continue_(post_data=forged))
    move_by_clicks(page)
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("CC-21")
    expect(refusal).to_contain_text("at most as many cards of a faction as the market shows")
    refusal.get_by_role("link").click()
    expect(page.locator(".cited")).to_contain_text("CC-21")
    expect(page.locator(".cited")).to_be_in_viewport()


def test_names_with_markup_are_text_and_no_html_comes_from_strings(
    player_window: Windows, expected_faults: list[str]
) -> None:
    expected_faults += ["policy: require-trusted-types-for", "TrustedHTML"]
    page = player_window("<img src=x onerror=alert(1)>")
    start(page, "Catham City")
    expect(page.locator(".seats")).to_contain_text("<img src=x")
    assert page.locator(".seats img").count() == 0
    thrown = page.evaluate("() => { try { document.body.innerHTML = '<b>x</b>'; return false } catch { return true } }")
    assert thrown


def test_friends_join_by_link_and_play_at_one_table(player_window: Windows) -> None:
    ada, bob = player_window("ada"), player_window("bob")
    ada.goto("/")
    card(ada, "Catham City").get_by_role("button", name="New table").click()
    ada.get_by_role("button", name="Open", exact=True).nth(1).click()
    ada.get_by_role("button", name="Only its players").click()
    ada.get_by_role("button", name="Make the table").click()
    link = ada.get_by_label("Link to this table").input_value()
    assert "#join=" in link
    bob.goto(link)
    bob.get_by_role("button", name="Sit down").click()
    expect(ada.locator(".asked")).to_contain_text(re.compile("Your turn|Waiting for bob"))
    expect(bob.locator(".asked")).to_contain_text(re.compile("Your turn|Waiting for ada"))
    mover, other = (ada, bob) if "Your turn" in ada.locator(".asked").inner_text() else (bob, ada)
    before = other.locator(".entry").count()
    move_by_clicks(mover)
    expect(other.locator(".entry")).not_to_have_count(before)
    mover.get_by_role("button", name="Table").click()
    mover.get_by_role("button", name="Ask for a pause").click()
    expect(other.locator(".seats")).to_contain_text("would like a pause")
    other.get_by_role("button", name="Table").click()
    other.get_by_role("button", name="Ask for a pause").click()
    expect(mover.locator(".asked")).to_contain_text("paused")


def test_a_game_is_played_by_keyboard_only(player_window: Windows) -> None:
    page = player_window()
    start(page, "Hund und Katz")
    for _ in range(4):
        before = page.locator(".entry").count()
        for _ in range(KEYS_MAX):
            if press_what_helps(page):
                break
        expect(page.locator(".entry")).not_to_have_count(before)
        settled(page)
    for key in "wmhsb":
        page.keyboard.press(key)
        expect(page.locator("#speech")).not_to_be_empty()


def test_on_a_phone_a_tap_picks_and_nothing_scrolls_sideways(player_window: Windows) -> None:
    page = player_window(viewport={"width": 390, "height": 844}, has_touch=True)
    start(page, "Catham City")
    expect(page.locator(".picking")).to_be_visible()
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390
    page.locator("#board .pickable").first.tap()
    expect(page.locator(".picks")).to_be_visible()
    page.get_by_role("button", name="Log").tap()
    expect(page.locator(".log")).to_be_visible()


def service_client(page: Page, service: Service) -> Any:
    key = page.evaluate("() => JSON.parse(localStorage.getItem('referee.key'))")
    return Client(service.url, key, {}).legal(slug_of(page))
