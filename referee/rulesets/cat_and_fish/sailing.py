"""Sailing: CF-29 to CF-36."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import NEIGHBOURS, TOUCHES
from referee.rulesets.cat_and_fish.decks import MagicPlayed, require_in_hand
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import CORNERS, Boost, CardKind, Corner, counted, listed, title_of
from referee.rulesets.cat_and_fish.position import (
    Case,
    Options,
    Position,
    Says,
    SeatState,
    Step,
    acting,
    catastrophe_on,
    is_accessible,
    is_safe,
    owns,
    spent,
)
from referee.rulesets.cat_and_fish.turns import go_on
from referee.rulesets.cat_and_fish.wizard import Change, change_action, purse, require_marker

sailing = Chapter()

WarpBy = Literal["sorcerer", "warp"]


class Sail(Move):
    """Sail your pawn along edges, or warp it to any safe corner."""

    to: Annotated[Corner, Meta(description="The corner to sail to.")]
    boosts: Annotated[
        Annotated[tuple[Boost, ...], Meta(min_length=1)] | UnsetType,
        Meta(description="Magic cards that you play to sail further."),
    ] = UNSET
    warp: Annotated[
        WarpBy | UnsetType,
        Meta(description="Go to any safe corner. `sorcerer`: pay its fee; `warp`: play the magic card Warp."),
    ] = UNSET
    change: Annotated[Change | UnsetType, Meta(description="Spend a marker on another basic space.")] = UNSET


class PawnSailed(Event):
    """A pawn sailed to another corner."""

    seat: Seat
    from_: Corner = field(name="from")
    to: Corner


class PawnWarped(Event):
    """A warp brought a pawn to another corner."""

    seat: Seat
    from_: Corner = field(name="from")
    to: Corner
    paid: int


def routes(position: Position, seat: Seat, edges: int, heeding: bool = True) -> dict[Corner, int]:
    """The corners that a pawn can sail to along at most this number of edges, each with the length of its route.

    Every corner of a route is accessible and, unless it is not `heeding` catastrophes, safe (CF-31 to CF-33); pawns do
    not block it (CF-29).
    """
    state = position.seats[seat]
    lengths = {state.pawn: 0}
    shore = [state.pawn]
    for length in range(1, edges + 1):
        beyond = dict.fromkeys(corner for known in shore for corner in NEIGHBOURS[known] if corner not in lengths)
        accessible = [corner for corner in beyond if is_accessible(state, corner)]
        shore = [corner for corner in accessible if is_safe(position, corner)] if heeding else accessible
        lengths.update(dict.fromkeys(shore, length))
    del lengths[state.pawn]  # CF-30
    return lengths


def warp_fee(state: SeatState, by: WarpBy, edition: Edition) -> int:
    """What a warp costs: the card Warp waives the fee for an owner of the Sorcerer (CF-34, CF-35)."""
    return 0 if by == "warp" and owns(state, "sorcerer") else edition.sorcerer_fee


def warps(state: SeatState, money: int, options: Options, edition: Edition) -> tuple[WarpBy, ...]:
    """What can warp a seat's pawn: the Sorcerer for a fee (CF-34), or the card Warp (CF-35, CF-89)."""
    if not owns(state, "sorcerer") and not options.magic_for_all:
        return ()
    held: tuple[WarpBy, ...] = ("sorcerer",) if owns(state, "sorcerer") else ()
    held = (*held, "warp") if "warp" in state.magic else held
    return tuple([by for by in held if money >= warp_fee(state, by, edition)])


def require_warp(case: Case, warp: WarpBy, money: int) -> None:
    """Refuse a warp without the Sorcerer, and without its fee or the card that waives it."""
    own = acting(case)
    if warp in warps(own, money, case.position.options, case.edition):
        return
    is_open = warp == "warp" and case.position.options.magic_for_all
    require("CF-34", is_open or owns(own, "sorcerer"), "A warp needs the Sorcerer, which you do not own.")
    fee, left = counted(case.edition.sorcerer_fee, "euro"), purse(own, money)
    if warp == "sorcerer":
        raise Rejection("CF-34", f"The Sorcerer costs {fee} each time; you have {left}.")
    require_in_hand(own, ("warp",))
    raise Rejection("CF-89", f"Without the Sorcerer the magic card Warp costs {fee}; you have {left}.")


def require_goal(case: Case, to: Corner) -> None:
    """Refuse a corner where a pawn cannot go by any means: its own, or one that touches a catastrophe."""
    position = case.position
    if to == acting(case).pawn:
        raise Rejection("CF-30", f"Your pawn is on {to} already.")
    if not is_safe(position, to):
        catastrophe = catastrophe_on(position, TOUCHES[to])
        raise Rejection("CF-32", f"{to} is not safe: it touches the hex of the {catastrophe}.")


def require_route(case: Case, to: Corner, edges: int) -> None:
    """Refuse a corner that no route of at most this number of edges leads to."""
    position, seat = case.position, case.seat
    if to in routes(position, seat, edges):
        return
    if not is_accessible(position.seats[seat], to):
        line, ship = ("zone-1", "Fishing Boat") if to.startswith("a") else ("zone-2", "Fishing Vessel")
        raise Rejection("CF-31", f"{to} is on the {line} line, which needs the {ship}; you do not own it.")
    length = routes(position, seat, len(CORNERS)).get(to)
    if length is None:
        raise Rejection("CF-33", no_route(position, seat, to))
    goes = counted(edges, "edge")
    raise Rejection("CF-33", f"The shortest safe route to {to} has {length} edges; this Sailing goes {goes}.")


def no_route(position: Position, seat: Seat, to: Corner) -> str:
    """Why no route of any length leads to a corner that is safe and accessible: catastrophes, or missing ships."""
    state = position.seats[seat]
    way = f"from {state.pawn} to {to}"
    if to in routes(position, seat, len(CORNERS), heeding=False):
        lying = {"typhoon": position.typhoon, "oil": position.oil, "monster": position.monster}
        where = listed(f"the {kind} on {hex}" for kind, hex in lying.items() if hex is not None)
        return f"Every route {way} passes a catastrophe: {where}."
    ships: tuple[CardKind, ...] = ("fishing_boat", "fishing_vessel")
    missing = listed(f"the {title_of(ship)}" for ship in ships if not owns(state, ship))
    return f"Every route {way} leads over corners that are not open to you: you lack {missing}."


@sailing.decides(Sail)
def sail(case: Case, move: Sail) -> Says:
    """The pawn sails to a safe corner; any number of pawns may share it (CF-29)."""
    own = acting(case)
    money = require_marker(case, "sailing", move.change)
    boosts = () if isinstance(move.boosts, UnsetType) else move.boosts
    is_single = not boosts or isinstance(move.warp, UnsetType)
    require("CF-36", is_single, "A Sailing takes `boosts` or a `warp`, not both.")
    if boosts:
        require_in_hand(own, boosts)
    if not isinstance(move.warp, UnsetType):
        require_warp(case, move.warp, money)
    require_goal(case, move.to)
    if isinstance(move.warp, UnsetType):
        edges = case.edition.sailing_range + sum(case.edition.boosts[boost] for boost in boosts)
        require_route(case, move.to, edges)
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
    paid = warp_fee(acting(case), move.warp, case.edition)
    if move.warp == "warp":
        yield MagicPlayed(seat=case.seat, card="warp")
    return (yield PawnWarped(seat=case.seat, from_=start, to=move.to, paid=paid))


@sailing.applies(PawnSailed)
def pawn_sailed(position: Position, event: PawnSailed) -> Position:
    """Put the pawn on its new corner."""
    placed = spent(position, event.seat, "sailing")
    return replace(position, seats=with_seat(position.seats, event.seat, pawn=event.to, placed=placed))


@sailing.applies(PawnWarped)
def pawn_warped(position: Position, event: PawnWarped) -> Position:
    """Put the pawn on its new corner and pay the fee."""
    return replace(
        position,
        seats=with_seat(
            position.seats,
            event.seat,
            pawn=event.to,
            money=position.seats[event.seat].money - event.paid,
            placed=spent(position, event.seat, "sailing"),
        ),
    )
