"""Pirate ships, theft and the chase: EP-42 to EP-46, EP-82, EP-83. For the tribute see movement.py."""

from typing import Annotated, Any

from msgspec import Meta, UnsetType

from referee.kernel.audience import only, whole
from referee.kernel.chance import Chance
from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advantages import chase_faces
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.ids import Hex, HexId, Resource, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.pieces import FRESH, own_ship, points_at, with_voyage
from referee.rulesets.explorers_and_pirates.position import (
    Case,
    Hand,
    Pirate,
    Position,
    Says,
    SeatState,
    opponents,
)
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted
from referee.rulesets.explorers_and_pirates.wealth import card, cards_in, each_card, gold, handed

pirates = Chapter()


class PlacePirate(Move):
    """Place or move your pirate ship, and rob an opponent with a ship along that hex if you like."""

    hex: Hex
    victim: Annotated[Seat | None, Meta(description="Whom you rob; null: nobody.")] = None


class PassPirate(Move):
    """After a chase: do not place your pirate ship."""


class ChasePirate(Move):
    """Roll a die to chase an opponent's pirate ship away with a ship that has not moved."""

    ship: ShipName


class PirateReturned(Event):
    """A pirate ship went back to its owner."""

    seat: Seat
    hex: HexId


class PiratePlaced(Event):
    """A pirate ship stands on a hex."""

    seat: Seat
    hex: HexId


class PiratePassed(Event):
    """A seat left its pirate ship ashore."""

    seat: Seat


class FishRemoved(Event):
    """A fish went back to the reserve."""

    hex: HexId


class CardStolen(Event):
    """A card went from the victim to the thief."""

    seat: Seat
    victim: Seat
    resource: Annotated[Resource | UnsetType, only("seat", "victim")]


class GoldStolen(Event):
    """Gold went from the victim to the thief."""

    seat: Seat
    victim: Seat
    amount: int


class PirateChased(Event):
    """A ship tried to chase the pirate ship away."""

    seat: Seat
    ship: ShipId
    die: int
    success: bool


def lies_along(position: Position, seat: Seat, hex: HexId) -> bool:
    """Whether a ship of a seat lies along a hex (EP-21)."""
    sides = position.board.sides
    return any(hex in sides[ship.edge] for ship in position.seats[seat].ships.values())


def has_loot(victim: SeatState, edition: Edition) -> bool:
    """Whether there is a card or gold to take (EP-45)."""
    return cards_in(victim.resources) > 0 or victim.gold >= edition.theft_gold


@pirates.decides(PlacePirate)
def place_pirate(case: Case, move: PlacePirate) -> Says:
    """EP-42 to EP-46."""
    position, edition = case.position, case.edition
    require("EP-42", move.hex in position.chart.pirate_places, "Pirate ships stand on sea hexes away from the island.")
    there = position.pirate
    moved = there is None or there.seat != case.seat or there.hex != move.hex
    require("EP-43", moved, "Your pirate ship moves to another hex.")
    if move.victim is not None:
        along = move.victim != case.seat and lies_along(position, move.victim, move.hex)
        require("EP-44", along, "You rob an opponent with a ship along that hex.")
        require("EP-45", has_loot(position.seats[move.victim], edition), "This seat has neither card nor gold.")
    if there is not None and there.seat != case.seat:
        position = yield PirateReturned(seat=there.seat, hex=there.hex)  # EP-43
    position = yield PiratePlaced(seat=case.seat, hex=move.hex)
    if move.hex in position.fish:
        position = yield FishRemoved(hex=move.hex)  # EP-46
    if move.victim is not None:
        position = yield _theft(case, position.seats[move.victim], move.victim)
    yield _after_pirate(position)


def _theft(case: Case, victim: SeatState, number: Seat) -> Event:
    """A card by chance, gold from who has no card (EP-44, EP-45)."""
    if cards_in(victim.resources) == 0:
        return GoldStolen(seat=case.seat, victim=number, amount=case.edition.theft_gold)
    return CardStolen(seat=case.seat, victim=number, resource=_steal(case.chance, victim.resources))


def _steal(chance: Chance, hand: Hand) -> Resource:
    cards = each_card(hand)

    def read(outcome: Any) -> Resource:
        if outcome not in cards:
            raise ValueError("the victim holds no such card")
        resource: Resource = outcome
        return resource

    return chance.draw("steal_card", lambda source: cards[source.below(len(cards))], read)


def _after_pirate(position: Position) -> PhaseStarted:
    phase = PhaseStarted(phase="trade_build", seat=position.active_seat)
    return replace(phase, phase="movement") if position.pirate_by == "chase" else phase


@pirates.decides(PassPirate)
def pass_pirate(case: Case, move: PassPirate) -> Says:
    """Placing is optional after a chase only (EP-43, EP-83)."""
    require("EP-43", case.position.pirate_by == "chase", "After a seven you place your pirate ship.")
    position = yield PiratePassed(seat=case.seat)
    yield _after_pirate(position)


@pirates.decides(ChasePirate)
def chase_pirate(case: Case, move: ChasePirate) -> Says:
    """EP-82, EP-83."""
    position = case.position
    ship = own_ship(position, case.seat, move.ship)
    pirate = position.pirate
    done = position.this_turn.ships.get(move.ship, FRESH)
    if pirate is None or pirate.seat not in opponents(position, case.seat) or not points_at(position, ship, pirate.hex):
        require("EP-82", False, "The ship points at no pirate ship of an opponent.")
        return
    require("EP-82", done.used == 0, "A ship that has moved does not chase.")
    require("EP-82", not done.chased, "Each ship tries once a turn.")
    die = case.chance.number("chase_die", 1, 6)
    success = die in chase_faces(position, case.seat, case.edition)
    yield PirateChased(seat=case.seat, ship=move.ship, die=die, success=success)
    if success:
        yield PirateReturned(seat=pirate.seat, hex=pirate.hex)
        yield PhaseStarted(phase="pirate", seat=case.seat, by="chase")


@pirates.applies(PirateReturned)
def pirate_returned(position: Position, event: PirateReturned) -> Position:
    """No pirate ship is on the board."""
    return replace(position, pirate=None)


@pirates.applies(PiratePlaced)
def pirate_placed(position: Position, event: PiratePlaced) -> Position:
    """The one pirate ship on the board."""
    return replace(position, pirate=Pirate(seat=event.seat, hex=event.hex))


@pirates.applies(PiratePassed)
def pirate_passed(position: Position, event: PiratePassed) -> Position:
    """Nothing changes."""
    return position


@pirates.applies(FishRemoved)
def fish_removed(position: Position, event: FishRemoved) -> Position:
    """The hex carries no fish any more."""
    return replace(position, fish=tuple(hex for hex in position.fish if hex != event.hex))


@pirates.applies(CardStolen)
def card_stolen(position: Position, event: CardStolen) -> Position:
    """A card changes hands."""
    return handed(position, event.victim, event.seat, card(whole(event.resource)))


@pirates.applies(GoldStolen)
def gold_stolen(position: Position, event: GoldStolen) -> Position:
    """Gold changes hands."""
    return handed(position, event.victim, event.seat, gold(event.amount))


@pirates.applies(PirateChased)
def pirate_chased(position: Position, event: PirateChased) -> Position:
    """The ship has tried."""
    return with_voyage(position, event.ship, chased=True)
