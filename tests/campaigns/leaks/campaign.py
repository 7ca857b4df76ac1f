"""The campaign: everything that a reader can request of two games that differ only in what the reader may not know."""

import random
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from referee.kernel.audience import redact, redact_move
from referee.kernel.canon import canonical
from referee.kernel.judge import legal_moves
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.table.match import read_commit
from referee.table.record import seal_of
from tests.campaigns.leaks import questions
from tests.campaigns.leaks.carriers import NOBODY, Answer, Ask, Carrier, Person
from tests.campaigns.leaks.comparison import Difference, Names, differences
from tests.campaigns.leaks.positions import Worlds, some_positions, worlds_of
from tests.campaigns.leaks.seat_changes import Changes
from tests.conformance.worlds import Reader, readers
from tests.waiting import eventually

SEATS_MAX = 6
DIFFERENCES_MAX = 10
SLOW_MAX = 5
LEAF = b'"index":'
ASKED_BEFORE = 12
"""The requests, of all that read or are refused, that are sent while a nonce is missing."""
LINKS = tuple(f"{seat}" * 64 for seat in range(SEATS_MAX))


class Effort(NamedTuple):
    """The size of a campaign: positions of each ruleset, readers and moves of each position, kinds of spectators, and
    seats that a reader has held before."""

    positions: int
    readers: int = SEATS_MAX + 1
    commits: int = 3
    watchers: int = 3
    changes: int = 2


@dataclass
class Figures:
    """The figures of a campaign."""

    pairs: int = 0
    requests: int = 0
    commits: int = 0
    parted: int = 0
    by_ruleset: dict[str, int] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)

    def __str__(self) -> str:
        titles = ", ".join(f"{slug} {count}" for slug, count in self.by_ruleset.items())
        return (
            f"{self.pairs} pairs of games ({titles}), {self.requests} pairs of answers compared, {self.commits} moves "
            f"made in both, {self.parted} pairs parted by what was then seen, {len(self.differences)} differences"
        )


class Campaign:
    """Compares pairs of games; continues after a difference, so that one leak does not hide another."""

    def __init__(self, carrier: Carrier, rng: random.Random) -> None:
        self._carrier = carrier
        self._rng = rng
        self._host = carrier.person("host")
        self._players = [carrier.person(f"player {seat}") for seat in range(SEATS_MAX)]
        self._watchers = (carrier.person("watcher"), NOBODY, carrier.admin())
        self.figures = Figures()

    def run(self, rulesets: Iterable[Ruleset], effort: Effort) -> Figures:
        """Compare pairs of every ruleset in turn, until a few leaks are found."""
        sources = {ruleset: some_positions(ruleset.slug, self._rng) for ruleset in rulesets}
        for _ in range(effort.positions):
            for ruleset, source in sources.items():
                for worlds in self._worlds(ruleset, source, effort.readers):
                    self._compare(worlds, effort)
                    if len(self.figures.differences) >= DIFFERENCES_MAX:
                        return self.figures
        return self.figures

    def _worlds(self, ruleset: Ruleset, source: Iterator[Any], count: int) -> list[Worlds]:
        """Worlds for all or some readers at the next position at which something is hidden."""
        for position in source:
            if self._rests(ruleset, position):
                everybody = readers(len(position.seats))
                chosen = self._rng.sample(everybody, min(count, len(everybody)))
                pairs = [worlds_of(ruleset, position, reader, self._rng) for reader in chosen]
                if any(pairs):
                    return [worlds for worlds in pairs if worlds is not None]
        raise AssertionError("some_positions() does not end")

    def _rests(self, ruleset: Ruleset, position: Any) -> bool:
        """Whether only seats will change the game: what a worker does draws luck."""
        return not self._carrier.has_workers or ruleset.due(position) is None

    def _compare(self, worlds: Worlds, effort: Effort) -> None:
        pair = Pair(self._carrier, self.figures, worlds, self._players, self._host)
        restless = self._watchers[0] if worlds.reader is None else self._players[worlds.reader]
        pair.sit_down(restless, effort.changes, random.Random(self.figures.pairs))
        try:
            self._play(pair, worlds, effort)
        finally:
            pair.close()

    def _play(self, pair: "Pair", worlds: Worlds, effort: Effort) -> None:
        self.figures.pairs += 1
        slug = worlds.ruleset.slug
        self.figures.by_ruleset[slug] = self.figures.by_ruleset.get(slug, 0) + 1
        callers = self._watchers[: effort.watchers] if worlds.reader is None else (self._players[worlds.reader],)
        for commits in range(effort.commits + 1):
            for caller in callers:
                pair.ask_everything(caller, self._rng)
            if commits == effort.commits or not pair.goes_on(self._rng):
                return


class Pair:
    """Two games with the same players."""

    def __init__(self, carrier: Carrier, figures: Figures, worlds: Worlds, players: list[Person], host: Person) -> None:
        self._carrier = carrier
        self._figures = figures
        self._worlds = worlds
        self._players = players
        self._ids = tuple(self._create(host, position) for position in (worlds.here, worlds.there))
        self._version = 0

    def _create(self, host: Person, position: Any) -> str:
        ruleset = self._worlds.ruleset
        seats = ["open"] * len(position.seats)
        body = msgspec.json.encode({"ruleset": ruleset.slug, "seats": seats, "position": position})
        answer = self._carrier.ask(Ask("POST", "/v1/games", body=body), "", host)
        assert answer.status == 201, answer.body
        return answer.json["id"]

    def sit_down(self, restless: Person, seats: int, rng: random.Random) -> None:
        """Let one player change seats and leave streams open, then let all players sit down and the game start."""
        self._changes = Changes(self._carrier, restless, self._ids)
        everywhere = range(len(self._worlds.here.seats))
        names = self._names()
        for seat in rng.sample(everywhere, min(seats, len(everywhere))):
            for ask, here, there in self._changes.sit_on(seat):
                self._compare_answers(ask, names, here, there)
        order = rng.sample(everywhere, len(everywhere))
        sealing = rng.sample(everywhere, rng.choice((0, 1, len(everywhere))))
        for id in self._ids:
            for seat in order:
                seal = {"seal": seal_of(id, LINKS[seat])} if seat in sealing else {}
                sit = Ask("POST", "/v1/games/{game}/seats", body=msgspec.json.encode({"seat": seat, **seal}))
                assert self._carrier.ask(sit, id, self._players[seat]).status < 300
        self._reveal(restless, sealing, rng)
        self._changes.revoke_spare()

    def _reveal(self, restless: Person, seats: list[int], rng: random.Random) -> None:
        """Let seats reveal in both games; one player asks everything while one is missing."""
        for number, seat in enumerate(seats, 1):
            if number == len(seats):
                names = self._names()
                asks = (*questions.readings(None, len(self._worlds.here.seats), 0), *questions.refused_calls())
                for ask in rng.sample(asks, ASKED_BEFORE):
                    self._ask(ask, restless, names)
            link = Ask("POST", f"/v1/games/{{game}}/seats/{seat}/reveal", body=b'{"link": "%s"}' % LINKS[seat].encode())
            for id in self._ids:
                answer = self._carrier.ask(link, id, self._players[seat])
                assert answer.status < 300, answer.body

    def close(self) -> None:
        """Close the open connections."""
        self._changes.close()

    def ask_everything(self, caller: Person, rng: random.Random) -> None:
        """Send every request of the caller to both games."""
        worlds, reader = self._worlds, self._worlds.reader
        names = self._names()
        seats = len(worlds.here.seats)
        for ask in (*questions.readings(reader, seats, self._version), *questions.refused_calls()):
            self._ask(ask, caller, names)
        if self._carrier.has_workers:
            self._wait_for_all(caller, names)
        for ask, here, there in self._changes.heard():
            self._compare_answers(ask, names, here, there)
        for ask in questions.lists(caller.id):
            self._look_into(ask, caller, names)
        self._try_moves(caller, names, rng)

    def _names(self) -> tuple[Names, ...]:
        return tuple(Names(self._carrier.repository, id) for id in self._ids)

    def _ask(self, ask: Ask, caller: Person, names: tuple[Names, ...]) -> Answer:
        def both() -> tuple[Answer, Answer]:
            here, there = (self._carrier.ask(ask, id, caller) for id in self._ids)
            return here, there

        def logged() -> tuple[Answer, Answer] | None:
            here, there = both()
            return (here, there) if here.body.count(LEAF) == there.body.count(LEAF) else None

        # Leaves come a little later than what they are about, and not to both games at once.
        here, there = eventually(logged, 60) if ask.path.endswith("/log") else both()
        self._compare_answers(ask, names, here, there)
        return here

    def _ask_again(self, ask: Ask, caller: Person, names: tuple[Names, ...]) -> None:
        """Compare streams of which one may have been slow. A real difference is there each time."""
        for _ in range(SLOW_MAX):
            here, there = (self._carrier.ask(ask, id, caller) for id in self._ids)
            if len(here.body) == len(there.body):
                break
        self._compare_answers(ask, names, here, there)

    def _compare_answers(self, ask: Ask, names: tuple[Names, ...], here: Answer, there: Answer) -> None:
        self._figures.requests += 1
        self._figures.differences.extend(differences(ask, (here, names[0]), (there, names[1])))

    def _look_into(self, ask: Ask, caller: Person, names: tuple[Names, ...]) -> None:
        """Compare the entries of both games in one list."""
        answer = self._carrier.ask(ask, "", caller)
        entries = {each["id"]: msgspec.json.encode(each) for each in answer.json.get("games", ())}
        here, there = (Answer(answer.status, (), entries.get(id, b"")) for id in self._ids)
        self._compare_answers(ask, names, here, there)

    def _wait_for_all(self, caller: Person, names: tuple[Names, ...]) -> None:
        """Compare streams and long polls, all at once because each takes a while."""
        asks = [(ask, id) for ask in questions.streams(self._version) for id in self._ids]
        with ThreadPoolExecutor(len(asks) + 1) as pool:
            mine = pool.submit(self._listen_to_all, caller, names)
            answers = list(pool.map(lambda asked: self._carrier.ask(*asked, caller), asks))
            mine.result()
        for (ask, _), here, there in zip(asks[::2], answers[::2], answers[1::2], strict=True):
            if len(here.body) != len(there.body):
                self._ask_again(ask, caller, names)
            else:
                self._compare_answers(ask, names, here, there)

    def _listen_to_all(self, caller: Person, names: tuple[Names, ...]) -> None:
        """Compare the messages of both games in the caller's own stream."""
        ask = Ask("GET", "/v1/me/events", questions.SSE)
        answer = self._carrier.ask(ask, "", caller)
        messages = answer.body.split(b"\n\n")
        here, there = (
            Answer(answer.status, (), b"\n\n".join(each for each in messages if id.encode() in each))
            for id in self._ids
        )
        self._compare_answers(ask, names, here, there)

    def _try_moves(self, caller: Person, names: tuple[Names, ...], rng: random.Random) -> None:
        """Compare dry runs of moves; the refused ones are then posted, and judged."""
        worlds = self._worlds
        reader = Seat(0) if worlds.reader is None else worlds.reader
        listed = self._ask(questions.LEGAL_MOVES, caller, names)
        legal = listed.json["moves"] if listed.status == 200 else []
        position = self._positions()[0]
        for move in questions.tried_moves(worlds.ruleset, position, reader, legal, rng):
            dry = self._ask(Ask("POST", "/v1/games/{game}/moves?dry_run=true", body=move), caller, names)
            if dry.status != 200:
                prefers = questions.RECEIPT if rng.random() < 0.5 else ()
                self._ask(Ask("POST", "/v1/games/{game}/moves", prefers, move), caller, names)
        view = worlds.ruleset.view(position, worlds.reader)
        self._ask(questions.judgement(worlds.ruleset, view, b'{"type": "nonsense"}'), caller, names)
        self._ask(questions.listing(worlds.ruleset, view, worlds.reader), caller, names)

    def _positions(self) -> tuple[Any, ...]:
        repository = self._carrier.repository
        return tuple(repository.newest(repository.game(id)).position for id in self._ids)

    def goes_on(self, rng: random.Random) -> bool:
        """Let a seat move in both games; returns False if the reader may distinguish them or a worker moves next."""
        ruleset, positions = self._worlds.ruleset, self._positions()
        seats = sorted({decision.seat for decision in ruleset.awaited(positions[0])})
        if not seats:
            return False
        seat = rng.choice(seats)
        moves = self._choose(positions, seat, rng)
        if moves is None:
            return False
        for id, move in zip(self._ids, moves, strict=True):
            ask = Ask("POST", "/v1/games/{game}/moves", body=msgspec.json.encode(move))
            answer = self._carrier.ask(ask, id, self._players[seat])
            if answer.status != 201:
                assert b"Wait another" in answer.body or self._has_gone_on(id), answer.body
                return False
        self._figures.commits += 1
        self._version += 1
        here, there = (self._seen(id) for id in self._ids)
        if here is None or here != there:
            self._figures.parted += 1
            return False
        return True

    def _has_gone_on(self, id: str) -> bool:
        """Whether the referee has moved meanwhile, because its time had come."""
        repository = self._carrier.repository
        return repository.newest(repository.game(id)).version > self._version

    def _choose(self, positions: tuple[Any, ...], seat: Seat, rng: random.Random) -> tuple[Any, Any] | None:
        """The same move for both games, if it is legal in both; a secret move of another seat may differ."""
        here, there = (legal_moves(self._worlds.ruleset, position, seat) for position in positions)
        common = [move for move in here if move in there]
        secret = ([move for move in here if move.secret], [move for move in there if move.secret])
        if seat != self._worlds.reader and all(secret) and rng.random() < 0.8:
            return rng.choice(secret[0]), rng.choice(secret[1])
        if not common:
            return None
        move = rng.choice(common)
        return move, move

    def _seen(self, id: str) -> bytes | None:
        """What the rules show the reader of the newest commit and after it; None if a worker moves next."""
        ruleset, reader = self._worlds.ruleset, self._worlds.reader
        repository = self._carrier.repository
        game = repository.game(id)
        entries = repository.log.read(id, 0)
        position = repository.newest(game).position
        if len(entries) != self._version or not self._waits_for_a_seat(position):
            return None
        commit = read_commit(game, entries[-1])
        events = [redact(event, reader) for event in commit.events]
        known = ruleset.view(position, reader), ruleset.awaited(position), ruleset.due(position)
        return canonical([_redacted_move(commit, reader), events, known])

    def _waits_for_a_seat(self, position: Any) -> bool:
        return position.phase != "finished" and (
            not self._carrier.has_workers or self._worlds.ruleset.due(position) is None
        )


def _redacted_move(commit: Any, reader: Reader) -> Any:
    return redact_move(commit.move, commit.actor, reader)
