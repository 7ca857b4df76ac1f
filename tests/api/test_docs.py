"""The documentation page works offline and loads nothing from other hosts."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import yaml

from referee.openapi import FILE
from tests.api.world import World


class Elements(HTMLParser):
    """Collects the elements of a page with their attributes, and the text of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] in ("script", "style") and data.strip():
            self.texts[self.found[-1][0]] = data


def policy_of(world: World) -> dict[str, str]:
    policy = world.get("/docs").headers["Content-Security-Policy"]
    return {name: value for name, _, value in (part.partition(" ") for part in policy.split("; "))}


def test_the_served_document_is_the_file(world: World) -> None:
    answer = world.get("/openapi.json")
    assert answer.content_type == "application/json"
    assert answer.get_json() == yaml.safe_load(FILE.read_text(encoding="utf-8"))


def test_the_page_names_no_other_host(world: World) -> None:
    page = world.get("/docs").text
    assert not re.search(r"(https?:)?//[a-z0-9.-]+\.[a-z]{2,}", page)
    for tag, attributes in Elements(page).found:
        for name in ("src", "href", "action", "srcset"):
            address = attributes.get(name) or "/"
            assert address.startswith(("/", "#", "data:")) and not address.startswith("//"), tag


def test_the_policy_forbids_loading_from_other_hosts(world: World) -> None:
    policy = policy_of(world)
    assert policy["default-src"] == "'none'"
    assert policy["connect-src"] == "'self'"
    texts = Elements(world.get("/docs").text).texts
    for element in ("script", "style"):
        digest = b64encode(sha256(texts[element].encode()).digest()).decode()
        assert policy[f"{element}-src"] == f"'sha256-{digest}'"


def test_the_page_complies_with_its_policy(world: World) -> None:
    elements = Elements(world.get("/docs").text)
    assert [tag for tag, _ in elements.found].count("script") == 1
    assert [tag for tag, _ in elements.found].count("style") == 1
    for tag, attributes in elements.found:
        assert not any(name == "style" or name.startswith("on") for name in attributes), tag
    for word in ("innerHTML", "eval(", "localStorage", "sessionStorage", "document.cookie"):
        assert word not in elements.texts["script"]
