"""How fast the baseline learns to beat random play: `python -m bench.learning` measures it and draws docs/learning.png.

The picture is drawn by the browser of the tests, so that no package for plotting is needed.
"""

import argparse
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from referee.zoo.learning import evaluate, table, train
from tests.page.chromium import find_chromium
from tests.subjects import ROOT

RULESET, SEATS = "cat-and-fish", 2
GAMES, SEEDS, WINDOW = 300, (1, 2, 3), 30
PICTURE = ROOT / "docs" / "learning.png"
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 360, 60, 40, 20, 50
COLOURS = ("#2563eb", "#d97706", "#059669")


def measure(games: int = GAMES, seeds: Sequence[int] = SEEDS) -> dict[str, object]:
    """Train with several seeds; CPU time, so that a busy machine does not count."""
    environment = table(RULESET, SEATS)
    curves, after, seconds = [], [], []
    for seed in seeds:
        before = time.process_time()
        policy, rewards = train(environment, games, seed)
        seconds.append(round(time.process_time() - before, 1))
        curves.append(rewards)
        after.append(float(np.mean(evaluate(environment, policy, 100))))
    return {"ruleset": RULESET, "games": games, "curves": curves, "after": after, "cpu_s": seconds}


def smooth(rewards: Sequence[float]) -> list[float]:
    """The mean of each reward and those before it, as far back as the window."""
    return [float(np.mean(rewards[max(0, at - WINDOW + 1) : at + 1])) for at in range(len(rewards))]


def picture(curves: Sequence[Sequence[float]]) -> str:
    """The curves as SVG."""
    games = len(curves[0])

    def x(game: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * game / games

    def y(reward: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - reward) / 2

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for reward in (-1, -0.5, 0, 0.5, 1):
        parts.append(f'<path d="M{LEFT} {y(reward)}H{WIDTH - RIGHT}" stroke="#d1d5db"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(reward) + 4}" text-anchor="end">{reward:+g}</text>')
    for game in range(0, games + 1, max(1, games // 6)):
        parts.append(f'<text x="{x(game)}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{game}</text>')
    for curve, colour in zip(curves, COLOURS, strict=False):
        points = " ".join(f"{x(game + 1):.1f},{y(reward):.1f}" for game, reward in enumerate(smooth(curve)))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    title = f"Reward against random play, mean of {WINDOW} games, three seeds"
    parts.append(f'<text x="{LEFT}" y="24" font-size="15">{title}</text>')
    parts.append(f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">games learned from</text>')
    style = 'font-family="Open Sans, DejaVu Sans, sans-serif" font-size="13" fill="#111827"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" {style}>{"".join(parts)}</svg>'


def draw(svg: str, to: Path) -> None:
    """Write a picture as PNG."""
    chromium = find_chromium()
    assert chromium is not None, "`make test` installs a Chromium, and CHROMIUM names another one"
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    environment = {**os.environ, **chromium.environment}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.path, args=sandbox, env=environment)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_content(f'<body style="margin:0">{svg}</body>')
        page.screenshot(path=str(to))
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--to", type=Path, default=PICTURE)
    options = parser.parse_args()
    found = measure(options.games)
    draw(picture(found["curves"]), options.to)
    print(json.dumps({name: value for name, value in found.items() if name != "curves"}))


if __name__ == "__main__":
    main()
