"""The Summoner goes to the poorest: CF-76 to CF-79."""

from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.position import Card, Case, Position, Says, SeatState, owns, turn_order

summoner = Chapter()

SUMMONER = Card(kind="summoner", price=0)


class AwardSummoner(Trigger):
    """Give the Summoner to the poorest seat."""


class SummonerAwarded(Event):
    """The poorest seat got the Summoner and must place the monster."""

    seat: Seat
    totals: tuple[int, ...]


def summoner_owner(position: Position) -> Seat | None:
    """The seat that owns the Summoner."""
    return next((Seat(at) for at, state in enumerate(position.seats) if owns(state, "summoner")), None)


def total(state: SeatState) -> int:
    """The money and the prices of the game cards of a seat (CF-77)."""
    return state.money + sum(card.price for card in state.cards)


@summoner.decides(AwardSummoner)
def award_summoner(case: Case, move: AwardSummoner) -> Says:
    """The Summoner goes to the lowest total; then to less money; then to the later in turn order (CF-78)."""
    position = case.position
    totals = tuple(total(state) for state in position.seats)
    latest_first = reversed(turn_order(position))
    poorest = min(latest_first, key=lambda seat: (totals[seat], position.seats[seat].money))
    yield SummonerAwarded(seat=poorest, totals=totals)


@summoner.applies(SummonerAwarded)
def summoner_awarded(position: Position, event: SummonerAwarded) -> Position:
    """Give the card to the poorest seat, unless it has it already; it must place the monster (CF-79)."""
    former = summoner_owner(position)
    if former is not None and former != event.seat:
        cards = without(position.seats[former].cards, (SUMMONER,))
        position = replace(position, seats=with_seat(position.seats, former, cards=cards))
    if former != event.seat:
        cards = (*position.seats[event.seat].cards, SUMMONER)
        position = replace(position, seats=with_seat(position.seats, event.seat, cards=cards))
    return replace(position, phase="monster")
