"""Every decoder returns a value or refuses with its own exception, whatever the input."""

import os
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from referee.api.routing import NOT_JSON
from referee.audit.record import Record, Unreadable, read_record, write_record
from referee.audit.verify import audit
from referee.kernel.attempt import Attempt
from referee.kernel.canon import canonical, digest
from referee.kernel.judge import read_position
from referee.kernel.rejection import Malformed
from referee.kernel.ruleset import Ruleset
from referee.rulesets import TITLES
from referee.table.record import Entry
from tests.api.requests import OTHER, damaged
from tests.api.world import World
from tests.corpus.stored_games import files, read_game
from tests.redis_server import RedisServer

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "60"))

often = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize="FUZZ_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
every_title = pytest.mark.parametrize("ruleset", TITLES, ids=lambda ruleset: ruleset.slug)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(OTHER),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@every_title
def test_a_move_is_read_or_has_its_fault(ruleset: Ruleset) -> None:
    named = st.sampled_from(sorted(ruleset.moves))
    fields = sorted({name for kind in ruleset.moves.values() for name in kind.__struct_encode_fields__})

    @often
    @given(
        st.binary(max_size=80)
        | anything.map(msgspec.json.encode)
        | st.builds(
            lambda name, rest: msgspec.json.encode({"type": name, **rest}),
            named,
            st.dictionaries(st.sampled_from(fields or ["x"]), anything, max_size=4),
        )
    )
    @example(b'{"type":' * 5000)
    @example(b'{"type":"' + b"\xed\xa0\x80" + b'"}')
    def check(data: bytes) -> None:
        try:
            attempt = ruleset.read_move(data)
        except NOT_JSON:
            return
        assert isinstance(attempt, Attempt)
        assert (attempt.move is None) == bool(attempt.fault)

    check()


@every_title
def test_a_position_is_read_or_malformed(ruleset: Ruleset) -> None:
    blank = msgspec.to_builtins(ruleset.blank(ruleset.variants[0], ruleset.seats[0]))

    @often
    @given(anything, st.randoms(use_true_random=False))
    def check(part: Any, rng: random.Random) -> None:
        for raw in (part, damaged(blank, rng), {**blank, rng.choice(sorted(blank)): part}):
            try:
                position = read_position(ruleset, raw)
            except Malformed:
                continue
            assert isinstance(position, ruleset.position_type)

    check()


def sealed_anew(record: Record, rng: random.Random) -> Record:
    """The record with a damaged commit and all hashes recomputed, as a forger would do."""
    bodies = [msgspec.json.decode(entry.body) for entry in record.entries]
    at = rng.randrange(len(bodies))
    forged = damaged(bodies[at], rng)
    bodies[at] = forged if isinstance(forged, dict) else {"commit": forged}
    prev, entries = record.header.hash, []
    for version, body in enumerate(bodies, 1):
        written = canonical(_without_floats({**body, "prev": prev}))
        prev = digest(written)
        entries.append(Entry(version, written, prev))
    return msgspec.structs.replace(record, entries=tuple(entries))


def _without_floats(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_floats(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_without_floats(part) for part in value]
    return str(value) if isinstance(value, float) or (type(value) is int and abs(value) > 2**53) else value


def _short_games() -> Iterator[Record]:
    """A stored game of each title, cut short."""
    for ruleset in TITLES:
        of_title = (read_game(file) for file in files() if file.parent.name == ruleset.slug)
        for record in islice(of_title, 1):
            yield msgspec.structs.replace(record, entries=record.entries[:12])


@pytest.mark.parametrize("record", list(_short_games()), ids=lambda record: record.header.ruleset)
def test_a_forged_record_is_unreadable_or_audited_to_its_end(record: Record) -> None:
    for number in range(EXAMPLES):
        rng = random.Random(f"{record.header.game}:{number}")
        forged = sealed_anew(record, rng)
        lines = list(write_record(forged.header, forged.entries, forged.secret))
        try:
            read = read_record(lines)
        except Unreadable:
            continue
        report = audit(read)
        assert report.verdict == "failed", f"{number}: {report}"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    server = RedisServer(tmp_path_factory.mktemp("decoders")).start()
    yield World(server)
    server.stop()


HEADERS = (
    *("Authorization", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Accept", "X-Request-Id"),
    *(
        "X-Forwarded-For",
        "Content-Type",
        "Content-Length",
        "Origin",
        "Access-Control-Request-Method",
        "Content-Encoding",
    ),
    *("Content-Encoding", "Range", "Expect", "Host", "Cookie", "Accept-Language", "If-Modified-Since", "Forwarded"),
)
values = st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f"), max_size=60)
almost = st.sampled_from(
    [
        *(
            '"1.s0"',
            'W/"1.s0"',
            '"',
            '"99999999999999999999.s0"',
            "*",
            "Bearer",
            "Bearer rk_k_",
            "Bearer  x",
            "Basic Og==",
        ),
        *("a" * 9000, "text/event-stream;q=9", "*/*;q=0", "application/json;q=nan", "g_000000000000000000000000:1"),
        *("bytes=0-", "100-continue", "-1", "0x10", "1_000", "²", "1e9", "null", "application/json; charset=nonsense"),
    ]
)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("GET", "/v1/games/{game}"), ("GET", "/v1/games/{game}/events"), ("POST", "/v1/games/{game}/moves")),
        *(("POST", "/v1/games"), ("GET", "/v1/me/events"), ("OPTIONS", "/v1/games"), ("GET", "/v1/me")),
    ],
)
def test_no_header_breaks_the_service(world: World, method: str, path: str) -> None:
    @often
    @given(st.dictionaries(st.sampled_from(HEADERS), values | almost, min_size=1, max_size=4), st.booleans())
    def check(headers: dict[str, str], with_key: bool) -> None:
        asked = path.replace("{game}", world.running)
        body = b'{"type": "nonsense"}' if method == "POST" else None
        answer = world.call(method, asked, world.ada if with_key else None, headers=headers, data=body)
        assert answer.status_code < 500, f"{headers}: {answer.text}"

    check()
