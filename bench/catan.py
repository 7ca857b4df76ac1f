"""Decisions per second of random play with all legal moves listed: Explorers & Pirates and catanatron's base Catan.

`make bench-catan` installs catanatron in an environment of its own and measures both in one run. Every round plays
other games, so that no cache helps.
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
    """Return the decisions per second of three random players in catanatron."""
    found = subprocess.run([python, "-c", THEIRS, str(games)], capture_output=True, text=True, check=True)
    return float(found.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="the Python interpreter that has catanatron")
    parser.add_argument("--rounds", type=int, default=3, help="the number of rounds (default: 3)")
    options = parser.parse_args()
    rules = LATEST["explorers-and-pirates"]
    by_scenario = {variant.scenario: variant for variant in reversed(rules.variants)}
    found: dict[str, list[float]] = {"catanatron, base Catan": []}
    for number in range(options.rounds):
        found["catanatron, base Catan"].append(theirs(options.python, 5))
        for scenario, variant in by_scenario.items():
            rate = measure_ruleset(rules, 3, variant, games=2, first=2 * number)["decisions_per_s"]
            found.setdefault(scenario, []).append(rate)
    base = statistics.median(found["catanatron, base Catan"])
    for name, rates in found.items():
        rate = statistics.median(rates)
        print(f"{name:<28} {rate:>10,.0f} decisions/s {rate / base:>6.2f} times catanatron")
    if statistics.median(found["land-ho"]) < base / 4:
        print("land-ho has less than a quarter of catanatron's decisions per second", file=sys.stderr)


if __name__ == "__main__":
    main()
