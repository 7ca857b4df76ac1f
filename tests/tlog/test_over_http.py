"""The log of a running service, read over HTTP by a reader that trusts only the key."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from redis import Redis

from referee.audit.__main__ import main
from referee.ops.run import SERVERS
from referee.settings import Settings
from referee.store.log import Head, Leaf
from referee.store.redis_log import RedisLog
from referee.table.record import seal_of
from referee.tlog.keys import LOG_FILE, KeyFile
from referee.tlog.leaf import game_tag
from referee.tlog.leaves import Leaves
from referee.tlog.merkle import consistency_proof, is_consistent, is_included, leaf_hash
from referee.tlog.note import read_vkey
from referee.tlog.published import ALARM, CHECKPOINT, Published
from referee.tlog.sequencer import read_signed
from referee.tlog.tree import EDGE, SIZE
from referee.witness.watch import look, over_http
from tests.redis_server import RedisServer
from tests.service import ROOT, Client, Service
from tests.tlog import reader
from tests.tlog.served import Served
from tests.waiting import eventually
from workers.sequencer import make_sequencer, make_tree

ORIGIN = "referee.example/log"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose checkpoints are published when a witness has cosigned them."""
    directory: Path = tmp_path_factory.mktemp("logged")
    log_key = KeyFile(directory / "log" / LOG_FILE, ORIGIN).signers()[-1].verifier
    witness = Served(tmp_path_factory.mktemp("witness"), log_key)
    (directory / "policy").write_text(f"log {log_key.vkey}\n{witness.line}\nquorum w1\n")
    settings = {"LOG_ORIGIN": ORIGIN, "LOG_DIR": str(directory / "log"), "LOG_SECONDS": "0.2"}
    running = Service(directory, LOG_POLICY=str(directory / "policy"), **settings).start()
    yield running
    assert running.stop() == 0
    witness.stop()


@pytest.fixture
def vkey(service: Service) -> str:
    answer = eventually(lambda: (found := service.nobody().call("GET", "/log/keys")).ok and found, 30)
    return answer.json()["log"]


def fetch(service: Service, path: str) -> bytes:
    answer = service.nobody().call("GET", f"/log/{path}")
    assert answer.status_code == 200, answer.text
    return answer.content


def leaves_of(service: Service, vkey: str, game: str) -> list[dict[str, object]]:
    entries = reader.read_log(lambda path: fetch(service, path), vkey)
    return [leaf for entry in entries if (leaf := json.loads(entry))["game"] == game_tag(game)]


def test_every_game_is_in_the_log_from_its_creation_to_its_end(service: Service, vkey: str) -> None:
    ada = service.player("ada")
    game = ada.create("open", {"bot": "random"}, on_resignation="end")
    id, link = game["id"], "7" * 64
    eventually(lambda: len(leaves_of(service, vkey, id)) == 1, 30)
    assert ada.post(f"/games/{id}/seats", {"seal": seal_of(id, link)}).json()["status"] == "revealing"
    eventually(lambda: [leaf["kind"] for leaf in leaves_of(service, vkey, id)][1:] == ["sealed"], 30)
    assert ada.post(f"/games/{id}/seats/0/reveal", {"link": link}).status_code == 200
    eventually(lambda: ada.game(id)["version"] > 0)
    assert ada.post(f"/games/{id}/resignation").status_code == 201
    eventually(lambda: leaves_of(service, vkey, id)[-1]["kind"] == "finished", 30)
    leaves = leaves_of(service, vkey, id)
    commits = ada.get(f"/games/{id}/events").json()["commits"]
    assert (leaves[0]["kind"], leaves[0]["hash"], leaves[0]["version"]) == ("created", game["commitment"], 0)
    assert (leaves[-1]["hash"], leaves[-1]["version"]) == (commits[-1]["hash"], len(commits))
    for leaf in leaves[2:]:
        assert leaf["hash"] == commits[int(str(leaf["version"])) - 1]["hash"]
    dropped = ada.create("me", "open")["id"]
    assert ada.delete(f"/games/{dropped}").status_code == 204
    eventually(lambda: [each["kind"] for each in leaves_of(service, vkey, dropped)] == ["created", "annulled"], 30)


def test_the_leaves_of_a_game_come_with_proofs(service: Service, vkey: str) -> None:
    ada = service.player("ada")
    id = ada.create("me", "open", visibility="private")["id"]
    (leaf,) = eventually(lambda: ada.get(f"/games/{id}/log").json()["leaves"], 30)
    head, _, note = leaf["proof"].partition("\n\n")
    magic, index, *steps = head.split("\n")
    assert (magic, index) == ("c2sp.org/tlog-proof@v1", f"index {leaf['index']}")
    _, size, root = reader.checkpoint(note.encode(), vkey)
    proof = [base64.b64decode(step) for step in steps]
    assert is_included(leaf_hash(leaf["entry"].encode()), leaf["index"], size, proof, root)
    assert service.player("eve").get(f"/games/{id}/log").status_code == 404
    assert service.nobody().get(f"/games/{id}/log").status_code == 404


def test_the_log_only_grows(service: Service, vkey: str) -> None:
    ada = service.player("ada")
    before = fetch(service, "checkpoint")
    ada.create("me", "open")
    after = eventually(lambda: (new := fetch(service, "checkpoint")) != before and new, 30)
    (_, old, old_root), (_, size, root) = reader.checkpoint(before, vkey), reader.checkpoint(after, vkey)
    lines = fetch(service, f"proof?old={old}&size={size}").decode().splitlines()
    assert is_consistent(old, size, old_root, root, [base64.b64decode(line) for line in lines])


def test_bad_paths_and_sizes_are_refused(service: Service, vkey: str) -> None:
    client: Client = service.nobody()
    for path in ("0/000.p/0", "0/000.p/256", "64/000", "-1/000", "0/-01", "0/..%2f..%2fkey", "../key", "0/x999/999"):
        answer = client.call("GET", f"/log/tile/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), path
    for query in ("old=2&size=1", "old=-1&size=1", "old=x&size=1", "size=1", "old=1", "old=1&old=1&size=1"):
        assert client.call("GET", f"/log/proof?{query}").status_code == 422, query
    assert client.call("GET", "/log/proof?old=1&size=999999").status_code == 404
    for name in ("key", "edge", "tile", "", "checkpoint/"):
        assert client.call("GET", f"/log/{name}").status_code == 404
    assert vkey.startswith(f"{ORIGIN}+")


def leaves_with_proofs(client: Client, game: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = client.get(f"/games/{game}/log").json()["leaves"]
    return found


def run_for(service: Service, module: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command of an operator with the settings of the service."""
    own = {"LOG_ORIGIN": ORIGIN, "LOG_DIR": str(service.directory / "log"), "VAR": str(service.directory / "var")}
    environment = {**os.environ, **own, **settings}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


def metric(service: Service, name: str) -> float | None:
    lines = service.nobody().call("GET", "/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name)), None)


def test_the_record_shows_the_log_and_the_audit_demands_it(
    service: Service, vkey: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ada = service.player("ada")
    id = ada.started("me", "me", on_resignation="end")["id"]
    assert ada.post(f"/games/{id}/resignation").status_code == 201
    eventually(lambda: "finished" in [leaf["kind"] for leaf in leaves_of(service, vkey, id)], 30)
    record = ada.get(f"/games/{id}/record").content
    kinds = [
        json.loads(json.loads(line)["logged"]["entry"])["kind"] for line in record.splitlines() if b'{"logged"' in line
    ]
    assert (kinds[0], kinds[-1]) == ("created", "finished")
    assert kinds.count("head") <= 1
    file, policy, keys = tmp_path / "game.jsonl", service.directory / "policy", tmp_path / "keys.json"
    file.write_bytes(record)
    assert main([str(file), "--policy", str(policy)]) == 0
    assert "ok      log" in capsys.readouterr().out
    assert main([str(file), "--policy", str(policy), "--log", f"{service.url}/log"]) == 0
    keys.write_bytes(service.nobody().call("GET", "/log/keys").content)
    said = json.loads(keys.read_bytes())
    begun = {json.loads(each["notice"])["key"]: json.loads(each["notice"])["use"] for each in said["notices"]}
    assert begun == {said["log"]: "log", said["receipts"]: "receipts"}
    assert main([str(file), "--policy", str(policy), "--keys", str(keys)]) == 0
    file.write_bytes(b"".join(line for line in record.splitlines(True) if b'"finished' not in line))
    assert main([str(file), "--policy", str(policy)]) == 1


def test_a_store_from_an_hour_ago_stops_checkpoints_and_not_games_and_is_repaired_without_a_fork(
    service: Service, vkey: str, tmp_path: Path
) -> None:
    ada, redis = service.player("ada"), Redis.from_url(service.redis_url)
    witness = partial(look, over_http(f"{service.url}/log"), read_vkey(vkey), tmp_path / "witness")
    id = ada.started("me", "me", on_resignation="end")["id"]
    eventually(lambda: leaves_of(service, vkey, id), 30)
    first = witness()
    assert metric(service, "referee_log_alarm") == 0
    backup = {key: redis.dump(key) for key in (SIZE, EDGE, CHECKPOINT)}
    for _ in range(5):
        ada.create("me", "open")
    later = eventually(lambda: (seen := witness()).size >= first.size + 5 and seen)
    for key, value in backup.items():
        redis.restore(key, 0, value, replace=True)
    eventually(lambda: redis.get(ALARM) is not None, 30)
    signed = fetch(service, "checkpoint")
    assert service.nobody().call("GET", "/readyz").json()["alarm"] == "log-rolled-back"
    assert metric(service, 'referee_log_alarm{alarm="log-rolled-back"}') == 1
    assert ada.post(f"/games/{id}/resignation").status_code == 201
    assert fetch(service, "checkpoint") == signed
    done = run_for(service, "workers.sequencer", "--restore", REDIS_URL=service.redis_url)
    assert done.returncode == 0, done.stderr
    eventually(lambda: leaves_of(service, vkey, id)[-1]["kind"] == "finished", 30)
    assert witness().size > later.size
    assert "alarm" not in service.nobody().call("GET", "/readyz").json()
    eventually(lambda: metric(service, 'referee_log_alarm{alarm="log-rolled-back"}') == 0)
    assert (metric(service, "referee_log_checkpoint_age_seconds") or 0) < 60
    again = run_for(service, "workers.sequencer", "--restore", REDIS_URL=service.redis_url)
    assert again.returncode == 1 and "nothing to do" in again.stderr


def test_a_backup_has_the_log_and_another_sequencer_goes_on_with_it(
    service: Service, vkey: str, tmp_path: Path
) -> None:
    ada = service.player("ada")
    id = ada.create("me", "open")["id"]
    eventually(lambda: leaves_of(service, vkey, id), 30)
    done = run_for(service, "referee.ops.backup", str(tmp_path / "copy"), REDIS_URL="")
    assert done.returncode == 0, done.stderr
    copied, original = tmp_path / "copy" / "log", service.directory / "log"
    assert (copied / "key").read_text() == (original / "key").read_text()
    for file in (copied, copied / "key"):
        assert file.stat().st_mode & 0o077 == 0
    assert (copied / "checkpoint").exists() and (copied / "edge").exists()
    assert not list(copied.rglob(".*"))
    _, size, root = reader.checkpoint((copied / "checkpoint").read_bytes(), vkey)
    server = RedisServer(tmp_path / "copy" / SERVERS[0]).start()
    redis = server.client()
    RedisLog(redis, logs=True).create(Head("g_new", 1, b"{}"), leaf=Leaf("created", "c" * 64))
    settings = Settings(redis_url=server.url, log_origin=ORIGIN, log_dir=str(copied))
    make_sequencer(settings).round()
    checkpoint, tree = read_signed(str(Published(redis).checkpoint()), read_vkey(vkey)), make_tree(settings)
    proof = consistency_proof(tree.subtrees(tree.edge()), size, checkpoint.size)
    assert checkpoint.size > size and is_consistent(size, checkpoint.size, root, checkpoint.root, proof)
    assert [index for index, _ in Leaves(redis).of_game(id)] == [leaf["index"] for leaf in leaves_with_proofs(ada, id)]
    server.stop()


def test_a_tree_that_was_lost_stops_checkpoints_and_proofs_and_not_games(service: Service, vkey: str) -> None:
    """The last test of this service: its log stays broken."""
    ada, redis = service.player("ada"), Redis.from_url(service.redis_url)
    id = ada.started("me", "me", on_resignation="end")["id"]
    eventually(lambda: leaves_of(service, vkey, id), 30)
    redis.delete(SIZE, EDGE)
    eventually(lambda: redis.get(ALARM) is not None, 30)
    signed = fetch(service, "checkpoint")
    assert ada.post(f"/games/{id}/resignation").status_code == 201
    assert fetch(service, "checkpoint") == signed
    assert ada.get(f"/games/{id}/record").status_code == 200
    size = int(signed.split(b"\n")[1])
    for path in (f"/v1/games/{id}/log", "/log/keys", f"/log/proof?old=1&size={size}"):
        answer = ada.call("GET", path)
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), path
