"""The shapes of audits and of portable records."""

from collections.abc import Mapping

from schemas.play import ACTOR, CAUSE
from schemas.shapes import HASH, TIME, VERSION, Shape, array, closed, described, id_of, nullable, ref, string, word

_CHECK = closed(
    "One thing that an audit looks at.",
    {
        "name": string(),
        "passed": {"type": ["boolean", "null"], "description": "Null: it cannot be told, or not yet."},
        "detail": string("What was found."),
    },
)
_HEADER = closed(
    "What is fixed when a game starts; its hash is where the chain begins.",
    {
        "commitment": described(HASH, "SHA-256 of the secret."),
        "edition": described(HASH, "The hash of the edition's numbers."),
        "game": id_of("g"),
        "nonces": array(string(), "By seat; empty where a seat gave none."),
        "options": ref("AnyOptions"),
        "position": nullable(ref("AnyPosition"), "The start position of a casual game; else null."),
        "ruleset": string(),
        "version": string("The version of the rules."),
        "format": word("referee/1"),
    },
)
_COMMIT = closed(
    "A commit, whole.",
    {
        "actor": ACTOR,
        "at": TIME,
        "cause": CAUSE,
        "events": array(ref("AnyEvent")),
        "move": {"anyOf": [ref("AnyMove"), ref("AnyTrigger"), ref("TableMove")]},
        "prev": described(HASH, "The hash before it."),
        "salt": described(HASH, "What blinds its hash."),
        "version": VERSION,
    },
)
_SECRET = closed(
    "What the luck of the game came from.",
    {"salt": described(HASH, "32 bytes."), "seed": described(HASH, "32 bytes.")},
)

AUDITS: Mapping[str, Shape] = {
    "Audit": closed(
        "What can be proved of a game.",
        {
            "verdict": word("proved", "failed", "running"),
            "checks": array(_CHECK),
            "first_bad_version": nullable(VERSION, "The first commit that does not follow; 0 is the header."),
        },
    ),
    "Record": {
        "description": "A line of a portable record: first the header, then each commit, at last the secret.",
        "oneOf": [
            closed("The first line.", {"header": _HEADER}),
            closed("A commit with its hash.", {"commit": _COMMIT, "hash": HASH}),
            closed("The last line.", {"secret": _SECRET}),
        ],
    },
}
