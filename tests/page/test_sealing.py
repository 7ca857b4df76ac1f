"""The page seals its player's part of the luck, and reveals it by itself when all seals are there."""

from playwright.sync_api import expect

from referee.audit.record import read_record
from referee.audit.verify import audit
from referee.table.record import seal_of
from tests.page.conftest import Windows
from tests.page.playing import slug_of
from tests.service import Service
from tests.waiting import eventually

LINK = "7" * 64


def test_the_page_seals_waits_for_all_and_reveals(player_window: Windows, service: Service) -> None:
    bob = service.player("bob")
    id = bob.create("open", "open", on_resignation="end")["id"]
    page = player_window()
    page.goto(f"/games/{id}")
    page.get_by_role("button", name="Sit down").first.click()
    eventually(lambda: bob.game(id)["seats"][0]["seal"])
    assert bob.game(id)["seats"][0]["nonce"] == ""
    assert bob.post(f"/games/{id}/seats", {"seal": seal_of(id, LINK)}).json()["status"] == "revealing"
    expect(page.get_by_role("status").first).to_contain_text("revealed")
    game = eventually(lambda: (game := bob.game(id))["unrevealed"] == [1] and game)
    assert game["seats"][0]["nonce"] == ""
    assert bob.post(f"/games/{id}/seats/1/reveal", {"link": LINK}).json()["status"] == "running"
    expect(page.locator("#board")).to_be_visible()
    assert bob.post(f"/games/{id}/resignation").status_code == 201
    eventually(lambda: bob.game(id)["status"] == "finished")
    record = read_record(bob.get(f"/games/{id}/record").content.splitlines(keepends=True))
    assert audit(record).verdict == "proved"
    assert None not in record.header.seals
    page.goto(f"/games/{id}/audit")
    expect(page.locator(".audit")).to_contain_text("2 of 2 sealed nonces were revealed and open their seals.")


def test_a_new_table_against_a_bot_is_sealed_and_starts(player_window: Windows, service: Service) -> None:
    page = player_window()
    page.goto("/")
    page.get_by_role("button", name="Play now").first.click()
    expect(page.locator("#board")).to_be_visible()
    seats = service.nobody().game(slug_of(page))["seats"]
    own = next(seat for seat in seats if seat["player"])
    assert own["seal"] == seal_of(slug_of(page), own["nonce"])
