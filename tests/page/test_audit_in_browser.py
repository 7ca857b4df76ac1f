"""The audit in a real browser: from a disk without a network, and on the page of a game."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from referee.api.audit_page import audit_page
from tests.audit.forgeries import edited
from tests.audit.race import RACE, Options
from tests.audit.recorded_game import played
from tests.page.conftest import Windows
from tests.page.proving import bytes_of
from tests.service import Service
from tests.waiting import eventually

RECORD = played(RACE, options=Options(goal=15))
MARKUP = b"<img src=x onerror=\"document.title='run'\">\xe2\x80\xae\n"
LARGE = 50_000_000


def later(commit: dict[str, Any]) -> None:
    """Change a digit of the year."""
    commit["at"] = "2027" + commit["at"][4:]


@pytest.fixture
def from_disk(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """`audit.html`, opened from a disk by a browser without a network; any fault in the console fails the test."""
    file = tmp_path / "audit.html"
    file.write_text(audit_page().text, encoding="utf-8")
    context = browser.new_context(offline=True, reduced_motion="reduce")
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert not faults


def drop(page: Page, *files: tuple[str, bytes]) -> None:
    """Choose files, as somebody who drops them does."""
    payloads = [{"name": name, "mimeType": "application/octet-stream", "buffer": data} for name, data in files]
    page.get_by_label("Choose files").set_input_files(payloads)


def here(page: Page) -> Any:
    """What this browser has checked."""
    return page.get_by_role("region", name="Checked here, by this browser")


def test_open_audit_html_from_a_disk_without_network_a_proved_record_is_proved_but_for_the_rules(
    from_disk: Page,
) -> None:
    notes = "".join(f"hash {entry.version}:{entry.hash}\n" for entry in RECORD.entries)
    drop(from_disk, ("game.jsonl", bytes_of(RECORD)), ("notes.txt", notes.encode()))
    column = here(from_disk)
    expect(column).to_contain_text("Everything that can be checked without the rules follows.")
    expect(column).to_contain_text(f"{len(RECORD.entries)} of {len(RECORD.entries)} hashes that were noted")
    expect(column).to_contain_text("Whether each move was legal, and its events are what the rules say, is not checked")
    expect(from_disk.get_by_role("region", name="The referee's word")).to_contain_text("No referee was asked.")


def test_change_one_digit_in_a_record_and_the_first_bad_commit_is_named_and_it_is_the_one_you_changed(
    from_disk: Page,
) -> None:
    drop(from_disk, ("game.jsonl", bytes_of(edited(RECORD, 3, later))))
    opened = from_disk.get_by_role("region", name="Commit 3 is the first that does not follow")
    expect(opened).to_contain_text('"at":"2027')
    expect(opened.locator("mark")).to_have_count(2)
    expect(here(from_disk)).to_have_attribute("data-verdict", "failed")


def test_markup_and_nonsense_are_shown_as_what_they_are_and_nothing_is_executed(from_disk: Page) -> None:
    drop(from_disk, ('<b>"x"\u202e.jsonl', MARKUP))
    expect(here(from_disk)).to_contain_text("This is no record of a game.")
    expect(here(from_disk)).to_contain_text('<b>"x"\\u{202e}.jsonl')
    expect(from_disk.locator("pre")).to_contain_text("<img src=x onerror=")
    expect(from_disk).to_have_title("Audit of a game")
    expect(from_disk.locator("img")).to_have_count(0)


def test_a_record_of_50_mb_does_not_freeze_the_page(from_disk: Page, tmp_path: Path) -> None:
    lines = bytes_of(RECORD).splitlines(keepends=True)
    story = b"".join(lines[1:-1])
    large, zeros = tmp_path / "large.jsonl", tmp_path / "zeros.jsonl"
    large.write_bytes(lines[0] + story * (LARGE // len(story)))
    zeros.write_bytes(bytes(LARGE))
    from_disk.get_by_label("Choose files").set_input_files(large)
    expect(here(from_disk)).to_contain_text(re.compile(r"Reading: [1-9][0-9]* %"))
    from_disk.get_by_label("Choose files").set_input_files(zeros)
    expect(here(from_disk)).to_contain_text("longer than 1048576 bytes")
    drop(from_disk, ("game.jsonl", bytes_of(RECORD)))
    expect(here(from_disk)).to_have_attribute("data-verdict", "follows")


def test_the_page_is_the_witness_of_a_game_and_compares_its_notes_with_the_record(
    service: Service, window: Windows
) -> None:
    ada = service.player("ada")
    game = ada.started("me", {"bot": "random"}, on_resignation="end")["id"]
    page = window()
    page.goto(f"/games/{game}")
    expect(page.get_by_role("main")).to_be_visible()
    eventually(
        lambda: "hash " in (page.evaluate("name => localStorage.getItem(name)", f"referee.witness.{game}") or "")
    )
    assert ada.post(f"/games/{game}/resignation", {}).ok
    assert ada.audit(game)["verdict"] == "proved"
    page.goto(f"/games/{game}/audit")
    expect(here(page)).to_have_attribute("data-verdict", "follows")
    expect(here(page)).to_contain_text(re.compile(r"([1-9][0-9]*) of \1 hashes that were noted are in this record\."))
    expect(page.get_by_role("region", name="The referee's word")).to_have_attribute("data-verdict", "proved")


def test_audit_html_is_served_as_it_is_built(service: Service) -> None:
    answer = service.nobody().call("GET", "/audit.html")
    assert answer.text == audit_page().text
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
