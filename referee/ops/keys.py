"""The keys of the service: `python -m referee.ops.keys show`, `rotate USE`, `end VKEY`, `revoke VKEY`.

Every change becomes a leaf of the transparency log. Private keys never leave their files.
"""

import argparse
import sys
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from referee.settings import SettingError, Settings, read_settings
from referee.tlog.keys import LOG_FILE, RECEIPTS_FILE, REREAD_S, KeyFile, Notices, receipts_name
from referee.tlog.leaf import Change, KeyNotice, Use
from referee.tlog.note import InvalidNote, Verifier, signer_of
from referee.tlog.published import Published
from referee.wiring import connect

USES: tuple[Use, ...] = ("log", "receipts")
NEXT: dict[Use, str] = {"log": "Restart the sequencers.", "receipts": ""}
"""What remains to be done after a change; web servers read their key again by themselves."""
CHANGED = {"end": "ended", "revoke": "was revoked"}


class KeyProblem(Exception):
    """A key cannot be changed in this way; the message says why."""


class ServiceKeys:
    """The files of the keys, and the notices about them."""

    def __init__(self, redis: Redis, directory: Path, origin: str) -> None:
        self._published = Published(redis)
        self._notices = Notices(redis)
        self._files: dict[Use, KeyFile] = {
            "log": KeyFile(directory / LOG_FILE, origin),
            "receipts": KeyFile(directory / RECEIPTS_FILE, receipts_name(origin)),
        }

    def show(self) -> list[str]:
        """A line for each notice, in the order of the log."""
        places = [(notice, "waits" if index is None else f"leaf {index}") for notice, index in self._notices.all()]
        return [f"{notice.use:<8} {notice.change:<6} {place:<10} {notice.key}" for notice, place in places]

    def rotate(self, use: Use) -> str:
        """Add a key, which signs from now on, or from the next start of the sequencers; returns its vkey."""
        vkey = self._files[use].add().verifier.vkey
        self._notices.announce(KeyNotice("begin", vkey, use))
        return vkey

    def close(self, vkey: str, change: Change) -> Use:
        """End or revoke a key, and take it out of its file; returns its use. Raises KeyProblem."""
        use = self._use_of(vkey)
        signers = [signer.verifier for signer in self._files[use].signers()]
        others = tuple(verifier for verifier in signers if verifier.vkey != vkey)
        if len(others) < len(signers):
            if not others or signers[-1].vkey == vkey:
                raise KeyProblem(f"This key is the newest one. First run `rotate {use}`. {NEXT[use]}".rstrip())
            if use == "log":
                self._require_signed(others)
        self._files[use].remove(vkey)
        if use == "receipts":
            time.sleep(2 * REREAD_S)  # The log may say so only when no process signs with it.
        self._notices.announce(KeyNotice(change, vkey, use))
        return use

    def _use_of(self, vkey: str) -> Use:
        uses = [notice.use for notice, _ in self._notices.all() if notice.key == vkey and notice.change == "begin"]
        if not uses:
            raise KeyProblem("The service never had this key: `show` lists those that it had.")
        return uses[0]

    def _require_signed(self, others: tuple[Verifier, ...]) -> None:
        """A log without the key that signed its last checkpoint could not go on."""
        note = self._published.checkpoint()
        try:
            if note is not None:
                signer_of(note, others)
        except InvalidNote:
            detail = (
                "No other key has signed a checkpoint yet. Restart the sequencers, and wait for the next checkpoint."
            )
            raise KeyProblem(detail) from None


def main(arguments: list[str], settings: Settings) -> int:
    """Show or change the keys; returns the exit status."""
    options = _parser().parse_args(arguments)
    if not settings.log_origin:
        print("LOG_ORIGIN is not set: the service has no keys.", file=sys.stderr)
        return 2
    try:
        keys = ServiceKeys(connect(settings.redis_url), Path(settings.log_dir), settings.log_origin)
        _run(keys, options)
    except (KeyProblem, InvalidNote, OSError, RedisError, SettingError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _run(keys: ServiceKeys, options: argparse.Namespace) -> None:
    match options.command:
        case "show":
            print("\n".join(keys.show()))
        case "rotate":
            print(keys.rotate(options.use))
            print(f"{NEXT[options.use]} Publish the key, then `end` the old one.".lstrip())
        case change:
            use = keys.close(options.vkey, change)
            print(f"The key {CHANGED[change]}, and the log will say so. {NEXT[use]}".rstrip())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m referee.ops.keys", description="Show or change the service's keys."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("show", help="list every key and what happened to it")
    rotate = commands.add_parser("rotate", help="add a new key")
    rotate.add_argument("use", choices=USES)
    for name, text in (("end", "stop signing with a key"), ("revoke", "declare that somebody else may have a key")):
        closing = commands.add_parser(name, help=text)
        closing.add_argument("vkey")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], read_settings()))
