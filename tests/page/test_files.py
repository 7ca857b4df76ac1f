"""What the service hands to a browser: one shell, immutable files, a strict policy, few bytes."""

import gzip
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import redis
import requests

from referee.api.pages import ADDRESSES, LANGUAGES, release
from tests.generators import tools
from tests.page import types
from tests.service import Service

JS_AND_CSS_MAX = 50 * 1024
BOARD_MAX = 16 * 1024
HERE = Path(__file__).parent
WORDS = HERE.parent.parent / "referee/web/page/words"


def get(service: Service, path: str, **headers: str) -> requests.Response:
    """An answer; the path is sent as it is, dots included."""
    request = requests.Request("GET", service.url, headers=headers).prepare()
    request.url = service.url + path
    return requests.Session().send(request, timeout=10)


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_of_the_page_answers_with_the_shell(service: Service, address: str) -> None:
    path = re.sub(r"<\w+>", "g_0123456789abcdef01234567", address)
    answer = get(service, path)
    assert answer.status_code == 200
    assert answer.content == release().shells["en"]
    assert answer.headers["Cache-Control"] == "no-cache"
    assert get(service, path, **{"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_the_policy_allows_own_scripts_only_and_no_html_from_text(service: Service) -> None:
    headers = get(service, "/").headers
    policy = headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'"} <= set(policy)
    assert {"form-action 'none'", "frame-ancestors 'none'"} <= set(policy)
    assert {"require-trusted-types-for 'script'", "trusted-types 'none'"} <= set(policy)
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert not re.search(r"(https?:)?//[a-z0-9.-]+\.[a-z]{2,}", get(service, "/").text.replace("//www.w3.org", ""))


def test_files_are_immutable_and_compressed_under_their_hash(service: Service) -> None:
    for name, file in release().files.items():
        answer = get(service, f"/page/{release().name}/{name}", **{"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.content == gzip.decompress(file)
        assert "immutable" in answer.headers["Cache-Control"]
        plain = get(service, f"/page/{release().name}/{name}", **{"Accept-Encoding": "identity"})
        assert plain.content == answer.content


@pytest.mark.parametrize(
    "path",
    [
        "../pages.py",
        "..%2fpages.py",
        "%2e%2e/%2e%2e/docs.html",
        "index.html",
        "words/en.toml",
        "main.py",
    ],
)
def test_no_path_leads_out_of_the_page(service: Service, path: str) -> None:
    assert get(service, f"/page/{release().name}/{path}").status_code == 404


def test_files_of_the_previous_release_stay_available(service: Service) -> None:
    assert get(service, "/page/0123456789abcdef/main.js").status_code == 404
    with redis.Redis.from_url(service.queue_url) as store:
        store.hset("page:0123456789abcdef", "main.js", gzip.compress(b"before"))
    assert get(service, "/page/0123456789abcdef/main.js").content == b"before"
    get(service, "/")
    with redis.Redis.from_url(service.queue_url) as store:
        assert store.hkeys(f"page:{release().name}")


def test_all_scripts_and_styles_weigh_at_most_50_kib() -> None:
    weights = {name: len(file) for name, file in release().files.items() if not name.startswith(("words/", "boards/"))}
    print(f"weight of the page: {sum(weights.values()) / 1024:.1f} KiB gzip")
    assert sum(weights.values()) <= JS_AND_CSS_MAX, weights


def test_a_board_weighs_at_most_16_kib_and_so_does_what_all_boards_share() -> None:
    files = {name: len(file) for name, file in release().files.items() if name.startswith("boards/")}
    boards = {name: weight for name, weight in files.items() if name.endswith("/board.js")}
    print(f"weights of the boards: {files}")
    assert boards and max(boards.values()) <= BOARD_MAX
    assert sum(files.values()) - sum(boards.values()) <= BOARD_MAX


def test_the_types_of_every_module_are_right() -> None:
    tools.run_node("client", "tsc", "--project", HERE / "tsconfig.json")


def test_the_types_are_those_of_the_document() -> None:
    assert types.FILE.read_text(encoding="utf-8") == types.written(), "`make types` writes them again"


def test_every_word_that_the_page_says_is_there() -> None:
    table = words_in("en")
    for file in (HERE.parent.parent / "referee/web/page").glob("*.js"):
        for name in re.findall(r'\bsay\(\s*"([\w.]+)"', file.read_text(encoding="utf-8")):
            at: object = table
            for step in name.split("."):
                assert isinstance(at, dict) and step in at, f"{file.name} says {name}"
                at = at[step]


def words_in(language: str) -> dict[str, Any]:
    return tomllib.loads((WORDS / f"{language}.toml").read_text(encoding="utf-8"))


def leaves(table: dict[str, Any], within: str = "") -> dict[str, str]:
    """Every text of a table, by its path; names of ids stand apart, because English needs none."""
    found = {}
    for name, value in table.items():
        if within + name != "names":
            found |= leaves(value, f"{within}{name}.") if isinstance(value, dict) else {within + name: value}
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_of_the_page_has_the_same_words_with_the_same_fields(language: str) -> None:
    english, words = leaves(words_in("en")), leaves(words_in(language))
    assert set(words) == set(english)
    for name, text in words.items():
        fields = set(re.findall(r"\{\w+\}", text))
        assert text and fields | {"{count}"} == set(re.findall(r"\{\w+\}", english[name])) | {"{count}"}, name
    assert {file.stem for file in WORDS.glob("*.toml")} == set(LANGUAGES)


def test_the_shell_speaks_the_language_of_the_browser_and_has_a_tag_for_each(service: Service) -> None:
    answers = {language: get(service, "/", **{"Accept-Language": f"{language}-CH, es;q=0.5"}) for language in LANGUAGES}
    for language, answer in answers.items():
        assert f'<html lang="{language}"' in answer.text and f"/words/{language}.json" in answer.text
        assert answer.headers["Content-Language"] == language
        assert {"Accept-Encoding", "Accept-Language"} <= set(answer.headers["Vary"].split(", "))
    assert len({answer.headers["ETag"] for answer in answers.values()}) == len(LANGUAGES)
    french = answers["fr"].headers["ETag"]
    assert get(service, "/", **{"Accept-Language": "fr", "If-None-Match": french}).status_code == 304
    assert get(service, "/", **{"Accept-Language": "de", "If-None-Match": french}).status_code == 200
    assert get(service, "/", **{"Accept-Language": "es, *;q=0.1"}).content == release().shells["en"]
