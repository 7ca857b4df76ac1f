"""Pirate ships, theft and the chase: EP-42 to EP-46, EP-82, EP-83. For the tribute see movement.py."""

from typing import Annotated, Any

from msgspec import Meta, UnsetType

from referee.kernel.audience import only, whole
from referee.kernel.chance import Chance
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advantages import chase_faces
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import Hex, HexId, Resource, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.pieces import FRESH, own_ship, require_pointing, with_voyage
from referee.rulesets.explorers_and_pirates.position import (
    Case,
    Hand,
    Pirate,
    Position,
    Says,
    SeatState,
)
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted
from referee.rulesets.explorers_and_pirates.wealth import card, cards_in, each_card, gold, handed

pirates = Chapter()


class PlacePirate(Move):
    """Place or move your pirate ship; you may rob an opponent with a ship along that hex."""

    hex: Hex
    victim: Annotated[Seat | None, Meta(description="The seat that you rob; null: nobody.")] = None


class PassPirate(Move):
    """After a chase: do not place your pirate ship."""


class ChasePirate(Move):
    """Roll a die to chase away an opponent's pirate ship, with a ship that has not moved in this turn."""

    ship: ShipName


class PirateReturned(Event):
    """A pirate ship returned to its owner."""

    seat: Seat
    hex: HexId


class PiratePlaced(Event):
    """A seat placed or moved its pirate ship."""

    seat: Seat
    hex: HexId


class PiratePassed(Event):
    """A seat did not place its pirate ship."""

    seat: Seat


class FishRemoved(Event):
    """A fish returned to the reserve."""

    hex: HexId


class CardStolen(Event):
    """A seat took a card from the victim."""

    seat: Seat
    victim: Seat
    resource: Annotated[Resource | UnsetType, only("seat", "victim")]


class GoldStolen(Event):
    """A seat took gold from the victim."""

    seat: Seat
    victim: Seat
    amount: int


class PirateChased(Event):
    """A ship tried to chase the pirate ship away."""

    seat: Seat
    ship: ShipId
    die: int
    success: bool


def hexes_along(position: Position, seat: Seat) -> frozenset[HexId]:
    """The hexes along which a ship of a seat lies (EP-21)."""
    sides = position.board.sides
    return frozenset([hex for ship in position.seats[seat].ships.values() for hex in sides[ship.edge]])


def has_loot(victim: SeatState, edition: Edition) -> bool:
    """Whether a victim has a card or gold to take (EP-45)."""
    return cards_in(victim.resources) > 0 or victim.gold >= edition.theft_gold


@pirates.decides(PlacePirate)
def place_pirate(case: Case, move: PlacePirate) -> Says:
    """Check EP-42 to EP-46; then place the pirate ship, and rob the victim if there is one."""
    position, edition = case.position, case.edition
    if move.hex not in position.chart.pirate_places:
        is_sea = move.hex in position.chart.sea
        raise Rejection("EP-42", f"{move.hex} is {'next to the starting island' if is_sea else 'not a sea hex'}.")
    there = position.pirate
    moved = there is None or there.seat != case.seat or there.hex != move.hex
    require("EP-43", moved, f"Your pirate ship is on {move.hex} already; choose another hex.")
    if move.victim is not None:
        require("EP-44", move.victim != case.seat, "You cannot rob yourself.")
        along = move.hex in hexes_along(position, move.victim)
        require("EP-44", along, f"Seat {move.victim} has no ship along {move.hex}.")
        lootable = has_loot(position.seats[move.victim], edition)
        require("EP-45", lootable, f"Seat {move.victim} has neither cards nor gold to take.")
    if there is not None and there.seat != case.seat:
        position = yield PirateReturned(seat=there.seat, hex=there.hex)  # EP-43
    position = yield PiratePlaced(seat=case.seat, hex=move.hex)
    if move.hex in position.fish:
        position = yield FishRemoved(hex=move.hex)  # EP-46
    if move.victim is not None:
        position = yield _theft(case, position.seats[move.victim], move.victim)
    yield _after_pirate(position)


def _theft(case: Case, victim: SeatState, number: Seat) -> Event:
    """Take a card by chance, or gold from a victim without cards (EP-44, EP-45)."""
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
    """A seat may pass only after a chase (EP-43, EP-83)."""
    after_chase = case.position.pirate_by == "chase"
    require("EP-43", after_chase, "After a seven you must place your pirate ship; you can pass only after a chase.")
    position = yield PiratePassed(seat=case.seat)
    yield _after_pirate(position)


@pirates.decides(ChasePirate)
def chase_pirate(case: Case, move: ChasePirate) -> Says:
    """Check EP-82; then roll to chase the pirate ship away (EP-83)."""
    position = case.position
    ship = own_ship(position, case.seat, move.ship)
    pirate = position.pirate
    done = position.this_turn.ships.get(move.ship, FRESH)
    if pirate is None:
        raise Rejection("EP-82", "There is no pirate ship on the board.")
    require("EP-82", pirate.seat != case.seat, "The pirate ship on the board is your own.")
    require_pointing("EP-82", position, move.ship, ship, pirate.hex)
    require("EP-82", done.used == 0, f"Ship {move.ship} has moved in this turn, so it cannot chase.")
    require("EP-82", not done.chased, f"Ship {move.ship} has already tried to chase in this turn.")
    die = case.chance.number("chase_die", 1, 6)
    success = die in chase_faces(position, case.seat, case.edition)
    yield PirateChased(seat=case.seat, ship=move.ship, die=die, success=success)
    if success:
        yield PirateReturned(seat=pirate.seat, hex=pirate.hex)
        yield PhaseStarted(phase="pirate", seat=case.seat, by="chase")


@pirates.applies(PirateReturned)
def pirate_returned(position: Position, event: PirateReturned) -> Position:
    """Take the pirate ship off the board."""
    return replace(position, pirate=None)


@pirates.applies(PiratePlaced)
def pirate_placed(position: Position, event: PiratePlaced) -> Position:
    """Put the pirate ship on the hex; no other is on the board."""
    return replace(position, pirate=Pirate(seat=event.seat, hex=event.hex))


@pirates.applies(PiratePassed)
def pirate_passed(position: Position, event: PiratePassed) -> Position:
    """Nothing changes."""
    return position


@pirates.applies(FishRemoved)
def fish_removed(position: Position, event: FishRemoved) -> Position:
    """Take the fish off the hex."""
    return replace(position, fish=tuple(hex for hex in position.fish if hex != event.hex))


@pirates.applies(CardStolen)
def card_stolen(position: Position, event: CardStolen) -> Position:
    """Move the card from the victim to the thief."""
    return handed(position, event.victim, event.seat, card(whole(event.resource)))


@pirates.applies(GoldStolen)
def gold_stolen(position: Position, event: GoldStolen) -> Position:
    """Move the gold from the victim to the thief."""
    return handed(position, event.victim, event.seat, gold(event.amount))


@pirates.applies(PirateChased)
def pirate_chased(position: Position, event: PirateChased) -> Position:
    """Note that the ship has tried in this turn."""
    return with_voyage(position, event.ship, chased=True)
