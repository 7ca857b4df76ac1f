"""However a client spells its JSON, the service stores what it returns, and the record is proved."""

import random
import unicodedata
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import msgspec
import pytest

from referee.audit.record import Record, read_record
from referee.audit.verify import audit
from referee.kernel.canon import canonical, plain
from referee.kernel.chance import Seeded
from referee.kernel.judge import set_up
from referee.kernel.ruleset import Ruleset
from referee.rulesets import TITLES
from referee.service.audits import make_audit
from referee.table.record import nonce_of
from tests.api.world import World
from tests.audit.spelling import numbers, spellings

TRIED = 40
"""The number of spellings of each text, chosen from hundreds."""

every_title = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.slug)


def spelled(value: Any, luck: random.Random) -> Iterator[bytes]:
    """Yield a value as JSON in the usual spelling and in others that mean the same or almost the same."""
    written = canonical(value)
    yield written
    others = [line.strip() for _, line in spellings(written + b"\n") if b"\n" not in line.strip()]
    yield from luck.sample(others, min(TRIED, len(others)))
    yield from numbers(written, ("-1", "1e400", "9007199254740993", str(10**30), "1.5", "true", '"1"', "null"), luck)


def post(world: World, path: str, key: str, body: bytes) -> Any:
    return world.post(path, key, data=body, headers={"Content-Type": "application/json"})


def annulled(world: World, id: str, reason: bytes = b'"over"') -> Any:
    return post(world, f"/v1/games/{id}/administration", world.admin, b'{"action": "annul", "reason": %b}' % reason)


def proved(world: World, id: str) -> Record:
    """Return the record of a finished game, which the service and the offline audit prove."""
    handed_out = world.get(f"/v1/games/{id}/record", world.ada)
    assert handed_out.status_code == 200
    record = read_record(BytesIO(handed_out.data).readlines())
    make_audit(world.repository, world.repository.game(id))
    report = world.get(f"/v1/games/{id}/audit", world.ada).get_json()
    assert plain(audit(record)) == report
    assert report["verdict"] == "proved", report
    return record


def starts(title: Ruleset) -> Iterator[tuple[Any, Any]]:
    """Yield start positions as a client may send them, and as the service reads them."""
    options, seats = title.variants[0], title.seats[0]
    blank, fresh = title.blank(options, seats), set_up(title, options, seats, Seeded(7))
    yield plain(fresh), fresh
    yield plain(blank), blank
    written = plain(blank)
    yield {**{name: written[name] for name in ("ruleset", "options", "phase")}, "seats": [{}] * seats}, blank
    yield {**written, "options": {}}, blank


@every_title
def test_a_start_position_in_any_spelling_is_refused_or_proved(world: World, title: Ruleset) -> None:
    luck, verdicts = random.Random(title.slug), list[int]()
    for given, position in starts(title):
        seats = msgspec.json.encode(["me"] * len(position.seats))
        for text in spelled(given, luck):
            body = b'{"ruleset": "%b", "seats": %b, "position": %b}' % (title.slug.encode(), seats, text)
            answer = post(world, "/v1/games", world.ada, body)
            verdicts.append(answer.status_code)
            if answer.status_code != 201:
                assert answer.status_code in (400, 422), (text, answer.text)
                continue
            id = answer.get_json()["id"]
            world.nudge(id)
            assert annulled(world, id).status_code == 201
            header = proved(world, id).header
            assert canonical(header.options) == canonical(position.options)
            if text == canonical(given):
                assert canonical(header.position) == canonical(position)
    assert {201, 422} <= set(verdicts)


@every_title
def test_numbers_that_other_languages_cannot_hold_are_refused(world: World, title: Ruleset) -> None:
    """Some read 9007199254740993 as 9007199254740992, and would compute other hashes."""
    luck, seats = random.Random(title.slug), ["me"] * title.seats[0]
    for large in ("1000000001", "-1000000001", "9007199254740993", str(2**63), str(2**64), str(10**30)):
        for given, _ in starts(title):
            for text in numbers(canonical(given), (large,), luck):
                body = {"ruleset": title.slug, "seats": seats, "position": msgspec.Raw(text)}
                answer = post(world, "/v1/games", world.ada, msgspec.json.encode(body))
                assert (answer.status_code, answer.get_json()["code"]) == (422, "invalid-position")


def test_a_start_position_with_large_numbers_is_refused(world: World) -> None:
    (title,) = (title for title in TITLES if title.slug == "fangfrisch")
    given, _ = next(starts(title))
    for money, status in ((10**9, 201), (10**9 + 1, 422)):
        given["seats"][0]["money"] = money
        body = {"ruleset": title.slug, "seats": ["me"] * title.seats[0], "position": given}
        answer = world.post("/v1/games", world.ada, json=body)
        assert answer.status_code == status
    assert answer.get_json()["detail"] == "Numbers in a start position must be from -1000000000 to 1000000000."


@every_title
def test_options_in_any_spelling_are_refused_or_proved(world: World, title: Ruleset) -> None:
    luck, seats = random.Random(title.slug), msgspec.json.encode(["me"] * title.seats[0])
    for text in spelled(plain(title.variants[-1]), luck):
        body = b'{"ruleset": "%b", "seats": %b, "options": %b}' % (title.slug.encode(), seats, text)
        answer = post(world, "/v1/games", world.ada, body)
        if answer.status_code != 201:
            assert answer.status_code in (400, 422), (text, answer.text)
            continue
        id = answer.get_json()["id"]
        world.nudge(id)
        assert annulled(world, id).status_code == 201
        options = proved(world, id).header.options
        assert canonical(options) == canonical(msgspec.convert(options, title.options_type))


TEXTS = (
    b'"plain"',
    b'"\\u0070lain"',
    b'"zo\xc3\xab"',
    b'"zoe\xcc\x88"',
    b'"zo\\u00EB \\/ \\" \\\\"',
    b'"\\ud83c\\udfb2"',
    b'"\xf0\x9f\x8e\xb2"',
    b'"\\ud83c"',
    b'"\\udfb2 alone"',
    b'"\xed\xa0\x80"',
    b'"\\u0000"',
    b'"\\n\\t"',
    b'"\x01"',
    b'"\\u2028\\u2029\\u0085\\u200b\\ufeff\\uffff"',
    b'"' + b"\\u00e9" * 128 + b'"',
    b"1",
    b"1.0",
    b"null",
    b'["x"]',
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_nonce_and_a_reason_in_any_spelling_are_refused_or_proved(world: World, text: bytes) -> None:
    id = world.post("/v1/games", world.ada, json={"ruleset": world.ruleset, "seats": ["open", "open"]}).get_json()["id"]
    for path in (f"/v1/games/{id}/seats", "/v1/games"):
        rest = b', "ruleset": "catham-city", "seats": ["me", "me"]' if path == "/v1/games" else b""
        answer = post(world, path, world.ada, b'{"nonce": %b%b}' % (text, rest))
        assert answer.status_code in (200, 201, 400, 422)
        game = answer.get_json()["id"] if path == "/v1/games" and answer.status_code == 201 else id
        if game == id:
            continue
        world.nudge(game)
        assert annulled(world, game).status_code == 201
        assert proved(world, game).header.nonces == (nonce_of(msgspec.json.decode(text)),) * 2
    for _ in world.repository.game(id).seats:
        post(world, f"/v1/games/{id}/seats", world.ada, b"{}")
    world.nudge(id)
    assert annulled(world, id, text).status_code in (201, 400, 422)
    annulled(world, id)
    record = proved(world, id)
    (reason,) = record.beside.texts
    assert msgspec.json.decode(record.entries[-1].body)["move"]["reason"] == reason.hash
    assert reason.text in ("over", _normalised(text))


def _normalised(text: bytes) -> Any:
    """Return a text as the service stores it: a reason is normalised, a nonce is not changed."""
    try:
        value = msgspec.json.decode(text)
    except ValueError:
        return None
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


@every_title
def test_a_move_in_any_spelling_is_refused_or_proved(world: World, title: Ruleset) -> None:
    luck = random.Random(title.slug)
    id = world.game(world.ada, ruleset=title.slug, seats=["me"] * title.seats[0])
    accepted = 0
    while accepted < 12 and (seats := awaited(world, id)):
        seat = luck.choice(seats)
        moves = world.get(f"/v1/games/{id}/legal-moves?seat={seat}", world.ada).get_json()["moves"]
        for text in list(spelled(luck.choice(moves), luck))[::-1][-TRIED // 4 :]:
            answer = post(world, f"/v1/games/{id}/moves?seat={seat}", world.ada, text)
            assert answer.status_code in (201, 400, 409, 422), (text, answer.text)
            accepted += answer.status_code == 201
        world.nudge(id)
    assert accepted
    assert annulled(world, id).status_code == 201
    proved(world, id)


def awaited(world: World, id: str) -> list[int]:
    return [each["seat"] for each in world.get(f"/v1/games/{id}", world.ada).get_json()["awaited"]]
