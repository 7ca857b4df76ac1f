"""Examples of requests and answers; positions, moves and verdicts come from the rulesets themselves."""

from functools import cache
from typing import Any

import msgspec

from referee.kernel.chance import Seeded
from referee.kernel.judge import Accepted, judge, refusal, set_up
from referee.kernel.message import tag
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets import LATEST
from schemas.problems import PROBLEMS

Examples = dict[str, dict[str, Any]]

SEED = "example"
GAME = "g_0123456789abcdef01234567"
PLAYER = "p_0123456789abcdef01234567"
KEY = "k_0123456789abcdef01234567fedcba9876543210"


def _problem(code: str, detail: str, **members: Any) -> dict[str, Any]:
    status, title = PROBLEMS[code]
    base = {"type": f"/problems/{code}", "title": title, "status": status, "code": code, "detail": detail}
    return {**base, "request_id": "6f1ed002ab559585", **members}


@cache
def problem_examples() -> dict[int, dict[str, Any]]:
    """One problem for each status."""
    available = "Available are application/json, application/jsonl and text/event-stream."
    examples = (
        _problem("bad-json", "Input data was truncated."),
        _problem("key-unknown", "The API key is unknown or was revoked."),
        _problem("not-your-seat", "You hold no seat in this game."),
        _problem("unknown-game", "There is no such game, or you may not see it."),
        _problem("not-acceptable", available),
        _problem("body-too-slow", "The body must arrive within 30 seconds."),
        _problem("stale-version", "The game is at version 43.", version=43),
        _problem("if-match-failed", "The game is at version 43.", version=43),
        _problem("body-too-large", "A body may have at most 262144 bytes."),
        _problem("content-type", "Expected application/json."),
        _refusal(next(iter(LATEST.values()))),
        _problem("rate-limited", "At most 30000 calls in 60 seconds (player).", retry_after=17),
        _problem("internal", "This should not have happened. The operator's log has the details."),
        _problem("unavailable", "The log cannot be reached. Try again."),
    )
    return {example["status"]: example for example in examples}


def _refusal(ruleset: Ruleset) -> dict[str, Any]:
    """The refusal of a move that the rules do not know."""
    position, seat, _ = _opening(ruleset)
    rejection = refusal(ruleset, position, seat, ruleset.read_move({"type": "castle"}))
    assert rejection is not None
    return _problem(
        "move-refused",
        rejection.message,
        clause=rejection.clause,
        text=ruleset.rulebook.text(rejection.clause),
        clause_url=f"/v1/rulesets/{ruleset.slug}/clauses/{rejection.clause}",
    )


@cache
def examples() -> dict[str, Examples]:
    """Examples by the name of the component that they are examples of."""
    rulesets = tuple(LATEST.values())
    first = rulesets[0]
    return {
        "NewPlayer": _one({"name": "ada"}),
        "NewKey": _one({"scopes": ["watch"], "label": "my phone", "expires_at": "2099-01-31T12:00:00Z"}),
        "NewGame": {
            "against a bot": {"value": {"ruleset": first.slug, "options": {}, "seats": ["me", {"bot": "random"}]}},
            "with an open seat": {"value": {"ruleset": first.slug, "seats": ["me", "open"], "nonce": "heads"}},
        },
        "NewSeat": _one({"seat": 1, "nonce": "tails"}),
        "Reveal": _one({"link": "7" * 64}),
        "NewSeal": _one({"seal": "7" * 64}),
        "Agreement": _one({"agreed": True}),
        "Administration": _one({"action": "pause", "reason": "A player is ill."}),
        "PostedMove": {ruleset.slug: {"value": _opening(ruleset)[2]} for ruleset in rulesets},
        "JudgeRequest": _one(_question(first)),
        "LegalRequest": _one({"position": _question(first)["position"], "seat": _question(first)["actor"]}),
        "Verdict": _one(_verdict(first)),
        "PositionRequest": _one({"options": {}, "seats": first.seats.start, "seed": SEED}),
        "NewPlayerAnswer": _one(
            {
                "player": {"id": PLAYER, "name": "ada", "bot": False},
                "key": f"rk_{KEY}_{'5' * 48}",
                "key_id": KEY,
            }
        ),
        "DryRun": _one({"verdict": "accepted", "version": 42}),
    }


def _one(value: Any) -> Examples:
    return {"example": {"value": value}}


def _opening(ruleset: Ruleset) -> tuple[Any, Seat, dict[str, Any]]:
    """A fresh position, the first seat that may move, and a move that it may make."""
    position = set_up(ruleset, ruleset.variants[0], ruleset.seats.start, Seeded(SEED))
    seat = ruleset.awaited(position)[0].seat
    return position, seat, msgspec.to_builtins(ruleset.default(position, seat))


def _question(ruleset: Ruleset) -> dict[str, Any]:
    position, seat, move = _opening(ruleset)
    return {"position": msgspec.to_builtins(position), "actor": seat, "move": move}


def _verdict(ruleset: Ruleset) -> dict[str, Any]:
    """The judge's answer to the question."""
    position, seat, move = _opening(ruleset)
    verdict = judge(ruleset, position, seat, ruleset.read_move(move), otherwise=Seeded(SEED))
    assert isinstance(verdict, Accepted), tag(ruleset.default(position, seat))
    after = verdict.position
    told: dict[str, Any] = msgspec.to_builtins(
        {
            "verdict": "accepted",
            "events": verdict.events,
            "chance": [{"point": point, "outcome": outcome} for point, outcome in verdict.drawn],
            "position": after,
            "awaited": ruleset.awaited(after),
            "due": ruleset.due(after),
        }
    )
    return told
