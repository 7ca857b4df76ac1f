"""The page for people: one shell for each of its addresses, and its files under a hash of all of them."""

import gzip
import re
import tomllib
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from referee.api.audit_page import get_audit_page
from referee.api.context import context
from referee.api.flat import one_script, thin_style
from referee.api.routing import JSON, accepted_of
from referee.kernel.ruleset import Ruleset
from referee.service.catalogue import all_versions, latest_rules
from referee.service.problems import Problem
from referee.service.sentences import labels
from referee.table.words import ENGLISH, WORDS

blueprint = Blueprint("pages", __name__)

ADDRESSES = (
    *("/", "/games/<game_id>", "/games/<game_id>/log", "/games/<game_id>/audit", "/audit"),
    *("/rules/<slug>", "/judge/<slug>", "/keys", "/operate"),
)
"""Every address that the page has; its router knows what is there."""

TYPES = {".js": "text/javascript", ".css": "text/css", ".json": JSON}
SHELL = "index.html"
LANGUAGES = tuple(sorted(WORDS, key=lambda language: (language != ENGLISH, language)))
"""The languages of the page, English first."""
SCRIPT, STYLES = "main.js", "page.css"
HERE = PurePosixPath()
TYPES_AND_TEXTS = re.compile(rb"/\*\*.*?\*/ ?|^ *// [^\n]*$", re.S | re.M)
IMMUTABLE = "public, max-age=31536000, immutable"
BARE_NAMES = ("dom", "kit", "words")
"""The modules that a board imports by name; the one script exports what they do."""
OF_BOARDS = ("pieces", "plain")
"""What boards are drawn with, and the board of any title: they are loaded with the first board, not with the page."""


@dataclass(frozen=True)
class Release:
    """The page as one version of the service has it."""

    name: str
    files: dict[str, bytes]
    """Each file, compressed."""
    shells: dict[str, bytes]
    """The shell, by language."""
    policy: str


@cache
def release() -> Release:
    """The page of this service, read once."""
    page = _bundled(dict(_files(files("referee.web") / "page")))
    found = dict(sorted({**page, **dict((*_kit(), *_boards(), *_words(), *_page_words(page)))}.items()))
    shell = found.pop(SHELL).decode()
    name = sha256(b"".join(b"%s\0%d\0%s" % (path.encode(), len(file), file) for path, file in found.items()))
    at = f"/page/{name.hexdigest()[:16]}"
    names = {**dict.fromkeys(BARE_NAMES, SCRIPT), **{name: f"boards/{name}.js" for name in OF_BOARDS}}
    imports = msgspec.json.encode({"imports": {name: f"{at}/{path}" for name, path in names.items()}}).decode()
    marks = {"at": at, "imports": imports}
    return Release(
        name=name.hexdigest()[:16],
        files={path: gzip.compress(file, 9, mtime=0) for path, file in found.items()},
        shells={language: _shell(shell, found, {**marks, "language": language}) for language in LANGUAGES},
        policy=_policy(imports),
    )


def _files(directory: Traversable, within: PurePosixPath = HERE) -> Iterator[tuple[str, bytes]]:
    """The files that browsers get. Words are written as TOML and read as JSON."""
    for entry in directory.iterdir():
        path = within / entry.name
        if entry.is_dir():
            yield from _files(entry, path)
        elif path.suffix == ".toml":
            yield str(path.with_suffix(".json")), msgspec.json.encode(tomllib.loads(entry.read_text("utf-8")))
        elif path.suffix in TYPES or entry.name == SHELL:
            yield str(path), without_comments(entry.read_bytes())


def _bundled(found: dict[str, bytes]) -> dict[str, bytes]:
    """The files with all modules in one script, and all styles in one: apart they weigh a quarter more."""
    modules = {path.removesuffix(".js"): file.decode() for path, file in found.items() if path.endswith(".js")}
    styles = b"".join(file for path, file in found.items() if path.endswith(".css"))
    kept = {path: file for path, file in found.items() if not path.endswith((".js", ".css"))}
    script = one_script("main", modules.__getitem__, BARE_NAMES)
    return {**kept, SCRIPT: script.encode(), STYLES: thin_style(styles.decode()).encode()}


def without_comments(script: bytes) -> bytes:
    """A script without the comments that give types: browsers need none. Every line stays where it is."""
    return TYPES_AND_TEXTS.sub(lambda found: b"\n" * found[0].count(b"\n"), script)


def _kit() -> Iterator[tuple[str, bytes]]:
    """What all boards share."""
    for path, file in _files(files("referee.web") / "boards", PurePosixPath("boards")):
        yield path, thin_style(file.decode()).encode() if path.endswith(".css") else file


def _boards() -> Iterator[tuple[str, bytes]]:
    for rules in all_versions():
        board = rules.directory / "page" / "board.js"
        if board.is_file():
            yield _board_path(rules), without_comments(board.read_bytes())


def _words() -> Iterator[tuple[str, bytes]]:
    for rules in all_versions():
        for file in (rules.directory / "words").glob("*.toml"):
            words = tomllib.loads(file.read_text(encoding="utf-8"))
            yield f"words/{_folder(rules)}/{file.stem}.json", msgspec.json.encode(words)


def _page_words(page: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The page's own words, with what stands alone on the boards of each title; in English that is its id as words."""
    for language in LANGUAGES:
        path = f"words/{language}.json"
        own = {rules.slug: labels(rules, language) for rules in all_versions()}
        titles = {} if language == ENGLISH else {"titles": own}
        yield path, msgspec.json.encode({**msgspec.json.decode(page[path]), **titles})


def _shell(shell: str, found: dict[str, bytes], marks: dict[str, str]) -> bytes:
    """The shell in one language."""
    words = msgspec.json.decode(found[f"words/{marks['language']}.json"])
    texts = {name: escape(words[name]) for name in ("description", "no_script")}
    return re.sub(r"\{([a-z_]+)\}", lambda mark: {**marks, **texts}[mark[1]], shell).encode()


def _folder(rules: Ruleset) -> str:
    """The files of a ruleset; what older games are played by has a folder for its version."""
    return rules.slug if rules is latest_rules(rules.slug) else f"{rules.slug}/{rules.version}"


def _board_path(rules: Ruleset) -> str:
    return f"boards/{_folder(rules)}/board.js"


def board_address(rules: Ruleset) -> str | None:
    """The address of a ruleset's board; None: it has none."""
    path = _board_path(rules)
    return f"/page/{release().name}/{path}" if path in release().files else None


def words_addresses(rules: Ruleset) -> dict[str, str]:
    """The addresses of a ruleset's words, by language."""
    paths = [PurePosixPath(path) for path in release().files]
    folder = PurePosixPath("words", _folder(rules))
    return {path.stem: f"/page/{release().name}/{path}" for path in paths if path.parent == folder}


def _policy(imports: str) -> str:
    """Scripts and styles of this host only, no HTML from strings, nothing from other hosts."""
    allowed = b64encode(sha256(imports.encode()).digest()).decode()
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'sha256-{allowed}'",
            "style-src 'self'",
            "connect-src 'self'",
            "img-src 'self' data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


_kept: set[str] = set()


def get_shell(**_address: str) -> Response:
    """The page, whatever its address, in the language that the browser asks for; its router reads the rest."""
    current, language = release(), accepted_of(LANGUAGES)
    shell = current.shells[language]
    if current.name not in _kept and context().releases.keep(current.name, current.files):
        _kept.add(current.name)
    response = _compressed(gzip.compress(shell, 9, mtime=0), "text/html")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Language"] = language
    response.headers["Vary"] = "Accept-Encoding, Accept-Language"
    response.headers["Content-Security-Policy"] = current.policy
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.set_etag(sha256(shell).hexdigest()[:16])
    response.make_conditional(request)
    return response


def get_file(name: str, path: str) -> Response:
    """A file of the page, of this release or of one before it."""
    current = release()
    file = current.files.get(path) if name == current.name else context().releases.find(name, path)
    media = TYPES.get(PurePosixPath(path).suffix)
    if file is None or media is None:
        raise Problem("not-found", "There is no such file.")
    response = _compressed(file, media)
    response.headers["Cache-Control"] = IMMUTABLE
    return response


def _compressed(file: bytes, media: str) -> Response:
    headers: dict[str, Any] = {"Vary": "Accept-Encoding"}
    if request.accept_encodings.quality("gzip"):
        headers["Content-Encoding"] = "gzip"
    else:
        file = gzip.decompress(file)
    return Response(file, headers=headers, content_type=f"{media}; charset=utf-8")


for _rule in ADDRESSES:
    blueprint.add_url_rule(_rule, "shell", get_shell, methods=["GET"])
blueprint.add_url_rule("/page/<name>/<path:path>", "file", get_file, methods=["GET"])
blueprint.add_url_rule("/audit.html", "audit_page", get_audit_page, methods=["GET"])
