"""The files for operators: the dashboard, the unit for systemd, and the recipe for an image."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import promql_parser
import pytest
from prometheus_client.parser import text_string_to_metric_families

from referee.settings import Settings
from tests.service import Service, free_port
from tests.subjects import ROOT
from tests.waiting import eventually

DEPLOY = ROOT / "deploy"
SETTINGS = {field.name.upper() for field in fields(Settings)}
PANELS = json.loads((DEPLOY / "grafana.json").read_text())["panels"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]]
INSTRUCTIONS = ("FROM", "RUN", "WORKDIR", "COPY", "USER", "ENV", "EXPOSE", "VOLUME", "CMD")

Samples = dict[str, set[str]]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Samples]:
    """The names of all samples in the metrics of a service with everything in it, and the labels of each."""
    directory = tmp_path_factory.mktemp("metrics")
    log = {"LOG_ORIGIN": "referee.example/log", "LOG_DIR": str(directory / "log"), "LOG_SECONDS": "0.2"}
    service = Service(directory, **log).start()
    ada = service.player("ada")
    id = ada.started("me", {"bot": "greedy"}, options={"first_seat": 0}, clock={"decision_s": 1})["id"]
    stream = ada.stream(f"/games/{id}/events")
    assert ada.move(id, {"type": "nonsense"}).status_code == 422
    eventually(lambda: ada.game(id)["version"] > 2)
    for name in ("referee_stream_lag_seconds_count", "referee_log_checkpoint_age_seconds"):
        eventually(lambda name=name: name in metrics(service))
    stream.close()
    text = metrics(service)
    service.kill()
    found: Samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    yield found


def metrics(service: Service) -> str:
    return service.nobody().call("GET", "/metrics").text


def selectors(node: Any) -> Iterator[promql_parser.VectorSelector]:
    """Every selector of a query."""
    if isinstance(node, promql_parser.VectorSelector):
        yield node
    for name in ("expr", "vector_selector", "lhs", "rhs", "param"):
        child = getattr(node, name, None)
        if child is not None and not isinstance(child, str):
            yield from selectors(child)
    for child in getattr(node, "args", None) or ():
        yield from selectors(child)


@pytest.mark.parametrize("query", QUERIES)
def test_every_query_of_the_dashboard_finds_its_figures(samples: Samples, query: str) -> None:
    parsed = promql_parser.parse(query.replace("$__rate_interval", "5m"))
    (selector,) = selectors(parsed)
    assert selector.name in samples, f"/metrics has no {selector.name}"
    used = {label for group in re.findall(r"by \(([^)]*)\)", query) for label in group.split(", ")}
    used |= {matcher.name for matcher in selector.matchers.matchers}
    assert used <= samples[selector.name]


def test_every_figure_of_ours_is_on_the_dashboard(samples: Samples) -> None:
    shown = {
        re.sub(r"_(bucket|sum|count)$", "", name) for query in QUERIES for name in re.findall(r"referee_\w+", query)
    }
    ours = {re.sub(r"_(bucket|sum|count|created)$", "", name) for name in samples if name.startswith("referee_")}
    assert ours == shown


def test_the_panels_of_the_dashboard_do_not_overlap() -> None:
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in PANELS]
    assert len(set(places)) == len(places)
    assert all(panel["title"] and panel["description"] for panel in PANELS)


def test_the_unit_sets_only_settings_that_exist() -> None:
    (environment,) = re.findall(r"^Environment=(.*)$", (DEPLOY / "referee.service").read_text(), re.M)
    assert {pair.partition("=")[0] for pair in environment.split()} <= SETTINGS


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="This machine has no systemd.")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """The paths are those of this checkout, because systemd looks for the program."""
    unit = tmp_path / "referee.service"
    text = (DEPLOY / "referee.service").read_text().replace("/opt/referee", str(ROOT))
    unit.write_text(text)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
    complaints = [line for line in done.stderr.splitlines() if "referee" in line]
    assert (done.returncode, complaints) == (0, [])


def test_the_image_does_only_what_the_readme_says() -> None:
    lines = [line for line in (DEPLOY / "Containerfile").read_text().splitlines() if line and not line.startswith("#")]
    instructions = [line.split(None, 1) for line in lines]
    assert {name for name, _ in instructions} <= set(INSTRUCTIONS)
    assert json.loads(instructions[-1][1]) == ["make", "run"]
    targets = re.findall(r"^([a-z.$()/A-Z-]+):", (ROOT / "Makefile").read_text().replace("$(VENV)", ".venv"), re.M)
    made = [word for name, rest in instructions if name == "RUN" for word in re.findall(r"^make (\S+)", rest)]
    assert made == [".venv/ready"]
    assert {".venv/ready", "run"} <= set(targets)
    (environment,) = [rest for name, rest in instructions if name == "ENV"]
    assert {pair.partition("=")[0] for pair in environment.split()} <= SETTINGS


NGINX = DEPLOY / "nginx.conf"
Directive = tuple[list[str], "list[Directive] | None"]


def directives(text: str) -> list[Directive]:
    """The directives of a configuration of nginx, each with its words and its block, if it has one."""
    words = re.findall(r'"[^"]*"|[{};]|(?:[^\s{};"#]|(?<=\S)#)+', re.sub(r"(?m)^\s*#.*$", "", text))
    return _block(iter([*words, "}"]))


def _block(words: Iterator[str]) -> list[Directive]:
    found: list[Directive] = []
    line: list[str] = []
    for word in words:
        match word:
            case "}":
                assert not line, f"no semicolon after {line}"
                return found
            case "{":
                found.append((line, _block(words)))
                line = []
            case ";":
                found.append((line, None))
                line = []
            case _:
                line.append(word)
    raise AssertionError("a block is not closed")


def test_the_proxy_sends_every_call_for_a_game_to_one_server() -> None:
    found = {line[0]: (line[1:], block) for line, block in directives(NGINX.read_text())}
    assert set(found) == {"map", "upstream", "server"}
    _, rules = found["map"]
    assert rules is not None
    patterns = [(line[0], line[1]) for line, _ in rules]
    assert [value for _, value in patterns] == ["$referee_id", "$http_authorization", "$remote_addr"]
    id = "g_" + "0a" * 12
    game = re.compile(patterns[0][0].removeprefix("~").replace("?<", "?P<"))
    for path in (f"/v1/games/{id}", f"/v1/games/{id}/moves", f"/v1/games/{id}/events"):
        fits = game.match(path)
        assert fits is not None
        assert fits["referee_id"] == id
    assert game.match("/v1/games") is None
    _, upstream = found["upstream"]
    assert upstream is not None
    assert upstream[0][0] == ["hash", "$referee_game", "consistent"]
    _, server = found["server"]
    assert server is not None
    (location,) = [block for line, block in server if line == ["location", "/"]]
    assert location is not None
    settings = {line[0]: line[1:] for line, _ in location}
    assert settings["proxy_buffering"] == ["off"]
    assert float(settings["proxy_read_timeout"][0].removesuffix("s")) > Settings().wait_seconds_max
    assert settings["proxy_next_upstream"] == ["error", "timeout"]
    size = next(line[1] for line, _ in server if line[0] == "client_max_body_size")
    assert int(size) == Settings().body_bytes_max
    named = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", NGINX.read_text()))
    assert named <= SETTINGS


@pytest.mark.skipif(shutil.which("nginx") is None, reason="This machine has no nginx.")
def test_nginx_accepts_the_proxy(tmp_path: Path) -> None:
    """Without its certificates, which exist only where it runs."""
    text = re.sub(r"(?m)^\s*ssl_certificate.*$", "", NGINX.read_text())
    (tmp_path / "referee.conf").write_text(text.replace("listen 443 ssl;", f"listen 127.0.0.1:{free_port()};"))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = " ".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    whole = f"pid {tmp_path}/pid; events {{}} http {{ access_log off; {paths} include {tmp_path}/referee.conf; }}"
    (tmp_path / "nginx.conf").write_text(whole)
    command = ["nginx", "-t", "-e", "stderr", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
