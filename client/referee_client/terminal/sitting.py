"""Before the first move: a free seat is taken, an invitation accepted, a seat given back by a bot."""

import secrets
from collections.abc import Mapping
from typing import Any

from referee_client.asynchronous_game import AsyncGame
from referee_client.problems import Problem
from referee_client.shapes import GameState
from referee_client.terminal.context import Context
from referee_client.terminal.faults import Fault
from referee_client.terminal.prompting import Asking
from referee_client.terminal.safe import clean

NONCE_BYTES = 16


async def sit_down(context: Context, game: AsyncGame, asking: Asking, sits: bool, code: str | None) -> GameState:
    """Sit down, or return to your seat, and return the game; raises Fault if you get no seat."""
    if code is not None:
        return await _sit(game, game.seat, code)
    wanted, game.seat = game.seat, None  # A seat that you do not hold yet cannot be looked from.
    state = await game.read()
    if state["seat"] is None:
        state = await _take_a_seat(context, game, asking, sits, wanted, state)
    game.seat = wanted
    own = state["seats"][state["seat"] or 0]
    if own.get("bot") and state["status"] == "running" and not own.get("resigned"):
        context.note(f"The bot {clean(own['bot'])} has taken over your seat: you return to it.", "yellow")
        await game.return_to_seat(own["seat"])
        state = await game.read()
    return state


async def _take_a_seat(
    context: Context, game: AsyncGame, asking: Asking, sits: bool, wanted: int | None, state: GameState
) -> GameState:
    free = [seat["seat"] for seat in state["seats"] if _is_free(seat)]
    if state["status"] != "waiting" or not free:
        raise Fault(f"You do not play in this game. `referee watch {game.id}` shows it.")
    seat = free[0] if wanted is None else wanted
    if not sits:
        if not asking.is_live:
            raise Fault(f"You do not play in this game, but seat {seat} is free: --sit takes it.")
        context.note(f"{clean(state['ruleset'])}: seat {seat} of {len(state['seats'])} is free.")
        if (await asking.line("Sit down? [Y/n] ") or "n").strip().lower() not in ("", "y", "yes"):
            raise Fault(f"You did not sit down. `referee watch {game.id}` shows the game.")
    return await _sit(game, seat)


async def _sit(game: AsyncGame, seat: int | None, code: str | None = None) -> GameState:
    """Take a seat with a nonce; with a seal, which you must come back to reveal, only where the table wants one."""
    try:
        return await game.sit(seat, nonce=secrets.token_hex(NONCE_BYTES), join_code=code)
    except Problem as problem:
        if problem.code != "seal-missing":
            raise
    return await game.sit(seat, join_code=code)


def _is_free(seat: Mapping[str, Any]) -> bool:
    return seat["accepted"] is False or (seat["player"] is None and not seat["bot"])
