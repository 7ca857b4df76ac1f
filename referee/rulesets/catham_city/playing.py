"""Playing cards, in general (section 4.6): cards go to the table, hands are revealed there."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import copies, in_order, plus
from referee.rulesets.catham_city.names import Cards, Faction
from referee.rulesets.catham_city.position import Position, Revealed, with_fewer

playing = Chapter()


class CardsPlayed(Event):
    """The active seat put cards of one faction, and perhaps an extra card, on the table."""

    seat: Seat
    faction: Faction
    cards: Cards
    extra: Faction | None
    target: Seat | None


class HandRevealed(Event):
    """Cards of a hand, chosen by chance, were put face up on the table."""

    seat: Seat
    cards: Cards


def plays(seat: Seat, faction: Faction, count: int) -> CardsPlayed:
    """A play of nothing but cards of the faction itself."""
    return CardsPlayed(seat=seat, faction=faction, cards=copies(faction, count), extra=None, target=None)


def plays_with_extra(
    seat: Seat, cards: Cards, faction: Faction, extra: Faction, target: Seat | None = None
) -> CardsPlayed:
    """A play with an extra card, perhaps against a target."""
    return CardsPlayed(seat=seat, faction=faction, cards=in_order(cards), extra=extra, target=target)


@playing.applies(CardsPlayed)
def cards_played(position: Position, event: CardsPlayed) -> Position:
    """Move cards from a hand to the table (CC-25)."""
    return replace(_laid_open(position, event.seat, event.cards), revealed=None)


@playing.applies(HandRevealed)
def hand_revealed(position: Position, event: HandRevealed) -> Position:
    """Move cards from a hand to the table."""
    revealed = Revealed(seat=event.seat, cards=event.cards)
    return replace(_laid_open(position, event.seat, event.cards), revealed=revealed)


def _laid_open(position: Position, seat: Seat, cards: Cards) -> Position:
    return replace(position, seats=with_fewer(position, seat, cards), table=plus(position.table, cards))
