"""A whole game, played with the package that openapi-python-client generates."""

from importlib import import_module
from typing import Any

RULESET = "hund-und-katz"


def play(url: str) -> Any:
    """The finished game of a new player against a bot."""
    package = import_module("generated_client")
    models = import_module("generated_client.models")
    ada = call("players.create_player", package.Client(url), body=models.NewPlayer(name="ada"))
    client = package.AuthenticatedClient(url, ada.key)
    seats = [models.SeatKeyword.ME, models.BotSeat(bot="random")]
    id = call("games.create_game", client, body=models.NewGame(ruleset=RULESET, seats=seats)).id
    while (game := call("games.get_game", client, id)).status != "finished":
        if any(decision.seat == 0 for decision in game.awaited):
            moves = call("games.get_legal_moves", client, id).moves
            call("moves.submit_move", client, id, body=moves[game.version % len(moves)])
        else:
            call("events.get_events", client, id, after=game.version, wait=10, limit=1)
    return game


def call(name: str, client: Any, *path: str, **arguments: Any) -> Any:
    """The answer to a call; a problem fails the test."""
    module = import_module(f"generated_client.api.{name}")
    answer = module.sync_detailed(*path, client=client, **arguments)
    assert answer.status_code < 400, answer.content
    return answer.parsed
