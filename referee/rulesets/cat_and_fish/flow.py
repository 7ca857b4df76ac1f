"""Whose move it is (section 6): common checks, awaited seats, safe defaults, what the referee owes."""

from typing import Final

from msgspec import UNSET

from referee.kernel.latest import of_latest
from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import require
from referee.kernel.ruleset import Attempt, Decision, Due
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.cat_and_fish.board import TOUCHES
from referee.rulesets.cat_and_fish.catastrophes import MoveMonster, MoveOil, MoveTyphoon, PlaceMonster
from referee.rulesets.cat_and_fish.decks import DrawMagic, OpenTreasure
from referee.rulesets.cat_and_fish.dues import PayDues, fish_for_dues
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.flight import Flee, fish_at_risk, refuges
from referee.rulesets.cat_and_fish.names import HEXES, TILES, Phase, Space, Tile
from referee.rulesets.cat_and_fish.placement import PlaceMarker, has_room, next_to_place
from referee.rulesets.cat_and_fish.position import Case, Flight, Position
from referee.rulesets.cat_and_fish.sailing import Sail
from referee.rulesets.cat_and_fish.scoring import ScoreGame
from referee.rulesets.cat_and_fish.seasons import EndSeason, StartYear
from referee.rulesets.cat_and_fish.setup import SetUp
from referee.rulesets.cat_and_fish.summoner import AwardSummoner, summoner_owner
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell
from referee.rulesets.cat_and_fish.turns import EndTurn, active_seat

MOVES: Final[dict[Phase, tuple[type[Move], ...]]] = {
    "setup": (),
    "placement": (PlaceMarker,),
    "execution": (
        Fish,
        Sail,
        Sell,
        Buy,
        OpenTreasure,
        DrawMagic,
        MoveTyphoon,
        MoveOil,
        MoveMonster,
        Steal,
        EndTurn,
    ),
    "flee": (Flee,),
    "season_end": (),
    "dues": (PayDues,),
    "summoning": (),
    "monster": (PlaceMonster,),
    "year_end": (),
    "finished": (),
}
"""The moves of seats that belong to each phase (CF-2)."""

SEATS_MOVES: Final[dict[Phase, tuple[str, ...]]] = {
    phase: tuple(tag(kind) for kind in kinds) for phase, kinds in MOVES.items()
}

SAFE_SPACES: Final[tuple[Space, ...]] = ("fishing", "selling", "buying", "sailing", "typhoon", "oil")


def before(case: Case, attempt: Attempt) -> None:
    """What every move must meet, in this order."""
    position = case.position
    move = attempt.readable("CF-1")
    require("CF-1", is_well_formed(position, move), "A parameter is not one of the allowed values.")
    if isinstance(move, Trigger):
        owed = due(case.edition, position)
        require("CF-2", owed is not None and type(owed.move) is type(move), f"{tag(move)} is not due.")
        require("CF-3", case.actor == REFEREE, "Only the referee makes this move.")
    else:
        phase = position.phase
        require("CF-2", type(move) in MOVES[phase], f"{tag(move)} does not belong to the phase {phase}.")
        require("CF-3", case.actor in awaited_seats(case.edition, position), "This actor is not awaited.")


def is_well_formed(position: Position, move: Move) -> bool:
    """What the types of the parameters leave open: switches are on, seats exist, a tile comes with fish only (CF-1)."""
    match move:
        case Fish():
            return move.good_haul is not False
        case MoveTyphoon():
            return move.storm is not False
        case Steal():
            return 0 <= move.seat < len(position.seats)
        case PayDues():
            return (move.with_ == "fish") == (move.tile is not UNSET)
    return True


@of_latest
def awaited_seats(edition: Edition, position: Position) -> tuple[Seat, ...]:
    """The seats that owe a move."""
    seat: Seat | None = None
    match position.phase:
        case "placement":
            seat = next_to_place(position, edition)
        case "execution":
            seat = active_seat(position)
        case "monster":
            seat = summoner_owner(position)  # CF-79
        case "flee" | "dues":
            pending = position.pending
            assert pending is not None
            return tuple(seat for seat in pending.seats if str(seat) not in pending.answers)  # CF-9
    return () if seat is None else (seat,)


def awaited(edition: Edition, position: Position) -> tuple[Decision, ...]:
    """Which seats owe which moves."""
    moves = SEATS_MOVES[position.phase]
    return tuple([Decision(seat=seat, moves=moves) for seat in awaited_seats(edition, position)])


def due(edition: Edition, position: Position) -> Due | None:
    """The trigger that moves the year on, at once (CF-4)."""
    match position.phase:
        case "setup":
            return Due(SetUp())
        case "season_end":
            is_last = position.season == "winter" and position.year >= edition.years
            return Due(ScoreGame() if is_last else EndSeason())  # CF-85
        case "summoning":
            return Due(AwardSummoner())
        case "year_end":
            return Due(StartYear())
    return None


def default(edition: Edition, position: Position, seat: Seat) -> Move:
    """What is played for a seat whose time has run out."""
    state = position.seats[seat]
    match position.phase:
        case "placement":
            return PlaceMarker(space=next(space for space in SAFE_SPACES if has_room(position, space, edition)))
        case "flee":
            assert isinstance(position.pending, Flight)
            at_risk = fish_at_risk(position.pending.kind, state)
            tile = cheapest(edition, position, at_risk) if at_risk else UNSET
            return Flee(to=refuges(position, seat)[0], tile=tile)
        case "dues":
            if state.money >= edition.dues:
                return PayDues(with_="money")
            return PayDues(with_="fish", tile=cheapest(edition, position, fish_for_dues(state)))
        case "monster":
            touched = {hex for each in position.seats for hex in TOUCHES[each.pawn]}
            open_hexes = [hex for hex in HEXES if hex not in (position.typhoon, position.oil)]
            return PlaceMonster(hex=[hex for hex in open_hexes if hex not in touched][-1])
    return EndTurn()


def cheapest(edition: Edition, position: Position, tiles: tuple[Tile, ...]) -> Tile:
    """The tile of the lowest price in this season; of equals, the first of the box."""
    prices = edition.prices[position.season]
    return min(tiles, key=lambda tile: (prices[tile], TILES.index(tile)))
