"""Compares the output that a document shows with the real output. `…` stands for anything that is left out."""

import json
import re
from typing import Any

ELLIPSIS = "…"

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<value>:\s*)…|(?P<member>…)(?=\s*\})|(?P<item>…)')


def read_shown(text: str) -> Any:
    """Read JSON in which `…` stands for a value, for more items of a list or for more members of an object."""

    def spelled(found: re.Match[str]) -> str:
        if found["value"]:
            return f'{found["value"]}"…"'
        if found["member"]:
            return '"…": "…"'
        return '"…"' if found["item"] else found[0]

    return json.loads(_TOKEN.sub(spelled, text))


def misfit(shown: Any, real: Any, at: str = "$") -> str | None:
    """Return the first place where the real value differs from the shown one; None if it fits."""
    if shown == ELLIPSIS:
        return None
    if isinstance(shown, str) and isinstance(real, str):
        return None if fits_text(shown, real) else f"{at}: shown {shown!r}, real {real!r}"
    if isinstance(shown, dict) and isinstance(real, dict):
        return _misfit_of_members(shown, real, at)
    if isinstance(shown, list) and isinstance(real, list):
        return _misfit_of_items(shown, real, at)
    return None if type(shown) is type(real) and shown == real else f"{at}: shown {shown!r}, real {real!r}"


def _misfit_of_members(shown: dict[str, Any], real: dict[str, Any], at: str) -> str | None:
    named = [name for name in shown if name != ELLIPSIS]
    unshown = [name for name in real if name not in shown]
    if unshown and ELLIPSIS not in shown:
        return f"{at}: not shown: {', '.join(unshown)}"
    for name in named:
        if name not in real:
            return f"{at}: there is no {name!r}"
        if found := misfit(shown[name], real[name], f"{at}.{name}"):
            return found
    return None


def _misfit_of_items(shown: list[Any], real: list[Any], at: str) -> str | None:
    if ELLIPSIS not in shown:
        if len(shown) != len(real):
            return f"{at}: shown {len(shown)} items, real {len(real)}"
        found = (misfit(each, own, f"{at}[{n}]") for n, (each, own) in enumerate(zip(shown, real, strict=True)))
        return next((fault for fault in found if fault), None)
    before, after = shown[: shown.index(ELLIPSIS)], shown[shown.index(ELLIPSIS) + 1 :]
    if len(real) < len(before) or (fault := _misfit_of_items(before, real[: len(before)], at)):
        return fault if len(real) >= len(before) else f"{at}: shown {len(before)} items and more, real {len(real)}"
    rests = [real[start:] for start in range(len(before), len(real) + 1)]
    if any(_misfit_of_items(after, rest, at) is None for rest in rests):
        return None
    return f"{at}: nothing fits what is shown after the gap"


def fits_text(shown: str, real: str) -> bool:
    """Whether the real text fits the shown one."""
    pattern = ".*".join(re.escape(part) for part in shown.split(ELLIPSIS))
    return re.fullmatch(pattern, real, re.S) is not None


def misfit_of_http(shown: str, real: str) -> str | None:
    """Return the first shown header that was not sent, or the first place where the bodies differ; None if all fits."""
    head, _, body = shown.partition("\n\n")
    real_head, _, real_body = real.replace("\r\n", "\n").partition("\n\n")
    lines = real_head.splitlines()
    for line in head.strip().splitlines():
        if not any(fits_text(line, each) for each in lines):
            return f"not sent: {line}\n{real_head}"
    return misfit(read_shown(body), json.loads(real_body)) if body.strip() else None


def misfit_of_output(language: str, shown: str, real: str) -> str | None:
    """Return where the output of a command differs from what the document shows; None if it fits."""
    if language == "json":
        return misfit(read_shown(shown), json.loads(real))
    if language == "http":
        return misfit_of_http(shown, real)
    return None if fits_text(shown.strip(), real.strip()) else f"shown:\n{shown}\nreal:\n{real}"
