"""Whose move it is: what every move must meet, the awaited seats, what is due, and the safe defaults."""

from typing import Final

from referee.kernel.attempt import Attempt
from referee.kernel.memo import remember_last
from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE, Actor, Seat, is_seat
from referee.rulesets.fangfrisch.bell import CloseBell, Pass, RevealCard, Ring, ShowOffer, fate_of_last_lot
from referee.rulesets.fangfrisch.canning import ClearTrash
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import NATURAL, SLOTS, Card, Slot, Species, species_in
from referee.rulesets.fangfrisch.position import (
    Case,
    Phase,
    Position,
    bidders,
    is_live,
    purchase_of,
    ringing,
    seat_in_turn,
    seller_of,
    slot_of,
)
from referee.rulesets.fangfrisch.scoring import CloseMarket, SettleAccounts
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
    ShowOffer: ("auction",),
    CloseBell: ("auction",),
    StealCards: ("thieving",),
    StowCards: ("stowing",),
    ClearTrash: ("canning",),
    CloseMarket: ("closing",),
    SettleAccounts: ("settling",),
}
"""The phases that list each move."""

TRIGGERS: Final[dict[Phase, Move]] = {"setup": SetUp(), "closing": CloseMarket(), "settling": SettleAccounts()}
"""The triggers that are due at once."""

STEPS: Final[dict[Phase, type[Move]]] = {
    "selling": SellFish,
    "thieving": StealCards,
    "stowing": StowCards,
    "canning": ClearTrash,
    "buyer_sale": SellFish,
    "final_sale": SellFish,
}
"""The phases in which one seat makes one kind of move."""

DOINGS: Final[dict[Phase, str]] = {
    "setup": "the referee sets up the table",
    "selling": "seat {seat} starts its turn and may sell fish",
    "thieving": "seat {seat} bought the lot and may steal cards",
    "stowing": "seat {seat} bought the lot and must stow its hand",
    "canning": "seat {seat} bought the lot and may clear its trash",
    "buyer_sale": "seat {seat} bought the lot and may sell fish",
    "closing": "the referee closes the market",
    "final_sale": "seat {seat} has its final sale",
    "settling": "the referee settles the accounts",
}
"""What happens in each phase but the auction, for messages."""


LIVE_MOVES: Final = (RevealCard, ShowOffer, CloseBell)
"""The moves of an auction that only live pace has."""


def before(case: Case, attempt: Attempt) -> None:
    """Check the type, the phase, the pace, the actor and the form of a move, in this order."""
    kind = attempt.known("FF-3")
    position = case.position
    if position.phase not in PHASES[kind]:
        raise Rejection("FF-1", wrong_phase(position, kind, case.edition))
    require(
        "FF-42",
        kind not in LIVE_MOVES or is_live(position),
        "In turn pace nobody turns cards by hand: the next card is turned when all have answered and nobody rang.",
    )
    if not is_expected(position, case.actor, kind):
        raise Rejection("FF-2", wrong_actor(position, case.actor, kind))
    attempt.readable("FF-3")


def wrong_phase(position: Position, kind: type[Move], edition: Edition) -> str:
    """Why this phase does not allow the move; a seat that answers too late learns what became of the lot (FF-43)."""
    if position.phase == "finished":
        return "The game is over; no move is possible."
    now = f"in phase `{position.phase}` {doing(position, edition)}"
    if PHASES[kind] == ("auction",) and position.last_lot is not None:
        became = fate_of_last_lot(position)
        return f"`{tag(kind)}` is too late: {became}; {now}."
    phases = " or ".join(f"`{phase}`" for phase in PHASES[kind])
    return f"`{tag(kind)}` needs phase {phases}; {now}."


def wrong_actor(position: Position, actor: Actor, kind: type[Move]) -> str:
    """Which actor makes this move in this phase."""
    you = f"you are seat {actor}" if is_seat(actor) else f"you are the {actor}"
    if issubclass(kind, Trigger):
        return f"Only the referee makes the move `{tag(kind)}`; {you}."
    if kind is RevealCard:
        return f"Only the seller, seat {position.seller}, announces cards; {you}."
    if kind is Ring or kind is Pass:
        return f"Only seats 0 to {len(position.seats) - 1} ring or pass; {you}."
    return f"`{tag(kind)}` is not your move, {you}: {DOINGS[position.phase].format(seat=seat_in_turn(position))}."


def doing(position: Position, edition: Edition) -> str:
    """What happens in this phase, and which seats do it."""
    if position.phase == "auction" and is_live(position):
        return "a seat that takes part may ring, and the seller announces cards"
    if position.phase == "auction":
        return f"{', '.join(f'seat {decision.seat}' for decision in awaited(position, edition))} must ring or pass"
    seat = seat_in_turn(position) if position.phase in STEPS else None
    return DOINGS[position.phase].format(seat=seat)


def is_expected(position: Position, actor: Actor, kind: type[Move]) -> bool:
    """Whether this actor makes this kind of move in this phase; the bell checks whether a seat takes part."""
    if issubclass(kind, Trigger):
        return actor == REFEREE
    if kind is RevealCard:
        return actor == position.seller
    if kind is Ring or kind is Pass:
        return is_seat(actor) and actor in range(len(position.seats))
    return actor == seat_in_turn(position)


@remember_last
def awaited(position: Position, edition: Edition) -> tuple[Decision, ...]:
    """The seats that may move, and their types of moves."""
    phase = position.phase
    if phase == "auction":
        if is_live(position):
            return awaited_live(position, edition)
        return tuple(
            [
                Decision(seat, ("ring", "pass"))
                for seat in bidders(position, edition)
                if position.seats[seat].answer is None
            ]
        )
    return (Decision(seat_in_turn(position), (tag(STEPS[phase]),)),) if phase in STEPS else ()


def awaited_live(position: Position, edition: Edition) -> tuple[Decision, ...]:
    """The seats that may ring, and the seller, which may announce a card after a pause (FF-44); no seat has to act."""
    if not position.offer:
        return ()
    window_ms = position.options.bell_window_ms
    decisions = [
        Decision(seat, ("ring",), obliged=False, race_ms=window_ms)
        for seat in bidders(position, edition)
        if position.seats[seat].answer is None
    ]
    if not position.is_announced and not ringing(position):
        decisions.append(
            Decision(
                seller_of(position),
                ("reveal_card",),
                obliged=False,
                not_before_s=edition.hand_pause_s,
                not_before_clause="FF-44",
            )
        )
    return tuple(sorted(decisions, key=lambda decision: decision.seat))


def due(position: Position, edition: Edition) -> Due | None:
    """The trigger that the referee owes."""
    if position.phase in TRIGGERS:
        return Due(TRIGGERS[position.phase])
    return due_live(position, edition) if position.phase == "auction" and is_live(position) else None


def due_live(position: Position, edition: Edition) -> Due:
    """The end of the bell once a seat has rung; else the next card, never sooner than the seller may announce it."""
    if ringing(position):
        return Due(CloseBell(), after_ms=position.options.bell_window_ms, runs_on=True)  # FF-41
    if position.is_announced:
        return Due(ShowOffer(), after_ms=edition.shown_after_ms)  # FF-42
    return Due(ShowOffer(), after_ms=1000 * max(position.options.reveal_seconds, edition.hand_pause_s))  # FF-44


def default(position: Position, seat: Seat, edition: Edition) -> Move:
    """The legal move with the least effect: it sells, steals and removes nothing, and does not ring."""
    phase = position.phase
    if phase == "auction":
        is_turning = is_live(position) and seat == position.seller
        return RevealCard(seen=position.offer_number) if is_turning else Pass()
    if phase == "thieving":
        return StealCards(thefts=())
    if phase == "stowing":
        return default_stowing(position)
    return ClearTrash(cards=()) if phase == "canning" else SellFish(lots=())


def default_stowing(position: Position) -> StowCards:
    """Species on the stall join their slot, others take an empty slot or are discarded; jokers go to `crate_1`."""
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
