"""The page of the audit, with answers that the tests make up: all that a referee, honest or not, can say."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Locator, Page, Route, expect

from referee.audit.record import Record
from referee.table.record import Secret
from tests.audit.forgeries import audited, chained, commits_of
from tests.audit.race import RACE, Options
from tests.audit.recorded_game import played
from tests.audit.signed import LOG, logged
from tests.page.luck import luck_of
from tests.page.modules import HERE, PAGE, english
from tests.page.proving import bytes_of

RECORD = played(RACE, options=Options(goal=15))
SWAPPED = played(RACE, options=Options(goal=15), secret=Secret(salt="ab" * 32, seed="cd" * 32))
GAME = RECORD.header.game
LAST = len(RECORD.entries)
PROVED = json.dumps(
    {
        "verdict": "proved",
        "checks": [{"name": check.name, "passed": True, "detail": check.detail} for check in audited(RECORD).checks],
        "first_bad_version": None,
    }
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
SHELL = (
    '<!doctype html><html data-at="/page"><div id="page"></div><script type="module" src="/page/run_audit.js"></script>'
)
TYPES = {".js": "text/javascript", ".css": "text/css"}

Answer = tuple[int, str | bytes]
Opens = Callable[..., Page]


class Referee:
    """Answers the calls of the page; each answer is given once, the last for ever."""

    def __init__(self, answers: Mapping[str, list[Answer]]) -> None:
        self._answers = {name: list(given) for name, given in answers.items()}

    def answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        name = path.rpartition("/")[2]
        if name == "en.json":
            route.fulfill(body=json.dumps(english()))
        elif path.startswith("/page/"):
            file = (HERE if name == "run_audit.js" else PAGE) / name
            route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
        elif path.startswith("/v1/"):
            given = self._answers.get(name, [(404, '{"code": "not-found"}')])
            status, body = given.pop(0) if len(given) > 1 else given[0]
            route.fulfill(status=status, body=body, content_type="application/json")
        else:
            route.fulfill(body=SHELL, content_type="text/html", headers={"Content-Security-Policy": POLICY})


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opens]:
    """Opens the audit of the game; any fault in the console fails the test."""
    context = browser.new_context(reduced_motion="reduce")
    faults: list[str] = []

    def open_page(
        notes: str = "", host: str = "localhost", path: str = f"/games/{GAME}/audit", log: Any = None, **answers: Any
    ) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.route("**/*", Referee(answers).answer)
        for name, kept in {f"witness.{GAME}": notes, "log": log}.items():
            page.add_init_script(f"localStorage.setItem('referee.{name}', JSON.stringify({json.dumps(kept)}))")
        page.goto(f"http://{host}{path}")
        return page

    yield open_page
    context.close()
    assert not faults


def here(page: Page) -> Locator:
    return page.get_by_role("region", name="Checked here, by this browser")


def word(page: Page) -> Locator:
    return page.get_by_role("region", name="The referee's word")


def notes_on(record: Record) -> str:
    """What a witness has seen of a game."""
    hashes = [f"hash {entry.version}:{entry.hash}" for entry in record.entries]
    return "\n".join([f"commitment {record.header.commitment}", *hashes])


def record_of(record: Record) -> list[Answer]:
    return [(200, bytes_of(record))]


def test_the_browser_checks_the_record_and_the_referee_is_asked_until_its_audit_is_made(opened: Opens) -> None:
    page = opened(
        notes_on(RECORD),
        record=record_of(RECORD),
        luck=[(200, json.dumps(luck_of(RECORD)))],
        audit=[(202, '{"verdict": "pending"}'), (200, PROVED)],
    )
    expect(here(page)).to_have_attribute("data-verdict", "follows")
    expect(here(page)).to_contain_text(f"{LAST} of {LAST} hashes that were noted are in this record.")
    expect(here(page)).to_contain_text("drawings follow from the seed and the nonces.")
    expect(word(page)).to_contain_text("The referee is making its audit.")
    expect(word(page)).to_contain_text("The referee reports that everything follows, moves and luck included.")
    names = page.locator("[data-check]").evaluate_all("all => all.map(each => each.dataset.check)")
    expected = ["spelling", "game", "chain", "seals", "time", "commitment", "blinding", "end", "log", "luck", "notes"]
    assert names[: len(expected)] == expected
    page.get_by_text("What this browser noted: ").click()
    assert page.get_by_label("What this browser noted").input_value() == notes_on(RECORD) + "\n"


def test_play_let_the_operator_swap_the_log_for_another_proved_game_and_the_witness_says_which_hash_is_missing(
    opened: Opens,
) -> None:
    page = opened(notes_on(RECORD), record=record_of(SWAPPED), audit=[(200, PROVED)])
    expect(here(page)).to_have_attribute("data-verdict", "failed")
    expect(here(page)).to_contain_text(f"0 of {LAST} hashes that were noted are in this record.")
    expect(here(page)).to_contain_text(f"The hash of commit 1 was noted as {RECORD.entries[0].hash}, but")
    expect(word(page)).to_have_attribute("data-verdict", "proved")


def test_a_record_of_another_game_is_named(opened: Opens) -> None:
    other = chained(RECORD, commits_of(RECORD), replace(RECORD.header, game="g_other"))
    page = opened(record=record_of(other), audit=[(200, PROVED)])
    expect(here(page)).to_contain_text("The record is of another game.")


def test_the_record_of_a_running_game_is_not_published(opened: Opens) -> None:
    running = PROVED.replace('"proved"', '"running"')
    page = opened(record=[(409, '{"code": "game-not-over"}')], audit=[(200, running)])
    expect(here(page)).to_contain_text("The game is not over. Its record is published when it is.")
    expect(word(page)).to_contain_text("The referee reports on a game that is not over.")


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ((500, "<h1>oops</h1>"), "The referee did not answer: 500 <h1>oops</h1>"),
        ((200, "<script>alert(1)</script>"), "The referee did not answer: 200 <script>alert(1)</script>"),
        ((200, '{"verdict": 3, "checks": []}'), "The answer of the referee is no audit."),
        ((200, '{"verdict": "proved", "checks": [{}]}'), "The answer of the referee is no audit."),
        (
            (
                200,
                '{"verdict": "unavailable", "checks": [], "first_bad_version": null, "reason": "3 attempts \\u202e"}',
            ),
            "The referee could not make its audit. 3 attempts \\u{202e}",
        ),
    ],
)
def test_whatever_the_referee_answers_is_shown_as_what_it_is(answer: Answer, shown: str, opened: Opens) -> None:
    page = opened(record=record_of(RECORD), audit=[answer])
    expect(word(page)).to_contain_text(shown)
    expect(here(page)).to_have_attribute("data-verdict", "follows")


def test_a_record_that_is_nonsense_is_no_record(opened: Opens) -> None:
    page = opened(record=[(200, "<html>")], audit=[(503, "")])
    expect(here(page)).to_contain_text("This is no record of a game.")


def test_without_webcrypto_the_page_offers_the_file(opened: Opens) -> None:
    page = opened(host="referee.example", record=record_of(RECORD), audit=[(200, PROVED)])
    expect(here(page)).to_contain_text("Save audit.html and open it from your disk.")
    expect(page.get_by_role("link", name="Save audit.html")).to_have_attribute("href", "/audit.html")


def test_a_dropped_record_is_sent_nowhere_unless_somebody_asks(opened: Opens) -> None:
    page = opened(notes_on(RECORD), path="/audit", audit=[(200, PROVED)])
    transfer = page.evaluate_handle(
        "text => { const given = new DataTransfer(); given.items.add(new File([text], 'a.jsonl')); return given; }",
        bytes_of(RECORD).decode(),
    )
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    expect(here(page)).to_contain_text(f"{LAST} of {LAST} hashes that were noted are in this record.")
    expect(word(page)).to_contain_text("No referee was asked.")
    page.get_by_role("button", name=f"Ask the referee here about {GAME}").click()
    expect(word(page)).to_have_attribute("data-verdict", "proved")


def test_a_game_swapped_for_another_proved_one_is_named_by_the_log_that_the_browser_saw(opened: Opens) -> None:
    note = logged(RECORD).logged[0].checkpoint
    seen = {"vkey": LOG.verifier.vkey, "note": note, "at": 0}
    shown = replace(SWAPPED, logged=logged(RECORD).logged)
    page = opened(notes_on(SWAPPED), log=seen, record=record_of(shown), audit=[(200, PROVED)])
    expect(here(page)).to_contain_text("The log shows another game: leaf 1 has another hash for version 0.")
    expect(here(page)).to_have_attribute("data-verdict", "failed")
    expect(word(page)).to_have_attribute("data-verdict", "proved")
    page.get_by_text("What this browser noted: ").click()
    kept = unquote(page.get_by_role("link", name="Keep evidence").get_attribute("href") or "")
    assert f"# key {LOG.verifier.vkey}\n# {LOG.verifier.name}\n" in kept
    assert kept.startswith("data:text/plain;charset=utf-8,commitment ")
