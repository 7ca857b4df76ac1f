"""Puts the modules of the page side by side into one script of few bytes, in which what is its own has a short name."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise, product
from string import ascii_letters

from referee.api.bundle import Read, alone, exports, imports, in_order
from referee.api.tokens import MODIFIERS, RESERVED, Token, joined, tokens

OF_BROWSERS = frozenset(
    re.findall(
        r"\w+",
        """
        AbortController Array BigInt Blob Boolean CompressionStream DOMException DataView Date DecompressionStream Error
        FormData HTMLElement Infinity Intl JSON Map Math MessageChannel Number Object Promise SVGElement Set String Text
        TextDecoder TextDecoderStream TextEncoder URLSearchParams Uint8Array WeakMap
        addEventListener atob btoa clearInterval clearTimeout console crypto decodeURIComponent document
        encodeURIComponent fetch globalThis history localStorage location navigator parseInt performance queueMicrotask
        requestAnimationFrame scrollTo setInterval setTimeout undefined
        """,
    )
)
"""Names of the browser that the page uses: they stay as they are."""

KEPT = OF_BROWSERS | RESERVED | MODIFIERS | {"of"}
DECLARES = frozenset({"const", "let", "function", "class", "*"})
NEEDLESS = frozenset({(";", "}"), (",", ")"), (",", "}")})
"""Signs that say nothing before another one; our modules have no empty statements."""
_STYLE_SPACE = re.compile(r"\s*([{};,>]|:(?= ))\s*")


def one_script(start: str, read: Read, exported: Iterable[str] = ()) -> str:
    """A script that does what a module does, and exports what the modules named by `exported` do."""
    return shortened(
        side_by_side(start, read), {_of(name, each): each for name in exported for each in exports(read(name))}
    )


def side_by_side(start: str, read: Read) -> list[Token]:
    """All modules that a module needs, and itself at the end, with names that none of them shares by chance."""
    return [token for name in in_order(start, read) for token in _beside_others(name, read)]


def shortened(script: list[Token], exported: Mapping[str, str]) -> str:
    """A script with a name of one or two letters for each variable: the more often it is said, the shorter."""
    counts = Counter(token.text for token in script if token.kind in ("variable", "short field"))
    letters = chain(ascii_letters, map("".join, product(ascii_letters, ascii_letters)))
    free = (name for name in letters if name not in KEPT)
    short = dict(zip((name for name, _ in counts.most_common() if name not in KEPT), free, strict=False))
    again = ",".join(f"{short[name]} as {each}" for name, each in exported.items())
    return joined(_renamed(_needed(script), short)) + (f"export{{{again}}};" if again else "")


def _needed(script: list[Token]) -> Iterator[Token]:
    """The script without the signs that a closing bracket makes needless."""
    for token, after in zip(script, [*script[1:], Token(";", "sign")], strict=True):
        if (token.text, after.text) not in NEEDLESS:
            yield token


def thin_style(style: str) -> str:
    """A style sheet without the spaces that only people need."""
    return _STYLE_SPACE.sub(r"\1", style)


def _of(module: str, name: str) -> str:
    """A name that no other module has."""
    return f"{name}_of_{module}"


def _beside_others(name: str, read: Read) -> Iterator[Token]:
    """A module in which its outermost names, and those that it imports, say whose they are."""
    text = read(name)
    script = tokens(alone(name, text))
    whole = {each.local: each.module for each in imports(text) if each.name is None}
    names = {each: _of(name, each) for each in _outermost(script)}
    names |= {each.local: _of(each.module, each.name) for each in imports(text) if each.name is not None}
    return _renamed(_resolved(script, whole, read), names)


def _outermost(script: Iterable[Token]) -> Iterator[str]:
    """The names that a script declares outside of all brackets: `const a = 1, b = 2` declares two."""
    depth, before, is_list = 0, "", False
    for token in script:
        is_list = token.text in ("const", "let") or (is_list and (depth > 0 or token.text != ";"))
        if token.kind == "variable" and depth == 0 and (before in DECLARES or (before == "," and is_list)):
            yield token.text
        if token.kind in ("text", "sign"):
            depth += (token.text[-1] in "([{") - (token.text[0] in ")]}")
        before = token.text


def _resolved(script: list[Token], whole: Mapping[str, str], read: Read) -> Iterator[Token]:
    """The script with what it says of whole modules: `keep.read` is the function `read` of that module."""
    rest = pairwise(script)
    for token, after in rest:
        module = whole.get(token.text) if token.kind == "variable" else None
        if module is None:
            yield token
        elif after.text == ".":
            _, name = next(rest)
            next(rest)
            yield Token(_of(module, name.text), "variable")
        else:
            fields = ",".join(f"{each}:{_of(module, each)}" for each in exports(read(module)))
            yield from tokens(f"({{{fields}}})")
    yield from script[-1:]


def _renamed(script: Iterable[Token], names: Mapping[str, str]) -> Iterator[Token]:
    for token in script:
        name = names.get(token.text) if token.kind in ("variable", "short field") else None
        if name is None:
            yield token
            continue
        if token.kind == "short field":
            yield from (Token(token.text, "word"), Token(":", "sign"))
        yield Token(name, "variable")
