"""A table with another edition: chosen on the page, shown in the lists, and drawn with its own numbers."""

from playwright.sync_api import expect

from tests.page.conftest import Windows
from tests.page.playing import slug_of
from tests.service import Service


def test_a_person_chooses_an_edition_and_finds_it_in_the_lobby(player_window: Windows, service: Service) -> None:
    page = player_window()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/?new=hund-und-katz")
    page.get_by_role("group", name="Edition", exact=True).get_by_role("button", name="More squares").click()
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator("#board")).to_be_visible()
    game = service.nobody().game(slug_of(page))
    assert game["edition"] == "more-squares"
    assert [url for url in asked if url.endswith(f"/editions/{game['edition_hash']}")], "the numbers of this edition"
    page.goto("/")
    expect(page.locator(".games .game", has_text="Hund und Katz").first).to_contain_text("more squares")


def test_a_title_with_one_edition_asks_for_none(player_window: Windows) -> None:
    page = player_window()
    page.goto("/?new=catham-city")
    expect(page.get_by_role("button", name="Make the table")).to_be_visible()
    expect(page.get_by_role("group", name="Edition", exact=True)).to_have_count(0)
