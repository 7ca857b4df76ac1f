"""For operators: health, metrics, request ids and logs."""

import json
import re
import socket
from pathlib import Path

import pytest

from referee.settings import SettingError, read_settings
from tests.service import Client, Service
from tests.waiting import eventually


def test_health_and_readiness(nobody: Client) -> None:
    assert nobody.call("GET", "/healthz").json() == {"status": "alive"}
    assert nobody.call("GET", "/readyz").json()["status"] == "ready"


def test_metrics_are_summed_over_all_web_processes(service: Service, nobody: Client) -> None:
    def counted() -> float:
        text = nobody.call("GET", "/metrics").text
        found = re.search(r'^referee_requests_total\{call="rulesets.list_rulesets",status="200"\} (\S+)$', text, re.M)
        return float(found[1]) if found else 0.0

    before = counted()
    for _ in range(30):
        Client(service.url, None, {}).get("/rulesets")
    assert counted() == before + 30
    assert len(service.pids("gunicorn")) > 2


def test_open_streams_are_counted_over_all_web_processes(service: Service, ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    eventually(lambda: service.open_streams() == 0)  # the streams of other tests have ended
    streams = [Client(service.url, ada.key, {}).stream(f"/games/{id}/events") for _ in range(6)]
    eventually(lambda: service.open_streams() == 6)
    for stream in streams:
        stream.close()
    eventually(lambda: service.open_streams() == 0)


def test_the_log_has_the_id_of_a_request(service: Service, nobody: Client) -> None:
    given = nobody.get("/rulesets", headers={"X-Request-Id": "my-request-7"})
    assert given.headers["X-Request-Id"] == "my-request-7"
    eventually(lambda: "request=my-request-7" in service.log())
    generated = nobody.get("/rulesets", headers={"X-Request-Id": "in valid"}).headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{16}", generated)
    assert nobody.get("/nothing").json()["request_id"]


def test_a_path_cannot_forge_a_log_line(service: Service, nobody: Client) -> None:
    nobody.call("GET", "/v1/games/x%0aINFO%20forged", headers={"X-Request-Id": "forger"})
    (line,) = eventually(lambda: [line for line in service.log().splitlines() if "request=forger" in line])
    assert "forged" in line


def test_with_json_logs_every_line_is_an_object(tmp_path: Path) -> None:
    service = Service(tmp_path, LOG_FORMAT="json", AUDIT_WORKERS="0", BOT_WORKERS="0").start()
    try:
        service.nobody().get("/games/g_none?secret=1", headers={"X-Request-Id": "seventh"})
        with socket.create_connection(("127.0.0.1", service.port)) as connection:
            connection.sendall(b"nonsense\r\n\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 400")
    finally:
        assert service.stop() == 0
    lines = [json.loads(line) for line in service.log().splitlines() if line and not line.startswith("  ")]
    assert all({"at", "level", "logger"} <= line.keys() for line in lines)
    assert {"referee.requests", "gunicorn.error", "referee.ops.run"} <= {line["logger"] for line in lines}
    (request,) = [line for line in lines if line.get("request") == "seventh"]
    assert request.items() >= {"method": "GET", "path": "/v1/games/g_none", "status": 422, "player": None}.items()
    assert "secret" not in service.log()


def test_an_unknown_format_of_the_log_is_refused() -> None:
    with pytest.raises(SettingError, match="LOG_FORMAT='xml': expected text or json"):
        read_settings({"LOG_FORMAT": "xml"})


def test_every_problem_code_has_a_page(nobody: Client) -> None:
    problem = nobody.get("/games/g_none").json()
    assert nobody.call("GET", problem["type"]).json() == {"code": "unknown-game", "title": "There is no such game."}
