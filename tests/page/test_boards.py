"""Boards without a browser: every board draws every view, and clicks on it lead to every legal move."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.api.pages import release
from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, settle
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets import RULESETS
from referee.rulesets.words import words_of
from tests.page.modules import copy_boards, run_module

POSITIONS, MOST, STEPS = 12, 3, 240
CLICKS_MAX = 8
BOARDS = [rules for rules in RULESETS.values() if (rules.directory / "page" / "board.js").is_file()]
CASES = [
    pytest.param(rules, options, id=f"{rules.slug}-{at}")
    for rules in BOARDS
    for at, options in enumerate({msgspec.json.encode(each)[:40]: each for each in rules.variants[:5]}.values())
]


def positions(rules: Ruleset, options: Any) -> list[dict[str, Any]]:
    """Positions of random games with as many seats as there can be: some at even distances, and those of most moves."""
    luck = Seeded(f"boards {rules.slug}")
    steps: list[tuple[Any, Seat, tuple[Move, ...]]] = []
    while len(steps) < STEPS:
        position = settle(rules, rules.blank(options, rules.seats[-1]), luck)
        while (asked := rules.awaited(position)) and len(steps) < STEPS:
            seat = asked[len(steps) % len(asked)].seat
            moves = tuple(legal_moves(rules, position, seat))
            steps.append((position, seat, moves))
            _, position = rules.play(position, seat, luck.pick("move", moves, 1)[0], luck)
            position = settle(rules, position, luck)
    most = sorted(steps, key=lambda step: -len(step[2]))[:MOST]
    return [case_of(rules, options, *step) for step in (*steps[:: STEPS // POSITIONS], *most)]


def case_of(rules: Ruleset, options: Any, position: Any, seat: Seat, moves: tuple[Move, ...]) -> dict[str, Any]:
    """What a board is drawn from: the seat's view, a spectator's, and the whole position."""
    others = [rules.view(position, None), position]
    view = rules.view(position, seat)
    return {
        "view": view,
        "seat": seat,
        "edition": rules.edition,
        "options": options,
        "moves": moves,
        "others": others,
    }


ID = re.compile(r"[a-z]{2,}\d?(_[a-z0-9]+)*")
"""Ids that a board shows as words; hexes, corners and ships are not."""


def labels_of(rules: Ruleset, language: str) -> dict[str, str]:
    """What the page calls things on the boards of a title."""
    page = json.loads(gzip.decompress(release().files[f"words/{language}.json"]))
    return {**page["names"], **page["titles"][rules.slug]}


@pytest.mark.parametrize(("rules", "options"), CASES)
def test_every_move_that_legal_moves_lists_can_be_made_by_clicks_on_the_board(
    rules: Ruleset, options: Any, tmp_path: Path
) -> None:
    board = copy_boards(tmp_path / "modules", rules)
    file = tmp_path / "positions.json"
    words = {language: labels_of(rules, language) for language in words_of(rules) if language != "en"}
    asked = {"board": board, "positions": positions(rules, options), "words": words}
    file.write_bytes(msgspec.json.encode(asked))
    answer = run_module(tmp_path / "modules", "run_boards.js", file)
    found = answer["found"]
    for labels in words.values():
        assert [id for id in answer["asked"] if ID.fullmatch(id) and id not in labels] == []
    clicks = [each for position in found for each in position["clicks"]]
    assert len(clicks) > POSITIONS
    assert None not in clicks
    assert max(on_board + beside for on_board, beside, _ in clicks) < CLICKS_MAX
    for position in found:
        assert position["keys"] == position["labels"] == []
        assert position["again"]
    for on_board, beside, kind in clicks:
        assert on_board > 0 or beside <= 1, f"{kind} takes {beside} clicks beside the board"
