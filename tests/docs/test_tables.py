"""Tables and lists in the documents say what the source says."""

import ast
import re
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

import pytest

from referee.api.problems import TITLES
from referee.api.routing import BODY_DEPTH_MAX
from referee.api.streams import PENDING_BYTES_MAX
from referee.app import policies_of
from referee.kernel.ruleset import Ruleset
from referee.rulesets import RULESETS
from referee.settings import Settings
from schemas.base import NONCE_LENGTH_MAX
from schemas.games import PAGE_MAX, SEATS_MAX
from schemas.judge import OUTCOMES_MAX
from tests.clause_report import CLAUSE_ID, known_ids
from tests.docs.documents import DOCUMENTS, read
from tests.docs.tables import TABLES, with_table
from tests.subjects import ROOT

CLIENTS = read(ROOT / "docs" / "clients.md")

LIMITS = {
    "request body": Settings().body_bytes_max,
    "nesting of a JSON body": BODY_DEPTH_MAX,
    "open games of a player": Settings().open_games,
    "open games with built-in bots": Settings().bot_games,
    "keys of a player": Settings().player_keys,
    "page of games": PAGE_MAX,
    "`wait` of a long poll": Settings().wait_seconds_max,
    "seats of a game": SEATS_MAX,
    "nonce": NONCE_LENGTH_MAX,
    "forced outcomes": OUTCOMES_MAX,
    "waiting bytes of a stream": PENDING_BYTES_MAX,
}


def rows_under(heading: str, text: str) -> list[list[str]]:
    """The rows of the first table under a heading, without its head."""
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize(("document", "name"), TABLES, ids=lambda part: getattr(part, "name", part))
def test_a_written_table_is_not_stale(document: Path, name: str) -> None:
    text = read(document)
    assert with_table(text, name, TABLES[document, name]()) == text, "run `make record`"


def test_every_code_of_a_problem_is_explained() -> None:
    assert {code.strip("`"): meaning for code, _, meaning, _ in rows_under("Errors", CLIENTS)} == TITLES


def test_every_problem_has_the_status_that_is_said() -> None:
    said = {code.strip("`"): set(map(int, status.split(", "))) for code, status, _, _ in rows_under("Errors", CLIENTS)}
    raised = statuses_in_the_source()
    assert len(raised) > len(TITLES) / 2
    assert {code: statuses - said[code] for code, statuses in raised.items() if statuses - said[code]} == {}


def statuses_in_the_source() -> dict[str, set[int]]:
    """The statuses of each code, as far as they are written out where a problem is made."""
    found: dict[str, set[int]] = defaultdict(set)
    for file in sorted((ROOT / "referee").rglob("*.py")):
        for node in ast.walk(ast.parse(read(file))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem":
                match node.args:
                    case [ast.Constant(value=int(status)), ast.Constant(value=str(code)), *_]:
                        found[code].add(status)
    return found


def test_every_function_of_a_ruleset_is_explained() -> None:
    explained = " ".join(name for name, _ in rows_under("The contract", read(ROOT / "docs" / "contributors.md")))
    functions = [each.name for each in fields(Ruleset) if str(each.type).startswith("collections.abc.Callable")]
    assert len(functions) > 10
    assert [name for name in functions if f"`{name}(" not in explained] == []


def test_limits_are_those_of_the_source() -> None:
    said = {what: int(re.findall(r"\d+", most)[0]) for what, most in rows_under("Limits", CLIENTS)}
    assert {what: said[what] for what in LIMITS} == LIMITS


def test_rates_are_the_defaults_of_the_settings() -> None:
    rows = rows_under("How often", CLIENTS)
    said = {policy.strip("`"): int(re.findall(r"\d+", most)[0]) for policy, _, _, most in rows}
    policies = policies_of(Settings())
    assert said == {policy.name: policy.quota for policy in vars(policies).values()}


def test_the_changelog_has_every_version_of_every_title() -> None:
    rules = re.split(r"^### (?!Rules)", read(ROOT / "CHANGELOG.md"), flags=re.M)[0]
    for slug, version in RULESETS:
        assert f"(`{slug}`, version {version})" in rules


@pytest.mark.parametrize("document", [pytest.param(each, id=each.name) for each in DOCUMENTS])
def test_clauses_that_are_named_exist(document: Path) -> None:
    text = re.sub(r"`[^`\n]*`|^```.*?^```$", "", read(document), flags=re.M | re.S)
    assert set(CLAUSE_ID.findall(text)) - known_ids() == set()


def test_the_newest_changes_stand_on_top() -> None:
    headings = re.findall(r"^##+ .*$", read(ROOT / "CHANGELOG.md"), re.M)
    assert headings[:4] == ["## Unreleased", "### Rules", "### API", "### Operations"]
