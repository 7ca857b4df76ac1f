"""Changes every field of stored games, seals them again, and checks with the judge those that are still proved.

A forger who knows the seed can make every hash fit. If the audit still proves such a record, it must be of a possible
game: the judge accepts each move with the same outcomes, and the service would have written the same bytes.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path as File
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.audit import replay
from referee.audit.record import Record, Unreadable, read_commit, read_record, write_record
from referee.audit.verify import audit
from referee.kernel.canon import canonical
from referee.kernel.judge import legal_moves
from referee.kernel.seat import Seat
from referee.rulesets import RULESETS
from referee.table.match import first_state
from referee.table.record import nonce_of
from tests.audit.mutations import ABSENT, Book, Kind, Path, at, book_of, changed, fields_of, other_values, sealed
from tests.audit.possible import TABLE_TYPES, game_of, impossibilities, prepared_by_the_service, rewritten
from tests.campaigns.reports import tell
from tests.corpus.stored_games import files, read_game

STORIES = ("asleep", "given-up", "interrupted", "regretted", "taken-up", "called-off", "search")
"""The kinds of stored games: pauses, clocks, undos, resignations, start positions, bots that think."""

COMMITS_MAX = 120


def games(count: int) -> list[File]:
    """Stored games of all titles and kinds, one kind after the other."""
    by_story = [[file for file in files() if story in file.name] for story in STORIES]
    titles = sorted({(version, slug) for slug, version in RULESETS})
    found: list[File] = []
    for number in range(len(STORIES)):
        for place, (_, slug) in enumerate(titles):
            fitting = [file for file in by_story[(number + place) % len(STORIES)] if file.parent.name == slug]
            short = [file for file in fitting if len(read_game(file).entries) <= COMMITS_MAX]
            found += sorted(short, key=lambda file: file.stat().st_size)[-1:]
    return found[:count]


class Forgeries:
    """The results of auditing records that were changed and sealed again."""

    def __init__(self, seed: str) -> None:
        self.luck = random.Random(seed)
        self.figures: Counter[str] = Counter()
        self.proved: Counter[str] = Counter()
        """By field: the number of proved forgeries, each of a possible game."""
        self.seen: set[Kind] = set()
        self.faults: list[str] = []

    def change_every_field(self, file: File, changes: int, only_new: bool = False) -> None:
        """Change each field of each kind of line, wherever it occurs or only where no earlier game had it."""
        record = read_game(file)
        book = book_of(record)
        self.figures["games"] += 1
        for kind, paths in fields_of(book).items():
            if only_new and kind in self.seen:
                continue
            self.seen.add(kind)
            self.figures["fields"] += 1
            for path, value in islice(self._changes(book, paths), changes):
                self.figures["changes"] += 1
                data = sealed(record, changed(book, path, value), path)
                self._try(record, data, kind, f"{file.parent.name}/{file.name} {path}: {value!r}")

    def _changes(self, book: Book, paths: list[Path]) -> Iterator[tuple[Path, Any]]:
        seen = [at(book, path) for path in self.luck.sample(paths, min(len(paths), 50))]
        while True:
            path = self.luck.choice(paths)
            value = at(book, path)
            for other in islice(other_values(value, seen, self.luck), 20):
                if _is_other(other, value):
                    yield path, other
                    break

    def replay_differently(self, file: File, changes: int) -> None:
        """Make another move somewhere, at another time or with another seed, and let the service write the rest."""
        record = read_game(file)
        for _ in range(changes):
            self.figures["changes with what follows"] += 1
            self._try(record, _lines(self._replayed_differently(record)), ("another table",), file.name)

    def _replayed_differently(self, record: Record) -> Record:
        commits: list[Any] = [read_commit(entry.body) for entry in record.entries]
        place = self.luck.randrange(len(commits))
        commit = commits[place]
        match self.luck.randrange(4):
            case 0:
                moves = self._other_moves(record, commits, place)
                commits[place] = replace(commit, move=self.luck.choice(moves) if moves else commit.move)
            case 1:
                commits[place] = replace(commit, actor=self.luck.choice((0, 1, 2, "referee", "admin")))
            case 2:
                commits[place] = replace(commit, at=self.luck.choice(commits[place:]).at)
            case 3:
                own = "" if record.header.terms.bots[0] else nonce_of("another")
                nonces = (own, *record.header.nonces[1:])
                record = replace(record, header=replace(record.header, nonces=nonces))
        return rewritten(record, commits)

    def _other_moves(self, record: Record, commits: list[Any], place: int) -> list[Any]:
        """The legal moves of the seat that moved."""
        game = game_of(record)
        state = first_state(game)
        for commit in commits[:place]:
            state = prepared_by_the_service(game, state, commit).state
        actor = commits[place].actor
        if isinstance(actor, str) or commits[place].move["type"] in TABLE_TYPES:
            return []
        return [msgspec.to_builtins(move) for move in legal_moves(game.rules, state.position, Seat(actor))]

    def _try(self, original: Record, data: bytes, kind: Kind, what: str) -> None:
        if data == _lines(original):
            self.figures["the same again"] += 1
            return
        try:
            record = read_record(BytesIO(data).readlines())
        except Unreadable:
            self.figures["unreadable"] += 1
            return
        verdict = audit(record).verdict
        self.figures[verdict] += 1
        if verdict != "proved":
            return
        self.proved[" ".join(kind)] += 1
        is_bots_name = "cause" in kind and kind[-1] in ("bot", "luck", "version")
        is_first = self.proved[" ".join(kind)] == 1
        if is_bots_name and is_first and audit(record, with_bots=True).checks[-1].passed:
            self.faults.append(f"{what}: proved, and the bots are said to have moved like this")
        try:
            self.faults += [f"{what}: proved, but: {why}" for why in islice(impossibilities(record), 1)]
        except Exception as error:
            self.faults.append(f"{what}: proved, but it cannot be played: {error!r}")


def _is_other(one: Any, other: Any) -> bool:
    return one is ABSENT or canonical(one) != canonical(other)


def _lines(record: Record) -> bytes:
    return b"".join(write_record(record.header, record.entries, record.secret))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make campaign-audit", description=__doc__)
    parser.add_argument("--games", type=int, default=30, help="stored games of all titles; default: 30")
    parser.add_argument("--changes", type=int, default=22, help="of each field of each kind of line; default: 22")
    parser.add_argument("--seed", default=str(random.randrange(10**6)))
    given = parser.parse_args(arguments)
    print(f"seed {given.seed}", flush=True)
    replay.TRIALS = 1
    forgeries = Forgeries(given.seed)
    for file in games(given.games):
        forgeries.change_every_field(file, given.changes)
        forgeries.replay_differently(file, 2 * given.changes)
        print(f"{file.parent.name}/{file.name}: {dict(forgeries.figures)}", flush=True)
    figures = {**forgeries.figures, **{f"proved and possible: {kind}": n for kind, n in forgeries.proved.most_common()}}
    return tell(figures, forgeries.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
