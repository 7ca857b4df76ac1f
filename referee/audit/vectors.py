"""Writes the test vectors of `docs/fairness.md`: `python -m referee.audit.vectors > docs/vectors.json`.

Numbers that some languages cannot hold exactly are written as text: words in hexadecimal, bounds in decimal.
"""

import json
import sys
from typing import Any

from referee.audit.log_vectors import log_vectors
from referee.bots.bot import bot_chance, luck_of
from referee.kernel.canon import canonical, digest
from referee.kernel.chance import WORD_COUNT, Derived, Source
from referee.kernel.seat import Seat
from referee.table.fresh import Chain, FreshLuck
from referee.table.record import FORMAT, Commit, Header, HeldBy, Secret, Text, nonce_of, seal, seal_of
from referee.table.terms import TABLE_VERSION, Terms

SECRETS = (
    Secret(salt="00" * 32, seed="00" * 32),
    Secret(salt="ff" * 32, seed=digest(b"seed")),
    Secret(salt=digest(b"salt"), seed=digest(b"another seed")),
)

WORDS = ("", "ada", "zoë", 'say "hi"\n', "\u0001\u007f\u2028", "🎲", digest(b"nonce"), digest(b"nonce").upper())
"""What players may send as a nonce."""
NONCES = ((), ("", ""), (digest(b"ada"), "", digest(b"zoe")), (digest(b"ada"), digest(b"zoe"), ""))

LINK = digest(b"link")
HOLDERS = (HeldBy(player="p_ada", salt=digest(b"ada")), HeldBy(player="p_zoe", salt=digest(b"zoe")))
TEXTS = (Text(salt=digest(b"text"), text='Zoë: "fire!"\n'), Text(salt="00" * 32, text="Late."))

BOUNDS = (1, 2, 6, 52, (1 << 32) + 1, (1 << 63) + 1, (1 << 64) - 1, 1 << 64)
"""With a bound above half of all words, about every other word is rejected."""

SIZES = (0, 1, 2, 3, 10, 52, 200)
PICKS = (("abcdefghij", 3), ("abcde", 5), ("abcde", 1), ("aab", 2), ("a", 1), ("abc", 0))
NUMBERS = ((0, 3), (1, 1), (-5, 5), (1, 1000))
DICE = ((1, 6), (2, 6), (5, 20), (1, 2))

VALUES: tuple[Any, ...] = (
    None,
    [],
    {},
    {"b": 1, "a": [True, False, None], "aa": -7, "A": 0},
    'quotes " and \\ and / and é and 🎲',
    "".join(map(chr, range(0x20))) + "\u007f\u0080\u2028",
    9007199254740991,
)


def vectors() -> dict[str, Any]:
    """Return every vector as plain JSON."""
    game = _game(SECRETS[1])
    return {
        "format": FORMAT,
        "canonical": [_spelling(value) for value in VALUES],
        "secrets": [_secret(secret) for secret in SECRETS],
        "below": [_below(secret.chance_key((digest(b"ada"), "")), bound) for secret in SECRETS[:2] for bound in BOUNDS],
        "drawings": [
            _drawings(secret.chance_key(nonces), before)
            for secret, nonces, before in zip(SECRETS, NONCES[1:], (0, 1, 1000), strict=False)
        ],
        "nonces": [{"text": text, "nonce": nonce_of(text)} for text in WORDS],
        "seals": [
            {"game": game, "link": link, "seal": seal_of(game, link)}
            for game in ("g_example", "g_0")
            for link in (LINK, "00" * 32)
        ],
        "links": [_chain("g_example", LINK, length) for length in (1, 2, 5)],
        "pools": [_pools(secret.chance_key(NONCES[3])) for secret in SECRETS[:2]],
        "holders": [{"player": held.player, "salt": held.salt, "hash": held.hash} for held in HOLDERS],
        "texts": [{"salt": text.salt, "text": text.text, "hash": text.hash} for text in TEXTS],
        "bots": [_bot(secret.chance_key(NONCES[2]), luck_of(Seat(2), 17)) for secret in SECRETS],
        "game": game,
        **log_vectors(_header(SECRETS[1]), [each["hash"] for each in game["commits"]]),
    }


def _spelling(value: Any) -> dict[str, Any]:
    written = canonical(value)
    return {"value": value, "canonical": written.decode(), "sha256": digest(written)}


def _secret(secret: Secret) -> dict[str, Any]:
    return {
        "salt": secret.salt,
        "seed": secret.seed,
        "commitment": secret.commitment,
        "keys": [{"nonces": nonces, "key": secret.chance_key(nonces).hex()} for nonces in NONCES],
        "salts": [{"version": version, "salt": secret.blind(version)} for version in (1, 2, 10, 1000)],
    }


def _below(key: bytes, bound: int) -> dict[str, Any]:
    """The first words of a stream, and the first integers below a bound that follow from them."""
    label = "7:roll_dice"
    words, integers = Source(key, label), Source(key, label)
    return {
        "key": key.hex(),
        "label": label,
        "words": [f"{words.below(WORD_COUNT):016x}" for _ in range(12)],
        "bound": str(bound),
        "integers": [str(integers.below(bound)) for _ in range(12)],
    }


def _drawings(key: bytes, before: int) -> dict[str, Any]:
    """Consecutive draws, several at each point, in a game that has made some before."""
    chance = Derived(key, before)
    drawings: list[dict[str, Any]] = []
    for size in SIZES:
        deck = chance.shuffle("shuffle_deck", range(size))
        drawings.append({"point": "shuffle_deck", "shuffle": list(range(size)), "outcome": deck})
    for items, count in PICKS:
        picked = chance.pick("reveal", items, count)
        drawings.append({"point": "reveal", "pick": list(items), "count": count, "outcome": picked})
    for low, high in NUMBERS:
        number = chance.number("first_seat", low, high)
        drawings.append({"point": "first_seat", "number": [low, high], "outcome": number})
    for count, sides in DICE:
        faces = chance.dice("roll_dice", count, sides)
        drawings.append({"point": "roll_dice", "dice": count, "sides": sides, "outcome": faces})
    return {"key": key.hex(), "before": before, "drawings": drawings}


def _bot(key: bytes, luck: str) -> dict[str, Any]:
    """The luck of a bot: one stream of words for all its draws in a turn."""
    chance = bot_chance(key, luck)
    numbers = [chance.number("pick_move", 0, bound - 1) for bound in (2, 6, 52, 1000)]
    return {"key": key.hex(), "luck": luck, "bounds": [2, 6, 52, 1000], "integers": numbers}


def _chain(game: str, last: str, length: int) -> dict[str, Any]:
    """A chain of links, made from its last one."""
    links = [last]
    for _ in range(length - 1):
        links.insert(0, seal_of(game, links[0]))
    return {"game": game, "last": last, "length": length, "links": links, "seal": seal_of(game, links[0])}


def _pools(key: bytes) -> dict[str, Any]:
    """The pool after each of several links, and the first drawing from the last one."""
    chains = tuple(Chain(seal_of("g_example", link), 1) for link in NONCES[3][:2])
    luck, pools = FreshLuck("g_example", key, chains), []
    for seat, link in ((1, NONCES[3][1]), (0, NONCES[3][0]), (1, LINK)):
        luck = luck.with_link(seat, link)
        pools.append({"seat": seat, "link": link, "pool": luck.pool.hex()})
    return {"key": key.hex(), "pools": pools, "dice": list(Derived(luck.pool, 7).dice("roll_dice", 2))}


def _header(secret: Secret) -> Header:
    """The header of a game with a sealed nonce, a bot and a plain nonce."""
    return Header(
        commitment=secret.commitment,
        edition=digest(b"edition"),
        game="g_example",
        holders=(HOLDERS[0].hash, None, HOLDERS[1].hash),
        nonces=(LINK, "", nonce_of("zoë")),
        options={"goal": 20, "cards": True},
        position=None,
        ruleset="example",
        seals=(seal_of("g_example", LINK), None, None),
        version="1",
        terms=Terms(bots=(None, "random", None), table=TABLE_VERSION),
    )


def _game(secret: Secret) -> dict[str, Any]:
    """A header and its commits; their moves and events belong to no ruleset."""
    header = _header(secret)
    chance = Derived(secret.chance_key(header.nonces), 0)
    deck, first = chance.shuffle("shuffle_deck", range(1, 13)), chance.number("first_seat", 0, 2)
    dice = chance.dice("roll_dice", 2)
    cause = {"bot": "random", "version": "1", "luck": luck_of(Seat(1), 0), "iterations": 0}
    moves: tuple[tuple[int | str, dict[str, Any] | None, int, dict[str, Any], tuple[dict[str, Any], ...]], ...] = (
        ("referee", None, 2, {"type": "set_up"}, ({"type": "dealt", "deck": deck, "first": first},)),
        (1, cause, 1, {"type": "roll"}, ({"type": "rolled", "dice": dice, "seat": 1},)),
        ("admin", None, 0, {"type": "annul_game", "reason": TEXTS[0].hash}, ({"type": "game_annulled"},)),
    )
    prev, commits = header.hash, []
    for version, (actor, why, draws, move, events) in enumerate(moves, 1):
        at = f"2026-11-16T08:00:0{version}.250Z"
        commit: Any = Commit(actor, at, why, draws, events, move, prev, secret.blind(version), version)
        entry = seal(commit)
        commits.append({"commit": json.loads(entry.body), "canonical": entry.body.decode(), "hash": entry.hash})
        prev = entry.hash
    written = canonical(header)
    return {
        "header": json.loads(written),
        "canonical": written.decode(),
        "header_hash": header.hash,
        "commits": commits,
        "secret": {"salt": secret.salt, "seed": secret.seed},
        "holders": [
            {"player": held.player, "salt": held.salt, "seat": seat} for seat, held in zip((0, 2), HOLDERS, strict=True)
        ],
        "texts": [{"salt": TEXTS[0].salt, "text": TEXTS[0].text}],
    }


def written() -> str:
    """Return the text of `docs/vectors.json`, one vector per line."""
    members = (f"{json.dumps(name)}: {_lines(value)}" for name, value in vectors().items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def _lines(value: Any) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    return "[\n" + ",\n".join(json.dumps(each) for each in value) + "\n]"


if __name__ == "__main__":
    sys.stdout.write(written())
