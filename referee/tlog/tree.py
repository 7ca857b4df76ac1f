"""The tree of the log: its right edge in Redis, where all hosts agree on it, and its full tiles as files."""

import gzip
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from redis import Redis

from referee.store.connections import Script
from referee.store.lists import pairs
from referee.store.urls import open_store
from referee.tlog.merkle import Subtree, leaf_hash, range_root, root_of
from referee.tlog.tiles import (
    ENTRY_BYTES_MAX,
    HASH_BYTES,
    WIDTH,
    TilePath,
    bundled,
    entries_in,
    hashes_in,
    subtree_in,
)

SIZE, EDGE, FULL = "{tlog}:size", "{tlog}:edge", "{tlog}:full"
"""The size, the tiles that are not full, and the full tiles that are not on disk yet."""

ENTRIES = -1
"""The level of the bundle of entries."""
BUNDLES = "tile/entries/"

SYNCS_AT_ONCE = 16

_APPEND = """
if tonumber(redis.call('GET', KEYS[1]) or '0') ~= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('DEL', KEYS[2])
local edge = tonumber(ARGV[3])
for n = 4, 3 + 2 * edge, 2 do redis.call('HSET', KEYS[2], ARGV[n], ARGV[n + 1]) end
for n = 4 + 2 * edge, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[n], ARGV[n + 1]) end
return 1
"""
"""Write the new edge if the tree still has the size that it was computed from, in one atomic step."""


class Edge(msgspec.Struct, frozen=True):
    """The size of a tree and its tiles that are not full, by level."""

    size: int
    tiles: dict[int, bytes]


class TreeDamaged(Exception):
    """A tile is missing or does not fit the others."""


class Tree:
    """A tree that only grows."""

    def __init__(self, redis: Redis, directory: Path, replicas: int = 0, replicas_timeout_ms: int = 1000) -> None:
        self._connections = open_store(redis, replicas, replicas_timeout_ms)
        self._append = Script(self._connections, _APPEND)
        self._directory = directory

    def edge(self) -> Edge:
        """The right edge as it is now."""
        size, found = self._connections.each([("GET", SIZE), ("HGETALL", EDGE)])
        return Edge(int(size or 0), {int(level): tile for level, tile in pairs(found)})

    def append(self, entries: Sequence[bytes]) -> int:
        """Append entries as leaves; returns the index of the first."""
        while True:
            before = self.edge()
            after, full = grown(before, entries)
            edge = [part for pair in sorted(after.tiles.items()) for part in pair]
            done = [part for path, tile in full.items() for part in (path.text, tile)]
            args = (before.size, after.size, len(after.tiles), *edge, *done)
            if self._append((SIZE, EDGE, FULL), args):
                return before.size

    def flush(self) -> None:
        """Write full tiles and the edge to disk, and only then forget the full tiles in Redis."""
        full = pairs(self._connections.call("HGETALL", FULL))
        if full:
            write_files({self._directory / path.decode(): _stored(path, tile) for path, tile in full})
            self._connections.call("HDEL", FULL, *[path for path, _ in full])
        edge = self.edge()
        tiles = {str(level): b64encode(tile).decode() for level, tile in sorted(edge.tiles.items())}
        write_file(self._directory / "edge", json.dumps({"size": edge.size, "tiles": tiles}).encode())

    def restore(self) -> Edge:
        """Write the edge that is on disk into Redis, where a tree that was lost or set back is shorter."""
        stored = json.loads((self._directory / "edge").read_bytes())
        edge = Edge(stored["size"], {int(level): b64decode(tile) for level, tile in stored["tiles"].items()})
        now = self.edge()
        if now.size >= edge.size:
            raise TreeDamaged(f"The tree has {now.size} leaves, and the edge on disk has {edge.size}: nothing to do.")
        parts = [part for pair in sorted(edge.tiles.items()) for part in pair]
        assert self._append((SIZE, EDGE, FULL), (now.size, edge.size, len(edge.tiles), *parts))
        return edge

    def tile(self, path: TilePath) -> bytes | None:
        """A tile, full or partial; None: the tree does not have it."""
        if path.width == WIDTH:
            return self._full(path)
        edge = self.edge()
        count = edge.size >> (8 * max(path.level, 0))
        number, width = divmod(count, WIDTH)
        if path.number == number and path.width <= width:
            return _first(path.level, edge.tiles[path.level], path.width)
        tile = self._full(TilePath(path.level, path.number)) if path.number < number else None
        return None if tile is None else _first(path.level, tile, path.width)

    def _full(self, path: TilePath) -> bytes | None:
        try:
            data = (self._directory / path.text).read_bytes()
            return gzip.decompress(data) if path.level == ENTRIES else data
        except FileNotFoundError:
            found: bytes | None = self._connections.call("HGET", FULL, path.text)
            return found

    def subtrees(self, edge: Edge) -> Subtree:
        """Finds the roots of complete subtrees of a tree with this edge, in its tiles."""
        read: dict[TilePath, bytes] = {}

        def subtree(level: int, index: int) -> bytes:
            above, within = divmod(level, 8)
            number, place = divmod(index << within, WIDTH)
            path = TilePath(above, number)
            if path not in read:
                is_edge = number == (edge.size >> (8 * above)) // WIDTH
                tile = edge.tiles.get(above) if is_edge else self._full(path)
                if tile is None:
                    raise TreeDamaged(f"The tile {path.text} is missing.")
                read[path] = tile
            return subtree_in(read[path], within, place >> within)

        return subtree

    def root(self, edge: Edge, size: int) -> bytes:
        """The root that the tree had with this size."""
        return range_root(self.subtrees(edge), 0, size)

    def entries(self, begin: int, end: int) -> list[bytes]:
        """The entries of some leaves; raises TreeDamaged."""
        found: list[bytes] = []
        edge = self.edge()
        for number in range(begin // WIDTH, -(-end // WIDTH)):
            is_edge = number == edge.size // WIDTH
            bundle = edge.tiles.get(ENTRIES, b"") if is_edge else self._full(TilePath(ENTRIES, number))
            if bundle is None:
                raise TreeDamaged(f"The bundle {number} is missing.")
            found.extend(entries_in(bundle))
        skipped = begin % WIDTH
        return found[skipped : skipped + end - begin]


def grown(edge: Edge, entries: Sequence[bytes]) -> tuple[Edge, dict[TilePath, bytes]]:
    """The edge after further entries, and the tiles that have become full."""
    size, tiles, full = edge.size, dict(edge.tiles), dict[TilePath, bytes]()
    for entry in entries:
        assert len(entry) <= ENTRY_BYTES_MAX
        tiles[ENTRIES] = tiles.get(ENTRIES, b"") + bundled(entry)
        tiles[0] = tiles.get(0, b"") + leaf_hash(entry)
        size += 1
        if size % WIDTH == 0:
            full[TilePath(ENTRIES, size // WIDTH - 1)] = tiles.pop(ENTRIES)
        level, count = 0, size
        while count % WIDTH == 0:
            tile, count = tiles.pop(level), count // WIDTH
            full[TilePath(level, count - 1)] = tile
            level += 1
            tiles[level] = tiles.get(level, b"") + root_of(hashes_in(tile))
    return Edge(size, tiles), full


def _first(level: int, tile: bytes, width: int) -> bytes:
    """The first part of a tile or of a bundle."""
    if level >= 0:
        return tile[: width * HASH_BYTES]
    return b"".join(map(bundled, entries_in(tile)[:width]))


def _stored(path: bytes, tile: bytes) -> bytes:
    """A full tile as it is on disk.

    A bundle is compressed: its entries differ in a hash only.
    """
    return gzip.compress(tile, mtime=0) if path.startswith(BUNDLES.encode()) else tile


def write_file(path: Path, data: bytes) -> None:
    """Write a file so that after a crash it is there as a whole, or not at all."""
    write_files({path: data})


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write files so that after a crash each is there as a whole, or not at all.

    They are synced at the same time, because a disk does that about as quickly as for one.
    """
    temporary = {path: path.with_name(f".{path.name}.{os.getpid()}") for path in files}
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary[path].write_bytes(data)
    _sync(temporary.values())
    for path, written in temporary.items():
        written.replace(path)
    _sync({path.parent for path in files})


def _sync(paths: Collection[Path]) -> None:
    """Wait until files or directories are on disk."""

    def sync(path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    if len(paths) == 1:
        return sync(*paths)
    with ThreadPoolExecutor(SYNCS_AT_ONCE) as pool:
        list(pool.map(sync, paths))
