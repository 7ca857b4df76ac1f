"""`/audit.html`: the audit of the page as one file, which works from a disk and without a network.

`python -m referee.api.audit_page > audit.html` writes it without a server.
"""

import json
import re
import sys
import tomllib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from flask import Response, request

from referee.api.bundle import bundle

START = "audit_file"
STYLES = "audit.css"
BODY = "body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #121212); }\n"


class AuditPage(NamedTuple):
    """The file, and the policy that allows its own script and style and nothing else."""

    text: str
    policy: str

    @property
    def hash(self) -> str:
        """The SHA-256 of the file."""
        return sha256(self.text.encode()).hexdigest()


@cache
def audit_page() -> AuditPage:
    """The page, built from the modules that the audit in the browser consists of."""
    script = "\n" + bundle(START, lambda name: _file(f"{name}.js" if name == START else f"page/{name}.js"))
    style = BODY + _file(f"page/{STYLES}")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
    parts = {"policy": policy, "style": style, "words": _words(), "script": script}
    return AuditPage(
        re.sub(r"\{(policy|style|words|script)\}", lambda mark: parts[mark[1]], _file("audit.html")), policy
    )


def _file(path: str) -> str:
    return (files("referee.web") / path).read_text(encoding="utf-8")


def _words() -> str:
    """The words of the audit, as data: browsers do not execute them."""
    words = tomllib.loads(_file("page/words/en.toml"))
    return json.dumps({"audit": words["audit"]}, ensure_ascii=False).replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def get_audit_page() -> Response:
    """The audit as one file, to be kept."""
    page = audit_page()
    response = Response(page.text, content_type="text/html; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = f"{page.policy}; frame-ancestors 'none'"
    response.set_etag(page.hash[:16])
    response.make_conditional(request)
    return response


if __name__ == "__main__":
    sys.stdout.write(audit_page().text)
