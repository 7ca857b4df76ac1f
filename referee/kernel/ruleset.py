"""The contract: a ruleset is a value made of pure functions."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar, Union

import msgspec

from referee.kernel.candidates import Candidates
from referee.kernel.canon import canonical, digest
from referee.kernel.chance import Chance
from referee.kernel.clauses import Rulebook
from referee.kernel.message import Event, Move, Trigger, tag
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Actor, Seat

P = TypeVar("P")
E = TypeVar("E")
Function = TypeVar("Function", bound=Callable[..., Any])


class Case(msgspec.Struct, Generic[P, E], frozen=True):
    """What a rule is asked about."""

    position: P
    actor: Actor
    chance: Chance
    edition: E

    @property
    def seat(self) -> Seat:
        """The acting seat, for rules that only seats come to."""
        assert not isinstance(self.actor, str)
        return self.actor


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """A move as it was asked for: read, or with the fault that makes it unreadable."""

    kind: type[Move] | None
    move: Move | None = None
    fault: str = ""

    def known(self, clause: str) -> type[Move]:
        """The class of the move, whatever its parameters are; an unknown `type` is refused."""
        if self.kind is None:
            raise Rejection(clause, self.fault)
        return self.kind

    def readable(self, clause: str) -> Move:
        """The move; an unknown `type`, or parameters that are not those of the type, are refused."""
        if self.move is None:
            raise Rejection(clause, self.fault)
        return self.move


class Decision(msgspec.Struct, frozen=True):
    """A seat may make one of these types of moves. Who is awaited is known to everybody."""

    seat: Seat
    moves: tuple[str, ...]
    obliged: bool = True
    """False: the game goes on without it."""
    not_before_s: int = 0
    """The service refuses the move until so many seconds have passed since the last commit."""
    not_before_clause: str | None = None


class Due(msgspec.Struct, frozen=True):
    """The referee owes this move, at once or so many seconds after the last commit."""

    move: Move
    after_s: int = 0


class Family(msgspec.Struct, frozen=True):
    """Moves of one type that are too many to list. Not every move that fits the JSON Schema is legal."""

    type: str
    description: str
    schema: dict[str, Any]


class Place(msgspec.Struct, frozen=True):
    """A seat's place in the ranking, with the clause that puts it there."""

    seat: Seat
    rank: int
    score: int
    clause: str


@dataclass(frozen=True, eq=False)
class Chapter:
    """A group of clauses: its moves and events, each declared once with its function."""

    rules: dict[type[Move], Callable[..., Generator[Event, Any, None]]] = field(default_factory=dict)
    reducers: dict[type[Event], Callable[..., Any]] = field(default_factory=dict)
    requirements: dict[type[Move], Callable[..., None]] = field(default_factory=dict)

    def requires(self, kind: type[Move]) -> Callable[[Function], Function]:
        """Declare the function that makes every refusal of this kind of move, so that its rule refuses nothing.

        Worth it where a position has dozens of such moves: listing them then asks no rule.
        """

        def declare(function: Function) -> Function:
            assert kind not in self.requirements, f"{kind.__name__} is required twice"
            self.requirements[kind] = function
            return function

        return declare

    def decides(self, kind: type[Move]) -> Callable[[Function], Function]:
        """Declare the function that judges this kind of move."""

        def declare(function: Function) -> Function:
            assert kind not in self.rules, f"{kind.__name__} is decided twice"
            self.rules[kind] = function
            return function

        return declare

    def applies(self, kind: type[Event]) -> Callable[[Function], Function]:
        """Declare the function that carries out this kind of event."""

        def declare(function: Function) -> Function:
            assert kind not in self.reducers, f"{kind.__name__} is applied twice"
            self.reducers[kind] = function
            return function

        return declare


def no_families(position: Any, seat: Seat) -> Iterable[Family]:
    """For rulesets whose moves can all be listed."""
    return ()


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The rules of one title. No base class, no hooks: only parts put together."""

    slug: str
    title: str
    version: str
    rulebook: Rulebook
    edition: Any
    seats: range
    """The numbers of seats that the rules allow."""
    moves_max: int
    """Random play ends before so many commits."""
    options_type: type[msgspec.Struct]
    position_type: type[msgspec.Struct]
    view_type: type[msgspec.Struct]
    chapters: tuple[Chapter, ...]
    variants: tuple[Any, ...]
    """Options that between them show every scenario and every option; the first are the defaults."""
    blank: Callable[[Any, int], Any]
    """The table before the set-up trigger; refuses invalid options with their clause."""
    before: Callable[[Case[Any, Any], Attempt], None]
    """What every move must meet, in the order of the specification: form, phase, actor."""
    awaited: Callable[[Any], tuple[Decision, ...]]
    default: Callable[[Any, Seat], Move]
    """The safe default of an awaited seat: what is played for it when its time runs out."""
    due: Callable[[Any], Due | None]
    candidates: Callable[[Any, Seat], Candidates]
    """Moves worth trying; too many is fine, legal are those that `decide` accepts."""
    check: Callable[[Any], None]
    """Raises Malformed. Not asked in phase `setup`."""
    view: Callable[[Any, Seat | None], Any]
    """None: a spectator."""
    alike: Callable[[Any, Seat | None, Chance], Any]
    """Another full position that this reader cannot tell from the true one."""
    ranking: Callable[[Any], tuple[Place, ...]]
    build: Callable[[Any], "Ruleset"]
    """The same rules with another edition."""
    families: Callable[[Any, Seat], Iterable[Family]] = no_families
    greedy: Callable[[Any, Seat, tuple[Move, ...]], Move] | None = None
    """What a plain but sensible player does who sees this view and may make these moves; None: nobody knows yet."""
    is_worth: Callable[[Any, Seat, Move], bool] | None = None
    """Whether that player makes the advised move though nothing obliges the seat; None: always."""
    outlook: Callable[[Any], tuple[int, ...]] | None = None
    """By seat how promising a position is, in a unit of its own, as one who sees all would say; None: the scores."""
    is_pause: Callable[[Any], bool] | None = None
    """Whether outlooks can be compared at a position; None: wherever the word passes from one seat to another."""
    horizon: int = 2
    """How many pauses, per seat where the word passes on, one who looks ahead lets pass before comparing."""
    glance: int | None = None
    """So many pauses ahead one who looks ahead sees at a glance which moves are worth a longer look; None: any is."""

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
        """The hash of the edition's numbers, recorded with every game."""
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
        """The union of all moves, told apart by `type`."""
        return Union[tuple(self.moves.values())]

    @cached_property
    def any_event(self) -> Any:
        """The union of all events, told apart by `type`."""
        return Union[tuple(self.events.values())]

    def read_move(self, raw: Any) -> Attempt:
        """Read a move from JSON bytes, or from what JSON decodes to. Broken JSON raises DecodeError."""
        try:
            move = self._move_decoder.decode(raw) if isinstance(raw, bytes) else msgspec.convert(raw, self.any_move)
        except msgspec.ValidationError as error:
            asked = msgspec.json.decode(raw) if isinstance(raw, bytes) else raw
            name = asked.get("type") if isinstance(asked, dict) else None
            kind = self.moves.get(name) if isinstance(name, str) else None
            return Attempt(kind=kind, fault=f"{error}.")
        return Attempt(kind=type(move), move=move)

    def start(self, position: Any, actor: Actor, move: Move | Attempt, chance: Chance) -> Generator[Event, Any, None]:
        """The rule of a move that meets what is required beforehand, not yet asked anything."""
        case = Case(position, actor, chance, self.edition)
        asked, _ = self.admit(case, move)
        return self._rules[type(asked)](case, asked)

    def admit(self, case: Case[Any, Any], move: Move | Attempt) -> tuple[Move, bool]:
        """The move, if it meets what is required beforehand, and whether that is all that its rule requires."""
        attempt = move if isinstance(move, Attempt) else Attempt(type(move), move)
        self.before(case, attempt)
        asked = attempt.move
        assert asked is not None, "before() lets no unreadable move pass"
        requirement = self._requirements.get(type(asked))
        if requirement is None:
            return asked, False
        requirement(case, asked)
        return asked, True

    def play(self, position: Any, actor: Actor, move: Move | Attempt, chance: Chance) -> tuple[tuple[Event, ...], Any]:
        """The events that follow from a move, and the position after them; or raises Rejection."""
        says = self.start(position, actor, move, chance)
        reducers = self._reducers
        events: list[Event] = []
        try:
            event = next(says)
            while True:
                events.append(event)
                position = reducers[type(event)](position, event)
                event = says.send(position)
        except StopIteration:
            return tuple(events), position

    def decide(self, position: Any, actor: Actor, move: Move | Attempt, chance: Chance) -> tuple[Event, ...]:
        """The events that follow from a move; or raises Rejection. Changes nothing."""
        return self.play(position, actor, move, chance)[0]

    def apply(self, position: Any, event: Event) -> Any:
        """The position after an event. No rules, no luck, no I/O."""
        return self._reducers[type(event)](position, event)
