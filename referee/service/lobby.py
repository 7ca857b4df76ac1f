"""Before the first move: create a game, agree on its terms, sit down, leave, withdraw, expire."""

import secrets
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from referee.bots import BOTS
from referee.kernel.canon import plain
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST
from referee.rulesets.editions import BOX
from referee.service.catalogue import known_bot, read_setting, rules_with
from referee.service.commits import Tries
from referee.service.finding import relist, try_change
from referee.service.game import Game, Holder, seated
from referee.service.invitations import (
    BotPolicy,
    assigned_seats,
    generate_code,
    hash_code,
    may_withdraw,
    named_holder,
    not_admitted,
    read_policy,
    require_code,
    send_invitations,
)
from referee.service.limits import list_within_limits
from referee.service.players import Caller, new_id
from referee.service.problems import Problem, invalid, not_started, not_your_seat
from referee.service.repository import Repository, now_ms
from referee.service.sealing import read_seal, require_seal, require_sealable
from referee.table.record import Secret
from referee.table.terms import REVEAL_S, TABLE_VERSION, Clock, Terms
from referee.table.times import timestamp

TAKEOVER_BOTS = ("greedy", "random")
"""Unless the creator names a bot, the first of these that plays the title takes over seats."""

DAY_S = 86400


class NewGame(msgspec.Struct, frozen=True):
    """A request to create a game."""

    ruleset: str
    seats: tuple[str | dict[str, str], ...]
    options: dict[str, Any] = {}
    edition: str = BOX
    visibility: str = "public"
    join_code: str | None = None
    with_join_code: bool = False
    """Whether to generate a join code if none is given; a private game always gets one."""
    join_code_generated: bool = False
    nonce: str = ""
    bots: str = "allowed"
    on_resignation: str | None = None
    clock: dict[str, Any] | None = None
    takeover_bot: str | None = None
    undo: Literal["never", "free"] = "never"
    luck: Literal["fixed", "fresh"] = "fixed"
    reveal_s: int | None = None
    unrevealed: Literal["annul", "without"] = "annul"
    position: dict[str, Any] | None = None


def agree(rules: Ruleset, creator: str, holders: tuple[Holder, ...], policy: BotPolicy, new_game: NewGame) -> Terms:
    """The terms of a new game: what its creator asked for, and defaults for the rest; raises a problem."""
    takeover_bot = new_game.takeover_bot or next(name for name in TAKEOVER_BOTS if BOTS[name].plays(rules))
    return Terms(
        bots=tuple(holder.bot for holder in holders),
        clock=None if new_game.clock is None else _clock(new_game.clock, policy),
        on_resignation=bot_or_end(policy, new_game.on_resignation, "on_resignation"),
        takeover_bot=known_bot(rules, takeover_bot, "takeover_bot"),
        undo=new_game.undo,
        luck=new_game.luck,
        reveal_s=new_game.reveal_s or (DAY_S if _counts_days(new_game.clock) else REVEAL_S),
        unrevealed=new_game.unrevealed,
        table=TABLE_VERSION,
        assigned=assigned_seats(creator, holders),
    )


def _counts_days(clock: dict[str, Any] | None) -> bool:
    return clock is not None and bool(clock.get("days") or (clock.get("decision_s") or 0) >= DAY_S)


def _clock(clock: dict[str, Any], policy: BotPolicy) -> Clock:
    given = {name: value for name, value in clock.items() if value is not None}
    days = given.pop("days", 0)
    if days and given.get("decision_s"):
        raise invalid("clock", "Give the time for a decision as `decision_s` or as `days`, not as both.")
    if not days and not given.get("decision_s") and not given.get("bank_s"):
        raise invalid("clock", "A clock needs `decision_s`, `days` or `bank_s`.")
    if days:
        given["decision_s"] = days * DAY_S
    given["on_absence"] = bot_or_end(policy, given.get("on_absence"), "clock.on_absence")
    return Clock(**given)


def bot_or_end(policy: BotPolicy, word: str | None, field: str) -> Literal["bot", "end"]:
    """What happens when a player is gone. By default a bot takes over, at every table that admits bots."""
    if policy == "forbidden" and word == "bot":
        raise invalid(field, "This table forbids bots, so no bot can take over a seat. Choose `end`.")
    if word is None:
        return "end" if policy == "forbidden" else "bot"
    return "end" if word == "end" else "bot"


WITHDRAWN = "The creator withdrew the game."


def with_code(new_game: NewGame) -> NewGame:
    """The request with a generated join code, if it needs one and has none."""
    if new_game.join_code is not None or not (new_game.with_join_code or new_game.visibility == "private"):
        return new_game
    return replace(new_game, join_code=generate_code(), join_code_generated=True)


def create(repository: Repository, caller: Caller, new_game: NewGame) -> Game:
    """Create a game; it starts at once if every seat is taken."""
    creator = caller.require("play")
    rules = rules_with(new_game.ruleset, new_game.edition, repository.rules_for_new)
    start, options = read_setting(rules, new_game.options, new_game.position, len(new_game.seats))
    holders = tuple(_holder(repository, caller, new_game, each) for each in new_game.seats)
    policy = read_policy(new_game.bots)
    require_sealable(new_game.luck, holders)
    for holder in holders:
        if (problem := not_admitted(policy, holder)) is not None:
            raise invalid("seats", problem.detail)
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
        terms=agree(rules, creator, holders, policy, new_game),
        visibility="private" if new_game.visibility == "private" else "public",
        join_code_hash=None if new_game.join_code is None else hash_code(new_game.join_code),
        join_code_generated=new_game.join_code_generated,
        bots=policy,
        position=plain(start),
        status="running" if all(holder.is_held for holder in holders) else "waiting",
    )
    list_within_limits(repository, caller, game)
    repository.create(game)
    relist(repository, None, game)
    _begin(repository, game)
    send_invitations(repository, game)
    return game


def _holder(repository: Repository, caller: Caller, new_game: NewGame, seat: str | dict[str, str]) -> Holder:
    if seat == "open":
        return Holder()
    if seat == "me":
        return seated(caller.player, new_game.nonce, caller.is_bot)
    if isinstance(seat, dict) and set(seat) == {"bot"}:
        return Holder(bot=known_bot(repository.rules_for_new(LATEST[new_game.ruleset]), seat["bot"], "seats"))
    if isinstance(seat, dict) and set(seat) == {"player"}:
        return named_holder(repository, caller, seat["player"], new_game.nonce)
    raise invalid("seats", 'A seat must be "me", "open", {"bot": name} or {"player": id}.')


def _begin(repository: Repository, game: Game) -> None:
    if game.is_started:
        repository.nudge(game.id)
    if game.status != "waiting":
        repository.announce(game)


def sit(
    repository: Repository,
    caller: Caller,
    id: str,
    seat: int | None,
    nonce: str,
    join_code: str | None,
    seal: str | None = None,
) -> tuple[Game, int]:
    """Take an open seat or accept an invitation; without `seat`, the first invitation or else the first open seat."""
    player, tries, sealed = caller.require("play"), Tries(), read_seal(seal, nonce)
    while True:
        tries.again()
        game = repository.game(id)
        _require_admission(repository, game, player, join_code)
        if game.is_started:
            raise Problem("game-started", "The game has started; every seat is taken.")
        if game.status != "waiting":
            raise not_started(game.status)
        number = _free_seat(game, player, seat)
        require_seal(game, sealed)
        holder = seated(player, nonce, caller.is_bot, seal=sealed)
        if (problem := not_admitted(game.bots, holder)) is not None:
            raise problem
        changed = game.with_holder(number, holder, now_ms())
        if try_change(repository, game, changed):
            _begin(repository, changed)
            return changed, number


def _require_admission(repository: Repository, game: Game, player: str, join_code: str | None) -> None:
    """Raise a problem unless the player belongs to the game, or knows the join code if there is one."""
    if game.created_by == player or game.seats_of(player) or game.invitations_of(player):
        return
    if game.join_code_hash is not None or game.visibility == "private":
        require_code(repository, game, player, join_code)


def _free_seat(game: Game, player: str, seat: int | None) -> int:
    invited = game.invitations_of(player)
    free = [*invited, *(number for number, holder in enumerate(game.seats) if holder.is_open)]
    if seat is None:
        if not free:
            raise Problem("seat-taken", "Every seat is taken or reserved for an invited player.")
        return free[0]
    if not 0 <= seat < len(game.seats):
        raise invalid("seat", f"`seat` must be 0 to {len(game.seats) - 1}.")
    if seat not in free:
        is_held = game.seats[seat].is_held
        raise Problem(
            "seat-taken", f"Seat {seat} is {'already taken' if is_held else 'reserved for an invited player'}."
        )
    return seat


def leave(repository: Repository, caller: Caller, id: str, seat: int) -> Game:
    """Leave a seat before the game starts, decline an invitation, or withdraw one that you sent."""
    player, tries = caller.require("play"), Tries()
    while True:
        tries.again()
        game = repository.game(id)
        withdrawn = may_withdraw(game, player, seat)
        if seat not in (*game.seats_of(player), *game.invitations_of(player)) and withdrawn is None:
            raise not_your_seat(f"You do not hold seat {seat}, and you are not invited to it.")
        if game.is_started:
            raise Problem("game-started", "The game has started, so you can no longer leave your seat. You can resign.")
        if game.status == "revealing":
            raise not_started(game.status)
        changed = game.with_holder(seat, Holder(), now_ms())
        if try_change(repository, game, changed):
            if withdrawn is not None:
                repository.tell(withdrawn, game.id.encode())
            return changed


def withdraw(repository: Repository, caller: Caller, id: str) -> None:
    """Annul a game that the caller created and that still waits for players."""
    if repository.game(id).created_by != caller.require("play"):
        raise Problem("not-your-game", "Only the player who created a game can withdraw it.")
    game = annul_waiting(repository, id, WITHDRAWN)
    if game.status == "revealing":
        raise not_started(game.status)
    if game.is_started:
        raise Problem("game-started", "The game has started, so it can no longer be withdrawn. You can resign.")


def annul_waiting(repository: Repository, id: str, reason: str, statuses: tuple[str, ...] = ("waiting",)) -> Game:
    """Annul a game that has not started, in one of these statuses; returns it unchanged if it has another one."""
    tries = Tries()
    while True:
        tries.again()
        game = repository.game(id)
        if game.status not in statuses:
            return game
        annulled = replace(game, status="annulled", reason=reason, revision=game.revision + 1)
        if try_change(repository, game, annulled):
            repository.announce(annulled)
            return annulled
