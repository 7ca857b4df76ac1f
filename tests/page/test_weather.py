"""Bad weather: lost answers, a service that dies, many windows, a revoked key, a wrong clock."""

import re
from collections.abc import Callable
from datetime import datetime

from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.page.conftest import Windows
from tests.page.playing import client_of, move_by_clicks, pick_until_ready, settled, slug_of, start
from tests.service import Client, Service


def test_cut_the_network_make_a_move_connect_it_is_in_the_log_exactly_once_and_was_never_shown_as_made_before(
    player_window: Windows, service: Service
) -> None:
    """The answer to the first post is lost, then nothing comes through for a while."""
    page = player_window()
    lost: list[str] = []

    def cut(route: Route) -> None:
        is_stream = "text/event-stream" in route.request.headers.get("accept", "")
        route.abort() if len(lost) <= 2 and (lost or is_stream) else route.continue_()

    page.route("**/events?*", cut)
    start(page, "Catham City")
    client = client_of(page, service)
    before = page.locator(".entry").count()

    def lose(route: Route) -> None:
        lost.append(route.request.headers["idempotency-key"])
        if len(lost) == 1:
            route.fetch()
        route.abort() if len(lost) <= 2 else route.continue_()

    page.route("**/games/*/moves?*", lose)
    pick_until_ready(page)
    page.locator(".do .primary").click()
    expect(page.locator(".sending")).to_contain_text("not yet confirmed")
    assert page.locator(".entry").count() == before or len(lost) > 2
    expect(page.locator(".entry")).not_to_have_count(before)
    settled(page)
    assert len(lost) >= 3 and len(set(lost)) == 1
    commits = client.get(f"/games/{slug_of(page)}/events").json()["commits"]
    assert [commit["actor"] for commit in commits[before : before + 2]].count(0) == 1


def test_reload_in_any_moment_and_nothing_is_lost_but_a_pick(player_window: Windows) -> None:
    page = player_window()
    start(page, "Hund und Katz")
    versions = page.locator(".entry").count()
    page.locator("#board .pickable").first.click()
    expect(page.locator(".picks")).to_be_visible()
    page.reload()
    settled(page)
    expect(page.locator(".picks")).to_have_count(0)
    assert page.locator(".entry").count() >= versions
    move_by_clicks(page)


def test_open_the_same_table_in_eight_tabs_all_work(player_window: Windows, watched: Callable) -> None:
    first = player_window()
    start(first, "Catham City")
    tabs = [first, *(watched(first.context.new_page()) for _ in range(7))]
    for tab in tabs[1:]:
        tab.goto(first.url)
        settled(tab)
    before = first.locator(".entry").count()
    move_by_clicks(tabs[-1])
    for tab in tabs:
        expect(tab.locator(".entry")).not_to_have_count(before)


def test_revoke_the_device_key_elsewhere_within_two_seconds_the_page_says_so_and_shows_no_seats_cards(
    window: Windows, service: Service
) -> None:
    page = window()
    page.goto("/")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Begin").click()
    first = page.get_by_label("Your first key").locator("input").input_value()
    page.get_by_role("button", name="I have put it away").click()
    start(page, "Catham City")
    expect(page.locator("#board [data-thing^='hand ']").first).to_be_visible()
    ada = Client(service.url, first, {})
    device = next(key for key in ada.get("/keys").json()["keys"] if key["label"] == "this browser")
    ada.delete(f"/keys/{device['id']}")
    expect(page.get_by_role("alert")).to_contain_text("Your key has ended", timeout=2000)
    expect(page.locator("#board [data-thing^='hand ']")).to_have_count(0)
    assert first not in page.evaluate("() => JSON.stringify(localStorage)")


def test_set_the_computers_clock_90_seconds_wrong_the_clocks_shown_are_right_to_half_a_second(
    contexts: Callable[..., BrowserContext], watched: Callable[[Page], Page], service: Service
) -> None:
    ada = service.player("ada")
    game = ada.started("me", {"bot": "greedy"}, options={"first_seat": 0}, clock={"decision_s": 60})
    shown = []
    for wrong_ms in (90_000, -90_000):
        context = contexts()
        context.add_init_script(f"const now = Date.now; Date.now = () => now() + {wrong_ms}")
        page = watched(context.new_page())
        page.goto(f"/games/{game['id']}")
        clock = page.get_by_role("timer").first
        expect(clock).to_have_text(re.compile(r"^0:[0-5]\d$"))
        shown.append(page.evaluate("() => [Date.now(), document.querySelector('[data-until]').textContent]"))
        now, text = shown[-1]
        left = deadline_ms(service, game["id"]) - (now - wrong_ms)
        assert -1500 <= int(text[2:]) * 1000 - left <= 0  # whole seconds, and a little early


def deadline_ms(service: Service, id: str) -> float:
    return datetime.fromisoformat(service.nobody().game(id)["deadlines"][0]["at"]).timestamp() * 1000


def test_a_service_that_is_busy_when_the_page_opens_still_finds_out_who_plays(player_window: Windows) -> None:
    page = player_window()
    start(page, "Catham City")
    busy = [
        {"status": 503, "body": "<h1>busy</h1>"},
        {"status": 429, "headers": {"Retry-After": "1"}, "json": {"code": "too-many-calls", "detail": "Slow down."}},
    ]
    page.route("**/v1/me", lambda route: route.fulfill(**busy.pop()) if busy else route.continue_())
    page.reload()
    settled(page)
    assert not busy


def test_moves_that_the_service_lost_and_withdrew_leave_the_page(player_window: Windows) -> None:
    page = player_window()
    start(page, "Catham City")
    move_by_clicks(page)
    settled(page)
    before = page.locator(".entry").count()
    told: list[str] = []

    def tell(route: Route) -> None:
        if told or "text/event-stream" not in route.request.headers.get("accept", ""):
            return route.continue_()
        told.append("rewound")
        return route.fulfill(content_type="text/event-stream", body='event: rewound\ndata: {"version": 1}\n\n')

    page.route("**/events?*", tell)
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("lost the moves after number 1")
    expect(page.locator(".entry")).to_have_count(before)
    settled(page)


def test_moves_made_while_a_table_opens_are_shown_with_whose_turn_it_is(
    player_window: Windows, service: Service
) -> None:
    """The page asks for the game and its commits separately, and moves between the answers make them disagree."""
    ada, bob = service.player("ada"), service.player("bob")
    id = ada.started("me", bob, ruleset="hund-und-katz")["id"]
    answers: list[str] = []
    held: list[Route] = []

    def pass_the_turn() -> None:
        before = names_of_awaited(ada, id)
        while (names := names_of_awaited(ada, id)) == before:
            player = ada if "ada" in names else bob
            player.move(id, player.legal(id)["moves"][0]).raise_for_status()

    def answer_commits(route: Route) -> None:
        answers.append(route.request.url)
        if len(answers) == 1:  # the page learns these commits, and the game as it is after the next turn
            told = route.fetch()
            pass_the_turn()
            route.fulfill(response=told)
            return [each.continue_() for each in held].clear()
        if len(answers) == 2:  # the page asks for the commits of that turn, and gets those of the turn after it, too
            pass_the_turn()
        return route.continue_()

    page = player_window()
    page.route("**/events?*", answer_commits)
    page.route(f"**/v1/games/{id}", lambda route: route.continue_() if answers else held.append(route))
    page.goto(f"/games/{id}")
    expect(page.locator(".seats")).to_be_visible()
    assert len(answers) > 1
    expect(page.locator(".seat.awaited bdi")).to_have_text(names_of_awaited(ada, id))


def names_of_awaited(client: Client, id: str) -> list[str]:
    game = client.game(id)
    return [game["seats"][decision["seat"]]["player"]["name"] for decision in game["awaited"]]


def test_answers_that_are_no_answers_are_shown_as_what_they_are(player_window: Windows) -> None:
    page = player_window()
    page.goto("/")
    page.route("**/v1/games", lambda route: route.fulfill(status=500, body="<h1>oops</h1>"))
    page.get_by_role("button", name="Play now").first.click()
    expect(page.get_by_role("alert")).to_contain_text("not an answer (status 500)")
    long = "x" * 200
    titles = {"rulesets": [{"slug": "a", "title": long, "seats": {}}]}
    page.route("**/v1/rulesets", lambda route: route.fulfill(json=titles))
    page.goto("/")
    expect(page.locator(".title-card h3")).to_have_text(long)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280
