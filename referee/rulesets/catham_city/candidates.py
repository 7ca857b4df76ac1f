"""Moves worth trying, by phase. There may be too many: the rules judge them."""

from collections.abc import Callable, Iterator
from typing import Final

from referee.kernel.candidates import Candidates, Many
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import CountMap, copies, each, total
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.factions.bureaucrats import PlayBureaucrats
from referee.rulesets.catham_city.factions.detectives import MatchCard, PlayDetectives
from referee.rulesets.catham_city.factions.hackers import PlayHackers
from referee.rulesets.catham_city.factions.journalists import CashIn, GiveCard, PlayJournalists
from referee.rulesets.catham_city.factions.mafia import PlayMafia, SurrenderCards, SurrenderInfluence
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.names import Cards, Faction, Phase
from referee.rulesets.catham_city.position import Position, given_cards, hand_of
from referee.rulesets.catham_city.questions import Decline
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import DiscardExcess, excess_of


def candidates(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """Every legal move of a seat is among these."""
    return CANDIDATES[position.phase](position, seat, edition)


def in_turn(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Taking cards, and every faction's play."""
    yield from (
        TakeCards(faction=faction, count=count)
        for faction, shown in each(position.market)
        for count in range(1, shown + 1)
    )
    hand = hand_of(position, seat)
    for faction, held in each(hand):
        if held:
            yield from PLAYS[faction](position, seat, held)


def _journalists(position: Position, seat: Seat, held: int) -> Iterator[Move]:
    yield PlayJournalists()


def _detectives(position: Position, seat: Seat, held: int) -> Iterator[Move]:
    return (PlayDetectives(extra=extra) for extra, number in each(hand_of(position, seat)) if number)


def _bureaucrats(position: Position, seat: Seat, held: int) -> Iterator[Move]:
    return (PlayBureaucrats(count=count) for count in range(1, held + 1))


def _scientists(position: Position, seat: Seat, held: int) -> Iterator[Move]:
    yield PlayScientists()


def _robocats(position: Position, seat: Seat, held: int) -> Iterator[Move]:
    yield PlayRobocats(mode="draw")
    yield PlayRobocats(mode="influence")


def _mafia(position: Position, seat: Seat, held: int) -> Iterator[Move]:
    yield PlayMafia()


def _police(position: Position, seat: Seat, held: int) -> Iterator[Move]:
    return (
        PlayPolice(count=count, extra=extra, target=Seat(target))
        for count in range(1, held + 1)
        for extra, number in each(hand_of(position, seat))
        if number
        for target in range(len(position.seats))
    )


def _hackers(position: Position, seat: Seat, held: int) -> Iterator[Move]:
    return (
        PlayHackers(count=count, target=Seat(target))
        for count in range(1, held + 1)
        for target in range(len(position.seats))
    )


PLAYS: Final[dict[Faction, Callable[[Position, Seat, int], Iterator[Move]]]] = {
    "journalist": _journalists,
    "detective": _detectives,
    "bureaucrat": _bureaucrats,
    "scientist": _scientists,
    "robocat": _robocats,
    "mafia": _mafia,
    "police": _police,
    "hacker": _hackers,
}


def in_journalists_answers(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """A deal with any faction held, or none."""
    yield from (GiveCard(faction=faction) for faction, held in each(hand_of(position, seat)) if held)
    yield Decline()


def in_detectives_answers(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Match or decline."""
    yield from (MatchCard(), Decline())


def in_mafia_answers(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Any cards, or influence."""
    choices = of_size(hand_of(position, seat), edition.mafia.lose_cards)
    yield from (SurrenderCards(cards=cards) for cards in choices)
    yield SurrenderInfluence()


def in_cash_in(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Any part of the cards given."""
    given = given_cards(position)
    sizes = range(total(given) + 1)
    return (CashIn(cards=cards) for size in sizes for cards in of_size(given, size))


def in_discard_excess(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """Any cards of the right number."""
    choices = of_size(hand_of(position, seat), excess_of(position, edition.hand_limit))
    yield Many(DiscardExcess(cards=cards) for cards in choices)


def nothing(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """No moves, for the phases in which no seat moves."""
    return iter(())


CANDIDATES: Final[dict[Phase, Callable[[Position, Seat, Edition], Candidates]]] = {
    "setup": nothing,
    "turn": in_turn,
    "journalists_answers": in_journalists_answers,
    "journalists_cash_in": in_cash_in,
    "detectives_answers": in_detectives_answers,
    "mafia_answers": in_mafia_answers,
    "discard_excess": in_discard_excess,
    "finished": nothing,
}


def of_size(counts: CountMap, size: int) -> Iterator[Cards]:
    """Every different choice of this number of cards, each in the canonical order."""
    return _choices(tuple(each(counts)), size)


def _choices(held: tuple[tuple[Faction, int], ...], size: int) -> Iterator[Cards]:
    if not held:
        yield ()
        return
    (faction, number), rest = held[0], held[1:]
    fewest = max(0, size - sum([others for _, others in rest]))
    for count in range(min(number, size), fewest - 1, -1):
        for others in _choices(rest, size - count):
            yield copies(faction, count) + others
