"""Looking back: slider, keys, links, eyes, what changed, and no spoilers."""

import re

from playwright.sync_api import expect

from tests.page.conftest import Windows
from tests.page.playing import move_by_clicks, settled, slug_of, start
from tests.service import Service


def test_look_back_at_a_running_game_while_others_move_the_picture_stays_a_badge_counts(player_window: Windows) -> None:
    page = player_window()
    start(page, "Catham City")
    for _ in range(2):
        move_by_clicks(page)
        settled(page)
    other = page.context.new_page()
    other.goto(page.url)
    settled(other)
    page.locator(".asked").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".looking-back")).to_be_visible()
    picture, count = page.locator("#board").inner_text(), page.locator(".count").inner_text()
    move_by_clicks(other)
    expect(page.locator(".scrub .badge")).to_contain_text("new")
    assert page.locator("#board").inner_text() == picture
    assert page.locator(".count").inner_text().split("/")[0] == count.split("/")[0]
    page.keyboard.press("Escape")
    expect(page.locator(".looking-back")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".looking-back")).to_have_count(0)


def test_send_a_moment_and_a_seat_to_somebody_without_a_key_they_see_the_same_picture(
    window: Windows, player_window: Windows, finished: str
) -> None:
    address = f"/games/{finished}?at=17&seat=1"
    pictures = []
    for page in (window(), player_window()):
        page.goto(address)
        expect(page.locator(".count")).to_have_text(re.compile(r"^17/\d+$"))
        pictures.append(page.locator("#board").inner_text())
    assert pictures[0] == pictures[1]


def test_keys_lead_through_a_game_without_a_call(window: Windows, finished: str) -> None:
    page = window()
    page.goto(f"/games/{finished}?at=0")
    newest = int(page.locator(".count").inner_text().split("/")[1])
    expect(page.locator(".entry")).to_have_count(newest)
    calls: list[str] = []
    page.on("request", lambda request: calls.append(request.url) if "/v1/" in request.url else None)
    for key, at in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        expect(page.locator(".count")).to_have_text(f"{at}/{newest}")
    page.keyboard.press("]")
    assert int(page.locator(".count").inner_text().split("/")[0]) > 1
    assert page.locator(".changed").count() > 0
    assert not calls


def test_compare_any_picture_of_a_seat_with_its_view_nothing_is_shown_that_is_not_in_it(
    window: Windows, service: Service, finished: str
) -> None:
    page = window()
    seen: list[str] = []
    for at, seat in ((9, "0"), (30, "1")):
        page.goto(f"/games/{finished}?at={at}&seat={seat}")
        expect(page.locator("#board .panel").first).to_be_visible()
        view = service.nobody().game(finished, at=at, seat=seat)["view"]
        assert view["seats"][1 - int(seat)]["hand"] is None
        shown = page.locator("#board [data-thing^='hand ']").all_inner_texts()
        seen += shown
        assert sorted(shown) == sorted(card.replace("_", " ") for card in view["seats"][int(seat)]["hand"])
    assert seen


def test_the_end_stays_hidden_from_those_who_do_not_want_to_know(window: Windows, finished: str) -> None:
    page = window()
    page.goto(f"/games/{finished}?end=hidden")
    expect(page.locator(".count")).to_have_text("0")
    for spoiler in (".scrub input", ".result", ".entry"):
        assert page.locator(spoiler).count() == 0
    page.keyboard.press("ArrowRight")
    expect(page.locator(".entry")).to_have_count(1)
    assert "end=hidden" in page.url


def test_the_moves_since_you_looked_are_stepped_through(player_window: Windows) -> None:
    page = player_window()
    start(page, "Catham City")
    move_by_clicks(page)
    settled(page)
    id = slug_of(page)
    page.evaluate(f"() => localStorage.setItem('referee.seen {id}', '1')")
    page.reload()
    expect(page.locator(".stage .bar")).to_contain_text("since you looked")
    page.get_by_role("button", name="Step through").click()
    expect(page.locator(".count")).to_contain_text("1/")
