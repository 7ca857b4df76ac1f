"""Names, views, answers and storage of any kind: each is shown as what it is, nothing is executed, nothing is lost."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.conftest import Windows
from tests.page.playing import move_by_clicks, settled, start
from tests.page.test_access import overflow

RIGHT_TO_LEFT = "\u202egnorw\u202c \u05d0\u05d1"
NAMES = ["<img src=x onerror=\"document.title='run'\">", RIGHT_TO_LEFT, "x" * 200, "{name} ${name} %s"]
STRANGE: dict[str, Any] = {
    "market": {"no faction": 1},
    "unknown_field": {"deep": [{"a": [1, {"b": None}]}, "<script>alert(1)</script>"]},
    "nothing": None,
    "empty": {},
    "hidden_count": 3,
    "1,1": {"2,2": [[[]]]},
    "long_text": "y" * 500,
    "__proto__x": True,
    "float": 0.5,
}
FULL = """
Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") };
"""
PRIVATE = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError") } });
"""


def with_name(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """The answer about a game, in which somebody has another name."""
    for seat in answer["seats"]:
        seat["player"] = {"id": "p_0", "name": name, "bot": False} if seat["bot"] else seat["player"]
    return answer


def changed(route: Route, change: Any) -> None:
    """Answer with what the service answers, changed."""
    answer = route.fetch()
    route.fulfill(response=answer, json=change(answer.json()))


@pytest.mark.parametrize("name", NAMES, ids=["markup", "right to left", "200 characters", "marks of templates"])
def test_names_are_text_whatever_they_are(player_window: Windows, name: str) -> None:
    page = player_window()
    start(page, "Catham City")
    page.route("**/v1/games/g_*", lambda route: changed(route, lambda game: with_name(game, name)))
    page.reload()
    settled(page)
    for place in (page.locator(".seats .seat bdi").nth(1), page.locator("#board .panel bdi").nth(1)):
        assert name in place.evaluate("each => each.textContent")
    assert page.locator("main img, main script").count() == 0
    assert "run" not in page.title()
    assert overflow(page) <= 0
    assert page.locator(".seats .seat").nth(1).bounding_box()["width"] <= 400
    move_by_clicks(page)


def test_names_in_lists_are_text_whatever_they_are(player_window: Windows) -> None:
    page = player_window()
    start(page, "Catham City")

    def rename(answer: dict[str, Any]) -> dict[str, Any]:
        copies = [(json.dumps(game), name) for game in answer["games"][:1] for name in NAMES]
        renamed = [with_name(json.loads(game), name) for game, name in copies]
        return {**answer, "games": [{**game, "id": f"g_{at:024}"} for at, game in enumerate(renamed)]}

    page.route("**/v1/games?*", lambda route: changed(route, rename))
    page.goto("/")
    expect(page.locator(".game .names").first).to_contain_text("<img")
    assert page.locator("main img").count() == 0
    assert overflow(page) <= 0


def test_a_view_with_unknown_fields_is_drawn_and_played(player_window: Windows) -> None:
    page = player_window()
    start(page, "Catham City")

    def strange(answer: dict[str, Any]) -> dict[str, Any]:
        for holder in (answer, *answer.get("commits", ())):
            if "view" in holder:
                holder["view"] = {**holder["view"], **STRANGE}
        return answer

    page.route("**/v1/games/g_*", lambda route: changed(route, strange))
    page.route("**/events?*", lambda route: changed(route, strange))
    page.reload()
    settled(page)
    expect(page.locator("#board")).to_contain_text("<script>alert(1)</script>")
    expect(page.locator("#board")).to_contain_text("Unknown field")
    assert overflow(page) <= 0
    move_by_clicks(page)


ANSWERS = {
    "500": {"status": 500, "body": "<h1>oops</h1>"},
    "502": {"status": 502, "body": ""},
    "429": {
        "status": 429,
        "headers": {"Retry-After": "1"},
        "json": {"code": "too-many-calls", "detail": "Slow down."},
    },
    "no JSON": {"status": 200, "body": "<html>a portal of a hotel</html>"},
    "null": {"status": 200, "body": "null"},
    "empty": {"status": 200, "body": ""},
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
@pytest.mark.parametrize("call", ["**/moves?*", "**/legal-moves?*"])
def test_a_table_goes_on_after_answers_that_are_none(player_window: Windows, call: str, answer: dict[str, Any]) -> None:
    page = player_window()
    start(page, "Catham City")
    before, given = page.locator(".entry").count(), [answer]
    page.route(call, lambda route: route.fulfill(**given.pop()) if given else route.continue_())
    if "legal" in call:
        page.reload()
    else:
        move_by_clicks(page)
    settled(page)
    assert not given
    if "legal" in call:
        move_by_clicks(page)
    expect(page.locator(".entry")).not_to_have_count(before)


def test_an_answer_of_another_shape_is_reported_and_the_page_stays(
    player_window: Windows, expected_faults: list[str]
) -> None:
    expected_faults += ["TypeError"]
    page = player_window()
    start(page, "Catham City")
    page.route("**/v1/games/g_*", lambda route: route.fulfill(json={"seats": 5}))
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("cannot show")
    expect(page.get_by_role("navigation").first).to_be_visible()
    page.unroute("**/v1/games/g_*")
    page.reload()
    settled(page)


@pytest.mark.parametrize("storage", [FULL, PRIVATE], ids=["full", "private"])
def test_a_full_or_forbidden_storage_loses_nothing_but_comfort(window: Windows, storage: str) -> None:
    page = window()
    page.add_init_script(storage)
    page.goto("/")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="I have put it away").click()
    page.locator(".title-card", has_text="Catham City").get_by_role("button", name="Play now").click()
    settled(page)
    before = page.locator(".entry").count()
    move_by_clicks(page)
    expect(page.locator(".entry")).not_to_have_count(before)
    watch_again(page)


def watch_again(page: Page) -> None:
    """After a reload nobody is known, and the table is there to be watched."""
    page.reload()
    expect(page.locator("#board .panel").first).to_be_visible()
    expect(page.locator(".me")).to_have_count(0)
    assert (
        json.loads(page.evaluate("() => { try { return JSON.stringify({...localStorage}) } catch { return '{}' } }"))
        == {}
    )
