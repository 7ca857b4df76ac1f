"""Figures of the page in a real Chromium: weight, first picture of a table, redraw, echo of a move.

`python -m bench.page` prints them. A redraw is measured in CPU time, so a busy machine does not count.
"""

import json
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from referee.api.pages import release
from tests.page.chromium import find_chromium
from tests.page.playing import READY, pick_until_ready, settled
from tests.service import Client, Service
from tests.waiting import eventually

PICTURES = 20
MOVES = 12


def weight() -> float:
    """All scripts and styles, compressed, in KiB."""
    files = [file for name, file in release().files.items() if not name.startswith(("words/", "boards/"))]
    return sum(map(len, files)) / 1024


def first_picture_ms(browser: Browser, service: Service, game: str) -> float:
    """From the address to the board: median over fresh contexts of a warm browser."""
    times = []
    for _ in range(PICTURES):
        page = browser.new_context(base_url=service.url).new_page()
        page.goto(f"/games/{game}")
        page.locator("#board .stall").first.wait_for()
        times.append(page.evaluate("() => performance.now()"))
        page.context.close()
    return statistics.median(times)


def redraw_ms(browser: Browser, service: Service, game: str) -> float:
    """CPU time of one step through a finished game."""
    page = browser.new_context(base_url=service.url).new_page()
    page.goto(f"/games/{game}?at=0")
    page.locator(".entry").first.wait_for()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    steps = int(page.locator(".count").inner_text().split("/")[1])
    before = _busy_s(session)
    page.evaluate(
        """async (steps) => {
            const slider = document.querySelector(".scrub input");
            for (let at = 1; at <= steps; at++) {
                slider.value = String(at);
                slider.dispatchEvent(new Event("input"));
                await new Promise(requestAnimationFrame);
            }
        }""",
        steps,
    )
    spent = _busy_s(session) - before
    page.context.close()
    return spent * 1000 / steps


def _busy_s(session: Any) -> float:
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def echo_ratio(browser: Browser, service: Service, moves: int = MOVES) -> tuple[float, float]:
    """Milliseconds from a click to the new entry, and those of a raw POST of a move in the same game."""
    ada = service.player("ada")
    page = browser.new_context(base_url=service.url).new_page()
    page.add_init_script(f"localStorage.setItem('referee.key', {json.dumps(json.dumps(ada.key))})")
    game = ada.started("me", "me", options={"first_seat": 0})["id"]
    page.goto(f"/games/{game}")
    clicks, posts = [], []
    for _ in range(moves):
        settled(page)
        clicks.append(_echo_of_click(page))
        settled(page)
        posts.append(_echo_of_post(page, ada, game))
    page.context.close()
    return statistics.median(clicks), statistics.median(posts)


def _echo_of_click(page: Page) -> float:
    pick_until_ready(page)
    return float(
        page.evaluate(
            """(selector) => new Promise((done) => {
                const began = performance.now(), log = document.querySelector("#log ol");
                new MutationObserver(() => done(performance.now() - began)).observe(log, { childList: true });
                document.querySelector(selector).click();
            })""",
            READY,
        )
    )


def _echo_of_post(page: Page, ada: Client, game: str) -> float:
    """The same browser posts a move itself."""
    seat = ada.game(game)["awaited"][0]["seat"]
    move, before = ada.legal(game, seat)["moves"][0], page.locator(".entry").count()
    spent = page.evaluate(
        """async ([address, key, move]) => {
            const began = performance.now();
            const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
            await (await fetch(address, { method: "POST", headers, body: JSON.stringify(move) })).text();
            return performance.now() - began;
        }""",
        [f"/v1/games/{game}/moves?seat={seat}", ada.key, move],
    )
    expect(page.locator(".entry")).not_to_have_count(before)
    return float(spent)


def main() -> None:
    """Print the figures."""
    chromium = find_chromium()
    assert chromium is not None, "`make test` installs a Chromium"
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        service = Service(Path(directory)).start()
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        environment = {**os.environ, **chromium.environment}
        browser = playwright.chromium.launch(executable_path=chromium.path, args=sandbox, env=environment)
        ada = service.player("ada")
        game = ada.create({"bot": "greedy"}, {"bot": "random"})["id"]
        eventually(lambda: ada.game(game)["status"] == "finished", 60)
        click, post = echo_ratio(browser, service)
        print(f"weight of all scripts and styles   {weight():6.1f} KiB gzip (at most 50)")
        print(f"first picture of a table           {first_picture_ms(browser, service, game):6.0f} ms (at most 300)")
        print(f"one redraw, CPU                    {redraw_ms(browser, service, game):6.1f} ms (at most 20)")
        print(f"a click to its entry in the log    {click:6.1f} ms; a raw POST {post:.1f} ms (at most twice as long)")
        browser.close()
        service.stop()


if __name__ == "__main__":
    main()
