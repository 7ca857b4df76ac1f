"""Sentences that a stranger with a browser can check, each as a test; the others are beside what they are about."""

import json
import re
import shutil
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Request, expect

from tests.page.conftest import LONG, Windows
from tests.page.playing import client_of, move_by_clicks, pick_until_ready, settled, slug_of, start
from tests.service import Service
from tests.waiting import eventually


def test_the_page_works_without_internet_and_the_network_panel_shows_no_other_host(
    window: Windows, service: Service, finished: str
) -> None:
    page, hosts = window(), set[str]()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]) if "//" in request.url else None)
    for address in ("/", f"/games/{finished}", f"/games/{finished}/audit", "/rules/catham-city", "/guides", "/docs"):
        page.goto(address)
        expect(page.locator("h1").first).to_be_attached()
    assert hosts == {service.url.removeprefix("http://")}


def test_no_html_comes_from_a_string_no_inline_script_runs_and_no_key_is_in_any_address_referrer_or_log(
    window: Windows, service: Service, expected_faults: list[str]
) -> None:
    expected_faults += ["policy: ", "TrustedHTML", "TrustedScript", "violates the following", "This document requires"]
    page, seen = window(), list[Request]()
    page.on("request", lambda request: seen.append(request))
    page.goto("/")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Begin").click()
    first = page.get_by_label("Your first key").locator("input").input_value()
    page.get_by_role("button", name="I have put it away").click()
    start(page, "Catham City")
    move_by_clicks(page)
    device = page.evaluate("() => JSON.parse(localStorage.getItem('referee.key'))")
    for request in seen:
        told = request.url + str(request.headers.get("referer"))
        assert "rk_" not in told
    assert "rk_" in first and "rk_" in device
    assert not re.findall(r"rk_\w+", service.log().replace(service.admin_key, ""))
    tried = (
        """() => { try { document.body.innerHTML = "<img src=x onerror=1>"; return false } catch { return true } }"""
    )
    assert page.evaluate(tried) is True
    ran = """() => { const script = document.createElement("script"); script.append("window.ran = 1");
        try { document.body.append(script) } catch {} return window.ran === 1 }"""
    assert page.evaluate(ran) is False
    styled = """() => { const style = document.createElement("style"); style.append("body { color: rgb(1, 2, 3) }");
        document.head.append(style); document.body.setAttribute("style", "background: rgb(1, 2, 3)");
        try { document.body.setAttribute("onclick", "window.ran = 1"); document.body.click() } catch {}
        const { color, backgroundColor } = getComputedStyle(document.body);
        return [color, backgroundColor].includes("rgb(1, 2, 3)") || window.ran === 1 }"""
    assert page.evaluate(styled) is False


def test_find_any_sentence_with_the_browsers_own_search_every_line_leads_to_its_moment_its_raw_commit_and_its_clause(
    window: Windows, finished: str
) -> None:
    page = window()
    page.goto(f"/games/{finished}")
    entries = page.locator(".entry")
    expect(entries.first).to_be_attached()
    count = int(page.locator(".count").inner_text().split("/")[1])
    expect(entries).to_have_count(count)
    commits = page.request.get(f"/v1/games/{finished}/events?with=text&limit=1000").json()["commits"]
    told = [event["text"] for commit in commits for event in commit["text"]["events"] if not event["quiet"]]
    text = page.locator("body").evaluate("each => each.textContent")
    assert len(told) > count / 2
    assert [sentence for sentence in told if sentence not in text] == []
    assert page.locator("#log [hidden]").count() == 0
    lines = entries.evaluate_all(
        """lines => lines.map((line) => ({
            moment: line.querySelector(".moment").getAttribute("href"),
            raw: line.querySelectorAll("details.raw").length,
            clauses: [...line.querySelectorAll(".events a")].map((link) => link.getAttribute("href")),
        }))"""
    )
    for line, commit in zip(lines, commits, strict=True):
        assert line["moment"] == f"/games/{finished}?at={commit['version']}"
        assert line["raw"] == 1
        events = [event for event in commit["text"]["events"] if not event["quiet"]]
        cited = [clause for event in events for clause in event["clauses"]]
        assert line["clauses"] == [f"/rules/hund-und-katz#{clause}" for clause in cited]
    assert sum(len(line["clauses"]) for line in lines) > count / 2
    line = entries.nth(7)
    line.locator("summary", has_text="Commit").click()
    expect(line.locator("pre")).to_contain_text(commits[7]["hash"])
    line.get_by_role("link", name="Go to move 8").click()
    expect(page).to_have_url(re.compile(r"at=8"))
    expect(page.locator(".count")).to_have_text(f"8/{count}")
    link = page.locator(".events a").first
    clause = link.inner_text()
    link.click()
    expect(page.locator(".cited")).to_contain_text(clause)


def test_drag_the_slider_over_a_game_of_400_commits_and_no_frame_waits_for_the_network(
    window: Windows, long_game: str
) -> None:
    page = window()
    page.goto(f"/games/{long_game}?at=0")
    expect(page.locator(".entry").nth(LONG - 1)).to_be_attached(timeout=15_000)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    frames = page.evaluate(
        """async (last) => {
            const slider = document.querySelector(".scrub input"), frames = [];
            for (let at = 0; at <= last; at += 7) {
                const began = performance.now();
                slider.value = String(at);
                slider.dispatchEvent(new Event("input"));
                await new Promise((done) => setTimeout(done));
                const isDrawn = document.querySelector("#board .empty") === null || at === 0;
                frames.push([performance.now() - began, document.querySelector(".count").textContent, isDrawn]);
            }
            return frames;
        }""",
        LONG,
    )
    times = sorted(time for time, _, _ in frames)
    print(f"redraw while dragging over {LONG} commits: median {times[len(times) // 2]:.0f} ms")
    assert [count.split("/")[0] for _, count, _ in frames] == [str(at) for at in range(0, LONG + 1, 7)]
    assert all(is_drawn for _, _, is_drawn in frames)


def test_no_move_that_is_sent_at_half_a_second_shown_is_refused_for_time(
    player_window: Windows, service: Service
) -> None:
    page = player_window()
    start(page, "Catham City")
    ada = client_of(page, service)
    game = ada.started("me", {"bot": "random"}, options={"first_seat": 0}, clock={"decision_s": 6})
    page.goto(f"/games/{game['id']}")
    settled(page)
    pick_until_ready(page)
    page.evaluate(
        """() => new Promise((done) => {
            const watch = setInterval(() => {
                const left = Number(document.querySelector("[data-mine][data-until]")?.textContent.slice(2) ?? 0);
                if (left <= 0.5) { clearInterval(watch); document.querySelector(".do .primary").click(); done() }
            }, 20);
        })"""
    )
    expect(page.locator(".entry").nth(1)).to_be_attached()
    commit = ada.get(f"/games/{game['id']}/events").json()["commits"][1]
    assert commit["actor"] == 0 and commit["cause"] is None
    deadline = datetime.fromisoformat(game["deadlines"][0]["at"])
    assert datetime.fromisoformat(commit["at"]) < deadline
    assert slug_of(page) == game["id"]


def test_in_a_live_auction_ring_while_the_next_card_is_being_turned_and_you_never_buy_another_offer_than_you_saw(
    player_window: Windows, service: Service
) -> None:
    """The page does not hear of the next card, as on a slow line, and rings for the offer that it shows."""
    page, posted = player_window(), list[Request]()
    page.goto("/")
    ada, seller = client_of(page, service), service.player("seller")
    live = {"pace": "live", "reveal_seconds": 2, "bell_window_ms": 0, "first_seat": 1}
    game = ada.create("me", "open", "open", ruleset="fangfrisch", options=live)["id"]
    for player in (seller, service.player("third")):
        player.post(f"/games/{game}/seats", {}).raise_for_status()
    eventually(lambda: seller.legal(game)["moves"])
    seller.move(game, seller.legal(game)["moves"][-1]).raise_for_status()
    eventually(lambda: [move for move in ada.legal(game)["moves"] if move["type"] == "ring"], 20)
    page.route("**/events?*", lambda route: None if "stream" in route.request.headers["accept"] else route.continue_())
    page.on("request", lambda request: posted.append(request) if "/moves?" in request.url else None)
    page.goto(f"/games/{game}")
    bell = page.get_by_role("button", name=re.compile("^Ring"))
    expect(bell.first).to_be_visible()
    shown = next(move["seen"] for move in ada.legal(game)["moves"] if move["type"] == "ring")
    eventually(lambda: ada.game(game)["view"]["offer_number"] != shown, 20)
    bell.first.click()
    expect(page.get_by_role("alert").or_(page.locator(".refusal"))).to_be_visible()
    assert [json.loads(request.post_data or "{}")["seen"] for request in posted] == [shown]
    commits = ada.get(f"/games/{game}/events").json()["commits"]
    assert not [commit for commit in commits if commit["actor"] == 0 and commit["move"]["type"] == "ring"]


def test_with_the_chromium_of_debian_and_with_the_pinned_one_the_page_is_the_same(
    browser: Browser, service: Service, finished: str
) -> None:
    """`CHROMIUM=/usr/bin/chromium make test` runs everything with that of Debian; here both say the same of a page."""
    of_debian = shutil.which("chromium")
    if of_debian is None:
        pytest.skip("there is no chromium on the PATH")
    other = browser.browser_type.launch(executable_path=of_debian, args=["--no-sandbox"])
    said = []
    for each in (browser, other):
        page = each.new_page(base_url=service.url)
        page.goto(f"/games/{finished}?at=9")
        expect(page.locator(".looking-back .entry.here")).to_be_visible()
        said.append(page.locator("main").aria_snapshot())
        page.close()
    other.close()
    assert said[0] == said[1]
