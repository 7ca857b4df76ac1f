"""Measures the kernel on one core: replay, judge, legal moves, views and random games of every ruleset."""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from referee.bots.playout import play_out, search_depth
from referee.kernel.chance import Seeded
from referee.kernel.judge import judge, legal_moves, pick_weighed, replay, set_up, weighed_moves
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE

GAMES = 12


def yardstick() -> float:
    """Return the seconds of a fixed piece of pure Python, to compare figures between machines."""
    value = {"seats": [{"hand": {str(n): n for n in range(5)}, "influence": n} for n in range(6)], "pile": ["x"] * 60}
    began = time.process_time()
    for _ in range(2000):
        json.loads(json.dumps(value))
    return time.process_time() - began


def play(rules: Ruleset, seats: int, seed: int, options: Any) -> tuple[Any, list[Any], list[Any], float, int]:
    """Play a random game; return its first position, all events, positions with seats, seconds and decisions."""
    chance = Seeded(f"{rules.slug}:{seats}:{seed}")
    first = position = rules.blank(options, seats)
    events: list[Any] = []
    seen: list[Any] = []
    decisions = 0
    began = time.process_time()
    while position.phase != "finished":
        due = rules.due(position)
        awaited = rules.awaited(position)
        if due is not None and (due.after_ms == 0 or not awaited or chance.number("reveal", 0, 2) == 0):
            new_events, position = rules.play(position, REFEREE, due.move, chance)
        else:
            seat = awaited[chance.number("seat", 0, len(awaited) - 1)].seat
            move = pick_weighed(weighed_moves(rules, position, seat), chance)
            new_events, position = rules.play(position, seat, move, chance)
            decisions += 1
            seen.append((position, seat))
        events.extend(new_events)
    return first, events, seen, time.process_time() - began, decisions


def iterations_per_second(rules: Ruleset, seats: int, options: Any, count: int = 40) -> float:
    """Return the iterations of `search` per second: it imagines a world and plays on as `greedy` advises.

    They start from positions of games that `greedy` plays, one position in each turn.
    """
    chance, depth, seconds, position = Seeded(f"{rules.slug}:{seats}"), search_depth(rules, seats), 0.0, None
    for _ in range(count):
        if position is None or not rules.awaited(position):
            position = set_up(rules, options, seats, chance)
        seat = rules.awaited(position)[0].seat
        began = time.process_time()
        play_out(rules, rules.alike(position, seat, chance), seat, chance, depth)
        seconds += time.process_time() - began
        position = play_out(rules, position, seat, chance, 0)
    return count / seconds


def per_call(work: Callable[[Any], Any], items: list[Any]) -> float:
    """Return the median duration of a call in microseconds."""
    times = []
    for item in items:
        began = time.perf_counter()
        work(item)
        times.append((time.perf_counter() - began) * 1e6)
    return statistics.median(times)


def measure_ruleset(rules: Ruleset, seats: int, options: Any, games: int = GAMES, first: int = 0) -> dict[str, float]:
    """Return the figures of a ruleset with this number of seats, over games with consecutive seeds."""
    played = [play(rules, seats, seed, options) for seed in range(first, first + games)]
    seconds = [each[3] for each in played]
    events = sum(len(each[1]) for each in played)
    began = time.process_time()
    for start, game_events, *_ in played:
        replay(rules, start, game_events)
    replayed = time.process_time() - began
    positions = [pair for each in played for pair in each[2]][:: max(1, len(played))]

    def judge_default(pair: tuple[Any, Any]) -> None:
        for decision in rules.awaited(pair[0])[:1]:
            judge(rules, pair[0], decision.seat, rules.default(pair[0], decision.seat))

    def list_moves(pair: tuple[Any, Any]) -> None:
        for decision in rules.awaited(pair[0])[:1]:
            legal_moves(rules, pair[0], decision.seat)

    return {
        "game_ms": statistics.median(seconds) * 1000,
        "decisions_per_s": sum(each[4] for each in played) / sum(seconds),
        "replay_events_per_s": events / replayed,
        "judge_us": per_call(judge_default, positions),
        "legal_moves_us": per_call(list_moves, positions),
        "view_us": per_call(lambda pair: rules.view(pair[0], pair[1]), positions),
    }
