"""The tiles of a log: 256 hashes of one level, or 256 entries, under the paths that C2SP's tlog-tiles gives them."""

import re

import msgspec

from referee.tlog.merkle import root_of

WIDTH = 256
"""The hashes of a full tile. A tile of level n has hashes of subtrees with 256^n leaves."""
HASH_BYTES = 32
LEVELS_MAX = 63
ENTRY_BYTES_MAX = 65_535

_PATH = re.compile(
    r"tile/(?P<level>entries|0|[1-9][0-9]?)/(?P<number>(?:x[0-9]{3}/)*[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)


class TilePath(msgspec.Struct, frozen=True):
    """Which tile is meant."""

    level: int
    """-1: the entries."""
    number: int
    width: int = WIDTH

    @property
    def text(self) -> str:
        """The path of the tile."""
        partial = "" if self.width == WIDTH else f".p/{self.width}"
        return f"tile/{'entries' if self.level < 0 else self.level}/{_spelled(self.number)}{partial}"


def _spelled(number: int) -> str:
    """A number in groups of three digits; all but the last begin with an x."""
    groups = [f"{number % 1000:03}"]
    while number >= 1000:
        number //= 1000
        groups.append(f"x{number % 1000:03}")
    return "/".join(reversed(groups))


def read_path(path: str) -> TilePath | None:
    """The tile of a path; None: the path is not spelled as the specification spells it."""
    found = _PATH.fullmatch(path) if path.isascii() and len(path) < 100 else None
    if found is None:
        return None
    level = -1 if found["level"] == "entries" else int(found["level"])
    number, width = int(found["number"].replace("x", "").replace("/", "")), int(found["width"] or WIDTH)
    tile = TilePath(level, number, width)
    is_partial = found["width"] is not None
    return tile if level <= LEVELS_MAX and tile.text == path and is_partial == (width < WIDTH) else None


def hashes_in(tile: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [tile[at : at + HASH_BYTES] for at in range(0, len(tile), HASH_BYTES)]


def subtree_in(tile: bytes, level: int, index: int) -> bytes:
    """The root of a subtree inside a tile; the level counts from that of the tile."""
    hashes = hashes_in(tile[(index << level) * HASH_BYTES : (index + 1 << level) * HASH_BYTES])
    if len(hashes) != 1 << level:
        raise IndexError("The tile does not have this subtree.")
    return root_of(hashes)


def bundled(entry: bytes) -> bytes:
    """An entry as it stands in a bundle: its length in two bytes, then the entry."""
    return len(entry).to_bytes(2, "big") + entry


def entries_in(bundle: bytes) -> list[bytes]:
    """The entries of a bundle; raises ValueError."""
    found, at = list[bytes](), 0
    while at < len(bundle):
        length = int.from_bytes(bundle[at : at + 2], "big")
        found.append(bundle[at + 2 : at + 2 + length])
        if at + 2 + length > len(bundle):
            raise ValueError("The bundle is cut off.")
        at += 2 + length
    return found
