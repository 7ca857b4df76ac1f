"""The transparency log: checkpoint, tiles and proofs, as C2SP's tlog-tiles names them, and the leaves of a game."""

from typing import Any

from flask import Blueprint, Response

from referee.api.context import caller, context, repository
from referee.api.routing import answer, endpoint
from referee.service.access import visible_game
from referee.service.log import PublicLog
from referee.service.problems import Problem
from schemas.log import ConsistencyQuery, LeafProof, LogKeys, LogLeaves, LogNotice

blueprint = Blueprint("log", __name__)

TEXT = "text/plain; charset=utf-8"
NEW = "public, max-age=5"
IMMUTABLE = "public, max-age=31536000, immutable"


def _log() -> PublicLog:
    return context().log


@endpoint(blueprint, "GET", "/log/checkpoint", answers={200: "Checkpoint"}, problems=(404,), media=("text/plain",))
def get_checkpoint() -> Response:
    """Read the newest checkpoint of the transparency log.

    It is a signed note: the origin, the number of leaves and the root of the tree, and the signature of the log.
    """
    return Response(_log().checkpoint(), content_type=TEXT, headers={"Cache-Control": NEW})


@blueprint.get("/log/tile/<path:tile>")
def get_tile(tile: str) -> Response:
    """Read a tile of the transparency log, under the paths of C2SP's tlog-tiles, such as `0/x001/234`.

    OpenAPI has no parameters with slashes, so this call is not in the document.
    """
    data = _log().tile(f"tile/{tile}")
    return Response(data, content_type="application/octet-stream", headers={"Cache-Control": IMMUTABLE})


@endpoint(
    blueprint,
    "GET",
    "/log/proof",
    query=ConsistencyQuery,
    answers={200: "ConsistencyProof"},
    problems=(404,),
    media=("text/plain",),
    cost=5,
)
def get_proof(query: dict[str, Any]) -> Response:
    """Prove that the log only grew.

    The answer has the hashes of a consistency proof from `old` to `size` leaves, in base64, one per line.
    """
    if query["old"] > query["size"]:
        raise Problem("invalid-request", "`old` must not be more than `size`.", errors={"old": ["More than `size`."]})
    lines = _log().consistency(query["old"], query["size"])
    return Response("".join(f"{line}\n" for line in lines), content_type=TEXT)


@endpoint(blueprint, "GET", "/log/keys", answers={200: "LogKeys"}, problems=(404,), cost=20)
def get_log_keys() -> Response:
    """Read the public keys of the transparency log and of receipts.

    Note them once: a checkpoint with the signature of another key is not of this log. When a key begins, ends or is
    revoked, the log says so; each such notice comes with a proof.
    """
    receipts = context().receipts
    notices = tuple([LogNotice(*each) for each in _log().notices()])
    return answer(LogKeys(_log().vkey(), None if receipts is None else receipts.vkey, notices))


@endpoint(blueprint, "GET", "/v1/games/<game_id>/log", answers={200: "LogLeaves"}, problems=(401,), cost=20)
def get_game_log(game_id: str) -> Response:
    """Read what the transparency log says about a game.

    Each leaf comes with a proof that it is in the newest checkpoint, as `c2sp.org/tlog-proof@v1`. The service logs a
    game within seconds; what has happened since is still missing.
    """
    game = visible_game(repository(), caller(), game_id)
    return answer(LogLeaves(tuple(LeafProof(*each) for each in _log().proofs(game.id))))
