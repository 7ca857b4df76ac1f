"""The markers that basic actions spend: their own, or one that the Wizard changes: CF-20, CF-48 to CF-51."""

from typing import Annotated, Literal, NoReturn

from msgspec import UNSET, Meta, Struct, UnsetType, field

from referee.kernel.changes import put, replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.decks import MagicPlayed
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import BASIC, Space, counted, title_of
from referee.rulesets.cat_and_fish.position import Case, Options, Position, SeatState, Step, acting, no_marker, owns

wizard = Chapter()

ChangeBy = Literal["wizard", "change"]


class Change(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Spend a marker on another basic space, with the Wizard's help."""

    from_: Annotated[Space, Meta(description="The basic space whose marker is spent.")] = field(name="from")
    by: Annotated[ChangeBy, Meta(description="`wizard`: pay the Wizard's fee; `change`: play the magic card Change.")]


class ActionChanged(Event):
    """A seat changed a chosen action into another."""

    seat: Seat
    from_: Space = field(name="from")
    to: Space
    paid: int


def exchangeable(state: SeatState, space: Space) -> tuple[Space, ...]:
    """The basic spaces whose markers a seat can give up for an action on another basic space (CF-20, CF-48)."""
    return tuple([other for other in BASIC if other in state.placed and other != space])


def change_fee(state: SeatState, by: ChangeBy, edition: Edition) -> int:
    """What a change of an action costs: the card Change waives the fee for an owner of the Wizard (CF-50, CF-51)."""
    return 0 if by == "change" and owns(state, "wizard") else edition.wizard_fee


def changers(state: SeatState, options: Options, edition: Edition) -> tuple[ChangeBy, ...]:
    """What can change an action of a seat: the Wizard for a fee (CF-50), or the card Change (CF-51, CF-89)."""
    if not owns(state, "wizard") and not options.magic_for_all:  # CF-49
        return ()
    held: tuple[ChangeBy, ...] = ("wizard",) if owns(state, "wizard") else ()
    held = (*held, "change") if "change" in state.magic else held
    return tuple([by for by in held if state.money >= change_fee(state, by, edition)])


def ways(state: SeatState, space: Space, options: Options, edition: Edition) -> tuple[Change | UnsetType, ...]:
    """How a seat can spend a marker for a basic action: its own (CF-20), or one that it changes."""
    plain = (UNSET,) if space in state.placed else ()
    means = changers(state, options, edition)
    if not means:
        return plain
    return (*plain, *[Change(from_=other, by=by) for by in means for other in exchangeable(state, space)])


def money_left(state: SeatState, change: Change | UnsetType, edition: Edition) -> int:
    """The money that a seat has after the fee for a changed action (CF-6)."""
    return state.money if isinstance(change, UnsetType) else state.money - change_fee(state, change.by, edition)


def purse(state: SeatState, money: int) -> str:
    """The money that is left for an action, as a message names it."""
    return str(money) if money == state.money else f"{money} after the fee for the changed action"


def require_marker(case: Case, space: Space, change: Change | UnsetType) -> int:
    """Refuse a basic action without a marker to spend; return the money that is left for it."""
    own = acting(case)
    if isinstance(change, UnsetType):
        if space not in own.placed:
            raise Rejection("CF-20", no_marker(own, space))
        return own.money
    require_change(case, space, change)
    return money_left(own, change, case.edition)


def require_change(case: Case, space: Space, change: Change) -> None:
    """Refuse a change of a marker that cannot be given up, and one that the seat lacks the means for."""
    own, given_up = acting(case), title_of(change.from_)
    if change.from_ not in exchangeable(own, space):
        is_basic = change.from_ in BASIC
        require("CF-48", is_basic, f"The Wizard changes Fishing, Sailing, Selling and Buying only, not {given_up}.")
        require("CF-48", change.from_ != space, f"You must change {given_up} into a different action.")
        raise Rejection("CF-20", no_marker(own, change.from_))
    if change.by not in changers(own, case.position.options, case.edition):
        refuse_means(case, change.by)


def refuse_means(case: Case, by: ChangeBy) -> NoReturn:
    """Refuse a change by the first clause that the means of the seat do not meet."""
    own, fee = acting(case), counted(case.edition.wizard_fee, "euro")
    is_open = by == "change" and case.position.options.magic_for_all
    require("CF-49", is_open or owns(own, "wizard"), "A change of an action needs the Wizard, which you do not own.")
    if by == "wizard":
        raise Rejection("CF-50", f"The Wizard costs {fee} each time; you have {own.money}.")
    require("CF-51", "change" in own.magic, "You do not hold the magic card Change.")
    raise Rejection("CF-89", f"Without the Wizard the magic card Change costs {fee}; you have {own.money}.")


def change_action(case: Case, space: Space, change: Change | UnsetType) -> Step:
    """Change the marker that is given up into one on the space, if the move asks for it."""
    if isinstance(change, UnsetType):
        return case.position
    paid = change_fee(acting(case), change.by, case.edition)
    if change.by == "change":
        yield MagicPlayed(seat=case.seat, card="change")
    position = yield ActionChanged(seat=case.seat, from_=change.from_, to=space, paid=paid)
    return position


@wizard.applies(ActionChanged)
def action_changed(position: Position, event: ActionChanged) -> Position:
    """Put the marker on the other space and pay the fee."""
    state = position.seats[event.seat]
    placed = put(state.placed, state.placed.index(event.from_), event.to)
    return replace(position, seats=with_seat(position.seats, event.seat, placed=placed, money=state.money - event.paid))
