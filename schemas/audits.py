"""The shapes of audits and of portable records."""

from collections.abc import Mapping

from schemas.play import ACTOR, CAUSE
from schemas.shapes import (
    HASH,
    TIME,
    VERSION,
    Shape,
    any_of,
    array,
    closed,
    described,
    id_of,
    nullable,
    ref,
    string,
    word,
)

AUDITS: Mapping[str, Shape] = {
    "Check": closed(
        "One thing that an audit looks at.",
        {
            "name": string(),
            "passed": {"type": ["boolean", "null"], "description": "Null: it cannot be told, or not yet."},
            "detail": string("What was found."),
        },
    ),
    "Audit": closed(
        "What can be proved of a game.",
        {
            "verdict": word(
                *("proved", "failed", "running", "unavailable"),
                description="`running`: the game is not over. `unavailable`: it is, but its audit could not be made.",
            ),
            "checks": array(ref("Check"), "Empty if the audit could not be made."),
            "first_bad_version": nullable(VERSION, "The first commit that does not follow; 0 is the header."),
            "reason": string("Why the audit could not be made; only if it is `unavailable`."),
        },
        optional=("reason",),
    ),
    "PendingAudit": closed(
        "The game is over, and a worker is about to audit it: ask again.", {"verdict": word("pending")}
    ),
    "RecordHeader": closed(
        "What is fixed when a game starts; its hash is where the chain begins.",
        {
            "commitment": described(HASH, "SHA-256 of the secret."),
            "edition": described(HASH, "The hash of the edition's numbers."),
            "game": id_of("g"),
            "nonces": array(string(), "By seat; empty where a seat gave none."),
            "options": ref("AnyOptions"),
            "position": nullable(
                ref("AnyPosition"), "The start position of a casual game, as the rules write it; else null."
            ),
            "ruleset": string(),
            "version": string("The version of the rules."),
            "format": word("referee/1"),
            "terms": ref("Terms"),
        },
        optional=("terms",),
    ),
    "RecordCommit": closed(
        "A commit, whole.",
        {
            "actor": ACTOR,
            "at": TIME,
            "cause": CAUSE,
            "events": array(ref("AnyEvent")),
            "move": any_of(("AnyMove", "AnyTrigger", "TableMove"), "What was asked for."),
            "prev": described(HASH, "The hash before it."),
            "salt": described(HASH, "What blinds its hash."),
            "version": VERSION,
            "deadlines": array(ref("Deadline"), "Until when who is awaited after it may think; only with a clock."),
        },
        optional=("deadlines",),
    ),
    "RecordSecret": closed(
        "What the luck of the game came from.",
        {"salt": described(HASH, "32 bytes."), "seed": described(HASH, "32 bytes.")},
    ),
    "RecordFirstLine": closed("The first line of a record.", {"header": ref("RecordHeader")}),
    "RecordCommitLine": closed("A commit with its hash.", {"commit": ref("RecordCommit"), "hash": HASH}),
    "RecordLastLine": closed("The last line of a record.", {"secret": ref("RecordSecret")}),
    "Record": {
        "description": "A line of a portable record: first the header, then each commit, at last the secret.",
        "oneOf": [ref("RecordFirstLine"), ref("RecordCommitLine"), ref("RecordLastLine")],
    },
}
