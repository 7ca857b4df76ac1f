"""The vectors of docs/fairness.md, computed by the JavaScript of the page."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.page.modules import run_module
from tests.subjects import ROOT

FILE = ROOT / "docs" / "vectors.json"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))
OTHERS = {"game", "signers", "notices", "leaves", "logged", "receipts"}
"""What the browser computes otherwise, or leaves to the command."""


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The vectors with every result computed in one run of node."""
    return run_module(Path(tmp_path_factory.mktemp("vectors")), "run_vectors.js", FILE)


@pytest.mark.parametrize("name", [name for name in VECTORS if name not in OTHERS])
def test_the_browser_computes_the_values_of_the_vectors(name: str, computed: Any) -> None:
    assert computed[name] == VECTORS[name]


def test_the_browser_computes_the_hashes_and_the_luck_of_the_example_game(computed: Any) -> None:
    game = dict(computed["game"])
    luck = game.pop("luck")
    assert game == VECTORS["game"]
    dealt, rolled = (VECTORS["game"]["commits"][place]["commit"]["events"][0] for place in (0, 1))
    assert luck == {"deck": dealt["deck"], "first": dealt["first"], "dice": rolled["dice"]}
