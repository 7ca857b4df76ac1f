"""Picking without a browser: clicks lead to every legal move of many positions of every title."""

import json
from pathlib import Path

import msgspec
import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, settle
from referee.kernel.ruleset import Ruleset
from tests.page.modules import run_module
from tests.subjects import BOXES

POSITIONS = 120
CLICKS_MAX = 8
BY_TITLE = [pytest.param(box.ruleset, id=box.ruleset.slug) for box in BOXES]


def lists_of_moves(rules: Ruleset) -> list[list[object]]:
    """The legal moves of the seats that are asked, in the course of random games."""
    luck = Seeded(f"picking {rules.slug}")
    position = settle(rules, rules.blank(rules.variants[0], rules.seats[-1]), luck)
    found: list[list[object]] = []
    for _ in range(POSITIONS):
        asked = rules.awaited(position)
        if not asked:
            break
        moves = legal_moves(rules, position, asked[0].seat)
        found.append([msgspec.to_builtins(move) for move in moves])
        move = luck.pick("move", moves, 1)[0]
        _, position = rules.play(position, asked[0].seat, move, luck)
        position = settle(rules, position, luck)
    return found


@pytest.mark.parametrize("rules", BY_TITLE)
def test_every_listed_move_is_reached_by_at_most_8_clicks(rules: Ruleset, tmp_path: Path) -> None:
    lists = lists_of_moves(rules)
    file = tmp_path / "moves.json"
    file.write_text(json.dumps(lists))
    found = run_module(tmp_path / "modules", "run_picking.js", file)
    clicks = [each for moves in found for each in moves]
    assert len(clicks) > 20
    assert None not in clicks
    assert max(clicks) <= CLICKS_MAX
