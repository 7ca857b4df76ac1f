"""Another position that a reader cannot tell from the true one: hidden cards and answers are dealt again."""

from referee.kernel.chance import Chance
from referee.kernel.changes import replace
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import FISH, SPECIAL, Card, Cards
from referee.rulesets.fangfrisch.position import Position, SeatState, is_live
from referee.rulesets.fangfrisch.view import is_trash_open


def alike(position: Position, reader: Seat | None, chance: Chance, edition: Edition) -> Position:
    """Shuffle the hidden cards over the places where the rules allow them, and choose the hidden answers again."""
    closed = [
        Seat(number) for number in range(len(position.seats)) if not is_trash_open(position, Seat(number), reader)
    ]
    hidden = [card for number in closed for card in position.seats[number].trash]
    hidden += [card for card in (*position.deck, *position.cleared) if card not in SPECIAL]
    hidden.sort()
    fish = list(chance.shuffle("alike_trash", [card for card in hidden if card in FISH]))
    seats = list(position.seats)
    for number in closed:
        size = len(seats[number].trash)
        seats[number] = replace(seats[number], trash=tuple(fish[:size]))
        del fish[:size]
    cleared = tuple(fish[: len(position.cleared)])
    del fish[: len(position.cleared)]
    if not is_live(position):
        seats = [other_answer(seat, number == reader, chance) for number, seat in enumerate(seats)]
    rest = chance.shuffle("alike_deck", [*fish, *[card for card in hidden if card not in FISH]])
    deck = with_special(rest, [card for card in SPECIAL if card in position.deck], chance, edition)
    return replace(position, seats=tuple(seats), deck=deck, cleared=cleared)


def other_answer(seat: SeatState, own: bool, chance: Chance) -> SeatState:
    """The seat, with another answer if it has given one that the reader does not know."""
    if own or seat.answer is None:
        return seat
    (answer,) = chance.pick("alike_answer", ("ring", "pass"), 1)
    return replace(seat, answer=answer)


def with_special(ordinary: Cards, special: list[Card], chance: Chance, edition: Edition) -> Cards:
    """The deck with the special cards where the set-up put them, as far as it still reaches there (FF-8, FF-9)."""
    deck = list(ordinary)
    if "market_close" in special:
        below = chance.number("alike_market_close", 0, min(edition.mixed_with_market_close, len(deck)))
        deck.insert(len(deck) - below, "market_close")
    if "end_phase" in special:
        deck.insert(max(0, len(deck) - edition.end_phase_from_last), "end_phase")
    return tuple(deck)
