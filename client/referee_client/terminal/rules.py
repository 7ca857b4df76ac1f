"""`referee rules`: titles, clauses and rulings, without a service."""

from difflib import get_close_matches
from typing import Any

import click
import msgspec
from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from referee.kernel.clauses import Clause as Rule
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST
from referee_client.terminal.choices import Clause
from referee_client.terminal.context import Context
from referee_client.terminal.faults import Fault
from referee_client.terminal.options import Subcommand

pass_context = click.make_pass_decorator(Context)


@click.command(cls=Subcommand)
@click.argument("what", required=False, type=Clause())
@click.option("--search", metavar="WORD", help="Only clauses that contain this text.")
@pass_context
def rules(context: Context, what: str | None, search: str | None) -> None:
    """Show a clause such as CC-21, all clauses of a title, or the titles.

    It needs no service: the rules are part of the package.

    \b
    Examples:
      referee rules
      referee rules CC-21
      referee rules TITLE --search market
    """
    if what is None and search is None:
        context.answer({"titles": [_title(each) for each in LATEST.values()]}, _titles())
        return
    found = [(each, clause) for each in LATEST.values() for clause in each.rulebook.clauses.values()]
    if what in LATEST:
        found = [(each, clause) for each, clause in found if each.slug == what]
    elif what is not None:
        found = [(each, clause) for each, clause in found if clause.id == what.upper()]
        if not found:
            raise Fault(_unknown(what))
    if search is not None:
        found = [(each, clause) for each, clause in found if search.casefold() in clause.text.casefold()]
        if not found:
            raise Fault(f"No clause contains {search!r}.")
    answer = {"clauses": [{"ruleset": each.slug, **msgspec.to_builtins(clause)} for each, clause in found]}
    context.answer(answer, Group(*(part for each, clause in found for part in _shown(each, clause))))


def _title(ruleset: Ruleset) -> dict[str, Any]:
    seats = {"min": ruleset.seats.start, "max": ruleset.seats.stop - 1}
    return {"ruleset": ruleset.slug, "title": ruleset.title, "seats": seats, "clauses": len(ruleset.rulebook.clauses)}


def _titles() -> RenderableType:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("title", "slug", "seats", "clauses"):
        table.add_column(heading)
    for each in LATEST.values():
        ids = list(each.rulebook.clauses)
        seats = f"{each.seats.start} to {each.seats.stop - 1}"
        table.add_row(each.title, Text(each.slug, style="cyan"), seats, f"{len(ids)}, such as {ids[-1]}")
    return table


def _shown(ruleset: Ruleset, clause: Rule) -> tuple[RenderableType, ...]:
    where = f"{ruleset.title}, {clause.section}{f' ({clause.source})' if clause.source else ''}"
    return Text.assemble((clause.id, "bold cyan"), "  ", (where, "dim")), Markdown(clause.text), Text()


def _unknown(what: str) -> str:
    ids = [id for each in LATEST.values() for id in each.rulebook.clauses]
    close = get_close_matches(what.upper(), ids, 3) + get_close_matches(what.lower(), LATEST, 2)
    hint = f" Did you mean {', '.join(close)}?" if close else " `referee rules` lists the titles."
    return f"There is no clause and no title {what!r}.{hint}"


COMMANDS = {"rules": rules}
