"""The shapes of what is played: verdicts, games as they are seen, tables, commits."""

from collections.abc import Mapping

from referee.kernel.ruleset import Ruleset
from schemas.derive import prefix_of
from schemas.games import BOT_POLICIES, STATUSES
from schemas.shapes import (
    HASH,
    NEXT,
    SEAT,
    TIME,
    VERSION,
    Shape,
    any_of,
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

_REFEREE_MOVE = any_of(("AnyTrigger", "AnyMove"), "Its own move, or one that a seat may also make.")
_POSITION = {
    "position": ref("AnyPosition"),
    "awaited": array(ref("Decision"), "Who may move now."),
    "due": nullable(ref("DueInPosition"), "What the referee owes."),
}
JUDGE: Mapping[str, Shape] = {
    "Outcome": closed("Luck that entered.", {"point": string("The chance point."), "outcome": {}}),
    "DueInPosition": closed(
        "What the referee owes, at once or after some seconds.",
        {"move": _REFEREE_MOVE, "after_s": count("Seconds after the last commit.")},
    ),
    "Accepted": closed(
        "The rules accept the move.",
        {
            "verdict": word("accepted"),
            "events": array(ref("AnyEvent"), "What follows, hidden information included."),
            "chance": array(ref("Outcome"), "The luck that entered, forced or drawn."),
            **_POSITION,
        },
    ),
    "Rejected": closed(
        "The rules refuse the move.",
        {
            "verdict": word("rejected"),
            "message": string("Why."),
            "clause": string("The clause that refuses."),
            "text": string("The clause's words."),
            "clause_url": string("Where the clause is to be read."),
        },
    ),
    "Verdict": told_apart(
        "verdict", {"accepted": "Accepted", "rejected": "Rejected"}, "What the referee says to a move."
    ),
    "FreshPosition": closed("A position ready to be played.", {"seed": string("Gives it again."), **_POSITION}),
}
"""What the stateless referee says."""

_DEADLINES = array(ref("Deadline"), "Until when, earliest first; empty without a clock.")
_EXPECTATIONS: Mapping[str, Shape] = {
    "awaited": array(ref("Decision"), "Who may move now."),
    "deadlines": _DEADLINES,
    "due": nullable(ref("Due"), "What the referee owes, and when."),
}

_DECISION: Mapping[str, Shape] = {
    "seat": SEAT,
    "moves": array(string(), "The types of moves."),
    "obliged": boolean("False: the game goes on without it."),
    "not_before_s": count("The move is refused until so many seconds have passed since the last commit."),
    "not_before_clause": nullable(string(), "The clause that makes it wait."),
}

_PLAYER = closed("Who it is.", {"id": id_of("p"), "name": string(), "bot": boolean("Whether it is a bot account.")})
_HOLDER = {
    "seat": SEAT,
    "player": nullable(_PLAYER, "The player who holds the seat, or is invited to it."),
    "accepted": nullable(boolean(), "False: the player is invited and has not answered; null: no player."),
    "bot": nullable(string(), "The built-in bot that plays for the seat."),
    "nonce": string("What the seat added to the luck of the game."),
}
CLOCK: Mapping[str, Shape] = {
    "decision_s": count("Seconds for each decision."),
    "bank_s": count("Seconds for all decisions together, beyond the time of each."),
    "increment_s": count("What the bank gains when a seat has decided in time and the word passes on."),
    "lapses": count("With so many lapsed decisions in a row a seat is absent.", least=1),
    "on_absence": word("bot", "end"),
    "on_abandonment": word("adjudicate", "annul", "bots"),
}
TERMS: Mapping[str, Shape] = {
    "assigned": array(SEAT, "The seats that an admin gave to players without asking them."),
    "bots": array(nullable(string()), "By seat: the built-in bot that holds it."),
    "clock": nullable(ref("Clock"), "Null: everybody may think as long as they like."),
    "on_resignation": word("bot", "end"),
    "stand_in": string("The bot that plays on for a seat."),
    "undo": word("never", "free"),
    "table": count("The version of the rules of the table, clocks included."),
}
TABLES: Mapping[str, Shape] = {
    "Holder": closed("Who holds a seat.", _HOLDER),
    "SeatAtTable": closed(
        "A seat, and how it stands with it.",
        {
            **_HOLDER,
            "resigned": boolean("Whether it conceded."),
            "agreed": boolean("Whether it agrees to a pause or, during one, to its end."),
            "bank_ms": nullable(count(), "What is left in its bank; null: there is no clock."),
            "lapses": count("The decisions in a row for which its time ran out."),
        },
    ),
    "Clock": closed("How long a seat may think.", CLOCK),
    "Terms": closed("What was agreed before the first move; part of the header, so that nobody can change it.", TERMS),
    "Deadline": closed("When the time of a seat runs out.", {"at": TIME, "seat": SEAT}),
    "Games": closed("A page of games, newest first.", {"games": array(ref("GameSummary")), "next": NEXT}),
    "Decision": closed("A seat may make one of these types of moves.", _DECISION),
    "Due": closed("What the referee owes, and when.", {"move": _REFEREE_MOVE, "at": TIME}),
    "Place": closed(
        "A seat's place in the ranking.",
        {
            "seat": SEAT,
            "rank": count(least=1),
            "score": {"type": "integer"},
            "clause": string("The clause that puts it there."),
        },
    ),
    "Family": closed(
        "Moves of one type that are too many to list: trade offers, and every type with more than 1,000 candidates.",
        {
            "type": string(),
            "description": string(),
            "schema": json_schema("Not every move that fits is legal; `dry_run` tells."),
        },
    ),
    "LegalMoves": closed(
        "What a seat may do.",
        {
            "version": VERSION,
            "seat": SEAT,
            "moves": array(ref("AnyMove"), "Ready to be posted."),
            "families": array(ref("Family")),
            "default": nullable(ref("AnyMove"), "What is played for the seat when its time runs out."),
        },
    ),
    "DryRun": closed("The rules would accept the move.", {"verdict": word("accepted"), "version": VERSION}),
}
"""Who sits where, who is awaited, what may be done."""

ACTOR = {
    "description": "Who moved: a seat, the referee, or an admin.",
    "oneOf": [SEAT, word("referee", "admin")],
}
CAUSE = nullable({"type": "object"}, "Why a move was made for a seat: a bot, or a clock.")
_EVENTS = array(ref("AnyEvent"), "What followed, without what you may not know.")
COMMITS: Mapping[str, Shape] = {
    "MoveAnswer": closed("The move is in the log.", {"version": VERSION, "events": _EVENTS, **_EXPECTATIONS}),
    "Commit": closed(
        "One accepted move with its events.",
        {
            "version": described(VERSION, "Its place in the log: 1, 2, 3…"),
            "at": TIME,
            "actor": ACTOR,
            "cause": CAUSE,
            "move": nullable(ref("AnyMoveSeen"), "Null: you may not know it."),
            "events": _EVENTS,
            "deadlines": _DEADLINES,
            "hash": HASH,
        },
    ),
    "Events": closed(
        "A page of the log.",
        {
            "commits": array(ref("Commit")),
            "next": nullable(VERSION, "The `after` of the next page; null: none."),
        },
    ),
    "Awaiting": closed(
        "A message of your stream: a move is awaited from you, your consent is asked, a bot stands in for you, you are "
        "invited to a game, an invitation was withdrawn, a game has ended, or an admin has replaced your keys.",
        {
            "game": id_of("g"),
            "ruleset": string(),
            "version": VERSION,
            **_DECISION,
            "deadline": nullable(TIME, "When your time runs out; null: never."),
            "consent": word("pause", "resumption", description="What your consent is asked to."),
            "agreed": array(SEAT, "The seats whose players have agreed."),
            "bot": string("The built-in bot that stands in for the seat."),
            "by": described(_PLAYER, "The player who invites you."),
            "recovered_at": described(TIME, "When an admin last replaced all your keys."),
        },
        optional=(
            *("game", "ruleset", "version", *_DECISION),
            *("deadline", "consent", "agreed", "bot", "by", "recovered_at"),
        ),
    ),
}
"""What is in the log, and what is told of it."""


def summary_properties(slugs: list[str], options: Shape, holder: Shape) -> dict[str, Shape]:
    """What is public of a game whatever its position."""
    return {
        "id": id_of("g"),
        "ruleset": word(*slugs),
        "rules_version": string("The version of the rules that the game is played by."),
        "edition": described(HASH, "The hash of the edition's numbers."),
        "options": options,
        "status": word(*STATUSES),
        "reason": nullable(string(), "Why the game was annulled before it started; else null, and the log tells."),
        "version": VERSION,
        "visibility": word("public", "private"),
        "casual": boolean("Whether it began from a given position."),
        "bots": word(*BOT_POLICIES, description="Whether bots may, may not or must hold the seats."),
        "created_at": TIME,
        "commitment": described(HASH, "SHA-256 of the secret that the luck derives from, published at the end."),
        "terms": ref("Terms"),
        "seats": array(holder, "Who sits where."),
    }


def game_component(ruleset: Ruleset) -> Shape:
    """A game of one ruleset as its reader may see it."""
    prefix = prefix_of(ruleset)
    view = any_of((f"{prefix}View", f"{prefix}Position"), "What you may see; with `seat=all` the whole position.")
    return closed(
        f"A game of {ruleset.title} as you may see it.",
        {
            **summary_properties([ruleset.slug], ref(f"{prefix}Options"), ref("SeatAtTable")),
            "seat": nullable(SEAT, "Through whose eyes; null: a spectator's."),
            "view": view,
            **_EXPECTATIONS,
            "ranking": nullable(array(ref("Place")), "Null: the game has no result yet."),
            "join_code": nullable(string(), "In the answer to `POST /v1/games` only: what others need to sit down."),
        },
        optional=("join_code",),
    )
