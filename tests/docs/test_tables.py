"""Tables in the documents agree with the source."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from referee.api.routing import BODY_DEPTH_MAX
from referee.api.streams import PENDING_BYTES_MAX
from referee.app import policies_of
from referee.kernel.advice import Advice
from referee.kernel.ruleset import Contract
from referee.rulesets import RULESETS
from referee.settings import Settings
from schemas.base import NONCE_LENGTH_MAX
from schemas.games import PAGE_MAX, SEATS_MAX
from schemas.judge import OUTCOMES_MAX
from schemas.problems import PROBLEMS
from tests.clause_report import CLAUSE_ID, known_ids
from tests.docs.documents import DOCUMENTS, read
from tests.docs.tables import TABLES, with_table
from tests.subjects import ROOT
from tests.test_architecture import MAY_IMPORT

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
    "unread bytes of a stream": PENDING_BYTES_MAX,
}


def rows_under(heading: str, text: str) -> list[list[str]]:
    """The rows of the tables under a heading, without the head of the first."""
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize(("document", "name"), TABLES, ids=lambda part: getattr(part, "name", part))
def test_a_table_is_up_to_date(document: Path, name: str) -> None:
    text = read(document)
    assert with_table(text, name, TABLES[document, name]()) == text, "run `make record`"


def test_every_problem_is_explained_with_its_status_and_title() -> None:
    rows = rows_under("Errors", CLIENTS)
    explained = {code.strip("`"): (int(status), title) for code, status, title, _ in rows}
    assert explained == {code: tuple(kind) for code, kind in PROBLEMS.items()}


def test_every_code_in_the_source_is_a_problem() -> None:
    codes = {code for file in sorted((ROOT / "referee").rglob("*.py")) for code in codes_in(file)}
    assert len(codes) > len(PROBLEMS) / 2
    assert codes <= set(PROBLEMS)


def codes_in(file: Path) -> Iterator[str]:
    """The codes that are written out where the source makes a problem."""
    for node in ast.walk(ast.parse(read(file))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem":
            match node.args:
                case [ast.Constant(value=str(code)), *_]:
                    yield code


def test_every_function_of_a_ruleset_is_explained() -> None:
    explained = " ".join(name for name, _ in rows_under("The contract", read(ROOT / "docs" / "contributors.md")))
    parts = (*fields(Contract), *fields(Advice))
    functions = [each.name for each in parts if str(each.type).startswith("collections.abc.Callable")]
    assert len(functions) > 10
    assert [name for name in functions if f"`{name}(" not in explained] == []


def test_the_layout_is_what_the_architecture_allows() -> None:
    rows = rows_under("Layout", read(ROOT / "docs" / "contributors.md"))
    rooms = ("referee/", "client/referee_client/")
    shown = {
        next((name.removeprefix(room) for room in rooms if name.startswith(room)), name): imports
        for name, imports in ((where.strip("`/"), imports) for where, _, imports in rows)
    }
    for part, allowed in MAY_IMPORT.items():
        named = shown[part].replace(", never a sibling", "").replace("nothing of the project", "")
        assert set(filter(None, named.split(", "))) == allowed, part


def test_limits_are_those_of_the_source() -> None:
    said = {what: int(re.findall(r"\d+", most)[0]) for what, most in rows_under("Limits", CLIENTS)}
    assert {what: said[what] for what in LIMITS} == LIMITS


def test_rates_are_the_defaults_of_the_settings() -> None:
    rows = rows_under("Rate limits", CLIENTS)
    said = {policy.strip("`"): int(re.findall(r"\d+", most)[0]) for policy, _, _, most in rows}
    policies = policies_of(Settings())
    assert said == {policy.name: policy.quota for policy in vars(policies).values()}


def test_the_changelog_has_every_version_of_every_title() -> None:
    rules = "".join(re.findall(r"^### Rules\n(.*?)^##", read(ROOT / "CHANGELOG.md"), re.M | re.S))
    for slug, version in RULESETS:
        assert f"(`{slug}`, version {version})" in rules


@pytest.mark.parametrize("document", [pytest.param(each, id=each.name) for each in DOCUMENTS])
def test_clauses_exist(document: Path) -> None:
    text = re.sub(r"`[^`\n]*`|^```.*?^```$", "", read(document), flags=re.M | re.S)
    assert set(CLAUSE_ID.findall(text)) - known_ids() == set()


def test_the_newest_changes_are_on_top() -> None:
    headings = re.findall(r"^##+ .*$", read(ROOT / "CHANGELOG.md"), re.M)
    assert headings[:4] == ["## Unreleased", "### Rules", "### API", "### Operations"]
