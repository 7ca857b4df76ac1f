"""Tables for the tests: a test names where some cards lie, and the rest of the box lies in a pile."""

from __future__ import annotations

from typing import Any, Literal

from referee.kernel.seat import Seat
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import CountMap, counted, in_order, listed, minus
from referee.rulesets.catham_city.edition import EDITION
from referee.rulesets.catham_city.names import Cards, Faction, Phase
from referee.rulesets.catham_city.position import Answer, Options, Pending, Position, Revealed, SeatState
from tests.given import Given

LETTERS: dict[str, Faction] = {faction[0].upper(): faction for faction in EDITION.factions}

DECLINED = Answer(answer="decline", faction=None, cards=None)
MATCHED = Answer(answer="match_card", faction=None, cards=None)


def row(letters: str) -> Cards:
    """Cards in this order: `row("SSM")`, one letter each, blanks do not count."""
    return tuple(LETTERS[letter] for letter in letters if letter != " ")


def heap(text: str) -> Cards:
    """Cards by number: `heap("D3 S1")` is three detectives and a scientist."""
    return in_order(card for part in text.split() for card in row(part[0]) * int(part[1:]))


def a_position(
    hands: tuple[str, ...] = ("", ""),
    *,
    factions: str = "DSRMH",
    influence: tuple[int, ...] | None = None,
    market: str | None = None,
    top: str = "",
    rest: Literal["draw_pile", "discard_pile"] = "draw_pile",
    discarded: str = "",
    on_table: str = "",
    phase: Phase = "turn",
    active: int = 0,
    actions_left: int = 1,
    pending: Pending | None = None,
    revealed: Revealed | None = None,
    **options: Any,
) -> Position:
    """A position with these hands; `top` is the top of the draw pile, all cards not named lie in `rest`."""
    five = in_order(row(factions))
    box = counted(five, five * EDITION.copies_per_faction)
    named = [heap(hand) for hand in hands] + [heap(on_table), heap(discarded), row(top)]
    for cards in named:
        box = minus(box, cards)
    in_market = heap(market) if market is not None else spread(box, EDITION.market_size)
    remaining = listed(minus(box, in_market))
    in_pile = row(top) + (remaining if rest == "draw_pile" else ())
    discards = heap(discarded) + (remaining if rest == "discard_pile" else ())
    return Position(
        ruleset="catham-city",
        options=Options(factions=five, **options),
        phase=phase,
        seats=tuple(
            SeatState(hand=counted(five, heap(hand)), influence=each)
            for hand, each in zip(hands, influence or (0,) * len(hands), strict=True)
        ),
        active_seat=Seat(active),
        actions_left=actions_left,
        market=counted(five, in_market),
        draw_pile=in_pile,
        discard_pile=counted(five, discards),
        table=counted(five, heap(on_table)),
        pending=pending,
        revealed=revealed,
    )


def spread(box: CountMap, size: int) -> Cards:
    """This number of cards of the box, spread over its factions."""
    cards = listed(box)
    step = max(1, len(cards) // size)
    return cards[::step][:size]


def given(*hands: str, **rest: Any) -> Given:
    """A table with these hands; the rest as for `a_position`."""
    return Given(CATHAM_CITY, a_position(hands, **rest))


def asked(*answers: Answer | None, faction: str | None = None) -> Pending:
    """An open question with these answers, by seat; for detectives the letter of the extra card."""
    return Pending(faction=LETTERS[faction] if faction else None, answers=answers)


def gives(letter: str) -> Answer:
    """The answer of a seat that makes a deal."""
    return Answer(answer="give_card", faction=LETTERS[letter], cards=None)


def surrenders(text: str) -> Answer:
    """The answer of a seat that gives cards to the mafia."""
    return Answer(answer="surrender_cards", faction=None, cards=heap(text))


PAYS_INFLUENCE = Answer(answer="surrender_influence", faction=None, cards=None)


def hand(position: Position, seat: int) -> Cards:
    """The hand of a seat, card by card."""
    return listed(position.seats[seat].hand)


def grown(before: CountMap, after: CountMap) -> dict[str, int]:
    """By how many cards each faction of a heap grew, where it did."""
    changes = {
        faction: getattr(after, faction) - getattr(before, faction)
        for faction in EDITION.factions
        if isinstance(getattr(after, faction), int)
    }
    return {faction: change for faction, change in changes.items() if change}
