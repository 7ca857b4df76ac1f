"""Decisions a second of random play with every legal move listed: Explorers & Pirates beside catanatron's base Catan.

catanatron lives in an environment of its own (`make bench-catan` makes it); both play in one run. Every round plays
other games, so that nothing is remembered from the one before.
"""

import argparse
import statistics
import subprocess
import sys

from bench.kernel import measure_ruleset
from referee.rulesets import LATEST

THEIRS = """
import sys, time
from catanatron import Color, Game, RandomPlayer

def actions(state):
    return len(getattr(state, "action_records", None) or state.actions)

total, began = 0, time.process_time()
for seed in range(int(sys.argv[1])):
    game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE)], seed=seed)
    game.play()
    total += actions(game.state)
print(total / (time.process_time() - began))
"""


def theirs(python: str, games: int) -> float:
    """catanatron's random players, three seats."""
    found = subprocess.run([python, "-c", THEIRS, str(games)], capture_output=True, text=True, check=True)
    return float(found.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="a Python that has catanatron")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    rules = LATEST["explorers-and-pirates"]
    by_scenario = {options.scenario: options for options in reversed(rules.variants)}
    found: dict[str, list[float]] = {"catanatron, base Catan": []}
    for number in range(asked.rounds):
        found["catanatron, base Catan"].append(theirs(asked.python, 5))
        for scenario, options in by_scenario.items():
            rate = measure_ruleset(rules, 3, options, games=2, first=2 * number)["decisions_per_s"]
            found.setdefault(scenario, []).append(rate)
    base = statistics.median(found["catanatron, base Catan"])
    for name, rates in found.items():
        rate = statistics.median(rates)
        print(f"{name:<28} {rate:>10,.0f} decisions/s {rate / base:>6.2f} of catanatron")
    if statistics.median(found["land-ho"]) < base / 4:
        print("land-ho is below a quarter of catanatron", file=sys.stderr)


if __name__ == "__main__":
    main()
