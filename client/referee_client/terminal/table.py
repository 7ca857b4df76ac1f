"""`referee play`: the command."""

import asyncio
import sys

import click

from referee_client.patience import PASSING
from referee_client.problems import Problem, Unreachable
from referee_client.terminal.choices import GameId
from referee_client.terminal.context import Context
from referee_client.terminal.faults import DONE, SERVICE, Fault
from referee_client.terminal.options import Subcommand, patience_option
from referee_client.terminal.playing import Player
from referee_client.terminal.prompting import Asking, Piped, Prompt
from referee_client.terminal.sitting import sit_down

pass_context = click.make_pass_decorator(Context)


@click.command(cls=Subcommand)
@click.argument("game", required=False, type=GameId())
@click.option("--sit", is_flag=True, help="Take a free seat, or accept an invitation, without asking.")
@click.option("--join-code", help="The code of a private game, to take a seat there.")
@click.option("--seat", type=click.IntRange(min=0), help="The seat to take or, if you hold several, to play.")
@patience_option
@pass_context
def play(
    context: Context, game: str | None, sit: bool, join_code: str | None, seat: int | None, patience: float
) -> int:
    """Play a game: yours by its id, or the one that waits for you.

    You see the board, and your legal moves as sentences. Type the number of a move, or ? for help. What the others do
    appears as it happens. If standard input is not a terminal, its lines are read in place of what you would type; with
    --json the output is a line of JSON for the game, and for each commit with your legal moves.
    """
    sits = sit or join_code is not None
    return start(context, game or _waiting(context), seat, sits, join_code, patience)


def start(
    context: Context,
    id: str,
    seat: int | None = None,
    sits: bool = False,
    join_code: str | None = None,
    patience_s: float = 60,
) -> int:
    """Play a game until it is over or the player leaves; returns the exit status."""
    asking: Asking = Prompt() if sys.stdin.isatty() and sys.stdout.isatty() and not context.as_json else Piped()
    try:
        asyncio.run(_play(context, id, asking, seat, sits, join_code, patience_s))
    except (Problem, Unreachable) as error:
        if isinstance(error, Problem) and error.status not in PASSING:
            raise
        raise Fault(f"{error} The game is kept: `referee play {id}` goes on where you stopped.", SERVICE) from None
    return DONE


def _waiting(context: Context) -> str:
    """Return the game to play if none is named: one that waits for you, or else your newest that is not over."""
    with context.client(needs_key=True) as client:
        for game in client.games(awaiting=True, limit=1):
            return game["id"]
        for game in client.games(mine=True, limit=100):
            if game["status"] not in ("finished", "annulled"):
                return game["id"]
    raise Fault("No game of yours goes on. Create one: referee new --play")


async def _play(
    context: Context, id: str, asking: Asking, seat: int | None, sits: bool, code: str | None, patience_s: float
) -> None:
    async with context.async_client() as client:
        game = client.game(id, seat)
        with asking, context.links(id, client):
            state = await sit_down(context, game, asking, sits, code)
            await Player(context, game, client.links, asking, state, patience_s).play()


COMMANDS = {"play": play}
