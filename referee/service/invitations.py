"""Who may sit down: invited players, players who know the join code, and bots where the table admits them."""

import hmac
import secrets
import unicodedata
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

from referee.kernel.seat import Seat
from referee.service.finding import invitations_between
from referee.service.game import Game, Holder, seated
from referee.service.players import Caller
from referee.service.problems import Problem, invalid, unknown_game
from referee.service.repository import Repository, now_ms


def named_holder(repository: Repository, caller: Caller, id: str, nonce: str) -> Holder:
    """The holder of a seat that names a player: invited, unless the caller names itself or is an admin."""
    player = repository.directory.player(id)
    if player is None:
        raise invalid("seats", f"There is no player `{id}`.")
    is_caller = player.id == caller.player
    return seated(
        player.id,
        nonce if is_caller else "",
        is_bot=player.is_bot,
        accepted=is_caller or caller.may("admin"),
    )


def assigned_seats(creator: str, holders: Sequence[Holder]) -> tuple[Seat, ...]:
    """The seats that are given to other players without asking them."""
    return tuple(
        Seat(number) for number, holder in enumerate(holders) if holder.is_held and holder.player not in (None, creator)
    )


def invitations_from(game: Game) -> dict[str, str]:
    """The lists of unanswered invitations that a new game goes on, each with the invited player."""
    return {
        invitations_between(game.created_by, holder.player): holder.player
        for holder in game.seats
        if holder.player is not None and not holder.accepted
    }


def send_invitations(repository: Repository, game: Game) -> None:
    """Notify every invited player who has a stream open."""
    for player in {holder.player for holder in game.seats if holder.player and not holder.accepted}:
        repository.tell(str(player), game.id.encode())


def may_withdraw(game: Game, player: str, seat: int) -> str | None:
    """The player invited to a seat, if this player created the game and may withdraw the invitation; else None."""
    holder = game.seats[seat] if 0 <= seat < len(game.seats) else Holder()
    return holder.player if game.created_by == player and not holder.accepted else None


ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: five bits per letter, and no letters that look alike."""
GROUPS, LETTERS = 4, 4
"""The groups of a generated code, and the letters in each: 80 bits."""
GIVEN_MIN = 8
"""The least number of characters in a code that a player chooses."""

WRONG_BY_PLAYER_MAX = 5
WRONG_AT_GAME_MAX = 50
WINDOW_MS = 3_600_000

_READ_AS = str.maketrans({"o": "0", "i": "1", "l": "1", "-": None, " ": None})


def generate_code() -> str:
    """A join code such as `7k3m-9qpx-0vbt-e4wz`."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(LETTERS)) for _ in range(GROUPS))


def _folded(code: str) -> str:
    """A code without what people change when they copy it: case, hyphens, spaces, letters that look like digits."""
    return unicodedata.normalize("NFC", code).casefold().translate(_READ_AS)


def hash_code(code: str) -> str:
    """The hash of a code, which is all that is stored; raises a problem for a code that is too short."""
    if len(_folded(code)) < GIVEN_MIN:
        detail = f"A join code needs at least {GIVEN_MIN} characters, not counting hyphens and spaces."
        raise invalid("join_code", detail)
    return _hash(code)


def _hash(code: str) -> str:
    return sha256(_folded(code).encode()).hexdigest()


def require_code(repository: Repository, game: Game, player: str, code: str | None) -> None:
    """Raise a problem unless the code is that of the game.

    After too many wrong codes even the right one is refused, so that further guesses reveal nothing. A generated code
    cannot be guessed, so it is always accepted: nobody can lock players out by sending wrong codes.
    """
    fits = hmac.compare_digest(_hash(code or ""), game.join_code_hash or "")
    if fits and game.join_code_generated:
        return
    wait_ms = 0
    if code:
        limits = (WRONG_BY_PLAYER_MAX, WRONG_AT_GAME_MAX, WINDOW_MS)
        wait_ms = repository.directory.try_code(game.id, player, fits, now_ms(), limits)
    if fits and not wait_ms:
        return
    if game.visibility == "private":
        raise unknown_game()
    if wait_ms:
        limits_text = f"{WRONG_BY_PLAYER_MAX} an hour for one player and {WRONG_AT_GAME_MAX} an hour for one game"
        detail = f"Too many wrong join codes; the limits are {limits_text}."
        raise Problem("too-many-codes", detail, retry_after=-(-wait_ms // 1000))
    detail = "This is not the join code of this game." if code else "To sit down at this game, send its `join_code`."
    raise Problem("join-code-wrong", detail)


BotPolicy = Literal["allowed", "forbidden", "required"]


def read_policy(word: str) -> BotPolicy:
    """The policy that a word names."""
    policies: dict[str, BotPolicy] = {"forbidden": "forbidden", "required": "required"}
    return policies.get(word, "allowed")


def not_admitted(policy: BotPolicy, holder: Holder) -> Problem | None:
    """Why a table with this policy refuses a holder; None: it admits them."""
    if policy == "forbidden" and holder.is_program:
        return Problem("bots-forbidden", "This table admits no bots, neither built-in bots nor bot accounts.")
    if policy == "required" and not holder.is_open and not holder.is_program:
        return Problem("bots-required", "This table admits only bots: built-in bots and bot accounts.")
    return None
