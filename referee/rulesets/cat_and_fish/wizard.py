"""Which marker a basic action spends: its own, or one that the Wizard changes: CF-20, CF-48 to CF-51."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, UnsetType, field

from referee.kernel.changes import put, replace
from referee.kernel.message import Event
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.decks import MagicPlayed
from referee.rulesets.cat_and_fish.names import BASIC, Space
from referee.rulesets.cat_and_fish.position import Case, Position, Step, acting, changed_seat, owns

wizard = Chapter()


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """Spend a marker of another basic space, with the Wizard's help."""

    from_: Annotated[Space, Meta(description="The basic space whose marker is spent.")] = field(name="from")
    by: Annotated[Literal["wizard", "change"], Meta(description="For a fee, or with the magic card Change.")]


class ActionChanged(Event):
    """The Wizard changed a chosen action into another."""

    seat: Seat
    from_: Space = field(name="from")
    to: Space
    paid: int


def require_marker(case: Case, space: Space, change: Change | UnsetType) -> int:
    """Refuse the action without a marker to spend; the money that is left after a fee of the Wizard (CF-6)."""
    own = acting(case)
    if isinstance(change, UnsetType):
        require("CF-20", space in own.placed, "You have no marker on this action.")
        return own.money
    require("CF-48", change.from_ in BASIC and change.from_ != space, "Only another basic action can be changed.")
    require("CF-20", change.from_ in own.placed, "You have no marker on the action that you give up.")
    require("CF-49", owns(own, "wizard"), "You do not own the Wizard.")
    if change.by == "change":
        require("CF-51", "change" in own.magic, "You do not hold the magic card Change.")
        return own.money
    require("CF-50", own.money >= case.edition.wizard_fee, "You cannot pay the Wizard.")
    return own.money - case.edition.wizard_fee


def change_action(case: Case, space: Space, change: Change | UnsetType) -> Step:
    """Turn the marker given up into one on the space, if the move asks for it."""
    if isinstance(change, UnsetType):
        return case.position
    paid = case.edition.wizard_fee
    if change.by == "change":
        paid = 0
        yield MagicPlayed(seat=case.seat, card="change")
    position = yield ActionChanged(seat=case.seat, from_=change.from_, to=space, paid=paid)
    return position


@wizard.applies(ActionChanged)
def action_changed(position: Position, event: ActionChanged) -> Position:
    """The marker stands on the other space; the fee is paid."""
    state = position.seats[event.seat]
    placed = put(state.placed, state.placed.index(event.from_), event.to)
    return replace(position, seats=changed_seat(position, event.seat, placed=placed, money=state.money - event.paid))
