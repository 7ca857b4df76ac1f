"""Advice: what a package of rules knows about playing well. Bots ask for it; no rule does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.kernel.message import Move
from referee.kernel.seat import Seat

Choose = Callable[[Any, Seat, tuple[Move, ...], Any], Move]
"""The move of a player with this view, seat and legal moves, in a game with this edition."""


@dataclass(frozen=True, eq=False)
class Plan:
    """One of several ways to play a title, which a player follows from its first move to its last."""

    choose: Choose
    """The move of a player who follows the plan."""
    fits: Callable[[Any, Seat, Any], bool]
    """Whether what the seat owns in this view fits the plan: a bot recognises the plan by it."""


@dataclass(frozen=True, eq=False)
class Advice:
    """What bots need to play a title well. Every part is optional; functions take the edition last."""

    choose: Choose | None = None
    """The move of a plain but sensible player with this view and these legal moves; None: bots pick at random."""
    plans: Mapping[str, Plan] = field(default_factory=dict)
    """The ways to play, by name; the bot `greedy` draws one of those that fit. Empty: `choose` is the only way."""
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
