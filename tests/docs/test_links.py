"""Every link from one document to another has a target."""

import re
from pathlib import Path

import pytest

from tests.docs.documents import DOCUMENTS, read
from tests.subjects import ROOT

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.M | re.S)

PARAMETERS = [pytest.param(each, id=each.name) for each in DOCUMENTS]


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings."""
    headings = re.findall(r"^#+ (.*)$", _FENCED.sub("", read(document)), re.M)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def links(document: Path) -> list[str]:
    """The links of a document to files of the project."""
    found = _LINK.findall(_FENCED.sub("", read(document)))
    return [link for link in found if not link.startswith(("http://", "https://"))]


@pytest.mark.parametrize("document", PARAMETERS)
def test_links_have_targets(document: Path) -> None:
    for link in links(document):
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), f"{link}: there is no such file"
        assert target.is_relative_to(ROOT), f"{link} is outside the project"
        if anchor:
            assert anchor in anchors(target), f"{link}: there is no such heading"


def test_the_readme_links_to_every_document() -> None:
    readme = links(ROOT / "README.md")
    assert {f"docs/{each.name}" for each in (ROOT / "docs").glob("*.md")} <= set(readme)


@pytest.mark.parametrize("document", PARAMETERS)
def test_paths_and_make_targets_exist(document: Path) -> None:
    text = read(document)
    for path in re.findall(r"`((?:bench|docs|referee|schemas|tests|workers)/[\w./-]*(?:/|\.[a-z]+))`", text):
        assert (ROOT / path).exists(), f"there is no {path}"
    targets = re.findall(r"^([a-z-]+):", read(ROOT / "Makefile"), re.M)
    assert set(re.findall(r"(?:`|\$ )make ([a-z-]+)", text)) <= set(targets)
