"""The kernel on one core: replay, judge, legal moves, views and whole random games of every ruleset."""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from referee.kernel.chance import Seeded
from referee.kernel.judge import judge, legal_moves, pick_weighed, replay, weighed_moves
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE

GAMES = 12


def yardstick() -> float:
    """Seconds for a fixed piece of pure Python: what the figures of one run are related to."""
    value = {"seats": [{"hand": {str(n): n for n in range(5)}, "influence": n} for n in range(6)], "pile": ["x"] * 60}
    began = time.process_time()
    for _ in range(2000):
        json.loads(json.dumps(value))
    return time.process_time() - began


def play(rules: Ruleset, seats: int, seed: int, options: Any) -> tuple[Any, list[Any], list[Any], float, int]:
    """A whole random game: first and last position, all events, some positions on the way, seconds, decisions."""
    chance = Seeded(f"{rules.slug}:{seats}:{seed}")
    first = position = rules.blank(options, seats)
    events: list[Any] = []
    seen: list[Any] = []
    decisions = 0
    began = time.process_time()
    while position.phase != "finished":
        due = rules.due(position)
        awaited = rules.awaited(position)
        if due is not None and (due.after_s == 0 or not awaited or chance.number("reveal", 0, 2) == 0):
            said, position = rules.play(position, REFEREE, due.move, chance)
        else:
            seat = awaited[chance.number("seat", 0, len(awaited) - 1)].seat
            move = pick_weighed(weighed_moves(rules, position, seat), chance)
            said, position = rules.play(position, seat, move, chance)
            decisions += 1
            seen.append((position, seat))
        events.extend(said)
    return first, events, seen, time.process_time() - began, decisions


def per_call(work: Callable[[Any], Any], items: list[Any]) -> float:
    """The median of the microseconds that a call takes."""
    times = []
    for item in items:
        began = time.perf_counter()
        work(item)
        times.append((time.perf_counter() - began) * 1e6)
    return statistics.median(times)


def measure_ruleset(rules: Ruleset, seats: int, options: Any, games: int = GAMES, first: int = 0) -> dict[str, float]:
    """The figures of one ruleset with so many seats, over the games from this seed on."""
    played = [play(rules, seats, seed, options) for seed in range(first, first + games)]
    seconds = [each[3] for each in played]
    events = sum(len(each[1]) for each in played)
    began = time.process_time()
    for first, said, *_ in played:
        replay(rules, first, said)
    replayed = time.process_time() - began
    positions = [pair for each in played for pair in each[2]][:: max(1, len(played))]

    def judged(pair: tuple[Any, Any]) -> None:
        for decision in rules.awaited(pair[0])[:1]:
            judge(rules, pair[0], decision.seat, rules.default(pair[0], decision.seat))

    def listed(pair: tuple[Any, Any]) -> None:
        for decision in rules.awaited(pair[0])[:1]:
            legal_moves(rules, pair[0], decision.seat)

    return {
        "game_ms": statistics.median(seconds) * 1000,
        "decisions_per_s": sum(each[4] for each in played) / sum(seconds),
        "replay_events_per_s": events / replayed,
        "judge_us": per_call(judged, positions),
        "legal_moves_us": per_call(listed, positions),
        "view_us": per_call(lambda pair: rules.view(pair[0], pair[1]), positions),
    }
