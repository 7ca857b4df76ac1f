"""The page in French and German: what the browser asks for, a setting, and nothing that does not fit on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Windows
from tests.page.playing import move_by_clicks, settled
from tests.service import Service

PHONE = {"width": 390, "height": 844}

SAID = {
    "fr-FR": {
        "lobby": "Tables ouvertes",
        "asked": re.compile("À toi\\s: (prendre des cartes|jouer des hackers).*\\."),
        "log": re.compile("Les mains sont distribuées et le marché est garni\\s: .+ et .+\\. ada commence\\."),
        "board": re.compile("marché", re.IGNORECASE),
    },
    "de-CH": {
        "lobby": "Offene Tische",
        "asked": re.compile("Du bist dran: (Karten nehmen|Hacker spielen).*\\."),
        "log": re.compile("Die Karten sind ausgeteilt, der Markt zeigt .+ und .+\\. ada beginnt\\."),
        "board": re.compile("Markt"),
    },
}


def fits(page: Page) -> bool:
    """Whether nothing makes the page wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("locale", SAID)
def test_a_game_is_played_on_a_phone_in_the_language_of_the_browser(
    player_window: Windows, service: Service, locale: str
) -> None:
    page, said = player_window(locale=locale, viewport=PHONE), SAID[locale]
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    expect(page.get_by_role("heading", name=str(said["lobby"]))).to_be_visible()
    assert fits(page)
    ada = service.player("ada")
    id = ada.started("me", {"bot": "random"}, options={"first_seat": 0})["id"]
    page.evaluate("key => localStorage.setItem('referee.key', JSON.stringify(key))", ada.key)
    page.goto(f"/games/{id}")
    settled(page)
    expect(page.locator(".asked")).to_have_text(said["asked"])
    expect(page.locator("#board")).to_contain_text(said["board"])
    expect(page.locator(".log")).to_contain_text(said["log"])
    move_by_clicks(page)
    assert fits(page)


def test_another_language_can_be_chosen_and_is_kept(player_window: Windows) -> None:
    page = player_window(locale="fr-FR")
    page.goto("/")
    chosen = page.get_by_role("combobox", name="Langue")
    expect(chosen).to_have_value("fr")
    chosen.select_option("de")
    expect(page.get_by_role("combobox", name="Sprache")).to_have_value("de")
    page.goto("/rules/catham-city")
    expect(page.get_by_role("link", name="Am Richtertisch ausprobieren")).to_be_visible()
    expect(page.locator("dd[lang=en]").first).to_contain_text(re.compile("[Pp]lay"))
    page.goto("/keys")
    expect(page.get_by_role("heading", name="Meine Schlüssel")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
