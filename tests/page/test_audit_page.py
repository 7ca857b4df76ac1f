"""`audit.html`: one file that needs no network, built from the modules of the page."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask

from referee.api import audit_page
from referee.api.bundle import bundle
from tests.page.modules import PAGE, run_node

PAGE_TEXT = audit_page.audit_page().text


def element(name: str) -> str:
    """The text of the last such element; the first script is data."""
    found: list[str] = re.findall(f"<{name}[^>]*>(.*?)</{name}>", PAGE_TEXT, re.S)
    return found[-1]


def test_the_policy_allows_the_script_and_the_style_of_the_file_and_no_connection() -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', PAGE_TEXT)
    allowed = dict(part.split(" ", 1) for part in policy.split("; "))
    for name in ("script", "style"):
        digest = b64encode(sha256(element(name).encode()).digest()).decode()
        assert allowed.pop(f"{name}-src") == f"'sha256-{digest}'"
    assert allowed == {
        "default-src": "'none'",
        "connect-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def test_the_file_refers_to_no_other_file() -> None:
    outside = PAGE_TEXT.replace(element("script"), "").replace(element("style"), "")
    assert not re.findall(r"\b(?:src|href|action)=", outside)
    assert not re.findall(r"url\(|@import", element("style"))
    assert not re.findall(r"^\s*(?:import|export)\b|\bimport\(\"?[a-z]+\b\)|\bfetch\(|XMLHttp", element("script"), re.M)


def test_every_module_of_the_audit_is_in_the_file(tmp_path: Path) -> None:
    names = re.findall(r"^const module_(\w+) = ", element("script"), re.M)
    assert names[-1] == "audit_file"
    assert {"dom", "fairness", "record", "prove", "witness", "luck", "audit_view"} < set(names)
    assert not {"net", "keep", "main", "audit"} & set(names)
    assert all((PAGE / f"{name}.js").is_file() for name in names[:-1])
    script = tmp_path / "script.mjs"
    script.write_text(element("script"), encoding="utf-8")
    run_node("--check", script)


@pytest.mark.parametrize("line", ['import x from "./dom.js";', "export default 3;", 'const x = "</script>";'])
def test_a_module_that_does_not_fit_into_one_script_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"start\.js cannot be put into one script"):
        bundle("start", lambda name: f"{line}\n")


def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match=r"one\.js imports itself, by way of other\.js"):
        bundle("one", lambda name: f'import {{ x }} from "./{"other" if name == "one" else "one"}.js";\n')


def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    modules = {
        "start": """import { one as first,
  two } from "./a.js";
import * as b from "./b.js";
console.log(first, two(), b.one);""",
        "a": """import { one as other } from "./b.js";
export const one = 1;
export function two() { return one + other; }""",
        "b": "const hidden = 3;\nexport const one = hidden;",
    }
    script = tmp_path / "script.mjs"
    script.write_text(bundle("start", lambda name: modules[name] + "\n"))
    assert run_node(script) == "1 4 3\n"


def test_the_file_is_served_with_its_policy_and_a_tag() -> None:
    app = Flask(__name__)
    with app.test_request_context("/audit.html"):
        response = audit_page.get_audit_page()
    assert response.get_data(as_text=True) == PAGE_TEXT
    assert response.headers["Content-Security-Policy"].endswith("trusted-types 'none'; frame-ancestors 'none'")
    with app.test_request_context("/audit.html", headers={"If-None-Match": response.headers["ETag"]}):
        assert audit_page.get_audit_page().status_code == 304
