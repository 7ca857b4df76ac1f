"""Compares what clients were told with what is in the logs: every accepted move once, in order, and nothing else.

The histories are checked as Jepsen checks them: each operation has an outcome that is known or not, and a time span
from its sending to its answer. What was answered before something else was sent must come before it in the log.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, groupby
from typing import Any

import msgspec

from tests.campaigns.history import Request

Commit = Mapping[str, Any]


class Operation(msgspec.Struct, frozen=True):
    """All requests with one idempotency key, or a single one without."""

    requests: tuple[Request, ...]

    @property
    def first(self) -> Request:
        return self.requests[0]

    @property
    def answers(self) -> list[Request]:
        return [request for request in self.requests if request.outcome == "ok"]

    @property
    def is_ok(self) -> bool:
        return bool(self.answers)

    @property
    def is_refused(self) -> bool:
        """Whether it is known that nothing was written."""
        return all(request.outcome == "refused" for request in self.requests)

    @property
    def version(self) -> int:
        version = self.answers[0].version
        assert version is not None
        return version

    @property
    def known_at(self) -> float:
        return min(request.done for request in self.answers)

    @property
    def sent_at(self) -> float:
        """When the first request was sent that can have written: a refused one has not."""
        return min(request.sent for request in self.requests if request.outcome != "refused")

    @property
    def wish(self) -> str:
        return _wish(self.first.seat, self.first.move)

    def __str__(self) -> str:
        return f"{self.first.client} {self.wish} key={self.first.key}"


def _wish(actor: Any, move: Any) -> str:
    return f"seat {actor}: {msgspec.json.encode(move, order='sorted').decode()}"


def operations(requests: Iterable[Request]) -> list[Operation]:
    """The requests that asked for a commit, those with the same key together, in the order of their sending."""
    groups: dict[Any, list[Request]] = defaultdict(list)
    numbers = count()
    for request in sorted(requests, key=lambda each: each.sent):
        if request.do != "read":
            groups[(request.seat, request.key) if request.key else next(numbers)].append(request)
    return [Operation(tuple(group)) for group in groups.values()]


def check(requests: Iterable[Request], logs: Mapping[str, list[Commit]]) -> list[str]:
    """Every contradiction between the history and the logs of its games; none is what is promised."""
    ordered = sorted(requests, key=lambda request: request.game)
    by_game = {game: list(group) for game, group in groupby(ordered, key=lambda request: request.game)}
    return [
        f"{game}: {fault}"
        for game in sorted({*by_game, *logs})
        for fault in check_game(by_game.get(game, []), logs.get(game, []))
    ]


def check_game(requests: list[Request], commits: list[Commit]) -> Iterator[str]:
    """The contradictions in one game."""
    found = operations(requests)
    yield from _versions_without_gaps(commits)
    yield from _repetitions_agree(found)
    yield from _accepted_are_in_the_log(found, commits)
    yield from _nothing_else_is_in_the_log(found, commits)
    yield from _in_the_order_of_time(found, requests)


def _versions_without_gaps(commits: list[Commit]) -> Iterator[str]:
    versions = [commit["version"] for commit in commits]
    if versions != list(range(1, len(versions) + 1)):
        yield f"the versions of the log are {versions}"


def _repetitions_agree(found: list[Operation]) -> Iterator[str]:
    for operation in found:
        if len({(answer.version, answer.body) for answer in operation.answers}) > 1:
            yield f"a repetition was answered otherwise: {operation}"
        if operation.is_ok:
            late = [each for each in operation.requests if each.outcome == "refused" and each.sent > operation.known_at]
            if late:
                yield f"a repetition was refused with {late[0].status}: {operation}"


def _accepted_are_in_the_log(found: list[Operation], commits: list[Commit]) -> Iterator[str]:
    by_version = {commit["version"]: commit for commit in commits}
    claimed: dict[int, Operation] = {}
    for operation in (each for each in found if each.is_ok):
        commit = by_version.get(operation.version)
        if commit is None:
            yield f"lost: version {operation.version} was answered, and is not in the log: {operation}"
        elif _wish(commit["actor"], commit["move"]) != operation.wish:
            yield f"lost: version {operation.version} is another move in the log: {operation}"
        if operation.version in claimed:
            yield f"version {operation.version} was answered to {claimed[operation.version]} and to {operation}"
        claimed[operation.version] = operation


def _nothing_else_is_in_the_log(found: list[Operation], commits: list[Commit]) -> Iterator[str]:
    """Beside what was accepted, a seat's commits can only be operations whose outcome is unknown, each at most once."""
    accepted = {operation.version for operation in found if operation.is_ok}
    unknown = Counter(each.wish for each in found if not each.is_ok and not each.is_refused)
    refused = {each.wish for each in found if each.is_refused}
    seats = {each.first.seat for each in found}
    for commit in commits:
        if commit["version"] in accepted or commit["actor"] not in seats or commit.get("cause") is not None:
            continue
        wish = _wish(commit["actor"], commit["move"])
        if unknown[wish]:
            unknown[wish] -= 1
        elif any(operation.is_ok and operation.wish == wish for operation in found):
            yield f"doubled, or nobody's: version {commit['version']}, {wish}"
        elif wish in refused:
            yield f"refused, and in the log: version {commit['version']}, {wish}"
        else:
            yield f"nobody's move: version {commit['version']}, {wish}"


def _in_the_order_of_time(found: list[Operation], requests: list[Request]) -> Iterator[str]:
    """What was known before something was sent is below its version; a reader sees all that was known before."""
    known = sorted((operation.known_at, operation.version) for operation in found if operation.is_ok)
    known += [(read.done, read.version) for read in requests if read.do == "read" and read.version is not None]
    later: list[tuple[float, int, str]] = []
    for operation in found:
        if operation.is_ok:
            later.append((operation.sent_at, operation.version - 1, f"written out of order: {operation}"))
    for read in requests:
        if read.do == "read" and read.version is not None:
            later.append((read.sent, read.version, f"an old version was read by {read.client}"))
    newest, place = 0, 0
    known.sort()
    for sent, version, fault in sorted(later):
        while place < len(known) and known[place][0] < sent:
            newest = max(newest, known[place][1])
            place += 1
        if version < newest:
            yield f"{fault}: version {newest} was known before, {version} followed"
