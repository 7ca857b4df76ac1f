"""Receipts for moves: who gets one, what it says, and what it does not tell."""

import json
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from referee.audit.__main__ import main
from referee.audit.record import Record, read_record, write_record
from referee.kernel.canon import canonical, digest
from referee.kernel.rejection import Rejection
from referee.ops.keys import main as keys
from referee.service import nudges
from referee.service.repository import now_ms
from referee.settings import Settings
from referee.table.record import Entry, seal_of
from referee.table.times import milliseconds
from referee.tlog.keys import RECEIPTS_FILE, KeyFile
from referee.tlog.note import InvalidNote, open_note, read_vkey
from referee.tlog.receipt import read_receipt
from tests.api.house import ASK, House
from tests.redis_server import RedisServer
from tests.waiting import eventually


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    started = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def house(server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(server, tmp_path_factory.mktemp("log"))


def test_an_accepted_move_has_a_receipt_with_its_commit_and_the_same_one_when_it_is_repeated(house: House) -> None:
    id = house.game()
    seat, moves = house.turn(id)
    first = house.move(id, seat, moves[0], Idempotency_Key="once")
    receipt, version = house.opened(first), first.get_json()["version"]
    assert (receipt.kind, receipt.game, receipt.seat, receipt.version) == ("accepted", id, seat, version)
    assert receipt.hash == house.hash_of(id, version)
    assert receipt.body == sha256(json.dumps(moves[0]).encode()).hexdigest()
    assert house.move(id, seat, moves[0], Idempotency_Key="once").data == first.data


def test_a_refused_move_has_a_receipt_with_its_clause_and_the_commit_before_it(house: House) -> None:
    id = house.game()
    seat, _ = house.turn(id)
    answer = house.move(id, seat, {"type": "take_cards", "faction": "nobody", "count": 2}, more="&version=1")
    assert answer.status_code == 422
    receipt = house.opened(answer)
    assert (receipt.kind, receipt.code, receipt.clause) == ("refused", "move-refused", answer.get_json()["clause"])
    assert (receipt.version, receipt.hash, receipt.expected) == (1, house.hash_of(id, 1), 1)


@pytest.mark.parametrize(
    ("body", "more", "headers", "status", "code"),
    [
        (b"{", "", {}, 400, "bad-json"),
        (b'{"type":"take_cards"}', "&version=0", {}, 409, "stale-version"),
        (b'{"type":"take_cards"}', "", {"If_Match": '"0.s0"'}, 412, "if-match-failed"),
    ],
)
def test_other_refusals_have_a_receipt_with_their_code(
    house: House, body: bytes, more: str, headers: dict[str, str], status: int, code: str
) -> None:
    id = house.game()
    answer = house.move(id, house.turn(id)[0], body, None, more, **headers)
    assert (answer.status_code, answer.get_json()["code"]) == (status, code)
    receipt = house.opened(answer)
    assert (receipt.kind, receipt.code, receipt.version) == ("refused", code, 1)


def test_nobody_gets_a_receipt_who_may_not_move(house: House) -> None:
    id, private = house.game(), house.game(visibility="private")
    for game, key, status in (
        (id, house.eve, 403),
        (id, "rk_wrong", 401),
        (private, house.eve, 404),
        ("g_0", house.ada, 404),
    ):
        answer = house.move(game, 0, {"type": "take_cards"}, key)
        assert answer.status_code == status
        assert "receipt" not in answer.get_json() and "Preference-Applied" not in answer.headers
    assert house.move(id, 7, {"type": "take_cards"}).status_code in (403, 422)


def test_nothing_is_signed_before_the_start_or_for_a_dry_run_or_without_being_asked(house: House) -> None:
    waiting = house.game(seats=["me", "open"])
    assert "receipt" not in house.move(waiting, 0, {"type": "take_cards"}).get_json()
    id = house.game()
    seat, moves = house.turn(id)
    for more, move in (("&dry_run=true", moves[0]), ("&dry_run=true", {"type": "no"})):
        answer = house.move(id, seat, move, None, more)
        assert "receipt" not in answer.get_json() and "Preference-Applied" not in answer.headers
    for prefer in ("", "receipts", "x-receipt", 'wait="receipt"'):
        answer = house.move(id, seat, {"type": "no"}, Prefer=prefer)
        assert "receipt" not in answer.get_json()
    for prefer in ("wait=5, Receipt", "receipt; a=b"):
        assert house.opened(house.move(id, seat, {"type": "no"}, Prefer=prefer)).kind == "refused"


def test_a_receipt_before_the_first_commit_does_not_give_away_the_hidden_start_position(house: House) -> None:
    """The hash of the header is not blinded: anybody could test a guess of the position against it."""
    position = house.call("POST", "/v1/rulesets/catham-city/positions", None, json={"seats": 2}).get_json()["position"]
    fields = {"ruleset": "catham-city", "seats": ["me", "me"], "position": position}
    id = house.call("POST", "/v1/games", house.ada, json=fields).get_json()["id"]
    game = house.repository.game(id)
    answer = house.move(id, 0, {"type": "no"})
    receipt = house.opened(answer)
    assert (receipt.version, receipt.hash) == (0, game.secret.commitment)
    assert game.header.hash not in answer.text


def test_a_service_without_a_log_ignores_the_preference(server: RedisServer, tmp_path: Path) -> None:
    house = House(server, tmp_path, log_origin="")
    id = house.game()
    seat, moves = house.turn(id)
    for move, status in (({"type": "no"}, 422), (moves[0], 201)):
        answer = house.move(id, seat, move)
        assert answer.status_code == status
        assert "receipt" not in answer.get_json() and "Preference-Applied" not in answer.headers
    asked = house.call("GET", f"/v1/games/{id}/receipts/1", house.ada)
    assert (asked.status_code, asked.get_json()["code"]) == (404, "no-receipt")


def test_a_refused_move_with_a_receipt_costs_two_calls(server: RedisServer, tmp_path: Path) -> None:
    house = House(server, tmp_path, rate_player=50, queue_redis_url=server.url)
    id = house.game()
    seat, _ = house.turn(id)
    left = []
    for headers in ({}, {}, {"Prefer": ""}, {"Prefer": ""}):
        answer = house.move(id, seat, {"type": "no"}, **headers)
        left.append(int(answer.headers["RateLimit"].partition("r=")[2].partition(";")[0]))
    assert [before - after for before, after in pairwise(left)] == [2, 1, 1]
    answers = [house.move(id, seat, {"type": "no"}) for _ in range(30)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused and all("receipt" not in answer.get_json() for answer in refused)


def test_a_move_of_the_clock_has_a_receipt_for_its_seat_and_nobody_else(house: House, tmp_path: Path) -> None:
    bob = house.call("GET", "/v1/me", house.bob).get_json()["player"]["id"]
    id = house.game(seats=["me", {"player": bob}], clock={"decision_s": 1}, on_resignation="end")
    assert house.call("POST", f"/v1/games/{id}/seats", house.bob, json={}).status_code == 201
    nudges.run(house.repository, id)
    keys = [house.ada, house.bob]
    (deadline, *_) = house.call("GET", f"/v1/games/{id}", house.ada).get_json()["deadlines"]
    seat, mine = deadline["seat"], keys[deadline["seat"]]
    default = house.call("GET", f"/v1/games/{id}/legal-moves", mine).get_json()["default"]
    eventually(lambda: now_ms() > milliseconds(deadline["at"]))
    late = house.move(id, seat, default, mine)
    assert house.opened(late).code == "deadline-passed"
    nudges.run(house.repository, id)
    commits = house.call("GET", f"/v1/games/{id}/events", house.ada).get_json()["commits"]
    commit = next(commit for commit in commits if "deadline" in (commit["cause"] or {}))
    path = f"/v1/games/{id}/receipts/{commit['version']}"
    lapsed = house.call("GET", path, mine)
    note = lapsed.get_json()["receipt"]
    open_note(note, read_vkey(house.context.receipts.vkey))
    receipt = read_receipt(note)
    assert (receipt.kind, receipt.seat, receipt.version) == ("lapsed", seat, commit["version"])
    assert (receipt.hash, receipt.at) == (commit["hash"], commit["at"])
    for key, at, status, code in (
        (None, path, 401, "key-required"),
        (house.eve, path, 403, "not-your-seat"),
        (keys[1 - seat], path, 404, "no-receipt"),
        (mine, f"/v1/games/{id}/receipts/1", 404, "no-receipt"),
        (mine, f"/v1/games/{id}/receipts/0", 404, "unknown-version"),
        (mine, f"/v1/games/{id}/receipts/{10**30}", 404, "unknown-version"),
        (mine, f"/v1/games/{id}/receipts/-1", 404, "not-found"),
        (mine, f"{path}?seat={1 - seat}", 403, "not-your-seat"),
    ):
        answer = house.call("GET", at, key)
        assert (answer.status_code, answer.get_json()["code"]) == (status, code)
    record = ended(house, id, tmp_path)
    assert decided(house, tmp_path, record, late, json.dumps(default).encode()) == 0
    assert decided(house, tmp_path, record, lapsed, None) == 0


def test_a_reveal_has_a_receipt_that_shows_no_nonce_and_a_service_that_loses_it_is_convicted(
    house: House, tmp_path: Path
) -> None:
    fields = {"unrevealed": "without", "on_resignation": "end"}
    id, link = house.game(seats=["open", "open"], **fields), "7" * 64
    for key, sealed in ((house.ada, link), (house.bob, "8" * 64)):
        answer = house.call("POST", f"/v1/games/{id}/seats", key, json={"seal": seal_of(id, sealed)})
        assert answer.status_code == 201
    path = f"/v1/games/{id}/seats/0/reveal"
    for key, sent, headers in (
        (house.ada, "6" * 64, ASK),
        (house.bob, link, ASK),
        (house.eve, link, ASK),
        (house.ada, link, {}),
    ):
        answer = house.call("POST", path, key, headers, json={"link": sent})
        assert "receipt" not in answer.get_json() and "Preference-Applied" not in answer.headers
    revealed = house.call("POST", path, house.ada, ASK, json={"link": link})
    receipt = house.opened(revealed)
    assert (receipt.kind, receipt.seat, receipt.version, receipt.hash) == ("revealed", 0, 0, seal_of(id, link))
    assert link not in revealed.text
    assert house.call("POST", f"/v1/games/{id}/seats/1/reveal", house.bob, json={"link": "8" * 64}).status_code == 200
    nudges.run(house.repository, id)
    record = ended(house, id, tmp_path)
    assert decided(house, tmp_path, record, revealed, None) == 0
    lines = Path(record).read_bytes().replace(b'"%b"' % link.encode(), b'""').splitlines(keepends=True)
    (tmp_path / "lost.jsonl").write_bytes(b"".join(rechained(read_record(lines))))
    assert decided(house, tmp_path, str(tmp_path / "lost.jsonl"), revealed, None) == 1


def rechained(record: Record) -> Iterator[bytes]:
    """The lines of a record whose header was changed, with hashes that fit again."""
    prev, entries = record.header.hash, list[Entry]()
    for entry in record.entries:
        body = canonical({**json.loads(entry.body), "prev": prev})
        prev = digest(body)
        entries.append(Entry(entry.version, body, prev))
    return write_record(record.header, entries, record.secret)


def test_a_changed_receipt_is_not_signed(house: House) -> None:
    id = house.game()
    note = house.move(id, house.turn(id)[0], {"type": "no"}).get_json()["receipt"]
    verifier = read_vkey(house.context.receipts.vkey)
    assert open_note(note, verifier)
    for before, after in ((id, id[:-1] + "0"), ('"seat":', '"seat":1'), ("refused", "accepted")):
        assert before in note
        with pytest.raises(InvalidNote):
            read_receipt(open_note(note.replace(before, after), verifier))


def ended(house: House, id: str, directory: Path) -> str:
    """The record of a game that its player has resigned, in a file."""
    assert house.call("POST", f"/v1/games/{id}/resignation?seat=0", house.ada).status_code == 201
    file = directory / "game.jsonl"
    file.write_bytes(house.call("GET", f"/v1/games/{id}/record", house.ada).data)
    return str(file)


def decided(house: House, directory: Path, record: str, answer: TestResponse, body: bytes | None) -> int:
    """The exit status of the audit of a record with the receipt of an answer."""
    (directory / "receipt.txt").write_text(answer.get_json()["receipt"])
    options = ["--receipt", str(directory / "receipt.txt")]
    if body is not None:
        (directory / "move.json").write_bytes(body)
        options += ["--body", str(directory / "move.json")]
    return main([record, *options, "--key", house.context.receipts.vkey])


def test_a_patched_service_that_refuses_a_legal_move_is_convicted_by_its_receipt(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    id = house.game(on_resignation="end")
    seat, moves = house.turn(id)
    body = json.dumps(moves[0]).encode()

    def refuse(*_: Any) -> Any:
        raise Rejection("CC-24", "You do not hold that many cards.")

    with monkeypatch.context() as patched:
        patched.setattr("referee.service.moves.prepare_move", refuse)
        lie = house.move(id, seat, body)
    truth = house.move(id, seat, {"type": "no"})
    kept = house.move(id, seat, body)
    assert [answer.status_code for answer in (lie, truth, kept)] == [422, 422, 201]
    record = ended(house, id, tmp_path)
    assert decided(house, tmp_path, record, lie, body) == 1
    assert "the service broke its word: it refused the move by CC-24, but the rules allow it" in capsys.readouterr().out
    assert decided(house, tmp_path, record, truth, b'{"type": "no"}') == 0
    assert decided(house, tmp_path, record, kept, body) == 0


def test_every_refusal_of_a_real_game_is_kept(house: House, tmp_path: Path) -> None:
    """Paused, stale, by the rules, no JSON: what an honest service signs never convicts it."""
    id = house.game(on_resignation="end")
    seat, moves = house.turn(id)
    bodies = [b"{", b'{"type": "no"}', b"null", json.dumps(moves[0]).encode()]
    answers = [
        (house.move(id, seat, body, None, more), body) for body in bodies for more in ("&version=0", "&version=1")
    ]
    answers += [(house.move(id, 1 - seat, body), body) for body in bodies]
    assert house.call("POST", f"/v1/games/{id}/pause?seat=0", house.ada, json={"agreed": True}).status_code == 201
    answers += [(house.move(id, seat, body), body) for body in bodies]
    assert house.call("POST", f"/v1/games/{id}/pause?seat=1", house.ada, json={"agreed": True}).status_code == 201
    answers += [(house.move(id, seat, body), body) for body in bodies]
    for number in (0, 1):
        path = f"/v1/games/{id}/resumption?seat={number}"
        assert house.call("POST", path, house.ada, json={"agreed": True}).status_code == 201
    codes = {answer.get_json().get("code") for answer, _ in answers}
    assert codes >= {"bad-json", "move-refused", "stale-version", "game-paused"}
    record = ended(house, id, tmp_path)
    for answer, body in answers:
        assert decided(house, tmp_path, record, answer, body) == 0, answer.get_json()


def test_a_key_that_was_revoked_signs_nothing_more_without_a_restart(server: RedisServer, tmp_path: Path) -> None:
    """Two web processes over one directory: both go over to the new key, and fail closed without one."""
    houses = [House(server, tmp_path), House(server, tmp_path)]
    ids = [house.game() for house in houses]
    file = KeyFile(tmp_path / RECEIPTS_FILE, "referee.example/receipts")
    settings = Settings(redis_url=server.url, log_origin="referee.example/log", log_dir=str(tmp_path))
    old = houses[0].context.receipts.vkey
    assert keys(["rotate", "receipts"], settings) == 0
    stored = file.path.read_bytes()
    assert keys(["revoke", old], settings) == 0
    new = file.signers()[-1].verifier.vkey

    def receipt(house: House, id: str) -> TestResponse:
        return house.move(id, house.turn(id)[0], {"type": "no"})

    def signs_nothing(house: House, id: str) -> bool:
        answer = receipt(house, id)
        assert answer.status_code == 422
        return "receipt" not in answer.get_json() and "Preference-Applied" not in answer.headers

    for house, id in zip(houses, ids, strict=True):
        open_note(receipt(house, id).get_json()["receipt"], read_vkey(new))
    file.path.write_bytes(b"".join(stored.splitlines(keepends=True)[:1]))  # an old backup of the directory
    for house, id in zip(houses, ids, strict=True):
        eventually(partial(signs_nothing, house, id))
        seat, moves = house.turn(id)
        made = house.move(id, seat, moves[0])
        assert made.status_code == 201 and "receipt" not in made.get_json()
        assert "Preference-Applied" not in made.headers
    file.path.unlink()
    assert "receipt" not in receipt(houses[0], ids[0]).get_json()
    assert not file.path.exists(), "a key that is missing is made at a start only"
