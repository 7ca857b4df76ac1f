"""What the command `referee` shows: boards of every title, and text of others, which cannot control the terminal."""

import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.table import Table
from rich.text import Text

from referee.kernel.chance import Seeded
from referee.kernel.judge import set_up
from referee.rulesets import LATEST
from referee_client.terminal.board import board
from referee_client.terminal.safe import SafeConsole, clean
from tests.client.terminal import Commands

EVIL = "ada\x1b]0;owned\x07\x1b[2J\x9b31m\r\nPROVED \u202egnorts[bold]:smile:\x00"
NEVER = ("\x1b", "\x07", "\x9b", "\r", "\x00", "\u202e")


def printed(*things: Any, **settings: Any) -> str:
    """What a console of 80 columns shows of things."""
    file = io.StringIO()
    console = SafeConsole(file=file, width=80, **settings)
    for thing in things:
        console.print(thing)
    return file.getvalue()


def test_clean_text_is_one_line_that_a_terminal_only_shows() -> None:
    assert clean(EVIL).isprintable()
    assert clean("a\nb\tc\u2068d\u2069") == "a b cd"
    assert clean("naïve 猫 🐟") == "naïve 猫 🐟"


def test_a_console_cleans_whatever_it_shows_and_knows_no_markup() -> None:
    table = Table(EVIL)
    table.add_row(Text(EVIL))
    shown = printed(EVIL, Text(EVIL), table)
    assert not [sign for sign in NEVER if sign in shown]
    assert "[bold]:smile:" in shown
    coloured = printed(Text(EVIL, style="red"), force_terminal=True, color_system="standard")
    assert "\x1b[31m" in coloured
    assert "owned\x07" not in coloured
    assert "\x1b]0" not in coloured


@pytest.mark.parametrize("slug", LATEST)
def test_the_board_of_every_title_fits_into_80_columns(slug: str) -> None:
    rules = LATEST[slug]
    position = set_up(rules, rules.variants[0], rules.seats.stop - 1, Seeded("board"))
    for seat in (0, None):
        view = json.loads(msgspec.json.encode(rules.view(position, seat)))
        names = ["a player with a rather long name"] * len(view["seats"])
        lines = printed(board(view, names, seat)).splitlines()
        assert 5 < len(lines) < 70
        assert max(map(len, lines)) <= 80
        assert any("phase" in line for line in lines)
        assert any("(you)" in line for line in lines) == (seat == 0)


def test_a_map_shows_every_hex_with_its_place_and_marks() -> None:
    view = {"sea": {"0,0": "green", "1,0": "pink", "0,1": {"tile": "rock", "up": True}, "-1,1": None}, "storm": "1,0"}
    shown = printed(board(view, [], None))
    assert shown.splitlines()[:4] == [
        "      green       STORM",
        "      0,0         1,0",
        ".           rock",
        "-1,1        0,1",
    ]


def test_a_view_that_makes_no_sense_is_shown_all_the_same() -> None:
    deep: Any = "end"
    for _ in range(200):
        deep = {"deeper": [deep]}
    huge = {f"{10 * number},-{number}": "x" for number in range(99)}
    for view in (
        {"seats": "none"},
        {"seats": [1, 2]},
        {"seats": [{}, {"hand": None, "hand_count": "many"}]},
        {"deep": deep, "huge": huge, "rows": [{"a": 1}, {"b": 2}], "active_seat": 99},
        {EVIL: EVIL, "seats": [{EVIL: [EVIL]}]},
    ):
        shown = printed(board(view, [], 7))
        assert not [sign for sign in NEVER if sign in shown]


GAME = {
    "id": "g_1", "ruleset": EVIL, "status": "finished", "version": 1, "seat": None, "reason": EVIL, "awaited": [],
    "seats": [{"seat": 0, "player": {"id": "p_1", "name": EVIL}, "bot": EVIL, "accepted": True}], "deadlines": [],
    "view": {EVIL: EVIL, "seats": [{"name": EVIL}]}, "due": None,
    "ranking": [{"seat": 0, "rank": 1, "score": 1, "clause": EVIL}],
}  # fmt: skip
SENTENCE = {"text": EVIL, "clauses": [EVIL], "quiet": False}
COMMIT = {"version": 1, "view": GAME["view"], "text": {"move": SENTENCE, "events": [SENTENCE]}, "events": []}
CHECK = {"name": EVIL, "passed": False, "detail": EVIL}
ANSWERS: dict[str, tuple[int, Any]] = {
    "/v1/games": (200, {"games": [GAME], "next": None}),
    "/v1/games/g_1": (200, GAME),
    "/v1/games/g_1/events": (200, {"commits": [COMMIT], "next": None}),
    "/v1/games/g_1/audit": (200, {"verdict": "failed", "checks": [CHECK], "first_bad_version": 1}),
    "/v1/games/g_1/record": (409, {"code": "game-running", "detail": EVIL}),
    "/v1/me": (422, {"code": EVIL, "title": EVIL, "detail": EVIL, "clause": EVIL, "text": EVIL}),
    "/v1/games/g_2": (422, {"code": EVIL, "title": EVIL, "detail": "", "errors": {EVIL: [EVIL]}}),
    "/v1/games/g_3": (200, {"nothing": "of a game"}),
    "/v1/games/g_4": (200, "not an object"),
}  # fmt: skip


class Hostile(BaseHTTPRequestHandler):
    """A service that answers with everything that could harm a terminal."""

    keys: list[str | None]

    def do_GET(self) -> None:
        type(self).keys.append(self.headers["Authorization"])
        status, body = ANSWERS.get(self.path.partition("?")[0], (404, {"code": "x", "detail": EVIL}))
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def hostile() -> Iterator[str]:
    Hostile.keys = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_hostile_service_can_neither_control_the_terminal_nor_get_a_key_of_another(
    hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    referee = Commands(tmp_path, monkeypatch, capsys)
    referee.accounts.parent.mkdir()
    referee.accounts.write_text('{"http://127.0.0.1:1": {"key": "rk_k_secret", "name": "ada"}}')
    referee.accounts.chmod(0o600)
    statuses = {}
    for line in (
        "games",
        "games --json",
        "watch g_1",
        "replay g_1",
        "replay g_1 --at 1",
        "audit g_1",
        "audit g_1 --json",
        "watch g_2",
        "watch g_3",
        "replay g_4",
        "play g_1",
        "login",
    ):
        done = referee(*line.split(), "--url", hostile, typed="rk_k_typed\n")
        assert not [sign for sign in NEVER if sign in done.out + done.errors], line
        assert not [each for each in (done.out + done.errors).splitlines() if each.strip() == "PROVED"]
        statuses[line] = done.status
    assert statuses == {**dict.fromkeys(statuses, 0), "audit g_1": 1, "audit g_1 --json": 1, "watch g_1": 4} | {
        "watch g_2": 5, "watch g_3": 70, "replay g_4": 70, "play g_1": 3, "login": 5
    }  # fmt: skip
    assert {*Hostile.keys} == {None, "Bearer rk_k_typed"}
