"""Plays with real events of mouse, keyboard or touch, and looks at the page seldom, so that games take seconds."""

import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

CLICKS_MAX = 40
LOOK = """async ([kinds, before, patience]) => {
    const find = (kind) => [...document.querySelectorAll(kind)].filter((each) => each.checkVisibility());
    const entries = () => document.querySelectorAll(".entry").length;
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const isOver = () => find(".result").length > 0;
    const isMade = () => entries() > before && !find(".sending").length;
    const isAsked = () => find(".picking :is(button, select)").length > 0;
    const until = performance.now() + patience;
    do await frame();
    while (!isOver() && !find(".refusal").length && !(isMade() && isAsked()) && performance.now() < until);
    const counts = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, find(kind).length]));
    const refused = find(".refusal")[0]?.innerText ?? "";
    return { counts, refused, isOver: isOver(), isAsked: isAsked(), entries: entries() };
}"""
POINT = """([kind, at]) => {
    const target = [...document.querySelectorAll(kind)].filter((each) => each.checkVisibility())[at];
    if (!target) return [-1, -1];
    target.scrollIntoView({ block: "center", inline: "center" });
    const { x, y, width, height } = target.getBoundingClientRect();
    for (const [a, b] of [[.5, .5], [.5, .15], [.15, .5], [.85, .5], [.5, .85], [.2, .2], [.8, .8]]) {
        const point = [x + a * width, y + b * height];
        if (target.contains(document.elementFromPoint(...point))) return point;
    }
    return null;
}"""
FOCUS = "([kind, at]) => [...document.querySelectorAll(kind)].filter((each) => each.checkVisibility())[at]?.focus()"
KINDS = {
    "ready": ".do .primary",
    "thing": "#board .pickable[aria-pressed='false']",
    "verb": ".verb",
    "choice": ".choice button",
    "list": ".picking select",
    "folded": ".choices [aria-expanded=false]",
    "family": "form.family",
}
WAIT_MS = 60_000
GONE_ON = "The game has gone on"


def click(page: Page, kind: str, at: int) -> bool:
    """As with a mouse, where nothing covers the target; gives whether there is such a place.

    What another move has just taken away is not there any more: then nothing is hit, and who plays looks again.
    """
    point = page.evaluate(POINT, [kind, at])
    if point is not None:
        page.mouse.click(*point)
    return point is not None


def tap(page: Page, kind: str, at: int) -> bool:
    """As with a finger."""
    point = page.evaluate(POINT, [kind, at])
    if point is not None:
        page.touchscreen.tap(*point)
    return point is not None


def press(page: Page, kind: str, at: int) -> bool:
    """As with a keyboard: the element has the focus, and Enter does it."""
    page.evaluate(FOCUS, [kind, at])
    page.keyboard.press("Enter")
    return True


Way = Callable[[Page, str, int], bool]
WAYS: dict[str, Way] = {"mouse": click, "keyboard": press, "touch": tap}


def play(page: Page, way: Way, luck: random.Random, moves: int = 10_000) -> tuple[int, int]:
    """Make moves until there were enough, or the game is over; gives their number, and the most clicks of one."""
    made, most, seen = 0, 0, look(page, -1, WAIT_MS)
    while made < moves and not seen["isOver"]:
        assert seen["isAsked"], "nothing is asked, and the game goes on"
        clicks, seen = move(page, way, luck, seen)
        made, most = made + 1, max(most, clicks)
    return made, most


def look(page: Page, before: int, patience: int = 0) -> Any:
    """What can be done, once a move has been made after `before` entries of the log, or time is up."""
    return page.evaluate(LOOK, [KINDS, before, patience])


def move(page: Page, way: Way, luck: random.Random, seen: Any) -> tuple[int, Any]:
    """Make a move: something on the board first, then anything until a move is ready."""
    before = seen["entries"]
    for clicks in range(1, CLICKS_MAX):
        counts = {kind: count for kind, count in seen["counts"].items() if count}
        if not counts:  # others have moved, and nothing is asked for a moment
            seen = look(page, -1, WAIT_MS)
            if seen["isOver"]:
                return clicks, seen
            continue
        if "family" in counts:
            page.keyboard.press("Escape")
        elif "ready" in counts:
            assert way(page, KINDS["ready"], 0), "the button of a move is covered"
            seen = look(page, before, WAIT_MS)
            if not seen["refused"]:
                return clicks, seen
            assert GONE_ON in seen["refused"], seen["refused"]  # somebody else was faster: choose again
        else:
            kind = "thing" if clicks == 1 and "thing" in counts else luck.choice([*counts])
            choose(page, way, luck, kind, counts[kind])
        seen = look(page, before)
    raise AssertionError(f"no move in {CLICKS_MAX} clicks: {page.locator('.actions').inner_text()}")


def choose(page: Page, way: Way, luck: random.Random, kind: str, count: int) -> None:
    """Choose one of the targets; a thing that is covered wholly cannot be chosen, which one of many may be."""
    if kind == "list":
        page.locator(f"{KINDS[kind]}:visible").first.select_option(index=1)
        return
    for at in luck.sample(range(count), count):
        if way(page, KINDS[kind], at):
            return
    raise AssertionError(f"everything of {kind} is covered")
