"""The command of a witness: `python -m referee.witness watch | compare | monitor | keygen | serve`.

It exits with 1 if a log told two stories, and leaves both signed checkpoints or names the game; with 2 if something
cannot be read.
"""

import argparse
import signal
import sys
import threading
import time
from pathlib import Path
from urllib.error import URLError

from referee.tlog.note import InvalidNote, read_vkey
from referee.witness.cosign import Witness
from referee.witness.cosigner import make_key, read_key
from referee.witness.monitor import monitor
from referee.witness.server import make_server
from referee.witness.watch import Fork, bytes_over_http, compare, look, over_http


def main(arguments: list[str]) -> int:
    """Do what the arguments say; returns the exit status."""
    options = _parser().parse_args(arguments)
    commands = {"watch": _watch, "compare": _compare, "monitor": _monitor, "keygen": _keygen, "serve": _serve}
    try:
        return commands[options.command](options)
    except Fork as fork:
        evidence = Path(f"{options.state}.fork" if options.command == "watch" else "checkpoints.fork")
        evidence.write_text(f"{fork.old}\n{fork.new}")
        print(f"FORK: {fork} Both signed checkpoints are in {evidence}.")
        return 1
    except (InvalidNote, OSError, UnicodeDecodeError) as error:
        print(f"unreadable: {error}", file=sys.stderr)
        return 2


def _watch(options: argparse.Namespace) -> int:
    rounds, verifier = 0, read_vkey(options.vkey)
    while True:
        try:
            checkpoint = look(over_http(options.url), verifier, Path(options.state))
            print(f"{checkpoint.size} leaves", flush=True)
        except URLError as error:
            print(f"no answer: {error}", file=sys.stderr, flush=True)
        rounds += 1
        if rounds == options.rounds:
            return 0
        time.sleep(options.seconds)


def _compare(options: argparse.Namespace) -> int:
    one, other = (Path(name).read_text() for name in (options.one, options.other))
    print(compare(read_vkey(options.vkey), one, other, over_http(options.url) if options.url else None))
    return 0


def _monitor(options: argparse.Namespace) -> int:
    checkpoint, findings = monitor(bytes_over_http(options.url), read_vkey(options.vkey))
    print(f"{checkpoint.size} leaves")
    for name, count in sorted(findings.counts.items()):
        print(f"{count} {name}")
    for fault in findings.faults:
        print(f"TWO STORIES: {fault}")
    return 1 if findings.faults else 0


def _keygen(options: argparse.Namespace) -> int:
    print(make_key(options.name, Path(options.key)).vkey)
    return 0


def _serve(options: argparse.Namespace) -> int:
    logs = [read_vkey(vkey) for vkey in options.vkeys]
    key = read_key(Path(options.key).read_text())
    witness = Witness(key, {log.name: log for log in logs}, Path(options.state))
    with make_server(witness, options.host, options.port) as server:
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, lambda *_: threading.Thread(target=server.shutdown).start())
        print(f"{key.vkey} witnesses at http://{options.host}:{server.server_port}/", flush=True)
        server.serve_forever()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m referee.witness", description="Witness a transparency log.")
    commands = parser.add_subparsers(dest="command", required=True)
    watch = commands.add_parser("watch", help="follow a log, and stop if it tells two stories")
    watch.add_argument("url", help="where the log is, such as https://referee.example/log")
    watch.add_argument("vkey", help="the key of the log, from /log/keys")
    watch.add_argument("state", help="a file for the last checkpoint")
    watch.add_argument("--seconds", type=float, default=60, help="seconds between two looks (default: 60)")
    watch.add_argument("--rounds", type=int, default=0, help="how often to look (default: for ever)")
    compared = commands.add_parser("compare", help="compare the checkpoints that two people have")
    for name in ("vkey", "one", "other"):
        compared.add_argument(name)
    compared.add_argument("url", nargs="?", help="where the log is, to prove that one continues the other")
    monitored = commands.add_parser("monitor", help="read all leaves, and name games with two stories")
    monitored.add_argument("url", help="where the log is")
    monitored.add_argument("vkey", help="the key of the log")
    keygen = commands.add_parser("keygen", help="make the key of a witness, and print its public part")
    keygen.add_argument("name", help="the name of the witness, such as witness.example/w1")
    keygen.add_argument("key", help="a new file for the private key")
    serve = commands.add_parser("serve", help="cosign checkpoints for logs, as C2SP's tlog-witness describes it")
    serve.add_argument("key", help="the file with the private key")
    serve.add_argument("state", help="a directory for the last checkpoints")
    serve.add_argument("vkeys", nargs="+", help="the keys of the logs that it witnesses")
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=int, default=8100)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
