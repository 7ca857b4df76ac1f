"""Hackers (section 4.14): given to another seat, they score and bring back what they find."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import copies, in_order, listed, minus
from referee.rulesets.catham_city.conditions import require_in_play, require_number_held, require_other_seat
from referee.rulesets.catham_city.names import Cards
from referee.rulesets.catham_city.playing import HandRevealed
from referee.rulesets.catham_city.position import Case, Position, Says, hand_of, hand_size, with_fewer, with_more
from referee.rulesets.catham_city.scoring import gain, is_over
from referee.rulesets.catham_city.turns import complete_action

hackers = Chapter()


class PlayHackers(Move):
    """Give hackers to another seat, which then reveals the same number of cards, chosen by chance."""

    count: Annotated[int, Meta(description="The number of hackers that you give.")]
    target: Annotated[Seat, Meta(description="The seat that receives them.")]


class HackersGiven(Event):
    """The active seat gave hackers to the hand of another seat."""

    seat: Seat
    target: Seat
    count: int


class RevealedCardsTaken(Event):
    """The active seat took revealed cards into its hand."""

    seat: Seat
    cards: Cards


@hackers.decides(PlayHackers)
def play_hackers(case: Case, move: PlayHackers) -> Says:
    """Give, reveal, gain, then take the rest if the game goes on (CC-57, CC-60 to CC-62)."""
    _require_attack(case, move)
    position = yield HackersGiven(seat=case.seat, target=move.target, count=move.count)
    mixed = listed(hand_of(position, move.target))
    shown = in_order(case.chance.pick("hackers_reveal", mixed, move.count))
    position = yield HandRevealed(seat=move.target, cards=shown)
    amount = shown.count("hacker") * case.edition.hacker.gain_per_hacker
    position = yield from gain(case, position, case.seat, amount, "hacker")
    if is_over(position):
        return
    if others := tuple(card for card in shown if card != "hacker"):
        position = yield RevealedCardsTaken(seat=case.seat, cards=others)
    yield from complete_action(case, position)


def _require_attack(case: Case, move: PlayHackers) -> None:
    position = case.position
    numbers = case.edition.hacker
    require_in_play(position, "hacker")
    if not numbers.min_cards <= move.count <= numbers.max_cards:
        raise Rejection("CC-58", f"Give {numbers.min_cards} to {numbers.max_cards} hackers, not {move.count}.")
    require_other_seat(position, case.seat, move.target)
    require_number_held(case, move, "hacker", move.count)
    held = hand_size(position, move.target)
    if held < move.count:
        needed = f"To be given {move.count} hackers, seat {move.target} must hold at least {move.count} cards"
        raise Rejection("CC-59", f"{needed}; it holds {held}.")


@hackers.applies(HackersGiven)
def hackers_given(position: Position, event: HackersGiven) -> Position:
    """Move hackers from hand to hand."""
    cards = copies("hacker", event.count)
    position = replace(position, seats=with_fewer(position, event.seat, cards))
    return replace(position, seats=with_more(position, event.target, cards))


@hackers.applies(RevealedCardsTaken)
def revealed_cards_taken(position: Position, event: RevealedCardsTaken) -> Position:
    """Move cards from the table to a hand; everybody has seen them."""
    assert position.revealed is not None
    return replace(
        position,
        table=minus(position.table, event.cards),
        seats=with_more(position, event.seat, event.cards),
        revealed=replace(position.revealed, taken_by=event.seat),
    )
