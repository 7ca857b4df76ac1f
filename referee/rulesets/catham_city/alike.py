"""Another position that a reader cannot tell from the true one, with the hidden cards dealt again."""

from referee.kernel.chance import Chance
from referee.kernel.changes import put, replace, with_seat
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.answers import legal_answers
from referee.rulesets.catham_city.cards import CountMap, counted, listed, minus, plus, total
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.position import Position, given_cards, hand_of, taken_cards
from referee.rulesets.catham_city.questions import is_question_open


def alike(position: Position, reader: Seat | None, chance: Chance, edition: Edition) -> Position:
    """Deal the hidden cards again, then let the others answer as their new hands allow."""
    hidden = [Seat(seat) for seat in range(len(position.seats)) if seat != reader]
    dealt = _with_cards_dealt_anew(position, hidden, chance)
    return _with_answers_given_anew(dealt, hidden, chance, edition) if is_question_open(dealt) else dealt


def _with_cards_dealt_anew(position: Position, hidden: list[Seat], chance: Chance) -> Position:
    known = {seat: _known_cards(position, seat) for seat in hidden}
    unknown = [minus(hand_of(position, seat), listed(known[seat])) for seat in hidden]
    pool = [card for hand in unknown for card in listed(hand)] + list(position.draw_pile)
    deck = chance.shuffle("alike_cards", sorted(pool))
    for seat, hand in zip(hidden, unknown, strict=True):
        size = total(hand)
        cards, deck = deck[:size], deck[size:]
        position = replace(position, seats=with_seat(position.seats, seat, hand=plus(known[seat], cards)))
    return replace(position, draw_pile=deck)


def _known_cards(position: Position, seat: Seat) -> CountMap:
    """Cards that everybody sees in a hand: those just given to the active seat, or just taken by hackers."""
    if position.phase == "journalists_cash_in" and seat == position.active_seat:
        return given_cards(position)
    return counted(position.options.factions, taken_cards(position, seat))


def _with_answers_given_anew(position: Position, hidden: list[Seat], chance: Chance, edition: Edition) -> Position:
    pending = position.pending
    assert pending is not None and pending.answers
    answers = pending.answers
    for seat in hidden:
        if answers[seat] is not None:
            possible = tuple(legal_answers(position, seat, edition))
            answers = put(answers, seat, possible[chance.number("alike_answer", 0, len(possible) - 1)])
    return replace(position, pending=replace(pending, answers=answers))
