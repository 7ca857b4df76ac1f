"""Who may make which move, and when: EP-17, EP-18, EP-54, EP-69 and section 6."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from msgspec import UnsetType

from referee.kernel.message import Move, tag
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Attempt, Decision, Due
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.rulesets.explorers_and_pirates.board import BOARDS, Board
from referee.rulesets.explorers_and_pirates.building import BuildHarbor, BuildRoad, BuildSettlement, BuildShip
from referee.rulesets.explorers_and_pirates.cargo import BuildSettler, DiscardCargo, Store, TransferCargo
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.exchanges import BankTrade, BuyResource, SellResource
from referee.rulesets.explorers_and_pirates.founding import (
    PlaceHarbor,
    PlaceRoad,
    PlaceSettlement,
    PlaceSettlerShip,
    current_step,
)
from referee.rulesets.explorers_and_pirates.ids import SHIP_NUMBERS
from referee.rulesets.explorers_and_pirates.missions.captures import ClaimHero, ResolveCapture
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits, PickUpUnits
from referee.rulesets.explorers_and_pirates.missions.spices import BefriendVillage
from referee.rulesets.explorers_and_pirates.movement import BuyMovement, MoveShip
from referee.rulesets.explorers_and_pirates.offers import (
    AcceptTrade,
    ConfirmTrade,
    DeclineTrade,
    OfferTrade,
    WithdrawTrade,
    unanswered,
)
from referee.rulesets.explorers_and_pirates.pirates import ChasePirate, PassPirate, PlacePirate
from referee.rulesets.explorers_and_pirates.position import Case, Phase, Position
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.setup import SetUp
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement
from referee.rulesets.explorers_and_pirates.units import BuildUnit

Kinds = tuple[type[Move], ...]

TRADE_AND_BUILD: Final[Kinds] = (
    OfferTrade, ConfirmTrade, WithdrawTrade, BankTrade, BuyResource, SellResource,
    BuildRoad, BuildSettlement, BuildHarbor, BuildShip, BuildSettler, BuildUnit, StartMovement,
)  # fmt: skip
"""Too late in the movement phase (EP-69)."""

FREE_TO_BUILD: Final[Kinds] = (
    OfferTrade, BankTrade, BuyResource, SellResource,
    BuildRoad, BuildSettlement, BuildHarbor, BuildShip, BuildSettler, BuildUnit, DiscardCargo, StartMovement, EndTurn,
)  # fmt: skip
DEALING: Final[Kinds] = (ConfirmTrade, WithdrawTrade)
ANSWERS: Final[Kinds] = (AcceptTrade, DeclineTrade)

MOVES_IN: Final[dict[Phase, Kinds]] = {
    "setup": (SetUp,),
    "founding": (PlaceHarbor, PlaceSettlement, PlaceRoad, PlaceSettlerShip),
    "roll": (RollDice,),
    "discard": (Discard,),
    "pirate": (PlacePirate, PassPirate),
    "trade_build": (*FREE_TO_BUILD, *DEALING, *ANSWERS),
    "movement": (
        MoveShip, BuyMovement, TransferCargo, FoundSettlement, LandUnits, PickUpUnits, RollFish, CatchFish,
        BefriendVillage, ChasePirate, DiscardCargo, EndTurn,
    ),
    "captures": (ResolveCapture,),
    "hero": (ClaimHero,),
    "finished": (),
}  # fmt: skip
"""The moves of each phase (section 6)."""

ALLOWED: Final[dict[Phase, frozenset[type[Move]]]] = {phase: frozenset(kinds) for phase, kinds in MOVES_IN.items()}

Test = Callable[[Any], bool]


def _form(board: Board, seats: int) -> dict[str, Test]:
    """What a parameter of this name must be on the map and at the table (EP-17)."""
    seated = frozenset(range(seats))
    ships = frozenset(f"{seat}-{k}" for seat in range(seats) for k in SHIP_NUMBERS)
    is_corner = board.hexes_at.__contains__
    is_ship = (ships | {None}).__contains__
    is_seat = (seated | {None}).__contains__

    def is_place(place: Store) -> bool:
        return is_corner(place.harbor) if isinstance(place.ship, UnsetType) else place.ship in ships

    return {
        "hex": board.corners_of.__contains__,
        "corner": is_corner,
        "harbor": is_corner,
        "edge": board.edges.__contains__,
        "path": board.edges.issuperset,
        "ship": is_ship,
        "replace": is_ship,
        "place": is_place,
        "victim": is_seat,
        "partner": is_seat,
        "to": lambda to: isinstance(to, UnsetType) or seated.issuperset(to),
    }


@cache
def form_of(kind: type[Move], scenario: str, seats: int) -> tuple[tuple[str, Test], ...]:
    """The parameters of a move that name something on the map or at the table, each with its test."""
    form = _form(BOARDS[scenario], seats)
    return tuple((name, form[name]) for name in kind.__struct_fields__ if name in form)


def _is_step(position: Position, actor: Actor, kind: type[Move]) -> bool:
    step = current_step(position)
    return actor == step.seat and tag(kind) == step.placement


def _owes_discard(position: Position, actor: Actor, kind: type[Move]) -> bool:
    owed = position.discards
    return owed is not None and str(actor) in owed.need and str(actor) not in owed.given


def _is_asked(position: Position, actor: Actor, kind: type[Move]) -> bool:
    return position.offer is not None and actor in unanswered(position.offer)


def _is_hero(position: Position, actor: Actor, kind: type[Move]) -> bool:
    return position.hero is not None and actor == position.hero.seat


def _has_offer(position: Position, actor: Actor, kind: type[Move]) -> bool:
    return position.offer is not None and actor == position.active_seat


def _is_referee(position: Position, actor: Actor, kind: type[Move]) -> bool:
    return actor == REFEREE


Asked = Callable[[Position, Actor, type[Move]], bool]
ASKED: Final[dict[type[Move], Asked]] = {
    **dict.fromkeys(MOVES_IN["founding"], _is_step),
    **dict.fromkeys(ANSWERS, _is_asked),
    **dict.fromkeys(DEALING, _has_offer),
    Discard: _owes_discard,
    ClaimHero: _is_hero,
    SetUp: _is_referee,
    ResolveCapture: _is_referee,
}
"""Who may make a move, where it is not simply the active seat (EP-18)."""


def before(case: Case, attempt: Attempt) -> None:
    """Form, then phase and actor, then what an open offer allows."""
    move = attempt.readable("EP-17")
    position, actor, kind = case.position, case.actor, type(move)
    for name, test in form_of(kind, position.options.scenario, len(position.seats)):
        if not test(getattr(move, name)):
            raise Rejection("EP-17", f"`{name}` is not on this map or at this table.")
    if kind not in ALLOWED[position.phase]:
        late = position.phase == "movement" and kind in TRADE_AND_BUILD and actor == position.active_seat
        require("EP-69", not late, "In the movement phase you neither trade nor build.")
        raise Rejection("EP-18", "This is not the phase for such a move.")
    asked = ASKED.get(kind)
    if not (actor == position.active_seat if asked is None else asked(position, actor, kind)):
        raise Rejection("EP-18", "It is not up to you to make this move now.")
    if position.phase == "trade_build" and position.offer is not None and asked is None:
        raise Rejection("EP-54", "Close or withdraw your offer first.")


def _names(kinds: Kinds) -> tuple[str, ...]:
    return tuple(tag(kind) for kind in kinds)


@cache
def _decision(seat: Seat, kinds: Kinds, obliged: bool = True) -> Decision:
    return Decision(seat, _names(kinds), obliged=obliged)


def awaited(position: Position) -> tuple[Decision, ...]:
    """Which seats may make which moves (section 6)."""
    match position.phase:
        case "setup" | "captures" | "finished":
            return ()
        case "founding":
            step = current_step(position)
            return (Decision(step.seat, (step.placement,)),)
        case "discard":
            seats = range(len(position.seats))
            return tuple(
                _decision(Seat(seat), (Discard,)) for seat in seats if _owes_discard(position, Seat(seat), Discard)
            )
        case "hero":
            assert position.hero is not None
            return (_decision(position.hero.seat, (ClaimHero,)),)
        case "pirate":
            kinds: Kinds = (PlacePirate, PassPirate) if position.pirate_by == "chase" else (PlacePirate,)
            return (_decision(position.active_seat, kinds),)
        case "trade_build" if position.offer is not None:
            asked = (_decision(seat, ANSWERS, obliged=False) for seat in unanswered(position.offer))
            return (_decision(position.active_seat, DEALING), *asked)
        case "trade_build":
            return (_decision(position.active_seat, FREE_TO_BUILD),)
    return (_decision(position.active_seat, MOVES_IN[position.phase]),)


DUE: Final[dict[Phase, Due]] = {"setup": Due(SetUp()), "captures": Due(ResolveCapture())}


def due(position: Position) -> Due | None:
    """The referee lays out the table and carries out captures, at once."""
    return DUE.get(position.phase)
