"""`referee games` and `referee new`: lists of games, and new ones."""

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from referee_client import calls
from referee_client.problems import read_json
from referee_client.synchronous import Client
from referee_client.terminal.choices import Title
from referee_client.terminal.context import Context
from referee_client.terminal.faults import Fault
from referee_client.terminal.options import Subcommand
from referee_client.terminal.safe import cleaned

pass_context = click.make_pass_decorator(Context)

STATUSES = ("waiting", "revealing", "running", "paused", "finished", "annulled")
FREE = "free"
STYLES = {"running": "green", "waiting": "yellow", "paused": "yellow", "annulled": "red"}


@click.command(cls=Subcommand)
@click.argument("ruleset", required=False, type=Title())
@click.option("--all", "everybody", is_flag=True, help="Also games in which you do not play.")
@click.option("--open", "is_open", is_flag=True, help="Only tables with a free seat.")
@click.option("--mine", is_flag=True, help="Only your own games; the default if you are logged in.")
@click.option("--status", type=click.Choice(STATUSES), help="Only games with this status.")
@click.option(
    "-n", "--number", type=click.IntRange(1, 1000), default=20, show_default=True, help="At most this number."
)
@pass_context
def games(
    context: Context, ruleset: str | None, everybody: bool, is_open: bool, mine: bool, status: str | None, number: int
) -> None:
    """List games, newest first: yours, and with --all or --open those of everybody.

    \b
    Examples:
      referee games
      referee games TITLE --open
    """
    own = mine or (context.key is not None and not everybody and not is_open)
    filters = {"ruleset": ruleset, "status": "waiting" if is_open else status, "mine": own or None}
    with context.client(needs_key=mine) as client:
        found = list(islice(client.games(limit=min(number, 100), **filters), number))
        awaiting = _awaiting(client, found) if context.key is not None else set()
    if context.as_json:
        context.print_json({"games": found, "awaiting": sorted(awaiting)})
    elif found:
        context.out.print(_list([cleaned(game) for game in found], awaiting))
        if awaiting:
            context.note("* waits for you: referee play GAME")
    else:
        context.note("There are none. `referee new` creates one." if own else "There are none.")


def _awaiting(client: Client, found: Sequence[Any]) -> set[str]:
    """Return which of these games wait for you."""
    if not any(game["status"] == "running" for game in found):
        return set()
    return {game["id"] for game in islice(client.games(awaiting=True, limit=100), 100)}


def _list(found: Sequence[Mapping[str, Any]], awaiting: set[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("game", "title", "status", "players"):
        table.add_column(heading, no_wrap=heading != "players", overflow="fold")
    for game in found:
        mark = "*" if game["id"] in awaiting else " "
        status = Text(f"{mark}{game['status']}", style=STYLES.get(game["status"], ""))
        table.add_row(Text(game["id"]), Text(game["ruleset"]), status, Text(", ".join(names_of(game))))
    return table


def names_of(game: Mapping[str, Any]) -> list[str]:
    """Return the names of the holders of the seats; equal names get numbers, as in the sentences of the service."""
    called = [_holder(seat) for seat in game["seats"]]
    doubled = {name for name in called if called.count(name) > 1 and name != FREE}
    return [f"{name} {seat + 1}" if name in doubled else name for seat, name in enumerate(called)]


def free_seats(game: Mapping[str, Any]) -> int:
    """Return how many seats nobody holds yet."""
    return sum(_holder(seat) == FREE or seat.get("accepted") is False for seat in game["seats"])


def _holder(seat: Mapping[str, Any]) -> str:
    player, bot = seat.get("player"), seat.get("bot")
    if player:
        invited = " (invited)" if seat.get("accepted") is False else ""
        return f"{player['name']}{invited}{f' ({bot} plays)' if bot else ''}"
    return f"Bot {bot}" if bot else FREE


@click.command(cls=Subcommand)
@click.argument("ruleset", required=False, type=Title())
@click.option("--against", multiple=True, metavar="BOT", help="A built-in bot for the next seat; may be repeated.")
@click.option("--seats", help="All seats: me, open, a bot, or the id of a player; such as me,greedy,open.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the title; may be repeated."
)
@click.option("--edition", help="The numbers of the box to play with.")
@click.option("--clock", type=click.IntRange(min=1), metavar="SECONDS", help="The time for each decision.")
@click.option("--private", is_flag=True, help="Hide the game from others; they need its join code to sit down.")
@click.option("--undo", is_flag=True, help="Let players undo moves that drew no luck and revealed nothing.")
@click.option("--fresh", is_flag=True, help="Fresh luck: nobody can foresee a drawing before the move that makes it.")
@click.option("--play", is_flag=True, help="Play it at once.")
@pass_context
def new(
    context: Context,
    /,
    ruleset: str | None,
    against: tuple[str, ...],
    seats: str | None,
    options: tuple[str, ...],
    play: bool,
    **terms: Any,
) -> Any:
    """Create a game. Without --seats and --against you play against the bot greedy.

    \b
    Examples:
      referee new TITLE --play
      referee new TITLE --against random --against greedy --option expert=true
      referee new TITLE --seats me,open --clock 60
    """
    if ruleset is None:
        raise Fault("Which title? `referee rules` lists them; then `referee new TITLE --play`.")
    fields = _fields(options, terms)
    with context.client(needs_key=True) as client:
        wanted = seats.split(",") if seats else ["me", *(against or ["greedy"] * (_fewest(client, ruleset) - 1))]
        made = _create(context, client, ruleset, [_seat(each.strip()) for each in wanted], fields)
    if not play:
        context.answer(made, f"The game is {made['id']}.\nPlay it: referee play {made['id']}")
    if made["join_code"]:
        context.note(f"Others sit down with: referee play {made['id']} --join-code {made['join_code']}", "bold")
    if play:
        from referee_client.terminal.table import start

        return start(context, made["id"])


def _create(
    context: Context, client: Client, ruleset: str, seats: Sequence[Any], fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Create a game. Where luck is fresh you sit down afterwards, because a seal needs the id of the game."""
    if fields.get("luck") != "fresh":
        return dict(read_json(client.call(calls.create(ruleset, seats, fields))))
    opened = ["open" if seat == "me" else seat for seat in seats]
    made: dict[str, Any] = read_json(client.call(calls.create(ruleset, opened, fields)))
    with context.links(made["id"], client):
        for number, seat in enumerate(seats):
            if seat == "me":
                made |= client.game(made["id"]).sit(number, join_code=made["join_code"]) | {
                    "join_code": made["join_code"]
                }
    return made


def _fewest(client: Client, ruleset: str) -> int:
    """Return the fewest seats of a title, as the service knows it."""
    return int(client.ruleset(ruleset)["seats"]["min"])


def _seat(word: str) -> Any:
    if word in ("me", "open"):
        return word
    return {"player": word} if word.startswith("p_") else {"bot": word}


def _fields(options: Sequence[str], terms: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the request that the arguments ask for."""
    fields: dict[str, Any] = {"options": dict(_option(each) for each in options)}
    if terms["edition"]:
        fields["edition"] = terms["edition"]
    if terms["clock"]:
        fields["clock"] = {"decision_s": terms["clock"]}
    if terms["private"]:
        fields["visibility"] = "private"
    if terms["fresh"]:
        fields["luck"] = "fresh"
    if terms["undo"]:
        fields["undo"] = "free"
    return fields


def _option(text: str) -> tuple[str, Any]:
    """Read NAME=VALUE, where the value is JSON or else a word."""
    name, equals, value = text.partition("=")
    if not equals:
        raise Fault(f"An option has the form NAME=VALUE, such as expert=true; this is {text!r}.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


COMMANDS = {"games": games, "new": new}
