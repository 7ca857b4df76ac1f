"""The guides: every document and every rulebook as a page without scripts, and the calls at `/docs`."""

import re

import pytest
from playwright.sync_api import expect

from referee.api.guides import DOCUMENTS, guides, page_of, rendered
from referee.rulesets import RULESETS
from tests.page.conftest import Windows
from tests.page.test_files import get
from tests.service import Service


def test_every_document_and_every_rulebook_is_a_guide_that_the_lobby_leads_to(
    window: Windows, service: Service
) -> None:
    page = window()
    page.goto("/")
    page.get_by_role("link", name="Guides").click()
    listed = {link.get_attribute("href") for link in page.locator("article h2 a").all()}
    wanted = {file.stem for file in DOCUMENTS.glob("*.md")} | {slug for slug, _ in RULESETS}
    assert listed == {f"/guides/{name}" for name in wanted}
    page.locator("article h2 a").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("name", guides())
def test_a_guide_runs_nothing_and_its_links_lead_somewhere(service: Service, name: str) -> None:
    answer = get(service, f"/guides/{name}")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert get(service, f"/guides/{name}", **{"If-None-Match": answer.headers["ETag"]}).status_code == 304
    for href in re.findall(r'<a href="(/guides/[^"]*|#[^"]*)"', answer.text):
        other, _, fragment = href.removeprefix("/guides/").partition("#")
        assert not other or other in guides()
        target = page_of(other or name).decode()
        assert not fragment or f'id="{fragment}"' in target, href


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <img src=x onerror=alert(1)> b", "&lt;img"),
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("[x](javascript:alert(1))", "[x](javascript"),
        ("[x](data:text/html,hi)", "[x](data:"),
        ("![x](https://example.org/spy.png)", 'src="data:,"'),
        ("[x](../../etc/passwd)", "<a>x</a>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
    ],
)
def test_html_in_a_guide_is_text_and_no_link_runs_anything(text: str, shown: str) -> None:
    html = rendered(text)
    assert shown in html
    assert not re.search(r"<(script|img src=x)|javascript:[^)]*\"|src=\"http", html)


@pytest.mark.parametrize("name", ["../README", "%2e%2e%2fREADME", "nothing", "clients.md"])
def test_no_name_leads_out_of_the_guides(service: Service, name: str) -> None:
    assert get(service, f"/guides/{name}").status_code == 404


def test_the_list_at_docs_has_names_and_a_search_finds_calls_by_words(window: Windows) -> None:
    page = window()
    page.goto("/docs")
    entries = page.locator("nav li a")
    expect(entries.first).to_have_text("List the rulesets that can be played")
    every = entries.count()
    assert not [text for text in entries.all_inner_texts() if "/" in text]
    page.get_by_label("Search the calls").fill("judge position")
    expect(page.locator("details.call:visible")).not_to_have_count(every)
    expect(page.locator("#judge")).to_be_visible()
    expect(page.locator("#create_player")).to_be_hidden()
    page.get_by_label("Search the calls").fill("<img src=x>")
    expect(page.get_by_text("No call has these words.")).to_be_visible()
    page.get_by_label("Search the calls").fill("")
    expect(page.locator("#create_player")).to_be_visible()
    page.locator("nav a", has_text="Read who you are").click()
    expect(page.locator("#get_me")).to_have_attribute("open", "")


def test_the_tour_shows_a_picture_of_every_board_that_is_part_of_its_page() -> None:
    html = rendered((DOCUMENTS / "tour.md").read_text(encoding="utf-8"))
    assert html.count("data:image/png;base64,") == len(list(DOCUMENTS.glob("tour/*.png"))) == 5


@pytest.mark.parametrize("path", ["../README.md", "../referee/web/x.png", "/etc/x.png", "tour/none.png", "tour.md"])
def test_no_other_file_becomes_part_of_a_guide(path: str) -> None:
    assert 'src="data:,"' in rendered(f"![a picture]({path})")
