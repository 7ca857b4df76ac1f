"""What several moves require alike: factions in play, cards held, another seat as target."""

from referee.kernel.rejection import require
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import Cards, Faction, includes, number_of
from referee.rulesets.catham_city.position import Position, hand_of


def require_in_play(position: Position, *factions: Faction) -> None:
    """Every faction named or played is one of those in play."""
    strange = [faction for faction in factions if faction not in position.options.factions]
    require("CC-6", not strange, f"Not in this game: {', '.join(strange)}.")


def require_held(position: Position, seat: Seat, cards: Cards) -> None:
    """The seat holds all these cards at once."""
    require("CC-24", includes(hand_of(position, seat), cards), "You do not hold these cards.")


def require_number_held(position: Position, seat: Seat, faction: Faction, count: int) -> None:
    """The seat holds so many cards of a faction; any number can be asked about."""
    held = number_of(hand_of(position, seat), faction)
    require("CC-24", held >= count, f"You do not hold {count} {faction} cards.")


def require_other_seat(position: Position, seat: Seat, target: Seat) -> None:
    """The target is a seat of the game and not the actor itself."""
    exists = 0 <= target < len(position.seats)
    require("CC-26", exists and target != seat, "The target is another seat of the game.")
