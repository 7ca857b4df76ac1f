"""A position as one seat, or a spectator, may see it."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from referee.kernel.audience import shown
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import COLOUR_AT
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import (
    CardKind,
    Catastrophe,
    Colour,
    Corner,
    Hex,
    Magic,
    Phase,
    Season,
    Space,
    Tile,
)
from referee.rulesets.cat_and_fish.position import (
    Amount,
    ByColour,
    Card,
    DuesAnswer,
    DuesCall,
    Flight,
    FlightAnswer,
    Means,
    Options,
    Position,
    Resume,
    SeatState,
)


class SeatView(Struct, frozen=True, gc=False):
    """A seat as the reader sees it: it sees only the number of other seats' magic cards."""

    pawn: Corner
    money: int
    cards: tuple[Card, ...]
    store: tuple[Tile, ...]
    magic: tuple[Magic, ...] | None
    magic_count: int
    placed: tuple[Space, ...]
    penalties: int


class PilesView(Struct, frozen=True, gc=False):
    """What is seen of the face-down piles."""

    green: tuple[Tile, ...] | None
    """Always null, as are the other two."""
    green_count: int
    blue: tuple[Tile, ...] | None
    blue_count: int
    pink: tuple[Tile, ...] | None
    pink_count: int


class AnswerView(Struct, frozen=True, gc=False):
    """The reader's own answer."""

    tile: Tile | None
    to: Corner | UnsetType = UNSET
    with_: Means | UnsetType = field(name="with", default=UNSET)


class PendingView(Struct, frozen=True, gc=False):
    """An open question as the reader sees it: `true` stands for an answer of another seat."""

    kind: Catastrophe | Literal["dues"]
    seats: tuple[Seat, ...]
    answers: dict[str, AnswerView | bool]
    start: Seat | UnsetType = UNSET
    resume: Resume | UnsetType = UNSET


class View(Struct, frozen=True, gc=False):
    """A position without what its reader may not know."""

    ruleset: Literal["cat-and-fish"]
    options: Options
    phase: Phase
    year: int
    season: Season
    first_seat: Seat
    thief: Seat | None
    stopped: tuple[Seat, ...]
    seats: tuple[SeatView, ...]
    board: dict[Hex, Colour | None]
    """The back of the tile that lies there face down."""
    typhoon: Hex
    oil: Hex
    monster: Hex | None
    piles: PilesView
    discards: ByColour
    market: dict[CardKind, tuple[int, ...]]
    treasure_deck: tuple[Amount, ...] | None
    """Always null."""
    treasure_deck_count: int
    treasure_used: tuple[int, ...]
    magic_deck: tuple[Magic, ...] | None
    """Always null."""
    magic_deck_count: int
    magic_used: tuple[Magic, ...]
    pending: PendingView | None


_view = shown(View, Position)


def view(position: Position, reader: Seat | None, edition: Edition) -> View:
    """Everything except faces of tiles and cards that lie face down, and hands and answers of other seats."""
    return _view(
        position,
        year=position.year,
        seats=tuple([_seat_view(state, seat == reader) for seat, state in enumerate(position.seats)]),
        board={hex: None if tile is None else COLOUR_AT[hex] for hex, tile in position.board.items()},
        piles=_piles_view(position.piles),
        market=position.market,
        treasure_deck=None,
        treasure_deck_count=len(position.treasure_deck),
        treasure_used=position.treasure_used,
        magic_deck=None,
        magic_deck_count=len(position.magic_deck),
        pending=None if position.pending is None else _pending_view(position.pending, reader),
    )


def _seat_view(state: SeatState, own: bool) -> SeatView:
    return SeatView(
        pawn=state.pawn,
        money=state.money,
        cards=state.cards,
        store=state.store,
        magic=state.magic if own else None,
        magic_count=len(state.magic),
        placed=state.placed,
        penalties=state.penalties,
    )


def _piles_view(piles: ByColour) -> PilesView:
    return PilesView(
        green=None,
        green_count=len(piles.green),
        blue=None,
        blue_count=len(piles.blue),
        pink=None,
        pink_count=len(piles.pink),
    )


def _pending_view(pending: Flight | DuesCall, reader: Seat | None) -> PendingView:
    answers = {seat: _answer_view(answer) if seat == str(reader) else True for seat, answer in pending.answers.items()}
    if isinstance(pending, DuesCall):
        return PendingView(kind="dues", seats=pending.seats, answers=answers)
    return PendingView(
        kind=pending.kind, seats=pending.seats, answers=answers, start=pending.start, resume=pending.resume
    )


def _answer_view(answer: FlightAnswer | DuesAnswer) -> AnswerView:
    if isinstance(answer, DuesAnswer):
        return AnswerView(tile=answer.tile, with_=answer.with_)
    return AnswerView(tile=answer.tile, to=answer.to)
