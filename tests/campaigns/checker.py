"""Compares the answers that clients got with the logs: every accepted move once, in order, and nothing else.

The histories are checked as Jepsen checks them: each operation has a known or unknown outcome and a time span from
request to answer. An operation that was answered before another one was sent must come before it in the log.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, groupby
from typing import Any

import msgspec

from tests.campaigns.history import Request

Commit = Mapping[str, Any]


class Operation(msgspec.Struct, frozen=True):
    """All requests with one idempotency key, or a single request without one."""

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
        """Whether the operation certainly wrote nothing."""
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
        """When the first request that can have written was sent; a refused one has written nothing."""
        return min(request.sent for request in self.requests if request.outcome != "refused")

    @property
    def move(self) -> str:
        return _move_text(self.first.seat, self.first.move)

    def __str__(self) -> str:
        return f"{self.first.client} {self.move} key={self.first.key}"


def _move_text(actor: Any, move: Any) -> str:
    return f"seat {actor}: {msgspec.json.encode(move, order='sorted').decode()}"


def operations(requests: Iterable[Request]) -> list[Operation]:
    """The requests for a commit in the order in which they were sent, those with the same key together."""
    groups: dict[Any, list[Request]] = defaultdict(list)
    numbers = count()
    for request in sorted(requests, key=lambda each: each.sent):
        if request.do != "read":
            groups[(request.seat, request.key) if request.key else next(numbers)].append(request)
    return [Operation(tuple(group)) for group in groups.values()]


def check(requests: Iterable[Request], logs: Mapping[str, list[Commit]]) -> list[str]:
    """Every contradiction between the history and the logs of its games; there must be none."""
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
            yield f"a repetition got another answer: {operation}"
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
            yield f"lost: version {operation.version} was answered but is not in the log: {operation}"
        elif _move_text(commit["actor"], commit["move"]) != operation.move:
            yield f"lost: version {operation.version} is another move in the log: {operation}"
        if operation.version in claimed:
            yield f"version {operation.version} was answered to {claimed[operation.version]} and to {operation}"
        claimed[operation.version] = operation


def _nothing_else_is_in_the_log(found: list[Operation], commits: list[Commit]) -> Iterator[str]:
    """Other commits of a seat must be operations with an unknown outcome, each at most once."""
    accepted = {operation.version for operation in found if operation.is_ok}
    unknown = Counter(each.move for each in found if not each.is_ok and not each.is_refused)
    refused = {each.move for each in found if each.is_refused}
    seats = {each.first.seat for each in found}
    for commit in commits:
        if commit["version"] in accepted or commit["actor"] not in seats or commit.get("cause") is not None:
            continue
        move = _move_text(commit["actor"], commit["move"])
        if unknown[move]:
            unknown[move] -= 1
        elif any(operation.is_ok and operation.move == move for operation in found):
            yield f"duplicate, or nobody's: version {commit['version']}, {move}"
        elif move in refused:
            yield f"refused, but in the log: version {commit['version']}, {move}"
        else:
            yield f"nobody's move: version {commit['version']}, {move}"


def _in_the_order_of_time(found: list[Operation], requests: list[Request]) -> Iterator[str]:
    """An operation gets a higher version than any known when it was sent, and a read returns at least that version."""
    known = sorted((operation.known_at, operation.version) for operation in found if operation.is_ok)
    known += [(read.done, read.version) for read in requests if read.do == "read" and read.version is not None]
    later: list[tuple[float, int, str]] = []
    for operation in found:
        if operation.is_ok:
            later.append((operation.sent_at, operation.version - 1, f"written out of order: {operation}"))
    for read in requests:
        if read.do == "read" and read.version is not None:
            later.append((read.sent, read.version, f"an old version was read by {read.client}"))
    newest, index = 0, 0
    known.sort()
    for sent, version, fault in sorted(later):
        while index < len(known) and known[index][0] < sent:
            newest = max(newest, known[index][1])
            index += 1
        if version < newest:
            yield f"{fault}: version {newest} was known before, {version} followed"
