"""Plays in Firefox: `python -m tests.page.firefox`, or `make page-firefox`; FIREFOX names the browser.

Firefox speaks Marionette by itself, so this needs no other driver.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.service import Service, free_port
from tests.waiting import eventually

HOW_TO_GET_ONE = "There is no Firefox: `apt-get install firefox-esr` installs one, and FIREFOX names another."
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
MOVES = 3
CLICKS_MAX = 8
KINDS = (".verb", ".choice button", "#board .pickable[aria-pressed=false]", ".picking button")
"""What is clicked, the first that is there."""


class Stale(Exception):
    """An element was drawn again between looking for it and clicking it."""


class Firefox:
    """A Firefox without a window, driven over its own protocol."""

    def __init__(self, program: str, directory: Path) -> None:
        port = free_port()
        (directory / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        command = [program, "--headless", "--marionette", "--profile", str(directory)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._socket = eventually(lambda: self._connect(port), 120, 0.2)
        self._number = 0
        self._read()
        self.ask("WebDriver:NewSession", capabilities={"alwaysMatch": {"pageLoadStrategy": "normal"}})

    def _connect(self, port: int) -> socket.socket | None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=120)
        except OSError:
            return None

    def _read(self) -> Any:
        """A message: its length, a colon, and JSON."""
        head = b""
        while not head.endswith(b":"):
            head += self._socket.recv(1)
        length, body = int(head[:-1]), b""
        while len(body) < length:
            body += self._socket.recv(length - len(body))
        return json.loads(body)

    def ask(self, command: str, **parameters: Any) -> Any:
        """What Firefox answers to a command."""
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, answer = self._read()
        if error is not None and error["error"] == "stale element reference":
            raise Stale
        assert error is None, error
        return answer["value"] if isinstance(answer, dict) and "value" in answer else answer

    def run(self, script: str, *arguments: Any) -> Any:
        """What a function body returns on the page."""
        return self.ask("WebDriver:ExecuteScript", script=script, args=list(arguments))

    def count(self, selector: str) -> int:
        return len(self.ask("WebDriver:FindElements", using="css selector", value=selector))

    def await_some(self, selector: str) -> None:
        """Wait until the page has such an element."""
        eventually(lambda: self.count(selector), 60, 0.05)

    def click(self, selector: str) -> None:
        """Click the first such element, as a person does."""
        eventually(lambda: self._clicks(selector), 60, 0.05)

    def _clicks(self, selector: str) -> bool:
        """Whether there was such an element that stayed until it was clicked."""
        found = self.ask("WebDriver:FindElements", using="css selector", value=selector)
        try:
            if found:
                self.ask("WebDriver:ElementClick", id=found[0][ELEMENT])
        except Stale:
            return False
        return bool(found)

    def type(self, selector: str, text: str) -> None:
        self.await_some(selector)
        found = self.ask("WebDriver:FindElements", using="css selector", value=selector)
        self.ask("WebDriver:ElementSendKeys", id=found[0][ELEMENT], text=text)

    def go(self, address: str) -> None:
        self.ask("WebDriver:Navigate", url=address)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def begin_and_play(firefox: Firefox, url: str) -> None:
    """Begin with a name, play against a bot by clicking things, and reload."""
    firefox.go(url)
    firefox.type("input[name=name]", "Ada")
    firefox.click(".begin .primary")
    firefox.click(".notice button")
    firefox.click(".title-card:nth-child(2) .primary")
    for _ in range(MOVES):
        firefox.await_some(".picking button")
        before = firefox.count(".entry")
        for _ in range(CLICKS_MAX):
            if firefox.count(".do .primary"):
                break
            firefox.click(next(kind for kind in KINDS if firefox.count(kind)))
        firefox.click(".do .primary")
        firefox.await_some(f".entry:nth-child({before + 1})")
    entries = firefox.count(".entry")
    firefox.ask("WebDriver:Refresh")
    firefox.await_some(".picking button")
    assert firefox.count(".entry") >= entries


def look_back_and_audit(firefox: Firefox, url: str, game: str) -> None:
    """Look at a moment, at everything, and prove the game."""
    firefox.go(f"{url}/games/{game}?at=9&seat=1")
    firefox.await_some(".looking-back .stall, .result")
    assert firefox.run("return document.querySelector('.count').textContent").startswith("9/")
    firefox.click(".scrub .icon:nth-child(3)")
    eventually(lambda: firefox.run("return document.querySelector('.count').textContent").startswith("10/"))
    firefox.go(f"{url}/games/{game}/audit")
    firefox.await_some("[data-verdict=follows]")
    firefox.await_some("[data-verdict=proved]")


def judge(firefox: Firefox, url: str) -> None:
    """Let the judge refuse a move, and open the link again."""
    firefox.go(f"{url}/judge/catham-city")
    firefox.await_some("#board [data-thing]")
    firefox.run("const s = document.querySelector('.stage select'); s.selectedIndex = 1; s.onchange({ target: s })")
    firefox.click("form.family .primary")
    firefox.await_some(".refusal, .side .entry")


def main() -> None:
    """Run every journey; the first that fails ends the run."""
    program = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        sys.exit(HOW_TO_GET_ONE)
    with tempfile.TemporaryDirectory() as directory:
        service = Service(Path(directory)).start()
        profile = Path(directory, "profile")
        profile.mkdir()
        firefox = Firefox(program, profile)
        try:
            ada = service.player("ada")
            game = ada.create({"bot": "greedy"}, {"bot": "random"}, ruleset="hund-und-katz")["id"]
            begin_and_play(firefox, service.url)
            print("ok   begin, play by clicks, reload")
            eventually(lambda: ada.game(game)["status"] == "finished", 60)
            look_back_and_audit(firefox, service.url, game)
            print("ok   look back, audit")
            judge(firefox, service.url)
            print("ok   judge")
        finally:
            firefox.close()
            service.stop()


if __name__ == "__main__":
    main()
