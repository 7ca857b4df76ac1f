"""The page notes the transparency log on the first visit, and says so when it does not go on from there."""

import json
from base64 import b64encode
from typing import Any
from urllib.parse import unquote

from playwright.sync_api import Page, Route, expect

from referee.tlog.merkle import consistency_proof, leaf_hash, root_of
from tests.audit.signed import LOG, THIEF, tree
from tests.page.conftest import Windows
from tests.waiting import eventually

KEEP = "Keep evidence"


class Log:
    """A log that answers the page; a test changes what it says."""

    def __init__(self, *entries: bytes) -> None:
        self.entries = entries
        self.signer = LOG

    @property
    def note(self) -> str:
        return tree(self.entries, self.signer)[0].checkpoint

    def answer(self, route: Route) -> None:
        path, _, query = route.request.url.partition("/log/")[2].partition("?")
        if path == "keys":
            return route.fulfill(json={"log": self.signer.verifier.vkey})
        if path == "checkpoint":
            return route.fulfill(body=self.note)
        old, size = (int(each.partition("=")[2]) for each in query.split("&"))
        return route.fulfill(body=self.proof(old, size)) if size <= len(self.entries) else route.fulfill(status=404)

    def proof(self, old: int, size: int) -> str:
        hashes = [leaf_hash(entry) for entry in self.entries]
        steps = consistency_proof(lambda level, at: root_of(hashes[at << level : at + 1 << level]), old, size)
        return "".join(f"{b64encode(step).decode()}\n" for step in steps)


def kept(page: Page) -> Any:
    return json.loads(page.evaluate("() => localStorage.getItem('referee.log')") or "null")


def look_again(page: Page) -> None:
    """The page looks at most once a minute: let the last look be long ago."""
    page.evaluate("kept => localStorage.setItem('referee.log', kept)", json.dumps({**kept(page), "at": 0}))
    page.reload()


def test_the_log_is_noted_followed_and_a_fork_is_evidence(window: Windows) -> None:
    page, log = window(), Log(b"a", b"b", b"c")
    page.route("**/log/**", log.answer)
    page.goto("/keys")
    first = eventually(lambda: kept(page))
    assert (first["vkey"], first["note"]) == (LOG.verifier.vkey, log.note)
    log.entries, log.signer = (*log.entries, b"d", b"e"), THIEF
    look_again(page)
    eventually(lambda: kept(page)["note"] == log.note)
    assert kept(page)["vkey"] == THIEF.verifier.vkey, "the log has changed its key and goes on"
    seen = log.note
    log.entries = (b"another", *log.entries[1:], b"f")
    look_again(page)
    expect(page.get_by_role("alert")).to_contain_text("does not continue the one that this browser saw")
    evidence = page.get_by_role("link", name=KEEP).get_attribute("href") or ""
    assert unquote(evidence).partition(",")[2] == f"{seen}\n{log.note}"
    page.get_by_role("button", name="Go on with the new log").click()
    eventually(lambda: (found := kept(page)) and found["note"] == log.note)
    expect(page.get_by_role("link", name=KEEP)).to_have_count(0)
    log.entries = log.entries[:2]
    look_again(page)
    expect(page.get_by_role("link", name=KEEP)).to_be_visible()
