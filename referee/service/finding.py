"""Finding games: the lists they are on, pages of them, and the cursors between pages."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from referee.kernel.judge import awaited_seats
from referee.service.access import may_know, watcher
from referee.service.game import Game, decode_game
from referee.service.players import Caller
from referee.service.problems import Problem, invalid
from referee.service.repository import Repository, now_ms
from referee.service.views import ERASED_ID, summary
from referee.service.waking import seats_played_by
from referee.store.log import Conflict
from referee.table.times import milliseconds
from schemas.play import GameSummary


def lists_of(game: Game) -> set[str]:
    """The lists a game belongs on: those of its players, and the public ones unless it is private."""
    seated = {holder.player for holder in game.seats if holder.player and holder.accepted} - {ERASED_ID}
    lists = {f"player:{player}" for player in (seated | {game.created_by}) - {ERASED_ID}}
    if game.is_open and game.created_by != ERASED_ID:
        lists |= {created_by(game.created_by)} | ({bot_games_of(game.created_by)} if game.has_bots else set())
    if game.status in ("revealing", "running", "paused"):
        lists |= {f"playing:{player}" for player in seated}
    if game.status == "waiting":
        lists |= invitation_lists(game)
    if game.visibility == "public":
        lists |= {"all", f"status:{game.status}", f"ruleset:{game.ruleset}"}
        lists |= {f"public:{player}" for player in seated}
    return lists


def lists_of_player(player: str) -> set[str]:
    """Every list that only this player's games are on, apart from unanswered invitations of two players."""
    kinds = ("player", "playing", "public", "ended", "invited")
    return {f"{kind}:{player}" for kind in kinds} | {created_by(player), bot_games_of(player)}


def created_by(player: str) -> str:
    """The list of open games that a player created. Lists that are counted together share a hash tag."""
    return f"created:{{{player}}}"


def bot_games_of(player: str) -> str:
    """The list of open games that a player created and in which built-in bots hold seats."""
    return f"with-bots:{{{player}}}"


def invitation_lists(game: Game) -> set[str]:
    """The lists of unanswered invitations: one per invited player, and one per creator and invited player."""
    invited = {holder.player for holder in game.seats if holder.player and not holder.accepted}
    return {f"invited:{player}" for player in invited} | {
        invitations_between(game.created_by, str(player)) for player in invited
    }


def invitations_between(creator: str, player: str) -> str:
    """The list of games with unanswered invitations from one player to another."""
    return f"invited-by:{{{creator}}}:{player}"


def ended_lists(game: Game) -> set[str]:
    """The lists of games that are over, ordered by their end: a player who was away asks what has ended since."""
    if game.status not in ("finished", "annulled"):
        return set()
    return {f"ended:{each.player}" for each in game.seats if each.player not in (None, ERASED_ID) and each.accepted}


def relist(repository: Repository, before: Game | None, after: Game) -> None:
    """Put a game on every list it belongs on, and take it off those it left. A second call does no harm.

    If another request has changed the game meanwhile, it is listed as that request left it: a player may have been
    erased, and is on no list then.
    """
    new, ended = lists_of(after), ended_lists(after)
    left = lists_of(before) | ended_lists(before) if before is not None else set[str]()
    repository.directory.list_game(after.id, milliseconds(after.created_at), sorted(new))
    if before is not None:
        # Listed here before it leaves the open games, so that a reader of both finds it on at least one.
        repository.directory.list_game(after.id, now_ms(), sorted(ended - left))
    if left - new - ended:
        repository.directory.unlist_game(after.id, sorted(left - new - ended))
    head = repository.log.head(after.id)
    if head is not None and head.revision > after.revision:
        relist(repository, after, decode_game(head.body))


def try_change(repository: Repository, before: Game, after: Game) -> bool:
    """Store a changed game and update the lists; returns False if another request changed the game first."""
    try:
        repository.keep(after, starts=after.is_started)
    except Conflict:
        repository.games.forget(before.id)
        return False
    relist(repository, before, after)
    return True


def forget_lists(repository: Repository, game: Game) -> None:
    """Take a game that never started off every list it was on."""
    players = {f"ended:{holder.player}" for holder in game.seats if holder.player}
    repository.directory.unlist_game(
        game.id, sorted(lists_of(game) | lists_of(replace(game, status="waiting")) | players)
    )


SECRET = "cursors"
TAG_BYTES = 18
ID_PREFIX = "g_"
PLAIN_BYTES = 4 + 8 + 12
"""The hour in which the cursor was made, when the game was created, and the game's id."""
HOUR_MS = 3_600_000
LASTS_HOURS = 24

Row = tuple[int, str]
"""A row of a list: when the game was created, in milliseconds, and its id."""


class Cursors:
    """Seals and opens the cursors of one list for one caller. All hosts share the secret."""

    def __init__(self, repository: Repository, *scope: str | None) -> None:
        self._key = repository.secret(SECRET)
        self._scope = repr(scope).encode()

    def seal(self, row: Row) -> str:
        """The cursor of the page that follows a row."""
        created, id = row
        hour = now_ms() // HOUR_MS
        plain = hour.to_bytes(4, "big") + created.to_bytes(8, "big") + bytes.fromhex(id.removeprefix(ID_PREFIX))
        tag = self._tag(plain)
        return urlsafe_b64encode(tag + self._padded(tag, plain)).decode()

    def open(self, cursor: str) -> Row:
        """The row of a cursor; raises a problem for one of another list or caller, or more than a day old."""
        sealed = _decoded(cursor)
        tag, plain = sealed[:TAG_BYTES], self._padded(sealed[:TAG_BYTES], sealed[TAG_BYTES:])
        if len(plain) != PLAIN_BYTES or not hmac.compare_digest(tag, self._tag(plain)):
            raise _refused("This cursor does not belong to this list. Send the cursor of the previous page unchanged.")
        if now_ms() // HOUR_MS - int.from_bytes(plain[:4], "big") > LASTS_HOURS:
            raise _refused("This cursor is more than a day old. Start again at the first page.")
        return int.from_bytes(plain[4:12], "big"), ID_PREFIX + plain[12:].hex()

    def _tag(self, plain: bytes) -> bytes:
        return hmac.digest(self._key, b"tag:" + plain + self._scope, sha256)[:TAG_BYTES]

    def _padded(self, tag: bytes, text: bytes) -> bytes:
        pad = hmac.digest(self._key, b"pad:" + tag, sha256)
        return bytes(left ^ right for left, right in zip(text, pad, strict=False))


def _decoded(cursor: str) -> bytes:
    """The bytes of a cursor; empty unless it is spelled exactly as it was issued."""
    try:
        sealed = urlsafe_b64decode(cursor.encode())
    except (NotBase64, ValueError):
        return b""
    return sealed if urlsafe_b64encode(sealed).decode() == cursor else b""


def _refused(detail: str) -> Problem:
    return invalid("cursor", detail)


LOOKED_AT_MAX = 500
"""At most this number of games is examined for one page, so a page may be short and still have a next one."""


class Filter(msgspec.Struct, frozen=True):
    """Which games to find."""

    ruleset: str | None = None
    status: str | None = None
    player: str | None = None
    bots: str | None = None
    mine: bool = False
    awaiting: bool = False
    invited: bool = False


def find_games(
    repository: Repository, caller: Caller, wanted: Filter, cursor: str | None, limit: int
) -> tuple[list[GameSummary], str | None, bool]:
    """A page of games, newest first, the cursor of the next page if there may be more, and whether none is missing."""
    name = _list_for(caller, wanted)
    cursors = Cursors(repository, name, caller.player)
    row = None if cursor is None else cursors.open(cursor)
    found: list[tuple[Game, int]] = []
    looked_at, is_whole = 0, True
    while looked_at < LOOKED_AT_MAX:
        rows, are_all = repository.directory.page(name, row, limit)
        games = {game.id: (game, version) for game, version in repository.listed([id for _, id in rows])}
        is_whole = is_whole and are_all and (len(games) == len(rows) or repository.directory.is_whole())
        for row in rows:
            looked_at += 1
            game, version = games.get(row[1], (None, 0))
            if game is not None and _fits(repository, caller, wanted, game):
                found.append((game, version))
            if len(found) == limit:
                return _summaries(repository, found), cursors.seal(row), is_whole
        if len(rows) < limit:
            return _summaries(repository, found), None, is_whole
    assert row is not None
    return _summaries(repository, found), cursors.seal(row), is_whole


def _summaries(repository: Repository, found: list[tuple[Game, int]]) -> list[GameSummary]:
    names = repository.names(game for game, _ in found)
    return [summary(game, game.status, version, names) for game, version in found]


def _list_for(caller: Caller, wanted: Filter) -> str:
    if wanted.invited:
        return f"invited:{caller.player}"
    if wanted.awaiting:
        return f"playing:{caller.player}"
    if wanted.mine:
        return f"player:{caller.player}"
    if wanted.player is not None:
        # Other callers search public games only: skipping private ones would reveal their number by time and pages.
        sees_all = caller.may("audit") or (caller.player == wanted.player and caller.may("watch"))
        return f"player:{wanted.player}" if sees_all else f"public:{wanted.player}"
    if wanted.status is not None:
        return f"status:{wanted.status}"
    if wanted.ruleset is not None:
        return f"ruleset:{wanted.ruleset}"
    return "all"


def _fits(repository: Repository, caller: Caller, wanted: Filter, game: Game) -> bool:
    """Whether the caller may know of a game and it is one of those wanted. Only `awaiting` reads its log."""
    return (
        may_know(game, watcher(caller))
        and wanted.ruleset in (None, game.ruleset)
        and wanted.bots in (None, game.bots)
        and wanted.status in (None, game.status)
        and (wanted.player is None or bool(game.seats_of(wanted.player)))
        and (not wanted.invited or bool(game.invitations_of(caller.player)))
        and (not wanted.awaiting or (game.status == "running" and _awaits(repository, game, caller)))
    )


def _awaits(repository: Repository, game: Game, caller: Caller) -> bool:
    state = repository.newest(game)
    awaited = awaited_seats(game.rules, state.position)
    return state.status == "running" and not awaited.isdisjoint(seats_played_by(game, state, caller.player))
