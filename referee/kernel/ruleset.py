"""The contract: a ruleset is a value made of pure functions."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar, Union

import msgspec

from referee.kernel.advice import Advice
from referee.kernel.attempt import Attempt, unreadable
from referee.kernel.candidates import Candidates
from referee.kernel.canon import canonical, digest
from referee.kernel.chance import Chance
from referee.kernel.chapter import Chapter
from referee.kernel.clauses import Rulebook
from referee.kernel.message import Event, Move, Trigger, tag
from referee.kernel.ranking import Place
from referee.kernel.seat import Actor, Seat

P = TypeVar("P")
E = TypeVar("E")


class Case(msgspec.Struct, Generic[P, E], frozen=True, gc=False):
    """What a rule judges: a position, the actor, the luck, and the edition."""

    position: P
    actor: Actor
    chance: Chance
    edition: E

    @property
    def seat(self) -> Seat:
        """The acting seat, for rules of moves that only seats make."""
        assert not isinstance(self.actor, str)
        return self.actor


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A seat may make a move of one of these types. Everybody may know which seats are awaited."""

    seat: Seat
    moves: tuple[str, ...]
    """The types of moves."""
    obliged: bool = True
    """False: the game can go on without a move of the seat."""
    not_before_s: int = 0
    """The seconds after the last commit during which the service refuses the move."""
    not_before_clause: str | None = None
    """The clause that makes the seat wait."""
    race_ms: int | None = None
    """Null: no race. Otherwise the seats race for the move, and bots take a reaction time.

    The service collects the moves that arrive within these milliseconds after the first, and makes them together."""


class Due(msgspec.Struct, frozen=True, gc=False):
    """A move that the referee owes."""

    move: Move
    after_ms: int = 0
    """When it is due, in milliseconds after the last commit."""
    runs_on: bool = False
    """True: moves after which the same trigger is still due do not start its time again."""


class Family(msgspec.Struct, frozen=True):
    """Moves of one type, where there are too many to list. Not every move that fits the JSON Schema is legal."""

    type: str
    description: str
    schema: dict[str, Any]


def no_families(position: Any, seat: Seat, edition: Any) -> Iterable[Family]:
    """No families, for rulesets whose moves can all be listed."""
    return ()


@dataclass(frozen=True, eq=False)
class Contract:
    """The functions that a package of rules supplies. The edition is their last parameter."""

    seats: Callable[[Any], range]
    """The numbers of seats that the rules allow."""
    commits_max: Callable[[Any], int]
    """Random play ends before this number of commits."""
    variants: Callable[[Any], tuple[Any, ...]]
    """Options that between them show every scenario and every option; the first are the defaults."""
    blank: Callable[[Any, int, Any], Any]
    """The table before the set-up trigger; refuses invalid options with their clause."""
    before: Callable[[Case[Any, Any], Attempt], None]
    """The checks that every move must pass, in the order of the rules: form, phase, actor. The case has the edition."""
    awaited: Callable[[Any, Any], tuple[Decision, ...]]
    """The seats that may move at a position."""
    default: Callable[[Any, Seat, Any], Move]
    """The safe default of an awaited seat: the move that the referee makes when the seat misses its deadline."""
    due: Callable[[Any, Any], Due | None]
    """What the referee owes at a position."""
    candidates: Callable[[Any, Seat, Any], Candidates]
    """Moves worth trying. Some may be illegal: the legal ones are those that `decide` accepts."""
    check: Callable[[Any, Any], None]
    """Raises Malformed for a position that breaks an invariant. Not called in phase `setup`."""
    view: Callable[[Any, Seat | None, Any], Any]
    """What a seat, or None for a spectator, sees of a position."""
    alike: Callable[[Any, Seat | None, Chance, Any], Any]
    """Another full position that this reader cannot tell from the true one."""
    ranking: Callable[[Any, Any], tuple[Place, ...]]
    """The ranking at a position."""
    families: Callable[[Any, Seat, Any], Iterable[Family]] = no_families
    """Descriptions of the types with too many moves to list."""


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The rules of one title, with one edition: a value made of parts, without a base class or hooks.

    The same rules with another edition are `dataclasses.replace(ruleset, edition=...)`.
    """

    slug: str
    title: str
    version: str
    directory: Path
    """Where the package keeps its files: `rules.md`, `edition.toml`, and further editions in `editions/`."""
    rulebook: Rulebook
    edition: Any
    options_type: type[msgspec.Struct]
    position_type: type[msgspec.Struct]
    view_type: type[msgspec.Struct]
    chapters: tuple[Chapter, ...]
    contract: Contract
    advice: Advice = field(default_factory=Advice)

    @cached_property
    def seats(self) -> range:
        """The numbers of seats that the rules allow."""
        return self.contract.seats(self.edition)

    @cached_property
    def commits_max(self) -> int:
        """Random play ends before this number of commits."""
        return self.contract.commits_max(self.edition)

    @cached_property
    def variants(self) -> tuple[Any, ...]:
        """Options that between them show every scenario and every option; the first are the defaults."""
        return self.contract.variants(self.edition)

    def blank(self, options: Any, seats: int) -> Any:
        """The table before the set-up trigger; refuses invalid options with their clause."""
        return self.contract.blank(options, seats, self.edition)

    def awaited(self, position: Any) -> tuple[Decision, ...]:
        """The seats that may move."""
        return self.contract.awaited(position, self.edition)

    def default(self, position: Any, seat: Seat) -> Move:
        """The safe default of an awaited seat."""
        return self.contract.default(position, seat, self.edition)

    def due(self, position: Any) -> Due | None:
        """What the referee owes."""
        return self.contract.due(position, self.edition)

    def candidates(self, position: Any, seat: Seat) -> Candidates:
        """Moves worth trying."""
        return self.contract.candidates(position, seat, self.edition)

    def families(self, position: Any, seat: Seat) -> Iterable[Family]:
        """Descriptions of the types with too many moves to list."""
        return self.contract.families(position, seat, self.edition)

    def check(self, position: Any) -> None:
        """Raise Malformed for a position that breaks an invariant."""
        self.contract.check(position, self.edition)

    def view(self, position: Any, seat: Seat | None) -> Any:
        """What a seat, or None for a spectator, sees."""
        return self.contract.view(position, seat, self.edition)

    def alike(self, position: Any, seat: Seat | None, chance: Chance) -> Any:
        """Another full position that this reader cannot tell from the true one."""
        return self.contract.alike(position, seat, chance, self.edition)

    def ranking(self, position: Any) -> tuple[Place, ...]:
        """The ranking at a position."""
        return self.contract.ranking(position, self.edition)

    @cached_property
    def moves(self) -> dict[str, type[Move]]:
        """Every move and trigger by its `type`."""
        return {tag(kind): kind for chapter in self.chapters for kind in chapter.rules}

    @cached_property
    def events(self) -> dict[str, type[Event]]:
        """Every event by its `type`."""
        return {tag(kind): kind for chapter in self.chapters for kind in chapter.reducers}

    @cached_property
    def triggers(self) -> dict[str, type[Move]]:
        """The moves that only the referee makes, by their `type`."""
        return {name: kind for name, kind in self.moves.items() if issubclass(kind, Trigger)}

    @cached_property
    def edition_hash(self) -> str:
        """The hash of the edition, recorded with every game."""
        return digest(canonical(self.edition))

    @cached_property
    def _rules(self) -> dict[type[Move], Callable[..., Generator[Event, Any, None]]]:
        return {kind: rule for chapter in self.chapters for kind, rule in chapter.rules.items()}

    @cached_property
    def _requirements(self) -> dict[type[Move], Callable[..., None]]:
        return {kind: function for chapter in self.chapters for kind, function in chapter.requirements.items()}

    @cached_property
    def _reducers(self) -> dict[type[Event], Callable[..., Any]]:
        return {kind: reducer for chapter in self.chapters for kind, reducer in chapter.reducers.items()}

    @cached_property
    def _move_decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.any_move)

    @cached_property
    def any_move(self) -> Any:
        """The union of all moves, distinguished by `type`."""
        return Union[tuple(self.moves.values())]

    @cached_property
    def any_event(self) -> Any:
        """The union of all events, distinguished by `type`."""
        return Union[tuple(self.events.values())]

    def read_move(self, raw: Any) -> Attempt:
        """Read a move from JSON bytes or from decoded JSON; raises DecodeError for invalid JSON."""
        try:
            move = self._move_decoder.decode(raw) if isinstance(raw, bytes) else msgspec.convert(raw, self.any_move)
        except msgspec.ValidationError as error:
            sent = msgspec.json.decode(raw) if isinstance(raw, bytes) else raw
            types = [name for name in self.moves if name not in self.triggers]
            return unreadable(sent, error, self.moves, types)
        return Attempt(kind=type(move), move=move)

    def start(self, position: Any, actor: Actor, move: Move | Attempt, chance: Chance) -> Generator[Event, Any, None]:
        """The generator of a move's rule, not yet started; raises Rejection for a move that `before` refuses."""
        case = Case(position, actor, chance, self.edition)
        admitted, _ = self.admit(case, move)
        return self._rules[type(admitted)](case, admitted)

    def admit(self, case: Case[Any, Any], move: Move | Attempt) -> tuple[Move, bool]:
        """The move, if it passes `before`, and whether its declared requirement has been checked, too."""
        attempt = move if isinstance(move, Attempt) else Attempt(type(move), move)
        self.contract.before(case, attempt)
        admitted = attempt.move
        assert admitted is not None, "before() accepted an unreadable move"
        requirement = self._requirements.get(type(admitted))
        if requirement is None:
            return admitted, False
        requirement(case, admitted)
        return admitted, True

    def play(self, position: Any, actor: Actor, move: Move | Attempt, chance: Chance) -> tuple[tuple[Event, ...], Any]:
        """The events that follow from a move, and the position after them; raises Rejection."""
        rule = self.start(position, actor, move, chance)
        reducers = self._reducers
        events: list[Event] = []
        try:
            event = next(rule)
            while True:
                events.append(event)
                position = reducers[type(event)](position, event)
                event = rule.send(position)
        except StopIteration:
            return tuple(events), position

    def decide(self, position: Any, actor: Actor, move: Move | Attempt, chance: Chance) -> tuple[Event, ...]:
        """The events that follow from a move; raises Rejection. Changes nothing."""
        return self.play(position, actor, move, chance)[0]

    def apply(self, position: Any, event: Event) -> Any:
        """The position after an event. It checks no rule and draws no luck."""
        return self._reducers[type(event)](position, event)
