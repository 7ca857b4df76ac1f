"""Your part of the luck: chains of links, sealed before anybody shows theirs. See `docs/fairness.md` of the service."""

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee_client.problems import RefereeError

LINKS = 1024
"""The links of a chain. A game that draws more often for one seat needs a new seal."""


class LinkWithheld(RefereeError):
    """The service asks for a link that would be too early, or that this program does not have. It was not sent."""


@dataclass
class Chain:
    """A chain of links, made from its last one, and how far it was sent."""

    game: str
    last: str
    sent: int = -1
    """The highest link that was sent; -1: none, not even the nonce."""

    def __post_init__(self) -> None:
        self.links = [self.last]
        while len(self.links) < LINKS:
            self.links.append(step(self.game, self.links[-1]))
        self.links.reverse()

    @property
    def seal(self) -> str:
        """What is published first."""
        return step(self.game, self.links[0])


def step(game: str, link: str) -> str:
    """Return the link before a link, or its seal: the hash of its canonical JSON."""
    return hashlib.sha256(json.dumps({"game": game, "link": link}, separators=(",", ":")).encode()).hexdigest()


class Links:
    """The chains that this program has sealed, in memory or in a file that only its owner can read.

    Each seal is of a new random chain. With a file, a program that is started again can still reveal; raises ValueError
    if the file is damaged. One program at a time may use a file.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._chains: list[Chain] = []
        if file is not None and file.exists():
            self._chains = [_read(line) for line in file.read_text().splitlines()]

    def new_seal(self, game: str) -> str:
        """Return the seal of a new chain for a game. The chain is stored before anybody sees its seal."""
        chain = Chain(game, secrets.token_hex(32))
        self._chains.append(chain)
        self.store()
        return chain.seal

    def to_reveal(self, game: Mapping[str, Any]) -> list[tuple[int, str]]:
        """Return the seats that this program has to reveal, with their nonces. All seals are there by now."""
        if game["status"] != "revealing":
            return []
        own = {chain.seal: chain for chain in self._chains if chain.game == game["id"]}
        sealed = [(seat, own.get(game["seats"][seat]["seal"])) for seat in game["unrevealed"]]
        return [(seat, self._send(chain, 0)) for seat, chain in sealed if chain is not None]

    def next_link(self, game: str, index: int, before: str) -> str:
        """Return the link with this number, which hashes to `before`; raises LinkWithheld.

        Anybody who has a link can compute all earlier ones, so a link is sent only after the one before it.
        """
        for chain in self._chains:
            if chain.game == game and 0 <= index < LINKS and step(game, chain.links[index]) == before:
                if index > chain.sent + 1:
                    raise LinkWithheld(f"The service asks for link {index}, but was sent only {chain.sent + 1} links.")
                return self._send(chain, index)
        raise LinkWithheld(f"This program has no link that hashes to {before}. Seal a new chain.")

    def knows(self, game: str) -> bool:
        """Whether this program has sealed a nonce for a game and not revealed it."""
        return any(chain.game == game and chain.sent < 0 for chain in self._chains)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not self._chains

    def forget(self, game: str) -> None:
        """Drop the chains of a game that is over."""
        if any(chain.game == game for chain in self._chains):
            self._chains = [chain for chain in self._chains if chain.game != game]
            self.store()

    def _send(self, chain: Chain, index: int) -> str:
        if index > chain.sent:
            chain.sent = index
            self.store()
        return chain.links[index]

    def store(self) -> None:
        """Write the file, if there is one."""
        if self._file is None:
            return
        rows = [{"game": chain.game, "last": chain.last, "sent": chain.sent} for chain in self._chains]
        temporary = self._file.with_name(f".{self._file.name}.{os.getpid()}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            opened.writelines(json.dumps(row) + "\n" for row in rows)
        temporary.replace(self._file)


def _read(line: str) -> Chain:
    try:
        row = json.loads(line)
        return Chain(str(row["game"]), str(row["last"]), int(row["sent"]))
    except (KeyError, TypeError):
        raise ValueError("A line is not that of a chain.") from None
