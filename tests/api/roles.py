"""The status that each role gets from each call; a document shows this table."""

from dataclasses import dataclass
from typing import Any

ROLES = ("nobody", "stranger", "spectator", "seat", "watcher", "auditor", "admin", "expired", "revoked")
"""Callers without a key; a player of another game, with a key that plays or one that only watches; the player of a
seat, with a key that plays or one that only watches; an auditor and an admin without a seat; an expired
and a revoked key."""

Statuses = dict[str, int]


@dataclass(frozen=True)
class Row:
    """A request, and the status of its answer by role."""

    call: str
    method: str
    path: str
    statuses: Statuses
    body: Any = None
    note: str = ""


MOVE = {"type": "take_cards", "faction": "mafia", "count": 0}
NEW_GAME = {"ruleset": "catham-city", "seats": ["open", "open"]}
TABLE = {"ruleset": "catham-city", "phase": "setup", "options": {}, "seats": [{}, {}]}
QUESTION = {"position": TABLE, "actor": "referee", "move": {"type": "set_up"}}

ENDED = {"expired": 401, "revoked": 401}
KEYLESS = dict.fromkeys(ROLES, 200)
PUBLIC = KEYLESS | ENDED
PRIVATE = PUBLIC | {"nobody": 404, "stranger": 404, "spectator": 404}
KEYED = PUBLIC | {"nobody": 401}
WATCHING = KEYED | {"auditor": 403}
SCOPELESS = {"spectator": 403, "watcher": 403, "auditor": 403}
PLAYING = KEYED | SCOPELESS


def but(statuses: Statuses, found: int, **others: int) -> Statuses:
    """Return the statuses with another one for roles that are let in, and for the named roles."""
    return {role: found if status == 200 else status for role, status in statuses.items()} | others


OUTSIDE = {"stranger": 403, "admin": 403}

ROWS = (
    Row("list_rulesets", "GET", "/v1/rulesets", KEYLESS),
    Row("list_bots", "GET", "/v1/bots", KEYLESS),
    Row("get_ruleset", "GET", "/v1/rulesets/catham-city", KEYLESS),
    Row("get_clause", "GET", "/v1/rulesets/catham-city/clauses/CC-1", KEYLESS),
    Row("get_edition", "GET", "/v1/rulesets/catham-city/editions/{edition}", KEYLESS),
    Row("judge", "POST", "/v1/rulesets/catham-city/judge", KEYLESS, QUESTION),
    Row(
        "list_legal_moves",
        "POST",
        "/v1/rulesets/catham-city/legal-moves",
        KEYED,
        {"position": TABLE, "seat": 0},
    ),
    Row("fresh_position", "POST", "/v1/rulesets/catham-city/positions", KEYLESS, {"seats": 2}),
    Row("create_player", "POST", "/v1/players", but(PUBLIC, 201), {"name": "eve"}, "if registration is open"),
    Row(
        "create_player",
        "POST",
        "/v1/players",
        but(KEYED, 403),
        {"name": "eve", "scopes": ["audit"]},
        "with the scope `audit`; no key here is an admin's first key",
    ),
    Row("get_player", "GET", "/v1/players/{player}", KEYLESS),
    Row("recover_player", "POST", "/v1/players/{player}/recovery", but(KEYED, 403, admin=201), note="somebody else"),
    Row("get_me", "GET", "/v1/me", KEYED),
    Row("create_key", "POST", "/v1/keys", but(PLAYING, 201), {"scopes": ["play"]}, "with the scope `play`"),
    Row("create_key", "POST", "/v1/keys", but(WATCHING, 201), {"scopes": ["watch"]}, "with the scope `watch`"),
    Row(
        "create_key",
        "POST",
        "/v1/keys",
        but(KEYED, 403, auditor=201, admin=201),
        {"scopes": ["audit"]},
        "with the scope `audit`",
    ),
    Row("create_key", "POST", "/v1/keys", but(KEYED, 403, admin=201), {"scopes": ["admin"]}, "with the scope `admin`"),
    Row("list_keys", "GET", "/v1/keys", KEYED),
    Row("revoke_key", "DELETE", "/v1/keys/{key}", but(KEYED, 404), note="somebody else's"),
    Row("create_game", "POST", "/v1/games", but(PLAYING, 201), NEW_GAME),
    Row("list_games", "GET", "/v1/games", PUBLIC),
    Row("list_games", "GET", "/v1/games?mine=true", WATCHING),
    Row("list_games", "GET", "/v1/games?awaiting=true", WATCHING),
    Row("get_game", "GET", "/v1/games/{public}", PUBLIC),
    Row("get_game", "GET", "/v1/games/{private}", PRIVATE, note="private"),
    Row(
        "get_game", "GET", "/v1/games/{public}?seat=1", but(PUBLIC, 403, seat=200, watcher=200), note="the seat's view"
    ),
    Row("get_game", "GET", "/v1/games/{public}?seat=all", but(PUBLIC, 403), note="everything, while it runs"),
    Row("get_game", "GET", "/v1/games/{over}?seat=all", PUBLIC, note="everything, after the end"),
    Row("withdraw_game", "DELETE", "/v1/games/{waiting}", but(PLAYING, 403), note="somebody else's"),
    Row("sit_down", "POST", "/v1/games/{waiting}/seats", but(PLAYING, 422), {"seat": 9}, "no such seat"),
    Row(
        "reveal",
        "POST",
        "/v1/games/{waiting}/seats/0/reveal",
        but(PLAYING, 403),
        {"link": "7" * 64},
        "another seat",
    ),
    Row("sit_down", "POST", "/v1/games/{hidden}/seats", but(PLAYING, 404, seat=422), {"seat": 9}, "private"),
    Row("leave_seat", "DELETE", "/v1/games/{waiting}/seats/0", but(PLAYING, 403), note="not theirs"),
    Row("leave_seat", "DELETE", "/v1/games/{public}/seats/0", but(PLAYING, 403, seat=409), note="too late"),
    Row("get_legal_moves", "GET", "/v1/games/{public}/legal-moves", WATCHING | OUTSIDE | {"spectator": 403}),
    Row(
        "get_legal_moves",
        "GET",
        "/v1/games/{private}/legal-moves",
        WATCHING | {"stranger": 404, "spectator": 404, "admin": 403},
        note="private",
    ),
    Row("submit_move", "POST", "/v1/games/{public}/moves", but(PLAYING, 422) | OUTSIDE, MOVE, "against the rules"),
    Row("submit_move", "POST", "/v1/games/{public}/moves?dry_run=true", but(PLAYING, 422) | OUTSIDE, MOVE),
    Row(
        "submit_move",
        "POST",
        "/v1/games/{private}/moves",
        but(PLAYING, 422) | OUTSIDE | {"stranger": 404},
        MOVE,
        "private",
    ),
    Row("resign", "POST", "/v1/games/{over}/resignation", but(PLAYING, 409) | OUTSIDE, note="after the end"),
    Row(
        "return_to_seat",
        "POST",
        "/v1/games/{public}/seats/0/return",
        but(PLAYING, 409) | OUTSIDE,
        note="no bot has taken over",
    ),
    Row("undo", "POST", "/v1/games/{public}/undo", but(PLAYING, 409) | OUTSIDE, note="the terms do not allow it"),
    Row("agree_to_pause", "POST", "/v1/games/{over}/pause", but(PLAYING, 409) | OUTSIDE, {}, "after the end"),
    Row("agree_to_resume", "POST", "/v1/games/{public}/resumption", but(PLAYING, 409) | OUTSIDE, {}, "it runs"),
    Row(
        "administer",
        "POST",
        "/v1/games/{public}/administration",
        but(KEYED, 403, admin=409),
        {"action": "resume", "reason": "why not"},
        "it runs",
    ),
    Row("get_events", "GET", "/v1/games/{public}/events", PUBLIC),
    Row("get_events", "GET", "/v1/games/{private}/events", PRIVATE, note="private"),
    Row("get_my_events", "GET", "/v1/me/events", PLAYING),
    Row("get_audit", "GET", "/v1/games/{public}/audit", PUBLIC),
    Row("get_audit", "GET", "/v1/games/{private}/audit", PRIVATE, note="private"),
    Row("get_record", "GET", "/v1/games/{over}/record", PUBLIC),
    Row("get_record", "GET", "/v1/games/{public}/record", but(PUBLIC, 409), note="while it runs"),
    Row("get_luck", "GET", "/v1/games/{over}/luck", PUBLIC),
    Row("get_luck", "GET", "/v1/games/{public}/luck", but(PUBLIC, 409), note="while it runs"),
    Row(
        "get_receipt", "GET", "/v1/games/{public}/receipts/1", but(PLAYING, 404, **OUTSIDE), note="none is signed here"
    ),
    Row("get_game_log", "GET", "/v1/games/{public}/log", PUBLIC),
    Row("get_game_log", "GET", "/v1/games/{private}/log", PRIVATE, note="private"),
    Row("get_checkpoint", "GET", "/log/checkpoint", but(KEYLESS, 404), note="no log is kept here"),
    Row("get_proof", "GET", "/log/proof?old=0&size=0", but(KEYLESS, 404), note="no log is kept here"),
    Row("get_log_keys", "GET", "/log/keys", but(KEYLESS, 404), note="no log is kept here"),
    Row("get_health", "GET", "/healthz", KEYLESS),
    Row("get_readiness", "GET", "/readyz", KEYLESS),
    Row("get_metrics", "GET", "/metrics", KEYLESS),
    Row("get_problem", "GET", "/problems/internal", KEYLESS),
    Row("get_openapi", "GET", "/openapi.json", KEYLESS),
    Row("get_docs", "GET", "/docs", KEYLESS),
    Row("erase_player", "DELETE", "/v1/players/{player}", but(KEYED, 403, admin=202), note="somebody else"),
)
