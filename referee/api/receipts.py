"""Receipts: who asks for one with a move, and those for moves that the clock made."""

from typing import Any

from flask import Blueprint, Response

from referee.api.context import caller, context, repository
from referee.api.routing import answer, endpoint
from referee.kernel.seat import Seat
from referee.service.access import own_seat, visible_game
from referee.service.commits import Outcome
from referee.service.game import Game
from referee.service.moves import Expected
from referee.service.problems import Problem
from referee.service.receipts import Judged, Receipts, no_receipts
from referee.service.repository import Repository, now_ms
from referee.table.match import State
from schemas.games import SeatQuery
from schemas.log import SignedReceipt
from schemas.problems import PROBLEMS

blueprint = Blueprint("receipts", __name__, url_prefix="/v1")

PREFER = "Prefer"
APPLIED = ("Preference-Applied", "receipt")
COST = 2
"""The number of calls that a refused or repeated move with a receipt counts as: a signature is not free."""

DECIDED = (400, 409, 412, 422)
"""The statuses of refusals that are signed. With others nothing was decided, or the caller may not move at all."""


def wants_receipt(environ: dict[str, Any]) -> bool:
    """Whether a request has the preference `receipt` (RFC 7240)."""
    preferences: str | None = environ.get("HTTP_PREFER")
    return preferences is not None and any(
        each.partition(";")[0].strip().lower() == APPLIED[1] for each in preferences.split(",")
    )


class ReceiptRequest:
    """The receipt that a request asks for: the move, as soon as it is known, and what it was judged by."""

    def __init__(self, receipts: Receipts, repository: Repository) -> None:
        self._receipts = receipts
        self._repository = repository
        self._move: tuple[Game, Seat, bytes, int | None] | None = None
        self._judged_by: tuple[State, int] | None = None
        self.is_signed = False

    def begin(self, game: Game, seat: Seat, body: bytes, expected: Expected | None) -> None:
        """Note the move of somebody who holds the seat; before the start there is nothing to move in."""
        if game.is_started:
            self._move = (game, seat, body, None if expected is None else expected.version)

    def judge(self, state: State, at: int) -> None:
        """Note the state that judges the move, and the time; if it is judged again, the last time counts."""
        self._judged_by = (state, at)

    def accepted(self, outcome: Outcome) -> str | None:
        """The receipt for a move that is in the log; None: the service has no key now."""
        note = self._receipts.accepted(self._judged(), outcome)
        self.is_signed = note is not None
        return note

    def refused(self, problem: Problem) -> str | None:
        """The receipt for a move that is refused; None: nothing was decided about it, or there is no key."""
        if self._move is None or PROBLEMS[problem.code].status not in DECIDED:
            return None
        return self._receipts.refused(self._judged(), problem)

    def _judged(self) -> Judged:
        assert self._move is not None
        state, at = self._judged_by or (self._repository.known(self._move[0]), now_ms())
        return Judged(*self._move, state, max(at, state.at))


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>/receipts/<int:version>",
    query=SeatQuery,
    answers={200: "SignedReceipt"},
    scope="play",
    cost=COST,
)
def get_receipt(game_id: str, version: int, query: dict[str, Any]) -> Response:
    """Read the receipt for a move that the clock made for you.

    The version is that of the commit. For your own moves, ask with `Prefer: receipt` when you make them.
    """
    caller().require("play")
    game = visible_game(repository(), caller(), game_id)
    seat = own_seat(game, caller(), query.get("seat"))
    receipts = context().receipts
    if receipts is None:
        raise no_receipts()
    return answer(SignedReceipt(receipts.lapsed(repository(), game, seat, version)))
