"""The shapes of answers: everything that a status of a call names, and its parts."""

from collections.abc import Iterable, Mapping

from referee.kernel.ruleset import Ruleset
from schemas.audits import AUDITS
from schemas.derive import prefix_of
from schemas.play import COMMITS, JUDGE, TABLES, game_component, summary_properties
from schemas.players import SCOPES
from schemas.shapes import (
    HASH,
    TIME,
    VERSION,
    Shape,
    array,
    boolean,
    closed,
    count,
    described,
    id_of,
    json_schema,
    nullable,
    ref,
    string,
    told_apart,
    word,
)

_CLAUSE = {
    "id": string(),
    "kind": word("clause", "ruling"),
    "section": string("The heading that it stands under."),
    "text": string("Its words, in Markdown."),
}

_SCOPES = array(word(*SCOPES), "What the key is good for.")
_TEXT = string("The key itself: shown only now.", pattern="^rk_k_[0-9a-f]{40}_[0-9a-f]{48}$")
_KEY_ID = string(pattern="^k_[0-9a-f]{40}$")
_PARENT = nullable(_KEY_ID, "The key that made it, and is revoked together with it; null: your first key.")
_EXPIRY = nullable(TIME, "Null: never.")
_KEY = {
    "id": _KEY_ID,
    "player": id_of("p"),
    "scopes": _SCOPES,
    "label": string(),
    "created_at": TIME,
    "expires_at": _EXPIRY,
    "parent": _PARENT,
}
PLAYERS: Mapping[str, Shape] = {
    "Player": closed(
        "Somebody who plays, watches or audits.",
        {"id": id_of("p"), "name": string(), "bot": boolean("Whether a program plays under this name.")},
    ),
    "NewPlayerAnswer": closed(
        "The new player and its first key.", {"player": ref("Player"), "key": _TEXT, "key_id": _KEY_ID}
    ),
    "Me": closed(
        "Who you are.",
        {
            "player": ref("Player"),
            "key": closed(
                "The key you call with.",
                {"id": _KEY_ID, "scopes": _SCOPES, "parent": _PARENT, "expires_at": _EXPIRY},
            ),
            "recovered_at": nullable(TIME, "When an admin last replaced all your keys; null: never."),
            "quotas": closed(
                "How much of everything you have, and may have.",
                {
                    "open_games": described(ref("Use"), "Games created by you that wait, run or are paused."),
                    "bot_games": described(ref("Use"), "Those of them in which built-in bots have seats."),
                    "keys": described(ref("Use"), "Your keys."),
                },
            ),
        },
    ),
    "Use": closed(
        "How much of something you have.",
        {"used": count("What you have."), "most": nullable(count(), "What you may have; null: there is no limit.")},
    ),
    "Key": closed("A key, without the key itself.", _KEY),
    "NewKeyAnswer": closed("The new key.", {**_KEY, "key": _TEXT}),
    "Keys": closed("Your keys, oldest first.", {"keys": array(ref("Key"))}),
}
"""Who you are."""


def answer_components(rulesets: Iterable[Ruleset], problems: Mapping[str, str]) -> dict[str, Shape]:
    """Every component that an answer consists of. `problems` are the codes with their titles."""
    rulesets = tuple(rulesets)
    slugs = [ruleset.slug for ruleset in rulesets]
    summary = summary_properties(slugs, ref("AnyOptions"), ref("Holder"))
    games = {f"{prefix_of(ruleset)}Game": game_component(ruleset) for ruleset in rulesets}
    return {
        "Problem": _problem(problems),
        "ProblemKind": closed("What a problem's code means.", {"code": word(*problems), "title": string()}),
        **PLAYERS,
        **_titles(slugs),
        **_bots(slugs),
        **JUDGE,
        "GameSummary": closed("A game without its position.", summary),
        **games,
        "Game": told_apart("ruleset", dict(zip(slugs, games, strict=True)), "A game as you may see it."),
        **TABLES,
        **COMMITS,
        **AUDITS,
        "OpenApi": {
            "type": "object",
            "description": "An OpenAPI document.",
            "properties": {"openapi": word("3.1.0")},
            "required": ["openapi", "info", "paths", "components"],
        },
        "Health": closed(
            "How the service is.",
            {"status": word("alive", "ready"), "rulesets": array(word(*slugs), "The titles that can be played.")},
            optional=("rulesets",),
        ),
    }


_OF_SOME_PROBLEMS = (
    *("clause", "text", "clause_url", "errors", "version", "version_at", "point", "scope", "retry_after"),
    "violated-policies",
)


def _problem(problems: Mapping[str, str]) -> Shape:
    codes = word(*problems, description="What went wrong; stable.")
    return closed(
        "A problem (RFC 9457).",
        {
            "type": string("Where the code is explained.", pattern="^/problems/[a-z-]+$"),
            "title": word(*dict.fromkeys(problems.values()), description="The code in words."),
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "code": {**codes, "x-enum-descriptions": list(problems.values())},
            "detail": string("What went wrong here."),
            "request_id": string("By which the log knows the request.", pattern=r"^[\w.-]{1,64}$"),
            "clause": string("The clause that refuses."),
            "text": string("The clause's words."),
            "clause_url": string("Where the clause is to be read."),
            "errors": {
                "type": "object",
                "description": "What is wrong with each field.",
                "additionalProperties": {"anyOf": [array(string()), {"type": "object"}]},
            },
            "version": described(VERSION, "The version that the game is at."),
            "version_at": described(TIME, "When that version was made."),
            "point": string("The chance point whose forced outcome cannot be."),
            "scope": word(*SCOPES, description="The scope that the key lacks."),
            "retry_after": count("Seconds to wait before trying again."),
            "violated-policies": array(string(), "The limits that are exceeded, as `RateLimit-Policy` names them."),
        },
        optional=_OF_SOME_PROBLEMS,
    )


def _titles(slugs: list[str]) -> dict[str, Shape]:
    title = {
        "slug": word(*slugs),
        "title": string(),
        "version": string("The version of the rules that new games are played by."),
        "seats": closed("How many may play.", {"min": count(), "max": count()}),
        "edition": described(HASH, "The hash of the edition's numbers."),
        "url": string("Where the ruleset is to be read."),
    }
    return {
        "Title": closed("A ruleset in short.", title),
        "Rulesets": closed("The titles that can be played.", {"rulesets": array(ref("Title"))}),
        "ClauseText": closed("A clause or ruling.", _CLAUSE),
        "Clause": closed(
            "A clause or ruling, and what shows it.",
            {**_CLAUSE, "ruleset": word(*slugs), "tests": array(string(), "The tests that show it.")},
        ),
        "MessageType": closed(
            "A type of moves or events.",
            {"type": string(), "description": string(), "schema": json_schema("Its JSON Schema.")},
        ),
        "Ruleset": closed(
            "Everything about a ruleset.",
            {
                **title,
                "options": json_schema("The JSON Schema of the options."),
                "default_options": json_schema("The options that a game has if none are given."),
                "clauses": array(ref("ClauseText")),
                "rulings": array(ref("ClauseText")),
                "edition_data": json_schema("The numbers of the box."),
                "moves": array(ref("MessageType"), "What seats do."),
                "triggers": array(ref("MessageType"), "What the referee does."),
                "events": array(ref("MessageType"), "What can follow."),
                "position": json_schema("The JSON Schema of a complete position."),
                "view": json_schema("The JSON Schema of what one seat or a spectator may see."),
            },
        ),
    }


def _bots(slugs: list[str]) -> dict[str, Shape]:
    return {
        "Bots": closed("The built-in bots.", {"bots": array(ref("Bot"))}),
        "Bot": closed(
            "A built-in bot: a holder of seats like any other.",
            {
                "name": string("As a seat of a new game names it."),
                "version": string("As the `cause` of its moves names it."),
                "description": string("What it does."),
                "rulesets": array(word(*slugs), "What it plays."),
            },
        ),
    }
