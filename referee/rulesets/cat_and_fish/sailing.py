"""Sailing: CF-29 to CF-36."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import NEIGHBOURS
from referee.rulesets.cat_and_fish.decks import MagicPlayed, require_in_hand
from referee.rulesets.cat_and_fish.names import Boost, Corner
from referee.rulesets.cat_and_fish.position import (
    Case,
    Position,
    Says,
    Step,
    acting,
    changed_seat,
    is_accessible,
    is_safe,
    owns,
    spent,
)
from referee.rulesets.cat_and_fish.turns import go_on
from referee.rulesets.cat_and_fish.wizard import Change, change_action, require_marker

sailing = Chapter()


class Sail(Move):
    """Move your pawn along the edges, or warp it to any safe corner."""

    to: Annotated[Corner, Meta(description="The corner to sail to.")]
    boosts: Annotated[
        Annotated[tuple[Boost, ...], Meta(min_length=1)] | UnsetType,
        Meta(description="Magic cards played to sail further."),
    ] = UNSET
    warp: Annotated[
        Literal["sorcerer", "warp"] | UnsetType,
        Meta(description="Go to any safe corner: with the Sorcerer for a fee, or with the magic card Warp."),
    ] = UNSET
    change: Annotated[Change | UnsetType, Meta(description="Spend a marker of another basic space.")] = UNSET


class PawnSailed(Event):
    """A pawn sailed to another corner."""

    seat: Seat
    from_: Corner = field(name="from")
    to: Corner


class PawnWarped(Event):
    """The Sorcerer brought a pawn to another corner."""

    seat: Seat
    from_: Corner = field(name="from")
    to: Corner
    paid: int


def routes(position: Position, seat: Seat, edges: int) -> dict[Corner, int]:
    """Where routes of so many edges lead over accessible and safe corners, whatever pawns are there (CF-33)."""
    state = position.seats[seat]
    lengths = {state.pawn: 0}
    shore = [state.pawn]
    for length in range(1, edges + 1):
        beyond = dict.fromkeys(corner for known in shore for corner in NEIGHBOURS[known] if corner not in lengths)
        lengths.update(dict.fromkeys(beyond, length))
        shore = [corner for corner in beyond if is_accessible(state, corner) and is_safe(position, corner)]
    return lengths


def require_warp(case: Case, warp: Literal["sorcerer", "warp"], money: int) -> None:
    """Refuse a warp without the Sorcerer, and without its fee or the card that waives it."""
    own = acting(case)
    require("CF-34", owns(own, "sorcerer"), "You do not own the Sorcerer.")
    if warp == "sorcerer":
        require("CF-34", money >= case.edition.sorcerer_fee, "You cannot pay the Sorcerer.")
    else:
        require_in_hand(own, ("warp",))  # CF-35


@sailing.decides(Sail)
def sail(case: Case, move: Sail) -> Says:
    """The pawn goes to a safe corner; any number of pawns may share one (CF-29)."""
    position, own = case.position, acting(case)
    money = require_marker(case, "sailing", move.change)
    boosts = () if isinstance(move.boosts, UnsetType) else move.boosts
    require("CF-36", not boosts or isinstance(move.warp, UnsetType), "Boosts and a warp cannot be combined.")
    if boosts:
        require_in_hand(own, boosts)
    if not isinstance(move.warp, UnsetType):
        require_warp(case, move.warp, money)
    require("CF-30", move.to != own.pawn, "Your pawn stands there already.")
    require("CF-32", is_safe(position, move.to), "A catastrophe touches this corner.")
    if isinstance(move.warp, UnsetType):
        edges = case.edition.sailing_range + sum(case.edition.boosts[boost] for boost in boosts)
        require("CF-31", is_accessible(own, move.to), "Your ships do not sail on this line.")
        require("CF-33", move.to in routes(position, case.seat, edges), "No safe route is short enough.")
    yield from change_action(case, "sailing", move.change)
    position = yield from arrive(case, move, boosts)
    yield from go_on(position)


def arrive(case: Case, move: Sail, boosts: tuple[Boost, ...]) -> Step:
    """Play the cards and bring the pawn to its corner."""
    start = acting(case).pawn
    if isinstance(move.warp, UnsetType):
        for boost in boosts:
            yield MagicPlayed(seat=case.seat, card=boost)
        return (yield PawnSailed(seat=case.seat, from_=start, to=move.to))
    paid = case.edition.sorcerer_fee
    if move.warp == "warp":
        paid = 0
        yield MagicPlayed(seat=case.seat, card="warp")
    return (yield PawnWarped(seat=case.seat, from_=start, to=move.to, paid=paid))


@sailing.applies(PawnSailed)
def pawn_sailed(position: Position, event: PawnSailed) -> Position:
    """The pawn stands on its new corner."""
    placed = spent(position, event.seat, "sailing")
    return replace(position, seats=changed_seat(position, event.seat, pawn=event.to, placed=placed))


@sailing.applies(PawnWarped)
def pawn_warped(position: Position, event: PawnWarped) -> Position:
    """The pawn stands on its new corner; the fee is paid."""
    return replace(
        position,
        seats=changed_seat(
            position,
            event.seat,
            pawn=event.to,
            money=position.seats[event.seat].money - event.paid,
            placed=spent(position, event.seat, "sailing"),
        ),
    )
