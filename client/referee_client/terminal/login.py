"""`referee login` and `referee logout`."""

import getpass
import sys
from urllib.parse import urlsplit

import click

from referee_client.terminal.context import Context
from referee_client.terminal.faults import Fault
from referee_client.terminal.options import Subcommand
from referee_client.terminal.safe import cleaned

pass_context = click.make_pass_decorator(Context)


@click.command(cls=Subcommand)
@click.option("--name", help="Create a new player of this name, instead of asking for a key.")
@pass_context
def login(context: Context, name: str | None) -> None:
    """Log in to a service with your key, or as a new player.

    The key goes into a file that only you can read. If standard input is not a terminal, its first line is the key.

    \b
    Examples:
      referee login --name ada
      referee login --url https://games.example.org
      referee login --key-file key
    """
    warn_of_open_connections(context)
    if name is None and context.key_file is None:
        key = _ask_for_key(context)
        name = _ask_for_name() if not key else None
    else:
        key = "" if name is not None else context.key or ""
    accounts = context.accounts  # Read before a player is created, whose key could not be kept in a damaged file.
    if name:
        with context.connect(None) as client:
            key = client.new_player(name)["key"]
    with context.connect(key) as client:
        player = cleaned(client.me()["player"])
    accounts.add(context.url, key, player["name"])
    context.answer({"url": context.url, "player": player}, f"You are logged in at {context.url} as {player['name']}.")
    context.note("Now: referee new TITLE --play. `referee rules` lists the titles.")


def _ask_for_key(context: Context) -> str:
    if not sys.stdin.isatty():
        key = sys.stdin.readline().strip()
        if not key:
            raise Fault("The first line of the input must be your key. `--name NAME` creates a new player instead.")
        return key
    context.note(f"Your key at {context.url} is not shown while you paste it. Press Enter alone if you have none.")
    return getpass.getpass("Key: ").strip()


def _ask_for_name() -> str:
    return str(click.prompt("A name for a new player")).strip()


def warn_of_open_connections(context: Context) -> None:
    """Warn a person whose key would cross a network unencrypted."""
    parts = urlsplit(context.url)
    if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        context.err.print("Careful: http:// is not encrypted, so others on the way can read your key.", style="yellow")


@click.command(cls=Subcommand)
@pass_context
def logout(context: Context) -> None:
    """Forget your key at a service. The key stays valid; see `DELETE /v1/keys/{id}` for revoking it."""
    if not context.accounts.remove(context.url):
        raise Fault(f"You are not logged in at {context.url}.")
    context.answer({"url": context.url}, f"Your key at {context.url} is forgotten.")


COMMANDS = {"login": login, "logout": logout}
