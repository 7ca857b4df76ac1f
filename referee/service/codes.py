"""Join codes: made so that nobody guesses them, and counted where somebody tries to."""

import hmac
import secrets
import unicodedata
from hashlib import sha256

from referee.service.desk import Desk, now_ms
from referee.service.game import Game
from referee.service.problems import Problem, invalid, unknown_game

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: five bits a letter, and none that could be read as another."""
GROUPS, LETTERS = 4, 4
"""A generated code has this many groups of this many letters: 80 bits."""
GIVEN_MIN = 8
"""The shortest code that somebody may choose."""

WRONG_BY_PLAYER_MAX = 5
WRONG_AT_GAME_MAX = 50
WINDOW_MS = 3_600_000

_READ_AS = str.maketrans({"o": "0", "i": "1", "l": "1", "-": None, " ": None})


def generate_code() -> str:
    """A join code such as `7k3m-9qpx-0vbt-e4wz`."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(LETTERS)) for _ in range(GROUPS))


def _folded(code: str) -> str:
    """A code without what people get wrong when they pass it on: case, hyphens, spaces, letters like digits."""
    return unicodedata.normalize("NFC", code).casefold().translate(_READ_AS)


def hash_code(code: str) -> str:
    """What is kept of a code; raises a problem for one that is too short."""
    if len(_folded(code)) < GIVEN_MIN:
        raise invalid("join_code", f"A join code has at least {GIVEN_MIN} characters, hyphens and spaces aside.")
    return _hash(code)


def _hash(code: str) -> str:
    return sha256(_folded(code).encode()).hexdigest()


def require_code(desk: Desk, game: Game, player: str, code: str | None) -> None:
    """Raises a problem unless the code is that of the game.

    Whoever has tried too many wrong codes learns nothing more, not even by the right one. A generated code is beyond
    guessing, so it is taken whatever others have tried: nobody can lock the invited out.
    """
    fits = hmac.compare_digest(_hash(code or ""), game.join_code_hash or "")
    if fits and game.join_code_generated:
        return
    wait_ms = 0
    if code:
        limits = (WRONG_BY_PLAYER_MAX, WRONG_AT_GAME_MAX, WINDOW_MS)
        wait_ms = desk.directory.try_code(game.id, player, fits, now_ms(), limits)
    if fits and not wait_ms:
        return
    if game.visibility == "private":
        raise unknown_game()
    if wait_ms:
        detail = (
            f"Too many wrong join codes: {WRONG_BY_PLAYER_MAX} an hour for a player, {WRONG_AT_GAME_MAX} for a game."
        )
        raise Problem(429, "too-many-codes", detail, retry_after=-(-wait_ms // 1000))
    raise Problem(403, "join-code-wrong", "Sitting down here needs the game's join code.")
