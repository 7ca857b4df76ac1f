"""Tables in the documents that `make record` writes from the source, between two comments."""

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from referee.api.audit_page import audit_page
from referee.api.routing import ENDPOINTS
from referee.rulesets import LATEST
from referee.settings import describe_settings
from schemas.paths import path_of
from tests.api.roles import ROLES, ROWS
from tests.docs.documents import read
from tests.docs.listings import PAGE, listings_written
from tests.subjects import ROOT


def settings_table() -> list[str]:
    """Every setting, with its default and meaning."""
    rows = [(f"`{name}`", f"`{default}`" if default else "empty", text) for name, default, text in describe_settings()]
    return table(("setting", "default", "meaning"), rows)


def titles_table() -> list[str]:
    """Every title that can be played."""
    rows = [
        (rules.title, f"`{slug}`", f"{rules.seats.start} to {rules.seats.stop - 1}", _rules_link(slug))
        for slug, rules in sorted(LATEST.items())
    ]
    return table(("title", "slug", "seats", "rules"), rows)


def _rules_link(slug: str) -> str:
    path = f"referee/rulesets/{slug.replace('-', '_')}/rules.md"
    return f"[rules.md]({path})"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The lines of a Markdown table."""
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)]


def roles_table() -> list[str]:
    """The status that each role gets for each call."""
    rows = [
        (
            f"`{row.method} {row.path}`{f' ({row.note})' if row.note else ''}",
            *(str(row.statuses[role]) for role in ROLES),
        )
        for row in ROWS
    ]
    return table(("call", *ROLES), rows)


def costs_table() -> list[str]:
    """The calls that count as several in the rate limits, the most costly first."""
    import_module("referee.app")  # declares every call
    costs = [(call.cost, f"`{call.method} {path_of(call)}`") for call in ENDPOINTS if call.cost > 1]
    costs += [
        (cost, f"`{call.method} {path_of(call)}` with `{name}`") for call in ENDPOINTS for name, cost in call.cost_with
    ]
    rows = [(name, f"{cost} calls") for cost, name in sorted(costs, key=lambda row: (-row[0], row[1]))]
    return table(("call", "counts as"), rows)


def audit_page_hash() -> list[str]:
    """The SHA-256 of `audit.html`, as `sha256sum` prints it."""
    return ["```text", f"{audit_page().hash}  audit.html", "```"]


TABLES: dict[tuple[Path, str], Callable[[], list[str]]] = {
    (ROOT / "README.md", "titles"): titles_table,
    (ROOT / "docs" / "operators.md", "settings"): settings_table,
    (ROOT / "docs" / "roles.md", "roles"): roles_table,
    (ROOT / "docs" / "clients.md", "costs"): costs_table,
    **{(PAGE, name): lines for name, lines in listings_written().items()},
    (ROOT / "docs" / "auditors.md", "audit.html"): audit_page_hash,
}
"""The function that makes each table or listing, by document and name."""


def with_table(text: str, name: str, lines: list[str]) -> str:
    """The text of a document with new lines for one of its tables."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.S)
    assert len(pattern.findall(text)) == 1, f"expected one table `{name}`"
    written = "".join(f"{line}\n" for line in lines)
    return pattern.sub(lambda _: f"{begin}{written}{end}", text)


def record_tables() -> None:
    """Write every table into its document."""
    for (document, name), lines in TABLES.items():
        document.write_text(with_table(read(document), name, lines()), encoding="utf-8")
