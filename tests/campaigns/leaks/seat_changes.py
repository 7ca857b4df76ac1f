"""Seats, keys and roles that change before the start, while streams and long polls stay open."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from tests.campaigns.leaks.carriers import LATE_S, QUIET_S, Answer, Ask, Carrier, Listening, Person
from tests.waiting import eventually

GAME = "/v1/games/{game}"
ADDED = "with=view,legal,text"
STREAM = (("Accept", "text/event-stream"),)


class Left(NamedTuple):
    """A request that was left open, with the connections to both games."""

    ask: Ask
    pair: tuple[Listening, ...]


class Changes:
    """A player who sits on every seat in turn before the others, and leaves a stream and a long poll open at each."""

    def __init__(self, carrier: Carrier, person: Person, ids: tuple[str, ...]) -> None:
        self._carrier = carrier
        self._person = person
        self._ids = ids
        self._spare, self._spare_id = carrier.spare(person)
        self._left: list[Left] = []

    def sit_on(self, seat: int) -> list[tuple[Ask, Answer, Answer]]:
        """Sit down, read everything, leave streams open and get up; returns the pairs of answers to compare."""
        sit = Ask("POST", f"{GAME}/seats", body=msgspec.json.encode({"seat": seat}))
        asks = (
            sit,
            Ask("GET", GAME),
            Ask("GET", f"{GAME}?seat={seat}"),
            Ask("GET", f"{GAME}?at=0"),
            Ask("GET", f"{GAME}/legal-moves"),
            Ask("GET", f"{GAME}/events"),
            Ask("GET", f"{GAME}/events?{ADDED}"),
        )
        answers = [self._both(ask) for ask in asks]
        if self._carrier.has_workers:
            for query in ("?wait=20", f"?wait=20&seat={seat}"):
                self._leave(Ask("GET", f"{GAME}/events{query}"), self._person)
            # Streams answer at once, so that by then the service has the long polls as well.
            for query in ("", f"?seat={seat}", f"?{ADDED}"):
                self._leave(Ask("GET", f"{GAME}/events{query}", STREAM), self._person, self._spare)
        return [*answers, self._both(Ask("DELETE", f"{GAME}/seats/{seat}"))]

    def _leave(self, ask: Ask, *people: Person) -> None:
        """Leave a request open; a stream begins, and a long poll waits, before its reader gets up."""
        for person in people:
            waiting = self._carrier.long_polls()
            pair = tuple(self._carrier.listen(ask, id, person) for id in self._ids)
            self._left.append(Left(ask, pair))
            if ask.headers:
                assert [listening.await_head() for listening in pair] == [200, 200]
            else:
                eventually(lambda before=waiting: self._carrier.long_polls() == before + len(self._ids))

    def _both(self, ask: Ask) -> tuple[Ask, Answer, Answer]:
        here, there = (self._carrier.ask(ask, id, self._person) for id in self._ids)
        return ask, here, there

    def revoke_spare(self) -> None:
        """Revoke the second key, with which streams were opened."""
        self._carrier.ask(Ask("DELETE", f"/v1/keys/{self._spare_id}"), "", self._person)

    def heard(self) -> list[tuple[Ask, Answer, Answer]]:
        """What has arrived since the last call, wherever both games have answered."""
        everything = [listening for left in self._left for listening in left.pair]
        with ThreadPoolExecutor(len(everything) or 1) as pool:
            sizes = list(pool.map(lambda listening: listening.listen(QUIET_S), everything))
            uneven = [
                left for left, here, there in zip(self._left, sizes[::2], sizes[1::2], strict=True) if here != there
            ]
            list(pool.map(lambda listening: listening.listen(LATE_S), [each for left in uneven for each in left.pair]))
            heard = list(pool.map(Listening.take, everything))
        answers = zip(self._left, heard[::2], heard[1::2], strict=True)
        return [(left.ask, here, there) for left, here, there in answers if here.status and there.status]

    def close(self) -> None:
        """Close all connections."""
        for left in self._left:
            for listening in left.pair:
                listening.close()
