"""`make bench`: measures everything in one run, and writes a table and a JSON file.

Figures depend on the machine; compare only ratios between figures of the same run.
"""

import argparse
import json
import platform
import statistics
import sys
from pathlib import Path
from typing import Any

from bench import clients, flat, http, kernel, log, streams, workers
from referee.rulesets import LATEST


class Table:
    """Rows of figures, printed at once and collected for the JSON file."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def add(self, name: str, value: float, unit: str, aim: str = "", met: bool | None = None) -> None:
        self.rows.append({"what": name, "value": round(value, 4), "unit": unit, "aim": aim, "met": met})
        mark = {None: " ", True: "+", False: "-"}[met]
        print(f"{mark} {name:<58} {value:>14,.3f} {unit:<14} {aim}", flush=True)


def measure_http(table: Table, seconds: float, rounds: int) -> None:
    found = http.measure(seconds, rounds)
    rate = {name: statistics.median(each.per_second for each in results) for name, results in found.items()}
    slow = {name: statistics.median(each.percentile(0.99) for each in results) for name, results in found.items()}
    for name in ("hello", "append", "move"):
        table.add(f"http: {name}", rate[name], "requests/s")
    table.add("http: bare append / hello", rate["append"] / rate["hello"], "ratio")
    table.add("http: move / hello", rate["move"] / rate["hello"], "ratio", "boardgame.io: 0.62")
    share = rate["move"] / rate["append"]
    table.add("http: move / bare append", share, "ratio", "at least 0.667", share >= 0.667)
    times = slow["move"] / slow["append"]
    table.add("http: p99 of move / p99 of bare append", times, "ratio", "below 3", times < 3)


def measure_flat(table: Table, seconds: float) -> None:
    found = flat.measure(seconds)
    share = found["rate_long"] / found["rate_short"]
    table.add("http: move at 2,000 commits / move at 10 commits", share, "ratio", "within 10%", share >= 0.9)
    table.add("cold open of 2,000 commits", found["cold_open_ms"], "ms", "under 50", found["cold_open_ms"] < 50)


def measure_kernel(table: Table, games: int) -> None:
    yardstick_s = kernel.yardstick()
    table.add("yardstick: 2,000 JSON round trips", yardstick_s * 1000, "ms")
    for slug, rules in LATEST.items():
        for seats in (rules.seats.start, rules.seats.stop - 1):
            found = kernel.measure_ruleset(rules, seats, rules.variants[0], games)
            name = f"{slug}, {seats} seats"
            table.add(f"{name}: random game", found["game_ms"], "ms")
            table.add(f"{name}: random game / yardstick", found["game_ms"] / yardstick_s / 1000, "ratio")
            table.add(f"{name}: decisions", found["decisions_per_s"], "1/s")
            rate = found["replay_events_per_s"]
            table.add(f"{name}: replay", rate, "events/s", "150,000", rate >= 150_000)
            table.add(f"{name}: judge", found["judge_us"], "us", "under 1,000", found["judge_us"] < 1000)
            table.add(
                f"{name}: legal moves", found["legal_moves_us"], "us", "under 5,000", found["legal_moves_us"] < 5000
            )
            table.add(f"{name}: view", found["view_us"], "us", "under 1,000", found["view_us"] < 1000)
            rate = kernel.iterations_per_second(rules, seats, rules.variants[0], 3 * games)
            table.add(f"{name}: iterations of search", rate, "1/s")


def measure_workers(table: Table, samples: int, games: int) -> None:
    delay = statistics.median(workers.trigger_delays(samples))
    table.add("workers: trigger after its move, median", delay, "ms", "within 10", delay <= 10)
    late = workers.default_move_delays(samples // 2 + 1)
    table.add("workers: default move after its deadline, earliest", min(late), "ms", "after it", min(late) > 0)
    table.add("workers: default move after its deadline, latest", max(late), "ms", "within 250", max(late) <= 250)
    rate = workers.bot_commits_per_second(games)
    table.add("workers: commits of random bots, one process", rate, "1/s", "at least 300", rate >= 300)
    many = workers.set_ups(30 * samples)
    share = many.per_second / many.bare_per_second
    table.add("workers: set-ups of games that start at once", many.per_second, "1/s")
    table.add("workers: set-ups through the queue / in a bare loop", share, "ratio", "at least 0.8", share >= 0.8)
    table.add("workers: jobs for them", many.jobs, "jobs", "one for 50", many.jobs <= 2 + 33 * samples / 50)


def measure_streams(table: Table, counts: dict[int, float]) -> None:
    for count, aim in counts.items():
        found = streams.measure(count)
        name = f"streams: {count:,} subscribers"
        table.add(f"{name}, p99", found["p99_ms"], "ms", f"within {aim:g}", found["p99_ms"] <= aim)
        if count >= 1000:
            size = found["bytes_per_subscriber"]
            table.add(f"{name}, memory each", size / 1024, "KiB", "under 20", size < 20 * 1024)


def measure_clients(table: Table, calls: int, games: int) -> None:
    share = clients.overhead(calls, 5)
    table.add("client: CPU beyond that of raw httpx", share, "ratio", "under 0.15", share < 0.15)
    found = clients.many_games(games)
    table.add(f"runner: CPU per move, {games} games at once, with its bots", found["cpu_ms_per_move"], "ms")
    table.add(f"runner: missed deadlines in {found['moves']} moves", found["missed"], "", "none", found["missed"] == 0)


def measure_log(table: Table, leaves: int, samples: int) -> None:
    found = log.rounds()
    cpu = found["cpu_ms"]
    table.add("log: a round with 1,000 changed games, CPU", cpu, "ms", "under 100", cpu < 100)
    table.add("log: the same with disk and store", found["wall_ms"], "ms")
    found = log.proofs(leaves)
    for name, made, checked in (
        ("inclusion", "included_us", "checked_us"),
        ("consistency", "consistent_us", "compared_us"),
    ):
        size = f"log: proof of {name} at {leaves:,} leaves"
        table.add(f"{size}, made", found[made], "us", "under 1,000", found[made] < 1000)
        table.add(f"{size}, checked", found[checked], "us", "under 100", found[checked] < 100)
    disk = found["file_bytes_per_leaf"]
    table.add("log: bytes in files per leaf", disk, "bytes", "at most 150", disk <= 150)
    table.add("log: disk per leaf, whole blocks", found["disk_bytes_per_leaf"], "bytes")
    start = statistics.median(log.sealed_starts(samples))
    table.add("seals: from the last seat to the first commit, median", start, "ms", "under 100", start < 100)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="make bench", description="Measure the service. Compare only ratios of one run."
    )
    parser.add_argument("--short", action="store_true", help="take less time and be less exact")
    parser.add_argument(
        "--only",
        choices=("http", "flat", "kernel", "workers", "streams", "clients", "log"),
        help="measure one part only",
    )
    parser.add_argument(
        "--json",
        type=Path,
        default=Path("var/bench.json"),
        help="write the figures to this file (default: var/bench.json)",
    )
    options = parser.parse_args()
    short = options.short
    table = Table()
    parts = {
        "kernel": lambda: measure_kernel(table, 3 if short else kernel.GAMES),
        "http": lambda: measure_http(table, 1.0 if short else 5.0, 1 if short else 3),
        "flat": lambda: measure_flat(table, 1.0 if short else 4.0),
        "workers": lambda: measure_workers(table, 20 if short else 100, 5 if short else 20),
        "streams": lambda: measure_streams(table, {50: 25.0} if short else {50: 25.0, 1000: 50.0, 5000: 200.0}),
        "clients": lambda: measure_clients(table, 100 if short else 500, 10 if short else 100),
        "log": lambda: measure_log(table, 20_000 if short else 1_000_000, 5 if short else 50),
    }
    for name, measure in parts.items():
        if options.only in (None, name):
            measure()
    machine = {"python": sys.version.split()[0], "machine": platform.machine(), "system": platform.system()}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"machine": machine, "figures": table.rows}, indent=1) + "\n")
    print(f"figures written to {options.json}")


if __name__ == "__main__":
    main()
