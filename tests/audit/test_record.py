"""Records are written, read back, and refused if a single byte is wrong."""

import random
import re
import time
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.audit.record import LINE_BYTES_MAX, Beside, Logged, Record, Unreadable, read_record, write_record
from referee.table.record import HeldBy, Text
from tests.audit.forgeries import audited
from tests.audit.race import RACE, Options
from tests.audit.recorded_game import SECRET, Play, played
from tests.audit.spelling import spellings
from tests.toy import TOY

RECORD = played(RACE, options=Options(goal=5))
LINES = list(write_record(RECORD.header, RECORD.entries, RECORD.secret))
WHOLE = b"".join(LINES)


def read(data: bytes) -> Record:
    return read_record(BytesIO(data).readlines())


def refused(lines: list[bytes]) -> tuple[int, str]:
    with pytest.raises(Unreadable) as caught:
        read_record(lines)
    assert str(caught.value) == f"line {caught.value.line}: {caught.value.fault}"
    return caught.value.line, caught.value.fault


@pytest.mark.parametrize("record", [RECORD, replace(RECORD, secret=None), played(TOY, seats=4), Play(RACE).record])
def test_a_record_is_read_back(record: Record) -> None:
    assert read_record(write_record(record.header, record.entries, record.secret)) == record


def test_a_record_is_json_lines() -> None:
    assert LINES[0].startswith(b'{"header":{"commitment":"')
    assert LINES[1].startswith(
        b'{"commit":{"actor":"referee","at":"2026-11-16T08:00:00.000Z","cause":null,"draws":2,"events":['
    )
    assert LINES[1].endswith(b'"hash":"' + RECORD.entries[0].hash.encode() + b'"}\n')
    assert LINES[-1] == b'{"secret":{"salt":"' + b"5a" * 32 + b'","seed":"' + b"c3" * 32 + b'"}}\n'
    assert all(line.endswith(b"}\n") and line.count(b"\n") == 1 for line in LINES)


@pytest.mark.parametrize("place", range(len(LINES)))
def test_a_line_has_one_spelling_only(place: int) -> None:
    for name, spelled in spellings(LINES[place]):
        assert spelled != LINES[place], name
        assert refused([*LINES[:place], *BytesIO(spelled).readlines(), *LINES[place + 1 :]])[0] == place + 1, name


@pytest.mark.parametrize("secret", ["salt", "seed"])
def test_a_secret_with_a_line_feed_is_refused(secret: str) -> None:
    """`$` in a pattern accepts a final line feed, and reading hexadecimal digits ignores it."""
    spelled = replace(SECRET, **{secret: getattr(SECRET, secret) + "\n"})
    report = audited(played(RACE, options=Options(goal=5), secret=spelled))
    assert report.verdict == "failed"


def test_a_long_line_in_another_spelling_is_refused_quickly() -> None:
    """A forged record cannot keep the auditor busy for minutes."""
    members = b",".join(b'"%x":0' % number for number in range(100_000))
    line = LINES[0].replace(b'"options":{', b'"options":{%b,' % members)
    assert len(line) < LINE_BYTES_MAX
    began = time.process_time()
    assert "not canonical JSON" in refused([line])[1]
    assert time.process_time() - began < 10


def test_a_line_with_two_hashes_is_refused() -> None:
    """Otherwise a search would find the noted hash in the line, while the audit proved the other one."""
    noted, real = b"a" * 64, RECORD.entries[1].hash.encode()
    for twice in (b'"hash":"%b","hash":"%b"}' % each for each in ((noted, real), (real, noted))):
        doubled = LINES[2].replace(b'"hash":"%b"}' % real, twice)
        assert doubled != LINES[2]
        assert refused([*LINES[:2], doubled, *LINES[3:]]) == (
            3,
            "an object has the member 'hash' more than once",
        )


TERMLESS = re.sub(rb',"terms":\{.*?\}', b"", LINES[0])

REFUSED: dict[str, tuple[list[bytes], int, str]] = {
    "nothing": ([], 1, "the record is empty"),
    "an empty line": ([b"\n"], 1, "the line is empty"),
    "an empty line between": ([*LINES[:2], b" \n", *LINES[2:]], 3, "the line is empty"),
    "an empty line after": ([*LINES, b"\n"], len(LINES) + 1, "the line is empty"),
    "no JSON": ([b"hello\n"], 1, "a line begins"),
    "nonsense bytes": ([bytes(range(256))], 1, "the record is cut off here"),
    "zeros": ([b"\0" * 5000], 1, "the record is cut off here"),
    "no UTF-8": ([LINES[0], LINES[1].replace(b"referee", b"\xff\xfe")], 2, "utf-8"),
    "a byte order mark": ([b"\xef\xbb\xbf" + LINES[0], *LINES[1:]], 1, "a line begins"),
    "UTF-16": ([LINES[0].decode().encode("utf-16")], 1, "cut off"),
    "a list": ([b"[]\n"], 1, "a line begins"),
    "null": ([LINES[0], b"null\n"], 2, "a line begins"),
    "an empty object": ([LINES[0], b"{}\n"], 2, "a line begins"),
    "an unknown key": ([LINES[0], b'{"comment":"hi"}\n'], 2, "a line begins"),
    "a key more": ([b'{"by":"me",' + LINES[0][1:]], 1, "a line begins"),
    "no terms": ([TERMLESS, *LINES[1:]], 1, "missing required field `terms`"),
    "terms without a table": (
        [LINES[0].replace(b'"table":1,', b""), *LINES[1:]],
        1,
        "missing required field `table`",
    ),
    "a table without a number": (
        [LINES[0].replace(b'"table":1', b'"table":null'), *LINES[1:]],
        1,
        "$.header.terms.table",
    ),
    "terms that are null": ([TERMLESS.replace(b',"version"', b',"terms":null,"version"')], 1, "$.header.terms"),
    "a commit without drawings": ([LINES[0], LINES[1].replace(b'"draws":2,', b"")], 2, "required field `draws`"),
    "no header": (LINES[1:], 1, "the header must be the first line"),
    "two headers": ([LINES[0], LINES[0]], 2, "this is a second header"),
    "a commit without its hash": (
        [LINES[0], LINES[1].split(b',"hash"')[0] + b"}\n"],
        2,
        "missing required field `hash`",
    ),
    "a hash alone": ([LINES[0], b'{"hash":"' + b"0" * 64 + b'"}\n'], 2, "a line begins"),
    "a hash that is none": ([LINES[0], LINES[1].replace(b'"hash":"', b'"hash":"x')], 2, "$.hash"),
    "a hash in capitals": (
        [LINES[0], LINES[1].replace(RECORD.entries[0].hash.encode(), b"A" * 64)],
        2,
        "$.hash",
    ),
    "a secret too early": ([*LINES[:3], LINES[-1], *LINES[3:]], 5, "after the secret come holders, texts"),
    "two secrets": ([*LINES, LINES[-1]], len(LINES) + 1, "after the secret come holders, texts"),
    "a secret with more in it": (
        [*LINES[:-1], LINES[-1].replace(b"}}", b',"to":1}}')],
        len(LINES),
        "unknown field `to`",
    ),
    "a seed that is too short": ([*LINES[:-1], LINES[-1].replace(b"c3c3", b"c3")], len(LINES), "$.secret.seed"),
    "a seed that is not hexadecimal": ([*LINES[:-1], LINES[-1].replace(b"c3", b"zz")], len(LINES), "$.secret.seed"),
    "no seed": (
        [*LINES[:-1], b'{"secret":{"salt":"' + b"5a" * 32 + b'"}}\n'],
        len(LINES),
        "missing required field `seed`",
    ),
    "a commit with more in it": (
        [LINES[0], LINES[1].replace(b'{"commit":{', b'{"commit":{"about":1,')],
        2,
        "unknown field `about`",
    ),
    "a commit with less in it": (
        [LINES[0], LINES[1].replace(b'"cause":null,', b"")],
        2,
        "missing required field `cause`",
    ),
    "a version that is no number": (
        [LINES[0], LINES[1].replace(b'"version":1}', b'"version":"1"}')],
        2,
        "Expected `int`, got `str` - at `$.commit.version`",
    ),
    "a fraction": ([LINES[0], LINES[1].replace(b'"first":', b'"first":1.5,"f":')], 2, "1.5 is not an integer"),
    "a key twice": (
        [LINES[0], LINES[1].replace(b'{"actor":', b'{"actor":0,"actor":')],
        2,
        "the member 'actor' more than once",
    ),
    "spaces inside a commit": ([LINES[0], LINES[1].replace(b'"cause":null', b'"cause": null')], 2, "canonical JSON"),
    "escapes that are not needed": ([LINES[0], LINES[1].replace(b"referee", b"r\\u0065feree")], 2, "canonical JSON"),
    "keys out of order": (
        [LINES[0], LINES[1].replace(b'"cause":null,', b"").replace(b'"version":1}', b'"version":1,"cause":null}')],
        2,
        "canonical JSON",
    ),
    "a header with more in it": (
        [LINES[0].replace(b"}}\n", b',"z":1}}\n')],
        1,
        """it has ',"z":1}}\\n' instead of '}}\\n'""",
    ),
    "a header of another format": ([LINES[0].replace(b"referee/1", b"referee/9")], 1, "the format is 'referee/9'"),
    "a header without a format": ([LINES[0].replace(b'"format":"referee/1",', b"")], 1, "canonical JSON"),
    "nested deeply": ([b'{"header":' + b"[" * 100_000 + b"\n"], 1, "Expected `object`, got `array`"),
    "nested deeply in a member more": (
        [LINES[0].replace(b"}}\n", b',"z":' + b"[" * 300 + b"]" * 300 + b"}}\n")],
        1,
        "not canonical JSON",
    ),
    "nested too deeply for any reader": (
        [LINES[0].replace(b"}}\n", b',"z":' + b"[" * 99_000 + b"]" * 99_000 + b"}}\n")],
        1,
        "nested too deeply",
    ),
    "nested deeply inside a commit": (
        [LINES[0], LINES[1].replace(b'"cause":null', b'"cause":{"x":' + b"[" * 64 + b"]" * 64 + b"}")],
        2,
        "nested too deeply",
    ),
    "a huge line": ([LINES[0], b" " * (LINE_BYTES_MAX + 1)], 2, f"longer than {LINE_BYTES_MAX} bytes"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_first_line_that_cannot_be_read_is_named(name: str) -> None:
    lines, line, fault = REFUSED[name]
    found_line, found_fault = refused(lines)
    assert found_line == line
    assert fault in found_fault


def test_a_truncated_record_is_not_proved() -> None:
    for length in range(len(WHOLE) - 1):
        try:
            report = audited(read(WHOLE[:length]))
        except Unreadable as error:
            assert length == 0 or "cut off" in error.fault
        else:
            assert report.verdict != "proved"


@settings(max_examples=300, deadline=None)
@given(at=st.integers(0, len(WHOLE) - 1), byte=st.integers(0, 255))
def test_a_record_with_any_byte_changed_is_not_proved(at: int, byte: int) -> None:
    changed = WHOLE[:at] + bytes([byte]) + WHOLE[at + 1 :]
    try:
        record = read(changed)
    except Unreadable:
        return
    assert record == RECORD or audited(record).verdict != "proved"


@settings(max_examples=150, deadline=None)
@given(luck=st.randoms(use_true_random=False))
def test_a_record_with_its_lines_mixed_is_not_proved(luck: random.Random) -> None:
    lines = [luck.choice(LINES) for _ in range(len(LINES))] if luck.random() < 0.5 else luck.sample(LINES, len(LINES))
    if lines == LINES:
        return
    try:
        record = read_record([LINES[0], *lines[1:]])
    except Unreadable:
        return
    assert record == RECORD or audited(record).verdict != "proved"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=200), at=st.integers(0, len(WHOLE)))
def test_random_bytes_inside_a_record_are_refused(data: bytes, at: int) -> None:
    try:
        record = read(WHOLE[:at] + data + WHOLE[at:])
    except Unreadable:
        return
    assert record == RECORD or audited(record).verdict != "proved"


LEAF = Logged("note\n", '{"kind":"head"}', 7, ("aGFzaA==",))
HOLDER = (0, HeldBy(player="p_ada", salt="11" * 32))
TEXT = Text(salt="22" * 32, text="Fire!")


def test_leaves_of_the_log_are_read_back_after_everything_else() -> None:
    beside, logged = Beside((HOLDER,), (TEXT,)), (LEAF, replace(LEAF, index=9))
    lines = list(write_record(RECORD.header, RECORD.entries, RECORD.secret, beside, logged))
    assert lines[-2:] == [
        b'{"logged":{"checkpoint":"note\\n","entry":"{\\"kind\\":\\"head\\"}","index":%d,"proof":["aGFzaA=="]}}\n'
        % index
        for index in (7, 9)
    ]
    assert read_record(lines) == replace(RECORD, beside=beside, logged=logged)
    first = len(lines) - 3
    assert refused([*lines[:-2], lines[-1], lines[-2]]) == (
        first + 3,
        "leaves of the log come in the order of their indexes",
    )
    assert refused([*lines[:-3], *lines[-2:], lines[-3]]) == (first + 3, "texts come before all leaves of the log")
    assert refused([*lines[: first - 1], *lines[-2:], lines[first - 1]])[1].startswith("holders come in the order")
    assert refused([*lines[:2], lines[-1]])[1].startswith("after the secret come")
    assert "index" in refused([*lines[:-1], lines[-1].replace(b'"index":9', b'"index":"9"')])[1]
    assert refused([*lines[:-1], lines[-1].replace(b'"index":9', b'"index":-1')])[0] == len(lines)
