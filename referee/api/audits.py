"""The audit of a game, and its portable record."""

from flask import Blueprint, Response, stream_with_context

from referee.api.context import caller, context, repository
from referee.api.events import JSON_LINES
from referee.api.lasting import VARY, accepts_gzip, unless_known, zipped, zipped_lines
from referee.api.routing import answer, endpoint
from referee.kernel.canon import steady
from referee.service.access import OVER, visible_game
from referee.service.audits import audit_newest, record_lines, record_tag, require_over
from schemas.audits import PendingAudit

blueprint = Blueprint("audits", __name__, url_prefix="/v1")


PENDING = steady(PendingAudit())
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
    """Audit a game.

    While the game runs, the audit checks the header and the hash chain of at most the newest 1,000 commits. After the
    end it checks the luck and every move as well. A worker makes that audit once, when the game has ended; until it is
    done, the answer is 202 with `Retry-After`.
    """
    game = visible_game(repository(), caller(), game_id)
    stored = repository().log.audit(game.id)
    if stored is not None:
        return answer(stored)
    report = None if game.is_started and game.status in OVER else audit_newest(repository(), game)
    return answer(PENDING, 202, Retry_After=RETRY_AFTER_S) if report is None else answer(report)


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>/record",
    answers={200: "GameRecord", 304: ""},
    problems=(401, 409),
    headers=("If-None-Match",),
    gives=("Content-Disposition", "ETag"),
    media=(JSON_LINES,),
    cost=20,
)
def get_record(game_id: str) -> Response:
    """Read the portable record of a game.

    The game must be over. The offline audit proves the game from this record alone. The last lines are what the
    transparency log says about the game; they change with its newest checkpoint, and everything else only when a player
    or a text is erased.
    """
    game = visible_game(repository(), caller(), game_id)
    require_over(repository(), game)
    logged = context().log.of_record(game.id)
    lines, headers = record_lines(repository(), game, logged), {"Vary": VARY}
    if accepts_gzip():
        lines, headers["Content-Encoding"] = zipped_lines(lines), "gzip"
    response = Response(stream_with_context(lines), headers=headers, content_type=JSON_LINES)
    response.headers["Content-Disposition"] = f'attachment; filename="{game.id}.jsonl"'
    response.headers["Cache-Control"] = "private, no-cache"
    return unless_known(response, record_tag(repository(), game, logged))


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>/luck",
    answers={200: "Luck", 202: "PendingAudit"},
    problems=(401, 409),
    gives=("Retry-After",),
    cost=20,
)
def get_luck(game_id: str) -> Response:
    """Read every drawing of luck in a game.

    The game must be over. Each drawing has the numbers that it came from, so that you can make them again from the
    published secret, and its outcome. A worker makes the list together with the audit; until it is done, the answer is
    202 with `Retry-After`.
    """
    game = visible_game(repository(), caller(), game_id)
    require_over(repository(), game)
    luck = repository().log.luck(game.id)
    return answer(PENDING, 202, Retry_After=RETRY_AFTER_S) if luck is None else zipped(answer(luck))
