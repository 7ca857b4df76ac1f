"""Nonsense for everything that keeps the service to its word: seals, reveals, links, receipts, and the log."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from referee.table.record import seal_of
from tests.campaigns.hostile.attacks import NONSENSE_OF_ONE, Report
from tests.service import Client, Service

LINK = "7" * 64
JUNK: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 0.5, [], {}, [LINK], {"link": LINK}, "", "x", "\0", "\ud800", "..", "../key"),
    *(LINK, LINK[1:], LINK + "7", LINK + "\n", "A" * 64, "\uff17" * 64, "7" * 100_000, " " * 64, "0" * 64, "-1", "1e9"),
    *("tile/0/000", "tile/64/000", "tile/0/000.p/256", "tile/0/000.p/0", "tile/entries/x999/999", "%2e%2e%2fkey"),
)


class Tables:
    """Tables of an attacker: one that waits, one that reveals, one that runs; the luck of each is fresh."""

    def __init__(self, service: Service) -> None:
        self.attacker, self.other = service.player("attacker"), service.player("other")
        self.ids = [self._table(sat) for sat in (0, 1, 2)]

    def _table(self, sat: int) -> str:
        table = self.attacker.create("open", "open", ruleset="explorers-and-pirates", luck="fresh")
        id = str(table["id"])
        for client, link in ((self.attacker, LINK), (self.other, "8" * 64))[:sat]:
            assert client.post(f"/games/{id}/seats", {"seal": seal_of(id, link)}).status_code == 201
        return id


def nonsense(service: Service, count: int, rng: random.Random) -> Report:
    """Call everything that makes or shows a promise with nonsense: nothing is answered with a 5xx."""
    statuses: Counter[int] = Counter()
    faults: list[str] = []
    for number in range(count):
        if number % NONSENSE_OF_ONE == 0:
            tables = Tables(service)
        ask = rng.choice(ASKS)
        junk = rng.choice(JUNK)
        answer = ask(tables.attacker, rng.choice(tables.ids), junk, rng)
        statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            faults.append(f"{answer.request.method} {answer.request.url} {answer.status_code}: {junk!r}"[:500])
    return f"{count} nonsensical promises: {dict(statuses)}", faults


def _spelled(junk: Any) -> str:
    return quote(str(junk)[:3000].encode("utf-8", "surrogatepass"), safe="/.%")


def _post(path: str, body: Callable[[Any], Any]) -> Callable[[Client, str, Any, random.Random], Any]:
    def ask(client: Client, game: str, junk: Any, rng: random.Random) -> Any:
        prefer = rng.choice(("receipt", "receipt, receipt", ", ;=receipt", "wait=9", "\xff"))
        return client.post(f"/games/{game}/{path}", body(junk), headers={"Prefer": prefer})

    return ask


def _get(path: str) -> Callable[[Client, str, Any, random.Random], Any]:
    def ask(client: Client, game: str, junk: Any, rng: random.Random) -> Any:
        return client.call("GET", path.replace("GAME", game).replace("JUNK", _spelled(junk)))

    return ask


ASKS = (
    _post("seats", lambda junk: {"seal": junk, "seat": 1}),
    _post("seats", lambda junk: {"seal": LINK, "nonce": junk}),
    _post("seats/0/reveal", lambda junk: {"link": junk}),
    _post("seats/1/reveal", lambda junk: junk),
    _post("seats/0/seal", lambda junk: {"seal": junk}),
    _post("moves", lambda junk: {"link": junk, "move": {"type": "roll_dice"}}),
    _post("moves", lambda junk: {"link": LINK, "move": junk}),
    *map(_get, ("/v1/games/GAME/receipts/JUNK", "/v1/games/GAME/log?JUNK", "/v1/games/JUNK/log", "/log/JUNK")),
    *map(_get, ("/log/tile/JUNK", "/log/tile/0/JUNK", "/log/proof?old=JUNK&size=1", "/log/proof?old=0&size=JUNK")),
)
