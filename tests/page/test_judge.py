"""The judge in a browser: any position, any move, forced luck, links, and games that go on from a finished one."""

import base64
import json
import re
import zlib
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Windows
from tests.page.playing import make_move, settled, slug_of
from tests.service import Service
from tests.waiting import eventually

TOO_MUCH = 300_000


def link_of(value: Any) -> str:
    """What stands behind the `#` of a link to the judge."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(value).encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def steps_of(link: str) -> list[Any]:
    """The steps of the line that a link to the judge carries."""
    packed = link.partition("#")[2]
    line = json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), wbits=-15))
    steps: list[Any] = line["steps"]
    return steps


def try_move(page: Page, name: str, **fields: str) -> None:
    """Fill in the form of a move, and ask the judge."""
    page.get_by_label("Any move").select_option(label=name)
    form = page.locator("form.family")
    for field, value in fields.items():
        control = form.get_by_label(field.capitalize(), exact=True)
        if control.evaluate("each => each.tagName") == "SELECT":
            control.select_option(label=value)
        else:
            control.fill(value)
            control.press("Tab")
    form.get_by_role("button", name=name).click()


def shown_hand(page: Page) -> str:
    """A faction that the first market pile shows, and that can be taken."""
    return page.locator("#board [data-thing^='market '] .c-word").first.inner_text()


def test_from_a_finished_game_what_if_a_different_move_at_commit_40_and_send_the_link_the_other_sees_the_same_verdicts(
    player_window: Windows, service: Service, finished: str
) -> None:
    """And with the same dice: the luck of the commit that is left out is what the next move gets."""
    page = player_window()
    at, played, other_move = a_different_move(service, finished)
    page.goto(f"/games/{finished}?at={at}")
    page.get_by_role("link", name="What if…").click()
    expect(page).to_have_url(re.compile(rf"game={finished}&at={at}"))
    make_move(page, other_move)
    expect(page.locator(".side .entry")).to_have_count(1)
    link = page.get_by_label("Link to this line")
    expect(link).to_have_value(re.compile("#"))
    steps = steps_of(link.input_value())
    assert [step["move"] for step in steps] == [other_move] != [played]
    verdicts = page.locator(".side .log").inner_text()
    other = player_window("bob")
    other.goto(link.input_value())
    expect(other.locator(".side .entry")).to_have_count(len(steps))
    assert other.locator(".side .log").inner_text() == verdicts
    assert other.locator("#board").inner_text() == page.locator("#board").inner_text()
    luck = service.nobody().get(f"/games/{finished}/luck").json()["drawings"]
    other.goto(f"/judge/hund-und-katz?game={finished}&at=0")
    same = [{"point": each["point"], "outcome": each["outcome"]} for each in luck if each["version"] == 1]
    expect(other.get_by_label("Forced luck")).not_to_have_value("")
    assert same and json.loads(other.get_by_label("Forced luck").input_value()) == same


def a_different_move(service: Service, game: str) -> tuple[int, Any, Any]:
    """A moment from commit 40 on, the move that was made then, and another one that the rules allow."""
    client = service.player("eve")
    for commit in client.get(f"/games/{game}/events", params={"after": 40}).json()["commits"]:
        at, seat = commit["version"] - 1, commit["actor"]
        if isinstance(seat, int):
            position = client.game(game, at=at, seat="all")["view"]
            body = {"position": position, "seat": seat}
            legal = client.post("/rulesets/hund-und-katz/legal-moves", body).json()["moves"]
            others = [move for move in legal if move != commit["move"]]
            if others:
                return at, commit["move"], others[-1]
    raise AssertionError("there was no choice")


def test_any_move_is_judged_and_a_refusal_names_its_clause(window: Windows) -> None:
    page = window()
    page.goto("/judge/catham-city")
    expect(page.locator("#board .panel").first).to_be_visible()
    try_move(page, "Take cards", count="9")
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text(re.compile(r"CC-\d+"))
    expect(page.locator(".side .entry")).to_have_count(0)
    try_move(page, "Take cards", faction=shown_hand(page).capitalize(), count="1")
    expect(page.locator(".side .entry")).to_have_count(1)
    expect(page.locator(".side .entry")).to_contain_text("Cards taken")
    page.get_by_role("button", name="To the start").click()
    expect(page.locator(".side .entry.here")).to_have_count(0)
    page.get_by_role("button", name="Go to move 1").click()
    expect(page.locator(".side .entry.here")).to_have_count(1)


def test_luck_is_forced_changed_and_kept_over_a_reload(window: Windows) -> None:
    blank = {"ruleset": "catham-city", "options": {}, "phase": "setup", "seats": [{}, {}]}
    page = window()
    page.goto(f"/judge/catham-city#{link_of({'position': blank, 'steps': []})}")
    page.get_by_role("button", name="Referee").click()
    page.locator(".tools summary", has_text="Forced luck").click()
    luck = page.get_by_label("Forced luck")
    for forced, answer in (("[{]", "not JSON"), ('[{"point": "nowhere", "outcome": 1}]', "nowhere"), ("5", "")):
        luck.fill(forced)
        try_move(page, "Set up")
        expect(page.get_by_role("alert").first).to_contain_text(answer)
        expect(page.locator(".side .entry")).to_have_count(0)
    luck.fill('[{"point": "draw_first_seat", "outcome": 1}]')
    try_move(page, "Set up")
    active = page.locator("#board .panel.turn")
    expect(active).to_contain_text("Seat 2")
    link = page.get_by_label("Link to this line")
    page.get_by_role("button", name="The same with other luck").click()
    expect(luck).to_have_value(re.compile("draw_first_seat"))
    luck.fill(luck.input_value().replace('"outcome":1', '"outcome":0', 1))
    page.locator("form.family .primary").click()
    expect(active).to_contain_text("Seat 1")
    picture = page.locator("#board").inner_text()
    expect(page.locator(".side .entry")).to_have_count(1)
    eventually(lambda: [step["chance"][0]["outcome"] for step in steps_of(link.input_value())] == [0])
    page.reload()
    expect(page.locator(".side .entry")).to_have_count(1)
    assert page.locator("#board").inner_text() == picture


@pytest.mark.parametrize(
    "fragment",
    [
        pytest.param(link_of({"position": {"seats": []}, "steps": [], "more": "x" * TOO_MUCH}), id="too much"),
        pytest.param("%%%", id="no base64"),
        pytest.param("AAAA", id="not deflated"),
        pytest.param(link_of([1]), id="a list"),
        pytest.param(link_of({"steps": 7}), id="no list of steps"),
        pytest.param(link_of({"position": 5}), id="no position"),
        pytest.param(link_of({"position": {"seats": [None, {"hand": json.loads("[" * 90 + "]" * 90)}]}}), id="deep"),
        pytest.param(link_of({"steps": [None, {"actor": "<b>", "move": 1}]}), id="steps of nonsense"),
        pytest.param(
            link_of({"position": {"seats": [None, 1], "<img src=x>": {"1,1": None}}, "steps": []}), id="strange"
        ),
    ],
)
def test_a_link_that_carries_nonsense_or_more_than_256_kib_is_shown_as_what_it_is(
    window: Windows, fragment: str
) -> None:
    page = window()
    page.goto(f"/judge/catham-city#{fragment}")
    expect(page.get_by_role("alert").or_(page.locator("#board .plain, #board .panel")).first).to_be_visible()
    assert page.locator("#board img").count() == 0


def test_a_position_that_is_typed_in_is_judged(window: Windows, service: Service) -> None:
    fresh = service.nobody().post("/rulesets/catham-city/positions", {"seats": 3}).json()
    page = window()
    page.goto("/judge/catham-city")
    page.locator(".tools summary", has_text="The position as JSON").click()
    area = page.get_by_label("The position as JSON")
    for bad, says in (("{", "not JSON"), ("5", "no position"), ("null", "no position")):
        area.fill(bad)
        page.get_by_role("button", name="Use this position").click()
        expect(page.get_by_role("alert")).to_contain_text(says)
    area.fill(json.dumps(fresh["position"]))
    page.get_by_role("button", name="Use this position").click()
    expect(page.locator("#board .panel")).to_have_count(3)


def test_a_finished_game_is_played_on_from_any_moment(player_window: Windows, service: Service, finished: str) -> None:
    page = player_window()
    page.goto(f"/games/{finished}?at=20")
    page.get_by_role("link", name="Play on from here").click()
    page.get_by_role("button", name="Make the table").click()
    settled(page)
    assert slug_of(page) != finished
    game = service.nobody().game(slug_of(page))
    assert game["casual"]
    before = service.nobody().game(finished, at=20, seat="all")["view"]
    assert page.locator("#board .panel").count() == len(before["seats"])
