"""Common checks (EP-17, EP-18, EP-54, EP-69), awaited seats, safe defaults, and what the referee owes (section 6)."""

from collections.abc import Callable
from functools import cache
from typing import Final

from referee.kernel.attempt import Attempt
from referee.kernel.memo import remember_last
from referee.kernel.message import Move, tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE, Actor, Seat, clockwise
from referee.rulesets.explorers_and_pirates.building import BuildHarbor, BuildRoad, BuildSettlement, BuildShip
from referee.rulesets.explorers_and_pirates.candidates_at_sea import way_out
from referee.rulesets.explorers_and_pirates.cargo import BuildSettler, DiscardCargo, TransferCargo
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.exchanges import BankTrade, BuyResource, SellResource
from referee.rulesets.explorers_and_pirates.form import require_form
from referee.rulesets.explorers_and_pirates.founding import (
    PlaceHarbor,
    PlaceRoad,
    PlaceSettlement,
    PlaceSettlerShip,
    current_step,
    road_sites,
)
from referee.rulesets.explorers_and_pirates.missions.captures import CaptureLair, ClaimHero, ResolveCapture
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits, PickUpUnits
from referee.rulesets.explorers_and_pirates.missions.spices import BefriendVillage
from referee.rulesets.explorers_and_pirates.movement import BuyMovement, MoveShip
from referee.rulesets.explorers_and_pirates.names import RESOURCES, Bag, CornerId, Phase, joined
from referee.rulesets.explorers_and_pirates.offers import (
    AcceptTrade,
    ConfirmTrade,
    DeclineTrade,
    OfferTrade,
    WithdrawTrade,
    unanswered,
)
from referee.rulesets.explorers_and_pirates.pieces import buildings, crowded, keeps_distance, ship_sites
from referee.rulesets.explorers_and_pirates.pirates import ChasePirate, PassPirate, PlacePirate
from referee.rulesets.explorers_and_pirates.position import Case, Position, key
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.setup import SetUp
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement, lairs_due
from referee.rulesets.explorers_and_pirates.units import BuildUnit

Kinds = tuple[type[Move], ...]

TRADE_AND_BUILD: Final[Kinds] = (
    OfferTrade, ConfirmTrade, WithdrawTrade, BankTrade, BuyResource, SellResource,
    BuildRoad, BuildSettlement, BuildHarbor, BuildShip, BuildSettler, BuildUnit, StartMovement,
)  # fmt: skip
"""Moves that the movement phase no longer allows (EP-69)."""

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
    "captures": (ResolveCapture, CaptureLair),
    "hero": (ClaimHero,),
    "finished": (),
}  # fmt: skip
"""The moves of each phase (section 6)."""

ALLOWED: Final[dict[Phase, frozenset[type[Move]]]] = {phase: frozenset(kinds) for phase, kinds in MOVES_IN.items()}


def _not_next(position: Position, actor: Actor, kind: type[Move], edition: Edition) -> str | None:
    step = current_step(position)
    if actor == step.seat and tag(kind) == step.placement:
        return None
    return f"The next placement is `{step.placement}` by seat {step.seat}."


def _owes_no_discard(position: Position, actor: Actor, kind: type[Move], edition: Edition) -> str | None:
    owed = position.discards
    if owed is None or str(actor) not in owed.need:
        return "You have no cards to give back."
    return "You have already chosen the cards that you give back." if str(actor) in owed.given else None


def _not_asked(position: Position, actor: Actor, kind: type[Move], edition: Edition) -> str | None:
    offer = position.offer
    if offer is None:
        return "There is no open offer."
    if actor not in offer.to:
        asked = joined([f"seat {seat}" for seat in offer.to])
        return f"The offer of seat {position.active_seat} is for {asked}, not for you."
    return None if actor in unanswered(offer) else "You have already answered this offer."


def _not_hero(position: Position, actor: Actor, kind: type[Move], edition: Edition) -> str | None:
    hero = position.hero
    assert hero is not None, "phase `hero` has a hero"
    return None if actor == hero.seat else f"Seat {hero.seat} is the hero, not you."


def _has_no_offer(position: Position, actor: Actor, kind: type[Move], edition: Edition) -> str | None:
    if actor != position.active_seat:
        return _not_active(position, actor)
    return "You have no open offer." if position.offer is None else None


def _not_referee(position: Position, actor: Actor, kind: type[Move], edition: Edition) -> str | None:
    return None if actor == REFEREE else f"Only the referee makes the move `{tag(kind)}`."


def _not_resolved(position: Position, actor: Actor, kind: type[Move], edition: Edition) -> str | None:
    lairs = lairs_due(position, edition)
    if kind is ResolveCapture and len(lairs) > 1:
        return f"Seat {position.active_seat} chooses with `{tag(CaptureLair)}` which lair is captured next."
    if kind is CaptureLair and len(lairs) == 1:
        return f"{lairs[0]} is the only lair to capture: the referee resolves it."
    if kind is ResolveCapture:
        return _not_referee(position, actor, kind, edition)
    return None if actor == position.active_seat else _not_active(position, actor)


def _not_active(position: Position, actor: Actor) -> str:
    you = "the referee" if actor == REFEREE else f"seat {actor}"
    return f"It is the turn of seat {position.active_seat}; you are {you}."


Fault = Callable[[Position, Actor, type[Move], Edition], str | None]
FAULTS: Final[dict[type[Move], Fault]] = {
    **dict.fromkeys(MOVES_IN["founding"], _not_next),
    **dict.fromkeys(ANSWERS, _not_asked),
    **dict.fromkeys(DEALING, _has_no_offer),
    Discard: _owes_no_discard,
    ClaimHero: _not_hero,
    SetUp: _not_referee,
    ResolveCapture: _not_resolved,
    CaptureLair: _not_resolved,
}
"""Why an actor may not make a move, where it is not simply a move of the active seat (EP-18); None if it may."""


def before(case: Case, attempt: Attempt) -> None:
    """Check the form, then phase and actor, then what an open offer allows."""
    move = attempt.readable("EP-17")
    position, actor, kind = case.position, case.actor, type(move)
    require_form(position, move)
    if kind not in ALLOWED[position.phase]:
        raise _out_of_phase(position, actor, kind)
    find_fault = FAULTS.get(kind)
    if find_fault is not None:
        fault = find_fault(position, actor, kind, case.edition)
        if fault is not None:
            raise Rejection("EP-18", fault)
    elif actor != position.active_seat:
        raise Rejection("EP-18", _not_active(position, actor))
    elif position.phase == "trade_build" and position.offer is not None:
        raise Rejection("EP-54", "Your offer is open: first confirm it with a seat, or withdraw it.")


def _out_of_phase(position: Position, actor: Actor, kind: type[Move]) -> Rejection:
    """The refusal of a move that does not belong to the phase."""
    phase = position.phase
    if phase == "finished":
        return Rejection("EP-18", "The game is over.")
    if phase == "movement" and kind in TRADE_AND_BUILD and actor == position.active_seat:
        return Rejection("EP-69", "Your movement phase has begun: you cannot trade or build until your next turn.")
    homes = joined([f"`{home}`" for home, kinds in MOVES_IN.items() if kind in kinds])
    return Rejection("EP-18", f"`{tag(kind)}` belongs to phase {homes}; the game is in phase `{phase}`.")


def _names(kinds: Kinds) -> tuple[str, ...]:
    return tuple(tag(kind) for kind in kinds)


@cache
def _decision(seat: Seat, kinds: Kinds, obliged: bool = True) -> Decision:
    return Decision(seat, _names(kinds), obliged=obliged)


@remember_last
def awaited(position: Position, edition: Edition) -> tuple[Decision, ...]:
    """The seats that may move, each with its types of moves (section 6)."""
    match position.phase:
        case "setup" | "finished":
            return ()
        case "captures":
            several = len(lairs_due(position, edition)) > 1
            return (_decision(position.active_seat, (CaptureLair,)),) if several else ()
        case "founding":
            step = current_step(position)
            return (Decision(step.seat, (step.placement,)),)
        case "discard":
            return tuple(
                _decision(seat, (Discard,))
                for seat in clockwise(0, len(position.seats))
                if _owes_no_discard(position, seat, Discard, edition) is None
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


def default(position: Position, seat: Seat, edition: Edition) -> Move:
    """The safe default of an awaited seat."""
    if position.phase in ("trade_build", "movement"):
        if position.offer is None:
            return way_out(position, edition) or EndTurn()
        return WithdrawTrade() if seat == position.active_seat else DeclineTrade()
    return DEFAULTS[position.phase](position, seat, edition)


def _placement(position: Position, seat: Seat, edition: Edition) -> Move:
    """The first legal placement in id order (EP-R39)."""
    match current_step(position).placement:
        case "place_harbor":
            return PlaceHarbor(corner=min(_free(position, position.board.map.harbor_sites)))
        case "place_settlement":
            return PlaceSettlement(corner=min(_free(position, tuple(position.board.island_corners))))
        case "place_road":
            return PlaceRoad(edge=min(road_sites(position, seat)))
        case "place_settler_ship":
            full = crowded(position, edition)
            return PlaceSettlerShip(edge=min(edge for edge in ship_sites(position, seat) if edge not in full))


def _free(position: Position, corners: tuple[CornerId, ...]) -> list[CornerId]:
    taken = buildings(position)
    return [corner for corner in corners if keeps_distance(position, corner, taken)]


def _discard(position: Position, seat: Seat, edition: Edition) -> Move:
    """Give back the most frequent resource first; equally frequent ones in the order of the resources."""
    assert position.discards is not None
    hand = position.seats[seat].resources
    left = position.discards.need[key(seat)]
    given: Bag = {}
    for resource in sorted(RESOURCES, key=lambda each: -getattr(hand, each)):
        count = min(left, getattr(hand, resource))
        if count:
            given[resource] = count
        left -= count
    return Discard(resources={resource: given[resource] for resource in RESOURCES if resource in given})


def _pirate(position: Position, seat: Seat, edition: Edition) -> Move:
    """Use the first legal hex in hex order, and rob nobody."""
    own = position.pirate.hex if position.pirate and position.pirate.seat == seat else None
    return PlacePirate(hex=next(hex for hex in position.chart.pirate_places if hex != own))


DEFAULTS: dict[str, Callable[[Position, Seat, Edition], Move]] = {
    "founding": _placement,
    "roll": lambda position, seat, edition: RollDice(),
    "discard": _discard,
    "pirate": _pirate,
    "captures": lambda position, seat, edition: CaptureLair(hex=lairs_due(position, edition)[0]),
    "hero": lambda position, seat, edition: ClaimHero(advance=True),
}


def due(position: Position, edition: Edition) -> Due | None:
    """The referee lays out the table, and carries out a capture that leaves no choice, at once."""
    if position.phase == "setup":
        return Due(SetUp())
    if position.phase == "captures" and len(lairs_due(position, edition)) == 1:
        return Due(ResolveCapture())
    return None
