"""Advice: what a package of rules knows about playing well. Bots ask for it; no rule does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.kernel.message import Move
from referee.kernel.seat import Seat


@dataclass(frozen=True, eq=False)
class Advice:
    """What bots need to play a title well. Every part is optional; functions take the edition last."""

    choose: Callable[[Any, Seat, tuple[Move, ...], Any], Move] | None = None
    """The move of a plain but sensible player with this view and these legal moves; None: bots pick at random."""
    is_worth: Callable[[Any, Seat, Move, Any], bool] | None = None
    """Whether that player makes a move that the seat is not obliged to make; None: always."""
    waits: Callable[[Any, Seat, Move, Any], bool] | None = None
    """Whether that player, who owes this move, first lets seats move that may; None: never."""
    evaluate: Callable[[Any, Any], tuple[int, ...]] | None = None
    """How good a full position is for each seat, in a unit of the title's own; None: the scores."""
    is_checkpoint: Callable[[Any, Any], bool] | None = None
    """Whether evaluations can be compared at a position; None: wherever the turn passes to another seat."""
    depth: int = 2
    """The number of checkpoints to search ahead; without `is_checkpoint`, that number for each seat."""
    probe_depth: int | None = None
    """The number of checkpoints of a first, shallower search that keeps the best moves only; None: keep all moves."""
