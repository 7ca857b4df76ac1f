"""The guides for people: each document in `docs/` and each rulebook as a page that needs no script."""

import re
import tomllib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from markdown_it import MarkdownIt
from markdown_it.token import Token

import referee
from referee.api.pages import release
from referee.service.catalogue import all_rules
from referee.service.problems import Problem

blueprint = Blueprint("guides", __name__)

DOCUMENTS = Path(referee.__file__).parent.parent / "docs"
COMMENTS = re.compile(r"^<!--.*?-->\n|^</?details>\n", re.M | re.S)
SUMMARY = re.compile(r"^<summary>(.*)</summary>$", re.M)
TITLE = re.compile(r"^# (.+)$", re.M)
POLICY = "; ".join(
    (
        *("default-src 'none'", "style-src 'self'", "img-src data:"),
        *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    )
)
SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{styles}">
</head>
<body>
<header class="top"><a class="brand" href="/">{flag}{name}</a><nav aria-label="{pages}">{nav}</nav></header>
<main class="guide">
<article>{text}</article>
<nav aria-label="{guides}"><ul>{contents}</ul></nav>
</main>
</body>
</html>
"""


FLAG = (
    '<svg viewBox="0 0 32 32" class="flag" aria-hidden="true"><path d="M10 6v20M10 7h14l-4 5 4 5H10" fill="none" '
    'stroke="currentColor" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/></svg>'
)


class Guide(NamedTuple):
    """A document, and where it lies in the project."""

    name: str
    title: str
    path: PurePosixPath
    text: str


@cache
def guides() -> dict[str, Guide]:
    """Every guide by the last part of its address."""
    documents = [_guide(file.stem, file, PurePosixPath("docs", file.name)) for file in sorted(DOCUMENTS.glob("*.md"))]
    books = [
        _guide(rules.slug, rules.directory / "rules.md", PurePosixPath("rulesets", rules.directory.name, "rules.md"))
        for rules in all_rules()
    ]
    return {guide.name: guide for guide in (*documents, *books)}


def _guide(name: str, file: Any, path: PurePosixPath) -> Guide:
    text = file.read_text(encoding="utf-8")
    found = TITLE.search(text)
    return Guide(name, found[1] if found else name, path, text)


@cache
def page_of(name: str) -> bytes:
    """The page of a guide; of the empty name: the list of all."""
    words = tomllib.loads((files("referee.web") / "page" / "words" / "en.toml").read_text(encoding="utf-8"))
    items = [f'<li><a href="/guides/{each.name}">{escape(each.title)}</a></li>' for each in guides().values()]
    nav = [f'<a href="{href}">{escape(words["nav"][word])}</a>' for word, href in _NAV.items()]
    guide = guides().get(name)
    return SHELL.format(
        title=escape(guide.title if guide else words["nav"]["guides"]),
        styles=f"/page/{release().name}/page.css",
        flag=FLAG,
        name=escape(words["name"]),
        pages=escape(words["nav"]["label"]),
        nav="".join(nav),
        guides=escape(words["nav"]["guides"]),
        contents="".join(items),
        text=rendered(guide.text) if guide else _index(escape(words["nav"]["guides"])),
    ).encode()


def _index(title: str) -> str:
    """The list of all guides, each with how it begins."""
    links = {f'<a href="/guides/{each.name}">{escape(each.title)}</a>': each for each in guides().values()}
    entries = [f"<section><h2>{link}</h2>{rendered(_beginning(each))}</section>" for link, each in links.items()]
    return f"<h1>{title}</h1>{''.join(entries)}"


def _beginning(guide: Guide) -> str:
    """The first paragraph of a guide."""
    _, _, text = guide.text.partition("\n\n")
    return next((part for part in text.split("\n\n") if part[:1].isalpha() and "](#" not in part), "")


_NAV = {"lobby": "/", "audit": "/audit", "guides": "/guides", "docs": "/docs"}


def rendered(text: str) -> str:
    """Markdown as HTML. HTML inside it is text; a link leads to a guide, to this page, or to another host."""
    plain = SUMMARY.sub(lambda found: f"**{re.sub('</?code>', '`', found[1])}**", COMMENTS.sub("", text))
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(plain)
    _name_headings(tokens)
    for token in tokens:
        for inner in token.children or ():
            if inner.type == "link_open":
                _lead(inner)
            elif inner.type == "image":
                inner.attrs = {"src": _picture(str(inner.attrGet("src") or "")), "alt": ""}
    return str(reader.renderer.render(tokens, reader.options, {})).replace("<pre>", '<pre tabindex="0">')


def _name_headings(tokens: Sequence[Token]) -> None:
    """Each heading gets the id that links to it use."""
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            words = re.sub(r"[^\w\- ]", "", inline.content.lower())
            token.attrSet("id", words.replace(" ", "-"))


def _lead(link: Token) -> None:
    """Where a link of the project's files leads on this service; to other files it leads nowhere."""
    href = str(link.attrGet("href") or "")
    path, _, fragment = href.partition("#")
    if re.match(r"https?://", href):
        link.attrSet("rel", "noreferrer")
    elif path:
        steps = PurePosixPath(path).parts
        name = next((each.name for each in guides().values() if each.path.parts[-2:] == steps[-2:]), None)
        name = name or (PurePosixPath(path).stem if PurePosixPath(path).stem in guides() else None)
        link.attrs = {"href": f"/guides/{name}" + (f"#{fragment}" if fragment else "")} if name else {}


def _picture(path: str) -> str:
    """A picture of the documents as part of the page, which loads nothing; any other is left out."""
    file = (DOCUMENTS / path).resolve()
    if file.suffix != ".png" or DOCUMENTS.resolve() not in file.parents or not file.is_file():
        return "data:,"
    return f"data:image/png;base64,{b64encode(file.read_bytes()).decode()}"


def get_guide(name: str = "") -> Response:
    """A guide, or the list of them."""
    if name and name not in guides():
        raise Problem("not-found", "There is no such guide.")
    page = page_of(name)
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = POLICY
    response.set_etag(sha256(page).hexdigest()[:16])
    response.make_conditional(request)
    return response


blueprint.add_url_rule("/guides", "list", get_guide, methods=["GET"])
blueprint.add_url_rule("/guides/<name>", "guide", get_guide, methods=["GET"])
