"""Clicks on the board fill in the form of a move that is not listed."""

import json
from pathlib import Path
from typing import Any

from tests.page.modules import run_module

PATH = {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 3}
COURSE = {"type": "object", "properties": {"type": {"const": "sail"}, "ship": {"enum": ["1", "2"]}, "path": PATH}}
KINDS = {
    "wool": {"type": "integer", "minimum": 1, "maximum": 2},
    "ore": {"type": "integer", "minimum": 1, "maximum": 1},
}
TO = {"type": "array", "items": {"enum": [0, 2]}, "uniqueItems": True}
OFFER = {"type": "object", "properties": {"give": {"type": "object", "properties": KINDS}, "to": TO}}


def filled(tmp_path: Path, schema: Any, start: Any, *clicks: list[Any]) -> Any:
    file = tmp_path / "filling.json"
    file.write_text(json.dumps({"schema": schema, "start": start, "clicks": clicks}))
    return run_module(tmp_path / "modules", "run_filling.js", file)


def test_a_course_goes_on_with_each_click_and_back_by_a_click_on_it(tmp_path: Path) -> None:
    edges: list[list[Any]] = [[{"edge": each}, {"path.-1": each}] for each in "abc"]
    a, b, c = edges
    found = filled(tmp_path, COURSE, {"ship": "1", "path": []}, a, b, c, b, b, [{"ship": "2"}], [{"ship": "3"}])
    courses = [draft["path"] for draft in found["drafts"]]
    assert courses == [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b"], ["a"], ["a"], ["a"]]
    assert found["drafts"][-1]["ship"] == "2"
    assert found["marked"][:3] == [True, False, False]
    assert {'"a"', '"1"'} <= set(found["facts"])


def test_cards_are_counted_up_to_what_there_is_and_seats_chosen_and_left_out(tmp_path: Path) -> None:
    wool: list[Any] = [{"give": "wool"}, {"type": "sell", "resource": "wool"}]
    seat: list[Any] = [{"victim": 2}, {"to": [2]}]
    drafts = filled(tmp_path, OFFER, {}, wool, wool, wool, seat, seat)["drafts"]
    assert [draft["give"] for draft in drafts] == [{"wool": 1}, {"wool": 2}, {"wool": 2}, {"wool": 2}, {"wool": 2}]
    assert [draft.get("to") for draft in drafts[2:]] == [None, [2], []]
