"""The Summoner goes to the poorest: CF-76 to CF-79."""

from referee.kernel.changes import replace, without
from referee.kernel.message import Event, Trigger
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.position import Card, Case, Position, Says, SeatState, changed_seat, clockwise, owns

summoner = Chapter()

SUMMONER = Card(kind="summoner", price=0)


class AwardSummoner(Trigger):
    """Give the Summoner to the poorest seat."""


class SummonerAwarded(Event):
    """The poorest seat has the Summoner and must place the monster."""

    seat: Seat
    totals: tuple[int, ...]


def summoner_owner(position: Position) -> Seat | None:
    """The seat that owns the Summoner."""
    return next((Seat(at) for at, state in enumerate(position.seats) if owns(state, "summoner")), None)


def total(state: SeatState) -> int:
    """Money and prices of the game cards (CF-77)."""
    return state.money + sum(card.price for card in state.cards)


@summoner.decides(AwardSummoner)
def award_summoner(case: Case, move: AwardSummoner) -> Says:
    """The lowest total; then less money; then the later in turn order (CF-78)."""
    position = case.position
    totals = tuple(total(state) for state in position.seats)
    latest_first = reversed(clockwise(position, position.first_seat))
    poorest = min(latest_first, key=lambda seat: (totals[seat], position.seats[seat].money))
    yield SummonerAwarded(seat=poorest, totals=totals)


@summoner.applies(SummonerAwarded)
def summoner_awarded(position: Position, event: SummonerAwarded) -> Position:
    """The card changes hands, unless the poorest has it already; the monster is to be placed (CF-79)."""
    former = summoner_owner(position)
    if former is not None and former != event.seat:
        cards = without(position.seats[former].cards, (SUMMONER,))
        position = replace(position, seats=changed_seat(position, former, cards=cards))
    if former != event.seat:
        cards = (*position.seats[event.seat].cards, SUMMONER)
        position = replace(position, seats=changed_seat(position, event.seat, cards=cards))
    return replace(position, phase="monster")
