"""Whose move it is: what every move must meet, who is awaited, what is due, and the safe defaults (section 6)."""

from typing import Final

from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Attempt, Decision, Due
from referee.kernel.seat import REFEREE, Actor, Seat, is_seat
from referee.rulesets.fangfrisch.bell import Pass, RevealCard, Ring
from referee.rulesets.fangfrisch.canning import ClearTrash
from referee.rulesets.fangfrisch.cards import NATURAL, SLOTS, Card, Slot, Species, species_in
from referee.rulesets.fangfrisch.closing import CloseMarket, SettleAccounts
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.position import (
    Case,
    Phase,
    Position,
    bidders,
    is_live,
    purchase_of,
    seat_in_turn,
    seller_of,
    slot_of,
)
from referee.rulesets.fangfrisch.selling import SellFish
from referee.rulesets.fangfrisch.setup import SetUp
from referee.rulesets.fangfrisch.stowing import Placement, StowCards
from referee.rulesets.fangfrisch.thieving import StealCards

PHASES: Final[dict[type[Move], tuple[Phase, ...]]] = {
    SetUp: ("setup",),
    SellFish: ("selling", "buyer_sale", "final_sale"),
    Ring: ("auction",),
    Pass: ("auction",),
    RevealCard: ("auction",),
    StealCards: ("thieving",),
    StowCards: ("stowing",),
    ClearTrash: ("canning",),
    CloseMarket: ("closing",),
    SettleAccounts: ("settling",),
}
"""The phases that list each move."""

TRIGGERS: Final[dict[Phase, Move]] = {"setup": SetUp(), "closing": CloseMarket(), "settling": SettleAccounts()}
"""What is due at once."""

STEPS: Final[dict[Phase, type[Move]]] = {
    "selling": SellFish,
    "thieving": StealCards,
    "stowing": StowCards,
    "canning": ClearTrash,
    "buyer_sale": SellFish,
    "final_sale": SellFish,
}
"""The phases in which one seat makes one kind of move."""


def before(case: Case, attempt: Attempt) -> None:
    """Known type, phase, pace, actor, form: in this order."""
    kind = attempt.known("FF-3")
    position = case.position
    if position.phase not in PHASES[kind]:
        raise Rejection("FF-1", too_late(position, kind))
    require("FF-42", kind is not RevealCard or is_live(position), "In turn pace nobody turns cards by hand.")
    require("FF-2", is_expected(position, case.actor, kind), "This move is not awaited from this actor.")
    attempt.readable("FF-3")


def too_late(position: Position, kind: type[Move]) -> str:
    """Why the phase does not list this move: who rings too late is told who was first (FF-41)."""
    if kind is Ring and position.purchase is not None:
        return f"Seat {position.purchase.buyer} rang first and has the lot."
    return "This move is not made in this phase."


def is_expected(position: Position, actor: Actor, kind: type[Move]) -> bool:
    """Whether this kind of move is this actor's to make in this phase; whether it takes part is asked later."""
    if issubclass(kind, Trigger):
        return actor == REFEREE
    if kind is RevealCard:
        return actor == position.seller or actor == REFEREE
    if kind is Ring or kind is Pass:
        return is_seat(actor) and actor in range(len(position.seats))
    return actor == seat_in_turn(position)


def awaited(edition: Edition, position: Position) -> tuple[Decision, ...]:
    """Who may move, and how."""
    phase = position.phase
    if phase == "auction":
        if is_live(position):
            return awaited_live(edition, position)
        return tuple(
            [
                Decision(seat, ("ring", "pass"))
                for seat in bidders(position, edition)
                if position.seats[seat].answer is None
            ]
        )
    return (Decision(seat_in_turn(position), (tag(STEPS[phase]),)),) if phase in STEPS else ()


def awaited_live(edition: Edition, position: Position) -> tuple[Decision, ...]:
    """The seats that may ring and the seller, who turns cards; nobody has to, and the seller lets all see (FF-44)."""
    seller, ringing = seller_of(position), bidders(position, edition)
    turning = Decision(
        seller,
        ("ring", "reveal_card") if seller in ringing else ("reveal_card",),
        obliged=False,
        not_before_s=edition.hand_pause_s,
        not_before_clause="FF-44",
    )
    others = [Decision(seat, ("ring",), obliged=False) for seat in ringing if seat != seller]
    return tuple(sorted([turning, *others], key=lambda decision: decision.seat))


def due(position: Position) -> Due | None:
    """What the referee owes."""
    if position.phase in TRIGGERS:
        return Due(TRIGGERS[position.phase])
    if position.phase == "auction" and is_live(position):
        return Due(RevealCard(), after_s=position.options.reveal_seconds)  # FF-44
    return None


def default(position: Position, seat: Seat) -> Move:
    """The move that does least: nothing is sold, stolen or removed, the bell is not touched."""
    phase = position.phase
    if phase == "auction":
        return RevealCard() if is_live(position) and seat == position.seller else Pass()
    if phase == "thieving":
        return StealCards(thefts=())
    if phase == "stowing":
        return default_stowing(position)
    return ClearTrash(cards=()) if phase == "canning" else SellFish(lots=())


def default_stowing(position: Position) -> StowCards:
    """Species on the stall join their slot, others take the first empty slot or are discarded; jokers on `crate_1`."""
    bought = purchase_of(position)
    stall = position.seats[bought.buyer]
    homes: dict[Species, Slot] = {
        species: slot for slot in SLOTS if (species := species_in(slot_of(stall, slot))) is not None
    }
    free = [slot for slot in SLOTS if not slot_of(stall, slot)]
    piles: dict[Slot, list[Card]] = {slot: [] for slot in SLOTS}
    discard: list[Card] = []
    for card in bought.hand:
        if card not in NATURAL:
            continue
        species = NATURAL[card]
        if species not in homes and free:
            homes[species] = free.pop(0)
        (piles[homes[species]] if species in homes else discard).append(card)
    piles["crate_1"] += [card for card in bought.hand if card not in NATURAL]
    return StowCards(place=Placement(**{slot: tuple(pile) for slot, pile in piles.items()}), discard=tuple(discard))
