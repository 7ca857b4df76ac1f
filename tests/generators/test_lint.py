"""The linters that people use find no fault with the document."""

import json

from referee.openapi import FILE
from tests.generators.tools import HERE, run_node


def test_redocly_has_nothing_to_remark() -> None:
    config = HERE / "redocly.yaml"
    printed = run_node("lint", "redocly", "lint", FILE, "--config", config, "--format", "json")
    totals = json.loads(printed[printed.index("{") : printed.rindex("}") + 1])["totals"]
    assert totals == {"errors": 0, "warnings": 0, "ignored": 0}, printed


def test_spectral_has_nothing_to_remark() -> None:
    printed = run_node("lint", "spectral", "lint", FILE, "--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint")
    assert "No results with a severity of 'hint' or higher found!" in printed


def test_the_locks_name_no_registry() -> None:
    for tool in ("lint", "types", "client"):
        lock = json.loads((HERE / "node" / tool / "package-lock.json").read_text())
        for name, package in lock["packages"].items():
            assert "resolved" not in package and (not name or package["integrity"].startswith("sha512-")), name
