"""Boards in a real browser: what is read out, what can be touched, what moves, and the live bell."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.live.tables import auction
from tests.page.conftest import Windows
from tests.page.moments import MOMENTS, seated
from tests.page.playing import move_by_clicks, settled
from tests.page.test_access import PHONE, RULES, axe, faults_of, overflow
from tests.service import Service
from tests.waiting import eventually

SPOKEN = Path(__file__).parent / "spoken"
COUNT_MOTION = """
window.moved = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...all) { window.moved += 1; return animate.apply(this, all); };
"""
TARGET_MIN = 24
AT_SEA = 152
"""Moves of Explorers & Pirates after which a ship may move."""


def opened(page: Page, service: Service, slug: str, **moment: Any) -> Page:
    """The page of a game at a known moment, in which its player is asked."""
    ada = service.player("ada")
    page.add_init_script(f"localStorage.setItem('referee.key', '\"{ada.key}\"')")
    page.goto(f"/games/{seated(ada, slug, **moment)}")
    settled(page)
    expect(page.locator("#board .b")).to_be_visible()
    return page


@pytest.mark.parametrize("slug", MOMENTS)
def test_axe_finds_nothing_on_a_board_in_light_and_dark_and_seats_can_be_told_apart_in_grey(
    window: Windows, service: Service, slug: str
) -> None:
    """And a board is read out as recorded, fits every window, and has targets for fingers."""
    page = opened(window(), service, slug)
    page.evaluate(axe())
    assert faults_of(page, RULES) == []
    assert page.locator("#board").aria_snapshot() == (SPOKEN / f"{slug}.txt").read_text(encoding="utf-8")
    shapes = page.locator("#board .panel-name .mk path").evaluate_all(
        "all => all.map((each) => each.getAttribute('d'))"
    )
    assert len(shapes) == len(set(shapes)) == len(page.locator(".seats .seat").all())
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert faults_of(page, {"type": "rule", "values": ["color-contrast"]}) == []
    page.set_viewport_size(PHONE)
    assert overflow(page) <= 0
    labels = [thing.get_attribute("aria-label") for thing in page.locator("#board .pickable").all()]
    assert len(labels) == len(set(labels)) > 0
    sizes = page.locator("#board .pickable").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"
    )
    assert min(sizes) >= TARGET_MIN
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert overflow(page) <= 0


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_pieces_go_where_they_belong_unless_motion_is_unwanted(
    window: Windows, service: Service, motion: str, moves: bool
) -> None:
    page = window(reduced_motion=motion)
    page.add_init_script(COUNT_MOTION)
    opened(page, service, "cat-and-fish", other="me")  # nobody makes a second move before the first is drawn
    assert page.evaluate("() => window.moved") == 0
    move_by_clicks(page)
    eventually(lambda: page.locator(".actions .sending").count() == 0)
    assert (page.evaluate("() => window.moved") > 0) is moves


@pytest.mark.parametrize("way", ["Space", "pointer-down"])
def test_the_live_bell_rings_at_once_for_the_offer_that_is_seen(window: Windows, service: Service, way: str) -> None:
    ada, seller, other = (service.player(name) for name in ("ada", "seller", "other"))
    id = seller.create("me", ada, other, ruleset="fangfrisch", position=auction(3, 60, 0))["id"]
    page = window()
    page.add_init_script(f"localStorage.setItem('referee.key', '\"{ada.key}\"')")
    page.goto(f"/games/{id}")
    bell = page.locator("#board .bell.pickable")
    expect(bell).to_be_visible()
    if way == "Space":
        page.keyboard.press("Space")
    else:
        box = bell.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
    expect(page.locator("#board .bell.pickable")).to_have_count(0)
    made = eventually(lambda: [each for each in ada.get(f"/games/{id}/events").json()["commits"] if each["actor"] == 1])
    assert made[0]["move"] == {"type": "ring", "seen": 1}
    assert ada.game(id)["view"]["purchase"]["buyer"] == 1


def test_the_form_of_an_offer_has_steppers_and_is_filled_in_on_the_board(window: Windows, service: Service) -> None:
    page = opened(window(), service, "explorers-and-pirates")
    page.locator(".verb", has_text="Offer trade").click()
    form = page.locator("form.family")
    own, bank = page.locator("#board [data-thing^='own ']"), page.locator("#board [data-thing^='bank ']")
    given = own.and_(page.locator(".pickable")).first
    kind = str(given.get_attribute("data-thing")).split()[1]
    given.click()
    give = form.locator(".field", has_text="Give").get_by_label(kind, exact=True)
    expect(give).to_have_value(re.compile("[1-9]"))
    many = int(give.input_value())
    form.locator(".field", has_text="Give").locator(".kind", has_text=kind).get_by_role("button").first.click()
    expect(give).to_have_value(str(many - 1))
    bank.and_(page.locator(".pickable[aria-pressed='false']")).first.click()
    expect(bank.and_(page.locator("[aria-pressed='true']"))).to_have_count(1)


def test_a_ship_sails_edge_by_edge(window: Windows, service: Service) -> None:
    """An edge is offered where the course goes on; the last one again takes it back."""
    page = opened(window(), service, "explorers-and-pirates", moves=AT_SEA)
    page.locator(".verb", has_text="Move ship").click()
    page.get_by_role("button", name="Fill in a form").click()
    edges = page.locator("#board .spot.pickable")
    for length in (1, 2):
        free = page.locator("#board .spot.pickable[aria-pressed='false']")
        free.first.click()
        expect(page.locator("form.family .chosen button")).to_have_count(length)
    expect(page.locator("#board .course")).to_have_count(1)
    page.locator("#board .spot[aria-pressed='true']").last.click()
    expect(page.locator("form.family .chosen button")).to_have_count(1)
    assert edges.count() > 1


def wide(each: Locator) -> float:
    """How wide something is drawn."""
    return float(each.evaluate("(each) => each.getBoundingClientRect().width"))


def test_a_map_is_enlarged_and_shown_whole_by_keys_that_lie_beside_it(window: Windows, service: Service) -> None:
    page = opened(window(viewport=PHONE, has_touch=True), service, "explorers-and-pirates")
    drawn, frame = page.locator("#board .pic"), page.locator("#board .pan")
    first = wide(drawn)
    assert first > wide(frame)
    keys = page.locator("#board .zoom-keys").evaluate("(each) => each.getBoundingClientRect().bottom")
    assert keys <= frame.evaluate("(each) => each.getBoundingClientRect().top")
    page.get_by_role("button", name="zoom in").tap()
    assert wide(drawn) > first
    page.get_by_role("button", name="whole").tap()
    assert wide(drawn) <= wide(frame)
    assert overflow(page) <= 0
