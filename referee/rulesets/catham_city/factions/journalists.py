"""Journalists (section 4.7): influence, and a deal for everybody else."""

from typing import Annotated, ClassVar

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import counted, in_order, in_words, number_of
from referee.rulesets.catham_city.conditions import require_in_play, require_number_held
from referee.rulesets.catham_city.names import Cards, Faction
from referee.rulesets.catham_city.piles import CardsDiscarded
from referee.rulesets.catham_city.playing import plays
from referee.rulesets.catham_city.position import (
    Case,
    Pending,
    Position,
    Says,
    active,
    given_cards,
    hand_of,
    with_fewer,
    with_more,
)
from referee.rulesets.catham_city.questions import QuestionAsked, answers_clockwise, locked
from referee.rulesets.catham_city.scoring import gain, is_over
from referee.rulesets.catham_city.turns import complete_action

journalists = Chapter()


class PlayJournalists(Move):
    """Play journalists for influence; the others may make a deal."""


class GiveCard(Move):
    """Make a deal: give the active seat a card of this faction."""

    secret: ClassVar[bool] = True
    faction: Annotated[Faction, Meta(description="The faction of the card that you give.")]


class CashIn(Move):
    """Discard cards like those that the others gave you, for influence."""

    cards: Annotated[Cards, Meta(description="Any part of the cards that you were given; none is allowed.")]


class CardGiven(Event):
    """A seat gave the active seat a card."""

    seat: Seat
    target: Seat
    faction: Faction


class CashInDue(Event):
    """The active seat may cash in the cards that it was given."""

    seat: Seat
    cards: Cards


@journalists.decides(PlayJournalists)
def play_journalists(case: Case, move: PlayJournalists) -> Says:
    """Two journalists, influence, then the question (CC-28)."""
    numbers = case.edition.journalist
    require_in_play(case.position, "journalist")
    require_number_held(case, move, "journalist", numbers.cards)
    position = yield plays(case.seat, "journalist", numbers.cards)
    position = yield from gain(case, position, case.seat, numbers.gain, "journalist")
    if not is_over(position):
        yield QuestionAsked(question="journalists", seat=case.seat, faction=None)


@journalists.decides(GiveCard)
def give_card(case: Case, move: GiveCard) -> Says:
    """The giver needs two cards of the faction if the bonus is the giver's (CC-29), otherwise one (CC-33)."""
    require_in_play(case.position, move.faction)
    if case.position.options.journalists_bonus == "giver":
        held = number_of(hand_of(case.position, case.seat), move.faction)
        if held < 2:
            needed = f"A deal takes 2 {move.faction} cards, one to give and one to discard"
            raise Rejection("CC-29", f"{needed}; you hold {held}.")
    else:
        require_number_held(case, move, move.faction, 1)
    yield locked(case.seat, "give_card", faction=move.faction)


def carry_out_deals(case: Case) -> Says:
    """Carry out the deals for the side that the option `journalists_bonus` names."""
    if case.position.options.journalists_bonus == "giver":
        yield from _givers_profit(case)
    else:
        yield from _active_seat_profits(case)


def _givers_profit(case: Case) -> Says:
    """Each deal completely before the next (CC-31)."""
    position = case.position
    target = active(position)
    for seat, faction in _gifts(position):
        position = yield CardGiven(seat=seat, target=target, faction=faction)
        position = yield CardsDiscarded(seat=seat, cards=(faction,), reason="journalist")
        position = yield from gain(case, position, seat, case.edition.journalist.bonus_gain, "journalist")
        if is_over(position):
            return
    yield from complete_action(case, position)  # CC-32


def _active_seat_profits(case: Case) -> Says:
    """All gifts first, then the active seat chooses what it cashes in (CC-33)."""
    position = case.position
    target = active(position)
    gifts = _gifts(position)
    for seat, faction in gifts:
        position = yield CardGiven(seat=seat, target=target, faction=faction)
    if gifts:
        yield CashInDue(seat=target, cards=in_order(faction for _, faction in gifts))
    else:
        yield from complete_action(case, position)


def _gifts(position: Position) -> tuple[tuple[Seat, Faction], ...]:
    """The seats that give a card, each with its faction, clockwise."""
    return tuple((seat, answer.faction) for seat, answer in answers_clockwise(position) if answer and answer.faction)


@journalists.decides(CashIn)
def cash_in(case: Case, move: CashIn) -> Says:
    """The seat discards a like card for each card that it cashes in, and gains the influence at once."""
    position = case.position
    require_in_play(position, *move.cards)
    given = given_cards(position)
    for faction in dict.fromkeys(move.cards):
        if move.cards.count(faction) > number_of(given, faction):
            received = in_words(number_of(given, faction), faction)
            raise Rejection("CC-33", f"You were given {received}; you cannot cash in {move.cards.count(faction)}.")
    if move.cards:
        position = yield CardsDiscarded(seat=case.seat, cards=in_order(move.cards), reason="journalist")
        amount = len(move.cards) * case.edition.journalist.bonus_gain
        position = yield from gain(case, position, case.seat, amount, "journalist")
    if not is_over(position):
        yield from complete_action(case, position)


@journalists.applies(CardGiven)
def card_given(position: Position, event: CardGiven) -> Position:
    """Move a card from hand to hand."""
    position = replace(position, seats=with_fewer(position, event.seat, (event.faction,)))
    return replace(position, seats=with_more(position, event.target, (event.faction,)))


@journalists.applies(CashInDue)
def cash_in_due(position: Position, event: CashInDue) -> Position:
    """Wait for the choice."""
    given = counted(position.options.factions, event.cards)
    return replace(position, phase="journalists_cash_in", pending=Pending(given=given))
