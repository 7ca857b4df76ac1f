"""Votes and other moves at the table: they cannot fill the log, make no version stale, and change the ETag."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.service import Client

FIRST = {"first_seat": 0}
REASON = "Tea."


def vote(client: Client, game: str, call: str, agreed: bool, seat: int, **arguments: Any) -> tuple[int, str]:
    """Vote for a seat, and return the status and the code of a refusal."""
    answer = client.post(f"/games/{game}/{call}", {"agreed": agreed}, params={"seat": seat}, **arguments)
    return answer.status_code, answer.json().get("code", "")


def test_a_vote_that_changes_nothing_is_refused_and_not_stored(ada: Client) -> None:
    id = ada.started("me", "me", options=FIRST)["id"]
    before = ada.game(id)["version"]
    assert vote(ada, id, "pause", False, 0) == (409, "nothing-changes")
    assert vote(ada, id, "resumption", True, 0) == (409, "game-running")
    assert vote(ada, id, "pause", True, 0) == (201, "")
    for key in ({}, {"Idempotency-Key": "again"}):
        assert vote(ada, id, "pause", True, 0, headers=key) == (409, "nothing-changes")
    assert vote(ada, id, "pause", True, 1) == (201, "")
    assert vote(ada, id, "pause", True, 0) == (409, "game-paused")
    assert vote(ada, id, "resumption", False, 1) == (409, "nothing-changes")
    assert ada.game(id)["version"] == before + 2


def test_a_seat_can_change_its_vote_three_times_until_the_next_move(ada: Client) -> None:
    id = ada.started("me", "me", options=FIRST)["id"]
    for agreed in (True, False, True):
        assert vote(ada, id, "pause", agreed, 0) == (201, "")
    for _ in range(3):
        assert vote(ada, id, "pause", False, 0) == (409, "vote-settled")
    assert vote(ada, id, "pause", True, 1) == (201, "")
    assert vote(ada, id, "resumption", True, 0) == (201, ""), "a settled vote keeps nobody from going on"
    assert vote(ada, id, "resumption", False, 0) == (409, "vote-settled")
    assert vote(ada, id, "resumption", True, 1) == (201, "")
    assert vote(ada, id, "pause", True, 0) == (409, "vote-settled")
    assert ada.move(id, ada.legal(id, 0)["moves"][0], 0).status_code == 201
    assert vote(ada, id, "pause", True, 0) == (201, "")


def rule(admin: Client, game: str, action: str) -> None:
    assert admin.post(f"/games/{game}/administration", {"action": action, "reason": REASON}).status_code == 201


def table_moves(ada: Client, admin: Client, game: str) -> Iterator[None]:
    """Yield all kinds of moves at a table of two seats; at the end a bot has taken over seat 1."""
    for call, agreed, seat in (
        ("pause", True, 0),
        ("pause", False, 0),
        ("pause", True, 0),
        ("pause", True, 1),
        ("resumption", True, 1),
        ("resumption", False, 1),
        ("resumption", True, 1),
        ("resumption", True, 0),
    ):
        assert vote(ada, game, call, agreed, seat) == (201, "")
        yield
    for action in ("pause", "resume"):
        rule(admin, game, action)
        yield
    assert ada.post(f"/games/{game}/resignation", params={"seat": 1}).status_code == 201
    yield


@pytest.mark.parametrize("named", ["version", "If-Match"])
def test_moves_at_the_table_make_no_version_stale(ada: Client, admin: Client, named: str) -> None:
    id = ada.started("me", "me", options=FIRST)["id"]
    known = [(ada.game(id)["version"], ada.get(f"/games/{id}").headers["ETag"])]
    move = ada.legal(id, 0)["moves"][0]

    def naming(version: int, tag: str) -> dict[str, Any]:
        return {"params": {"version": version}} if named == "version" else {"headers": {"If-Match": tag}}

    def dry(version: int, tag: str) -> tuple[int, str]:
        arguments = naming(version, tag)
        params = {"dry_run": "true", **arguments.pop("params", {})}
        answer = ada.move(id, move, 0, params=params, **arguments)
        return answer.status_code, answer.json().get("code", "")

    for _ in table_moves(ada, admin, id):
        game = ada.game(id)
        known.append((game["version"], ada.get(f"/games/{id}").headers["ETag"]))
        is_open = game["status"] == "running"
        assert {dry(*each) for each in known} == {(200, "") if is_open else (409, "game-paused")}
    stale = (409, "stale-version") if named == "version" else (412, "if-match-failed")
    assert dry(known[0][0] - 1, f'"{known[0][0] - 1}.s0"') == stale
    assert dry(known[-1][0] + 1, f'"{known[-1][0] + 1}.s0"') == stale
    assert ada.move(id, move, 0, **naming(*known[0])).status_code == 201
    assert {dry(*each) for each in known} == {stale}


def test_an_undo_makes_earlier_versions_stale(ada: Client) -> None:
    id = ada.started("me", "me", options=FIRST, undo="free", ruleset="hund-und-katz")["id"]
    seat = ada.game(id)["awaited"][0]["seat"]
    before = ada.game(id)["version"]
    assert ada.move(id, ada.legal(id, seat)["moves"][0], seat).status_code == 201
    assert ada.post(f"/games/{id}/undo", params={"seat": seat, "version": before + 1}).status_code == 201
    again = ada.legal(id, seat)["moves"][0]
    for version in (before, before + 1):
        refused = ada.move(id, again, seat, params={"version": version})
        assert (refused.status_code, refused.json()["code"]) == (409, "stale-version")
    assert ada.move(id, again, seat, params={"version": before + 2}).status_code == 201


def test_the_etag_changes_with_the_answer(ada: Client, admin: Client) -> None:
    id = ada.started("me", "me", options=FIRST)["id"]
    seen: dict[str, bytes] = {}
    tags: list[str] = []

    def look() -> None:
        answer = ada.get(f"/games/{id}")
        tag = answer.headers["ETag"]
        assert seen.setdefault(tag, answer.content) == answer.content
        assert ada.get(f"/games/{id}", headers={"If-None-Match": tag}).status_code == 304
        if tags and tags[-1] != tag:
            assert ada.get(f"/games/{id}", headers={"If-None-Match": tags[-1]}).status_code == 200
        tags.append(tag)

    look()
    for _ in table_moves(ada, admin, id):
        look()
    assert len(set(tags)) == len(tags)
    assert len(set(seen.values())) == len(seen)
