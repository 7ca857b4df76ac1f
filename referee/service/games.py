"""Creating games, sitting down and leaving before the start."""

import secrets
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from referee.kernel.canon import plain
from referee.kernel.judge import read_options, read_start
from referee.kernel.moment import timestamp
from referee.kernel.record import Secret
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.log.log import Conflict
from referee.rulesets import LATEST
from referee.service.admission import read_policy, require_admitted
from referee.service.agreement import agree, known_bot
from referee.service.codes import generate_code, hash_code, require_code
from referee.service.desk import Desk, now_ms
from referee.service.game import Game, Holder
from referee.service.invitations import (
    assigned_seats,
    may_withdraw,
    named_holder,
    send_invitations,
)
from referee.service.lists import relist
from referee.service.players import Caller, new_id
from referee.service.problems import Problem, invalid, not_started, not_your_seat
from referee.service.quotas import take_place
from referee.service.tries import Tries

WITHDRAWN = "Its creator withdrew the game."


class Wish(msgspec.Struct, frozen=True):
    """What somebody wants to play."""

    ruleset: str
    seats: tuple[str | dict[str, str], ...]
    options: dict[str, Any] = {}
    visibility: str = "public"
    join_code: str | None = None
    with_join_code: bool = False
    """Whether sitting down needs a join code, generated if none is given; it always does at a private game."""
    join_code_generated: bool = False
    nonce: str = ""
    bots: str = "allowed"
    on_resignation: str | None = None
    clock: dict[str, Any] | None = None
    stand_in: str | None = None
    undo: Literal["never", "free"] = "never"
    position: dict[str, Any] | None = None


class InvalidOptions(Exception):
    """Options that the ruleset refuses, with the set-up clause that they break."""

    def __init__(self, rules: Ruleset, rejection: Rejection) -> None:
        super().__init__(rules.slug, rejection)
        self.rules = rules
        self.rejection = rejection


def latest_rules(slug: str) -> Ruleset:
    """The ruleset that new games are played by."""
    if slug not in LATEST:
        raise Problem(404, "unknown-ruleset", f"There is no ruleset `{slug}`.")
    return LATEST[slug]


def valid_options(rules: Ruleset, raw: dict[str, Any], seats: int) -> Any:
    """The blank table for these options; raises InvalidOptions with the clause, or a problem."""
    try:
        return rules.blank(read_options(rules, raw), seats)
    except msgspec.ValidationError as error:
        raise Problem(422, "invalid-options", f"options: {error}.", errors={"options": [str(error)]}) from None
    except Rejection as rejection:
        raise InvalidOptions(rules, rejection) from None


def with_code(wish: Wish) -> Wish:
    """The wish with a generated join code, if it needs one and gives none."""
    if wish.join_code is not None or not (wish.with_join_code or wish.visibility == "private"):
        return wish
    return replace(wish, join_code=generate_code(), join_code_generated=True)


def create(desk: Desk, caller: Caller, wish: Wish) -> Game:
    """Make a game; it starts at once if every seat is held."""
    creator = caller.require("play")
    rules = latest_rules(wish.ruleset)
    start, options = _start(rules, wish)
    holders = tuple(_holder(desk, caller, wish, each) for each in wish.seats)
    policy = read_policy(wish.bots)
    require_admitted(policy, holders, 422)
    game = Game(
        id=new_id("g"),
        ruleset=rules.slug,
        version=rules.version,
        edition=rules.edition_hash,
        options=plain(options),
        seats=holders,
        created_at=timestamp(now_ms()),
        created_by=creator,
        secret=Secret(salt=secrets.token_hex(32), seed=secrets.token_hex(32)),
        terms=replace(
            agree(rules, holders, policy, wish.clock, wish.on_resignation, wish.stand_in, wish.undo),
            assigned=assigned_seats(creator, holders),
        ),
        visibility="private" if wish.visibility == "private" else "public",
        join_code_hash=None if wish.join_code is None else hash_code(wish.join_code),
        join_code_generated=wish.join_code_generated,
        bots=policy,
        position=plain(start),
        status="running" if all(holder.is_held for holder in holders) else "waiting",
    )
    take_place(desk, caller, game)
    desk.create(game)
    relist(desk, None, game)
    _begin(desk, game)
    send_invitations(desk, game)
    return game


def _start(rules: Ruleset, wish: Wish) -> tuple[Any, Any]:
    """The start position of a casual game, or None, and the options."""
    if wish.position is None:
        return None, valid_options(rules, wish.options, len(wish.seats)).options
    start = read_start(rules, wish.position)
    if len(start.seats) != len(wish.seats):
        raise invalid("seats", f"The position has {len(start.seats)} seats.")
    return start, start.options


def _holder(desk: Desk, caller: Caller, wish: Wish, seat: str | dict[str, str]) -> Holder:
    if seat == "open":
        return Holder()
    if seat == "me":
        return Holder(player=caller.player, name=caller.name, nonce=wish.nonce, is_bot=caller.is_bot)
    if isinstance(seat, dict) and set(seat) == {"bot"}:
        return Holder(bot=known_bot(LATEST[wish.ruleset], seat["bot"], "seats"))
    if isinstance(seat, dict) and set(seat) == {"player"}:
        return named_holder(desk, caller, seat["player"], wish.nonce)
    raise invalid("seats", 'A seat is "me", "open", {"bot": name} or {"player": id}.')


def _begin(desk: Desk, game: Game) -> None:
    if game.is_started:
        desk.nudge(game.id)
        desk.announce(game)


def sit(desk: Desk, caller: Caller, id: str, seat: int | None, nonce: str, join_code: str | None) -> tuple[Game, int]:
    """Sit down on a seat that is open or to which the caller is invited, the first one if none is named."""
    player, tries = caller.require("play"), Tries()
    while True:
        tries.again()
        game = desk.game(id)
        _require_welcome(desk, game, player, join_code)
        if game.is_started:
            raise Problem(409, "game-started", "The game has started; every seat is held.")
        if game.status != "waiting":
            raise not_started(game.status)
        number = _free_seat(game, player, seat)
        holder = Holder(player=player, name=caller.name, nonce=nonce, is_bot=caller.is_bot)
        require_admitted(game.bots, (holder,), 403)
        changed = game.with_holder(number, holder)
        if _changed(desk, game, changed):
            _begin(desk, changed)
            return changed, number


def _require_welcome(desk: Desk, game: Game, player: str, join_code: str | None) -> None:
    """Raises a problem unless the player belongs to the game, or knows the join code if there is one."""
    if game.created_by == player or game.seats_of(player) or game.invitations_of(player):
        return
    if game.join_code_hash is not None or game.visibility == "private":
        require_code(desk, game, player, join_code)


def _free_seat(game: Game, player: str, seat: int | None) -> int:
    invited = game.invitations_of(player)
    free = [*invited, *(number for number, holder in enumerate(game.seats) if holder.is_open)]
    if seat is None:
        if not free:
            raise Problem(409, "seat-taken", "Every seat is held, or kept for an invited player.")
        return free[0]
    if not 0 <= seat < len(game.seats):
        raise invalid("seat", f"The game has the seats 0 to {len(game.seats) - 1}.")
    if seat not in free:
        is_held = game.seats[seat].is_held
        raise Problem(
            409, "seat-taken", f"Seat {seat} is {'held already' if is_held else 'kept for an invited player'}."
        )
    return seat


def leave(desk: Desk, caller: Caller, id: str, seat: int) -> Game:
    """Leave a seat before the game starts, decline an invitation, or withdraw one that you sent."""
    player, tries = caller.require("play"), Tries()
    while True:
        tries.again()
        game = desk.game(id)
        withdrawn = may_withdraw(game, player, seat)
        if seat not in (*game.seats_of(player), *game.invitations_of(player)) and withdrawn is None:
            raise not_your_seat(f"You do not hold seat {seat}.")
        if game.is_started:
            raise Problem(409, "game-started", "The game has started; concede with a resignation instead.")
        changed = game.with_holder(seat, Holder())
        if _changed(desk, game, changed):
            if withdrawn is not None:
                desk.tell(withdrawn, game.id.encode())
            return changed


def _changed(desk: Desk, before: Game, after: Game) -> bool:
    try:
        desk.keep(after, starts=after.is_started)
    except Conflict:
        desk.games.forget(before.id)
        return False
    relist(desk, before, after)
    return True


def withdraw(desk: Desk, caller: Caller, id: str) -> None:
    """Annul a game of the caller's that still waits for players."""
    if desk.game(id).created_by != caller.require("play"):
        raise Problem(403, "not-your-game", "Only the player who created a game can withdraw it.")
    game = annul_waiting(desk, id, WITHDRAWN)
    if game.is_started:
        raise Problem(409, "game-started", "The game has started; resign instead.")


def annul_waiting(desk: Desk, id: str, reason: str) -> Game:
    """Annul a game that never started, without a log; gives it back as it is if it has started meanwhile."""
    tries = Tries()
    while True:
        tries.again()
        game = desk.game(id)
        if game.status != "waiting":
            return game
        annulled = replace(game, status="annulled", reason=reason, revision=game.revision + 1)
        if _changed(desk, game, annulled):
            desk.announce(annulled)
            return annulled
