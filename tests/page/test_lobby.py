"""The lobby: a form that can be shared, what an open table asks for, invitations, games that await one."""

import json
import re
from urllib.parse import quote

from playwright.sync_api import Route, expect

from tests.page.conftest import Windows
from tests.page.playing import card, client_of, settled
from tests.service import Service


def test_the_address_of_a_new_table_holds_its_choices_and_nonsense_in_it_is_left_out(player_window: Windows) -> None:
    page = player_window()
    page.goto("/")
    card(page, "Catham City").get_by_role("button", name="New table").click()
    page.get_by_role("button", name="Only its players").click()
    page.get_by_role("button", name="20 s + 2 min").click()
    page.get_by_label("Expert").check()
    shared = page.url
    assert "new=catham-city" in shared
    page.goto("/")
    page.goto(shared)
    expect(page.get_by_role("button", name="20 s + 2 min")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Only its players")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Expert")).to_be_checked()
    for nonsense in ("[[[", "7", '{"seats": ["<b>", 5], "clock": "__proto__", "edition": 1, "options": 3}'):
        page.goto(f"/?new=catham-city&with={quote(nonsense)}")
        expect(page.get_by_role("button", name="No limit")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Make the table").click()
    settled(page)


def test_an_open_table_shows_its_clock_and_its_options(player_window: Windows, service: Service) -> None:
    bob = service.player("bob")
    bob.create("me", "open", options={"expert": True}, clock={"decision_s": 45, "bank_s": 300})
    page = player_window()
    page.goto("/")
    agreed = page.locator(".agreed", has_text="45 s a move, 300 s in reserve").first
    expect(agreed).to_contain_text("expert")
    expect(agreed).to_contain_text("factions: detective, scientist")


def test_an_invitation_is_shown_and_answered_in_the_lobby(player_window: Windows, service: Service) -> None:
    page = player_window("guest")
    page.goto("/")
    guest, host = client_of(page, service), service.player("host")
    id = guest.get("/me").json()["player"]["id"]
    games = [host.create("me", {"player": id})["id"] for _ in range(2)]
    page.reload()
    invited = page.locator("section", has=page.get_by_role("heading", name="You are invited"))
    expect(invited.locator("li")).to_have_count(2)
    invited.locator("li", has=page.locator(f"[href='/games/{games[0]}']")).get_by_role("button", name="Decline").click()
    expect(invited.locator("li")).to_have_count(1)
    assert host.game(games[0])["seats"][1]["player"] is None
    invited.get_by_role("button", name="Accept").click()
    expect(page).to_have_url(re.compile(games[1]))
    expect(page.locator(".asked")).to_be_visible()
    assert host.game(games[1])["seats"][1]["accepted"] is True


def test_the_title_of_every_page_counts_the_games_that_await_one(player_window: Windows, service: Service) -> None:
    page = player_window()
    page.goto("/")
    client_of(page, service).started("me", "me")
    page.goto("/rules/catham-city")
    expect(page).to_have_title(re.compile(r"^\(1\) Catham City"))


def test_a_move_that_is_listed_and_has_a_form_as_well_is_one_verb(player_window: Windows, service: Service) -> None:
    page = player_window()
    page.goto("/")
    game = client_of(page, service).started("me", "me", ruleset="explorers-and-pirates", options={"first_seat": 0})

    def both(route: Route) -> None:
        answer = route.fetch()
        legal = json.loads(answer.body())
        kind = legal["moves"][0]["type"]
        form = {"type": kind, "description": "Any.", "schema": {"type": "object", "properties": {}}}
        route.fulfill(response=answer, json={**legal, "families": [form]})

    page.route("**/legal-moves?*", both)
    page.goto(f"/games/{game['id']}")
    settled(page)
    expect(page.get_by_role("button", name="Fill in a form…")).to_have_count(1)
    verbs = [re.sub(r"^\d+\s*", "", text) for text in page.locator(".verb").all_inner_texts()]
    assert len(set(verbs)) == len(verbs)
