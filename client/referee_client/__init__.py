"""A client of the board game service referee: `Client` for ordinary programs, `AsyncClient` for asyncio."""

from referee_client.asynchronous import AsyncClient
from referee_client.asynchronous_game import AsyncGame
from referee_client.luck import Links, LinkWithheld
from referee_client.problems import Problem, RefereeError, Refused, Unauthorized, Unreachable
from referee_client.shapes import (
    Answer,
    Audit,
    Commit,
    Decision,
    GameState,
    GameSummary,
    LegalMoves,
    Message,
    Move,
    NewPlayer,
    Verdict,
)
from referee_client.synchronous import Client
from referee_client.synchronous_game import Game

__all__ = [
    "Answer",
    "AsyncClient",
    "AsyncGame",
    "Audit",
    "Client",
    "Commit",
    "Decision",
    "Game",
    "GameState",
    "GameSummary",
    "LegalMoves",
    "LinkWithheld",
    "Links",
    "Message",
    "Move",
    "NewPlayer",
    "Problem",
    "RefereeError",
    "Refused",
    "Unauthorized",
    "Unreachable",
    "Verdict",
]
