"""`referee audit` and `referee judge`: the proof of a game, and verdicts about any move."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import click
import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.audit.record import LINE_BYTES_MAX, Record, Unreadable, read_record
from referee.audit.verify import Report, audit
from referee_client.problems import Problem, Refused
from referee_client.terminal.choices import GameId
from referee_client.terminal.context import Context
from referee_client.terminal.faults import DONE, NO, NOT_YET, Fault
from referee_client.terminal.options import Subcommand
from referee_client.terminal.safe import cleaned

pass_context = click.make_pass_decorator(Context)

STATUSES = {"proved": DONE, "failed": NO, "running": NOT_YET}
MARKS = {True: ("ok", "green"), False: ("FAILED", "bold red"), None: ("-", "dim")}
STYLES = {"proved": "bold green", "failed": "bold red", "running": "yellow"}


@click.command("audit", cls=Subcommand)
@click.argument("what", metavar="FILE|GAME", type=GameId(or_file=True))
@click.option("--save", type=click.Path(path_type=Path), help="Also write the record of the game to this file.")
@click.option("--bots", is_flag=True, help="Also make the moves of built-in bots again, which is slow.")
@pass_context
def audit_command(context: Context, what: str, save: Path | None, bots: bool) -> int:
    """Prove a game on this machine: a record in a file, or a game of the service by its id.

    The service is not trusted: its record is checked here, against rules that are part of this package. For a game that
    still runs, the service's own audit is shown. `referee-audit` compares a record with your notes as well.
    """
    if what == "-" or Path(what).exists():
        record = _read_file(what)
    else:
        found = _download(context, what)
        if isinstance(found, dict):
            context.answer(
                {"game": what, "by": "service", **found}, _shown(f"game {what}, by the service", cleaned(found))
            )
            return STATUSES[found["verdict"]]
        if save is not None:
            save.write_bytes(found)
        record = _record(found.splitlines(keepends=True), f"The record of {what}")
    with context.progress("Proving", len(record.entries)) as steps:
        report: Report = audit(record, progress=steps.reach, with_bots=bots)
    answer = msgspec.to_builtins(report)
    header = record.header
    name = f"game {header.game}, {header.ruleset} {header.version}, {len(record.entries)} commits"
    context.answer({"game": header.game, "by": "this machine", **answer}, _shown(name, cleaned(answer)))
    return STATUSES[report.verdict]


def _read_file(name: str) -> Record:
    if name == "-":
        return _record(_lines(sys.stdin.buffer), "The input")
    with open(name, "rb") as file:
        return _record(_lines(file), name)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; a line that is too long for a record comes in pieces."""
    return iter(partial(file.readline, LINE_BYTES_MAX + 1), b"")


def _record(lines: Any, name: str) -> Record:
    try:
        return read_record(lines)
    except Unreadable as error:
        raise Fault(f"{name} is not a record: {error}. `GET /v1/games/ID/record` gives one.") from None


def _download(context: Context, game: str) -> bytes | dict[str, Any]:
    """Return the record of a game; while it runs, the service's own audit."""
    with context.client() as client:
        try:
            return client.game(game).record()
        except Problem as problem:
            if problem.code not in ("game-running", "still-hidden"):
                raise
        found = client.game(game).audit(patience_s=5)
    if found is None:
        raise Fault("The audit is not made yet. Try again in a moment.", NOT_YET)
    return dict(found)


def _shown(name: str, report: dict[str, Any]) -> RenderableType:
    table = Table.grid(padding=(0, 1, 0, 0))
    for overflow in ("crop", "crop", "fold"):
        table.add_column(overflow=overflow)
    for check in report["checks"]:
        mark, style = MARKS[check["passed"]]
        table.add_row(Text(mark, style=style), Text(check["name"]), Text(check["detail"]))
    bad = report["first_bad_version"]
    where = (
        ""
        if bad is None
        else ": the header or the secret is wrong"
        if bad == 0
        else f": commit {bad} is the first bad one"
    )
    verdict = report["verdict"]
    return Group(Text(name), table, Text(f"{verdict.upper()}{where}", style=STYLES.get(verdict, "")))


@click.command(cls=Subcommand)
@click.argument("where", metavar="GAME|FILE", type=GameId(or_file=True))
@click.argument("move")
@click.option("--actor", help="Who moves, if WHERE is a position: the number of a seat, or referee.", default="0")
@click.option("--chance", help="Outcomes to force, as a JSON list of objects with point and outcome.")
@click.option("--position", "with_position", is_flag=True, help="Also show the position after the move.")
@pass_context
def judge(context: Context, where: str, move: str, actor: str, chance: str | None, with_position: bool) -> int:
    """Ask the referee about a move, without making it.

    GAME is a game in which you play: the move is judged for your seat. FILE is a complete position as JSON, or - for
    standard input. MOVE is JSON, or its type alone if it has no parameters.

    \b
    Examples:
      referee judge g_… '{"type": "take_cards", "faction": "hacker", "count": 8}'
      referee judge position.json end_turn --actor 1
    """
    made = _move(move)
    if where == "-" or Path(where).exists():
        position = json.loads(sys.stdin.read() if where == "-" else Path(where).read_text(encoding="utf-8"))
        verdict = _judged(context, position, actor, made, chance)
    else:
        verdict = _dry_run(context, where, made)
    context.answer(verdict, _verdict(cleaned(verdict), with_position))
    return DONE if verdict["verdict"] == "accepted" else NO


def _move(text: str) -> dict[str, Any]:
    if text.lstrip()[:1] != "{":
        return {"type": text}
    try:
        return dict(json.loads(text))
    except ValueError as error:
        raise Fault(f"The move is not JSON: {error}. Quote it for your shell: '{{\"type\": …}}'") from None


def _judged(context: Context, position: Any, actor: str, move: dict[str, Any], chance: str | None) -> dict[str, Any]:
    if not isinstance(position, dict) or not isinstance(position.get("ruleset"), str):
        raise Fault("The file is not a position: a position is a JSON object with a field `ruleset`.")
    who = int(actor) if actor.isdecimal() else actor
    with context.client() as client:
        return dict(client.judge(position["ruleset"], position, who, move, json.loads(chance) if chance else None))


def _dry_run(context: Context, game: str, move: dict[str, Any]) -> dict[str, Any]:
    with context.client(needs_key=True) as client:
        try:
            client.game(game).dry_run(move)
        except Refused as refused:
            verdict = {"verdict": "rejected", "clause": refused.clause, "message": refused.detail, "text": refused.text}
            return verdict
    return {"verdict": "accepted"}


def _verdict(verdict: dict[str, Any], with_position: bool) -> RenderableType:
    if verdict["verdict"] != "accepted":
        clause = Text.assemble((verdict["clause"], "bold cyan"), " ", verdict["text"])
        return Group(Text(f"REJECTED: {verdict['message']}", style="bold red"), clause)
    parts: list[RenderableType] = [Text("ACCEPTED", style="bold green")]
    for event in verdict.get("events", []):
        fields = {name: each for name, each in event.items() if name != "type"}
        parts.append(Text.assemble("  ", (event["type"], "cyan"), f" {json.dumps(fields, ensure_ascii=False)}"))
    if with_position and "position" in verdict:
        parts.append(Text(json.dumps(verdict["position"], indent=1, ensure_ascii=False)))
    return Group(*parts)


COMMANDS = {"audit": audit_command, "judge": judge}
