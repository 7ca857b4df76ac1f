"""Keys and operating in a browser: what a device key may do, log out everywhere, an admin key that is kept nowhere."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.page.conftest import Windows
from tests.service import Client, Service


def begin(page: Page, name: str) -> str:
    """Begin with a name; gives the first key."""
    page.goto("/")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Begin").click()
    return page.get_by_label("Your first key").locator("input").input_value()


def come_back(page: Page, key: str) -> None:
    """Use a key on another device."""
    page.goto("/")
    page.get_by_text("I have a key").click()
    page.get_by_label("Key", exact=True).fill(key)
    page.get_by_role("button", name="Come back").click()
    expect(page.locator(".me")).to_be_visible()


def kept(context: BrowserContext) -> str:
    """All that the browser keeps."""
    return str(context.storage_state())


def test_a_key_is_made_shown_once_and_revoked(window: Windows, service: Service) -> None:
    page = window()
    begin(page, "Ada")
    page.get_by_role("button", name="I have put it away").click()
    page.locator(".me button").click()
    page.get_by_role("link", name="Keys").click()
    expect(page.get_by_role("heading", name="Keys", exact=True)).to_be_visible()
    page.get_by_label("What it is for").fill("<b>my bot</b>")
    page.get_by_label("Days").fill("7")
    page.get_by_role("button", name="Make a key").click()
    made = page.get_by_label("A new key", exact=True).input_value()
    assert Client(service.url, made, {}).get("/me").status_code == 200
    row = page.locator(".game.key", has_text="<b>my bot</b>")
    expect(row).to_contain_text("until")
    row.get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert Client(service.url, made, {}).get("/me").status_code == 401
    assert made not in kept(page.context)


def test_log_out_everywhere_revokes_all_device_keys(window: Windows, service: Service) -> None:
    first_device, second_device = window(), window()
    first = begin(first_device, "Ada")
    first_device.get_by_role("button", name="I have put it away").click()
    come_back(second_device, first)
    second_device.goto("/keys")
    expect(second_device.locator(".game.key", has_text="this browser")).to_have_count(2)
    second_device.get_by_label("Your first key").fill("rk_k_wrong")
    second_device.get_by_role("button", name="Use my first key").click()
    expect(second_device.get_by_role("alert")).to_be_visible()
    expect(second_device.locator(".me")).to_be_visible()
    second_device.get_by_label("Your first key").fill(first)
    second_device.get_by_role("button", name="Use my first key").click()
    second_device.get_by_role("button", name="Log out everywhere").click()
    expect(second_device.get_by_role("button", name="Begin")).to_be_visible()
    left = Client(service.url, first, {}).get("/keys").json()["keys"]
    assert [key["label"] for key in left] == [""]
    first_device.reload()
    expect(first_device.get_by_role("alert")).to_contain_text("Your key has ended")
    for device in (first_device, second_device):
        assert "rk_" not in kept(device.context)


def test_an_admin_operates_and_the_key_is_kept_nowhere(window: Windows, service: Service) -> None:
    page, ada = window(), service.player("ada")
    game = ada.started("me", {"bot": "random"})
    page.goto("/operate")
    page.get_by_label("Admin key").fill(ada.key or "")
    page.get_by_role("button", name="Enter").click()
    expect(page.locator(".lead")).to_contain_text("no scope admin")
    page.get_by_label("Admin key").fill(service.admin_key)
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("The service is ready.")).to_be_visible()
    expect(page.locator(".figure").first).to_have_text(re.compile(r"^\d+\.\d$"))
    row = page.locator(".game.key", has=page.locator(f"a[href='/games/{game['id']}']"))
    row.get_by_label("Reason").fill("a <b>test</b>")
    row.get_by_role("button", name="Do it").click()
    expect(row.locator("xpath=ancestor::section").get_by_role("heading")).to_contain_text("paused")
    assert ada.game(game["id"])["status"] == "paused"
    page.get_by_label("Name").fill("new player")
    page.get_by_role("button", name="Do it").last.click()
    key = page.get_by_label("Key of the player").input_value()
    assert Client(service.url, key, {}).get("/me").json()["player"]["name"] == "new player"
    assert service.admin_key not in kept(page.context)
    page.reload()
    expect(page.get_by_label("Admin key")).to_have_value("")
    assert service.admin_key not in page.content()


def test_a_key_in_an_address_is_dropped(window: Windows, service: Service) -> None:
    page = window()
    page.goto("/#rk_k_secret")
    expect(page.get_by_role("alert")).to_contain_text("contained a key")
    assert "rk_" not in page.url
    assert "rk_" not in kept(page.context)
