"""The audit of a game, and its portable record."""

from flask import Blueprint, Response, stream_with_context

from referee.api.context import caller, desk
from referee.api.events import JSON_LINES
from referee.api.games import require_over
from referee.api.routing import answer, endpoint
from referee.kernel.canon import steady
from referee.service.access import OVER, visible_game
from referee.service.audits import audit_newest, record_lines

blueprint = Blueprint("audits", __name__, url_prefix="/v1")


PENDING = steady({"verdict": "pending"})
RETRY_AFTER_S = "1"


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>/audit",
    answers={200: "Audit", 202: "PendingAudit"},
    problems=(401,),
    gives=("Retry-After",),
    cost=20,
)
def get_audit(game_id: str) -> Response:
    """Audit a game: while it runs the chain and the header, after the end the luck and every move as well.

    A worker audits a game once, when it has ended. Until that is done, the answer is 202 with `Retry-After`. While the
    game runs, at most the newest 1,000 commits are checked.
    """
    game = visible_game(desk(), caller(), game_id)
    kept = desk().log.audit(game.id)
    if kept is not None:
        return answer(kept)
    report = None if game.is_started and game.status in OVER else audit_newest(desk(), game)
    return answer(PENDING, 202, Retry_After=RETRY_AFTER_S) if report is None else answer(report)


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>/record",
    answers={200: "Record"},
    problems=(401, 409),
    gives=("Content-Disposition",),
    media=(JSON_LINES,),
    cost=20,
)
def get_record(game_id: str) -> Response:
    """Read the portable record of a game that is over: what the offline audit proves."""
    game = visible_game(desk(), caller(), game_id)
    require_over(game, desk().newest(game))
    response = Response(stream_with_context(record_lines(desk(), game)), content_type=JSON_LINES)
    response.headers["Content-Disposition"] = f'attachment; filename="{game.id}.jsonl"'
    return response
