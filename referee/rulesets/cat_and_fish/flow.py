"""The flow of a game: checks before every move, awaited seats, safe defaults, moves that the referee owes."""

from typing import Final

from msgspec import UNSET

from referee.kernel.attempt import Attempt
from referee.kernel.memo import remember_last
from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.cat_and_fish.board import TOUCHES
from referee.rulesets.cat_and_fish.catastrophes import MoveMonster, MoveOil, MoveTyphoon, PlaceMonster
from referee.rulesets.cat_and_fish.decks import DrawMagic, OpenTreasure
from referee.rulesets.cat_and_fish.dues import PayDues, fish_for_dues
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.flight import Flee, fish_at_risk, refuges
from referee.rulesets.cat_and_fish.names import HEXES, TILES, Phase, Space, Tile, counted, seats_text
from referee.rulesets.cat_and_fish.placement import PlaceMarker, StopPlacing, has_room, is_finished, next_to_place
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
    "placement": (PlaceMarker, StopPlacing),
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
    """Refuse a move by its form, then by its phase, then by its actor."""
    position, actor = case.position, case.actor
    move = attempt.readable("CF-1")
    fault = fault_of(position, move)
    if fault is not None:
        raise Rejection("CF-1", fault)
    if isinstance(move, Trigger):
        owed = due(position, case.edition)
        if owed is None or type(owed.move) is not type(move):
            raise Rejection("CF-2", not_due(move, owed))
        require("CF-3", actor == REFEREE, f"`{tag(move)}` is a move of the referee; no seat makes it.")
    elif type(move) not in MOVES[position.phase]:
        raise Rejection("CF-2", not_now(position, move))
    elif actor not in (seats := awaited_seats(position, case.edition)):
        raise Rejection("CF-3", f"The game waits for {seats_text(seats)}; {why_not_awaited(case)}.")


def fault_of(position: Position, move: Move) -> str | None:
    """What is wrong with parameters of the right types (CF-1)."""
    match move:
        case Steal() if not 0 <= move.seat < len(position.seats):
            return f"`seat` must be 0 to {len(position.seats) - 1}, not {move.seat}."
        case PayDues() if move.with_ == "fish" and move.tile is UNSET:
            return "Name the fish that you pay with as `tile`."
        case PayDues() if move.with_ == "money" and move.tile is not UNSET:
            return "Leave out `tile`: you pay with money."
    return None


def not_due(move: Move, owed: Due | None) -> str:
    """Why the referee may not make a move."""
    instead = "the referee owes no move" if owed is None else f"the referee owes `{tag(owed.move)}`"
    return f"`{tag(move)}` is not due; {instead}."


def not_now(position: Position, move: Move) -> str:
    """Why no seat may make a move of this type."""
    if position.phase == "finished":
        return "The game is over."
    phases = [phase for phase, kinds in MOVES.items() if type(move) in kinds]
    return f"`{tag(move)}` belongs to the phase `{phases[0]}`; the game is in the phase `{position.phase}`."


def why_not_awaited(case: Case) -> str:
    """Why the game does not wait for an actor in a phase in which seats move (CF-3)."""
    position, actor = case.position, case.actor
    if actor == REFEREE:
        return "the referee makes no moves of seats"
    if not 0 <= actor < len(position.seats):
        return f"it has no seat {actor}"
    if position.phase == "placement":
        return why_not_placing(position, Seat(actor), case.edition)
    if position.phase == "execution":
        return "your turn comes later" if position.seats[actor].placed else "you have no marker left in this round"
    if position.pending is None:
        return "you do not own the Summoner"
    return "you have answered already" if actor in position.pending.seats else "you have nothing to choose"


def why_not_placing(position: Position, seat: Seat, edition: Edition) -> str:
    """Why another seat places the next marker (CF-11)."""
    placed = len(position.seats[seat].placed)
    if seat in position.stopped:
        return f"you stopped placing after {counted(placed, 'marker')}"
    if "thief" in position.seats[seat].placed:
        return "you chose the Thief and place no more markers"
    if is_finished(position, seat, edition):
        return f"you have placed {'your only marker' if placed == 1 else f'all your {placed} markers'}"
    (other,) = awaited_seats(position, edition)
    others = len(position.seats[other].placed)
    if others < placed:
        return f"it has placed {counted(others, 'marker')}, you {placed}"
    return f"you have each placed {counted(placed, 'marker')}, and it comes before you in this round"


@remember_last
@remember_last
def awaited_seats(position: Position, edition: Edition) -> tuple[Seat, ...]:
    """The seats that the game waits for."""
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


@remember_last
def awaited(position: Position, edition: Edition) -> tuple[Decision, ...]:
    """The seats that the game waits for, with the types of their moves."""
    moves = SEATS_MOVES[position.phase]
    return tuple([Decision(seat=seat, moves=moves) for seat in awaited_seats(position, edition)])


def due(position: Position, edition: Edition) -> Due | None:
    """The trigger that the referee owes, at once (CF-4)."""
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


def default(position: Position, seat: Seat, edition: Edition) -> Move:
    """The move that is made for a seat that misses its deadline."""
    state = position.seats[seat]
    match position.phase:
        case "placement":
            return PlaceMarker(space=next(space for space in SAFE_SPACES if has_room(position, space, edition)))
        case "flee":
            assert isinstance(position.pending, Flight)
            at_risk = fish_at_risk(position.pending.kind, state)
            tile = cheapest(position, at_risk, edition) if at_risk else UNSET
            return Flee(to=refuges(position, seat)[0], tile=tile)
        case "dues":
            if state.money >= edition.dues:
                return PayDues(with_="money")
            return PayDues(with_="fish", tile=cheapest(position, fish_for_dues(state), edition))
        case "monster":
            touched = {hex for each in position.seats for hex in TOUCHES[each.pawn]}
            open_hexes = [hex for hex in HEXES if hex not in (position.typhoon, position.oil)]
            return PlaceMonster(hex=[hex for hex in open_hexes if hex not in touched][-1])
    return EndTurn()


def cheapest(position: Position, tiles: tuple[Tile, ...], edition: Edition) -> Tile:
    """The tile with the lowest price in this season; of equals, the first in the order of `TILES`."""
    prices = edition.prices[position.season]
    return min(tiles, key=lambda tile: (prices[tile], TILES.index(tile)))
