"""The page plays where luck is fresh: each of its moves carries the next link, and a lost chain is sealed again."""

from playwright.sync_api import expect

from referee.audit.record import read_record
from referee.audit.verify import audit
from tests.page.conftest import Windows
from tests.page.playing import READY, card, client_of, move_by_clicks, pick_until_ready, settled, slug_of
from tests.service import Service
from tests.waiting import eventually

LOSE_ALL_LINKS = """() => Object.keys(localStorage).filter((name) => name.startsWith("referee.link "))
    .forEach((name) => localStorage.removeItem(name))"""


def test_moves_carry_links_and_a_lost_chain_is_sealed_again(player_window: Windows, service: Service) -> None:
    page = player_window()
    page.goto("/")
    card(page, "Explorers & Pirates").get_by_role("button", name="New table").click()
    page.get_by_role("button", name="Fresh with every move").click()
    page.get_by_role("button", name="Make the table").click()
    settled(page)
    ada, id = client_of(page, service), slug_of(page)

    def drawn() -> int:
        return int(ada.game(id)["chain"]["index"]) - 1

    while drawn() < 1:
        move_by_clicks(page)
        settled(page)
    page.evaluate(LOSE_ALL_LINKS)
    page.reload()
    settled(page)
    pick_until_ready(page)
    page.locator(READY).first.click()
    expect(page.get_by_role("alert")).to_contain_text("does not have your part of the luck")
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="Ask for a pause").click()
    eventually(lambda: ada.game(id)["chain"]["index"] == 0)
    page.get_by_role("button", name="Agree to go on").click()
    settled(page)
    while drawn() < 0:
        move_by_clicks(page)
        settled(page)
    service.admin().post(f"/games/{id}/administration", {"action": "annul", "reason": "Enough."}).raise_for_status()
    eventually(lambda: ada.game(id)["status"] == "annulled")
    report = audit(read_record(ada.get(f"/games/{id}/record").content.splitlines(keepends=True)))
    assert report.verdict == "proved", report
    outcomes = next(check.detail for check in report.checks if check.name == "outcomes")
    assert "fresh link" in outcomes and "sealed again 1 times" in outcomes
