"""Requirements that several moves share: factions in play, cards held, another seat as target.

A message is built only for a refusal, because listing the legal moves calls these functions thousands of times.
"""

from referee.kernel.message import Move, tag
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import in_words, number_of
from referee.rulesets.catham_city.names import Cards, Faction
from referee.rulesets.catham_city.position import Case, Position, hand_of


def require_in_play(position: Position, *factions: Faction) -> None:
    """Every faction named or played is one of those in play."""
    in_play = position.options.factions
    for faction in factions:
        if faction not in in_play:
            raise Rejection("CC-6", f"{faction} is not in play; the factions in play are {', '.join(in_play)}.")


def require_held(case: Case, move: Move, cards: Cards) -> None:
    """The seat holds all cards that its move takes, each of a faction in play, at once."""
    for faction in dict.fromkeys(cards):
        require_number_held(case, move, faction, cards.count(faction))


def require_number_held(case: Case, move: Move, faction: Faction, count: int) -> None:
    """The seat holds this number of cards of a faction in play, which its move takes; any number can be asked about."""
    held = number_of(hand_of(case.position, case.seat), faction)
    if held < count:
        raise Rejection("CC-24", f"`{tag(move)}` takes {in_words(count, faction)} from your hand; you hold {held}.")


def require_other_seat(position: Position, seat: Seat, target: Seat) -> None:
    """The target is a seat of the game and not the actor itself."""
    if target == seat:
        raise Rejection("CC-26", f"Choose another seat as the target: seat {seat} is your own.")
    if not 0 <= target < len(position.seats):
        raise Rejection("CC-26", f"There is no seat {target}; the seats are 0 to {len(position.seats) - 1}.")
