"""Sentences that a stranger with a browser can check, each as a test; the others are beside what they are about."""

import re
from datetime import datetime

from playwright.sync_api import Request, expect

from tests.page.conftest import Windows
from tests.page.playing import client_of, move_by_clicks, pick_until_ready, settled, slug_of, start
from tests.service import Service
from tests.waiting import eventually

LONG = 400


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
    for key in (first, device):
        assert key not in service.log()
    tried = (
        """() => { try { document.body.innerHTML = "<img src=x onerror=1>"; return false } catch { return true } }"""
    )
    assert page.evaluate(tried) is True
    ran = """() => { const script = document.createElement("script"); script.append("window.ran = 1");
        try { document.body.append(script) } catch {} return window.ran === 1 }"""
    assert page.evaluate(ran) is False


def test_find_any_sentence_of_the_log_with_the_browsers_own_search_and_every_line_leads_to_its_moment_and_commit(
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
    line = entries.nth(7)
    line.locator("summary", has_text="Commit").click()
    expect(line.locator("pre")).to_contain_text('"hash"')
    line.get_by_role("link", name="Go to move 8").click()
    expect(page).to_have_url(re.compile(r"at=8"))
    expect(page.locator(".count")).to_have_text(f"8/{count}")


def test_drag_the_slider_over_a_game_of_400_commits_and_no_frame_waits_for_the_network(
    window: Windows, service: Service
) -> None:
    ada = service.player("ada")
    id = ada.create({"bot": "random"}, {"bot": "random"}, {"bot": "random"}, ruleset="explorers-and-pirates")["id"]
    eventually(lambda: ada.game(id)["version"] >= LONG or ada.game(id)["status"] == "finished", 60, 0.25)
    page = window()
    page.goto(f"/games/{id}?at=0")
    expect(page.locator(".entry").nth(LONG - 1)).to_be_attached(timeout=15_000)
    calls: list[str] = []
    page.on("request", lambda request: calls.append(request.url))
    times = page.evaluate(
        """async (last) => {
            const slider = document.querySelector(".scrub input"), times = [];
            for (let at = 0; at <= last; at += 7) {
                const began = performance.now();
                slider.value = String(at);
                slider.dispatchEvent(new Event("input"));
                await new Promise((done) => setTimeout(done));
                times.push(performance.now() - began);
            }
            return times.sort((a, b) => a - b);
        }""",
        LONG,
    )
    print(f"redraw while dragging over {LONG} commits: median {times[len(times) // 2]:.0f} ms")
    assert not [url for url in calls if re.search(r"/v1/.*[?&]at=", url)]
    expect(page.locator(".count")).to_have_text(re.compile(rf"^{LONG // 7 * 7}/"))


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
