"""Reads a script of ours into its tokens, and distinguishes variables from the names of fields.

It knows as much of JavaScript as the page is written in: statements end with semicolons, and there are no labels.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "variable", "short field", "text", "sign"]
"""A short field is a variable that names a field as well: `{ seat }` says `{ seat: seat }`."""
KINDS: dict[str, Kind] = {"word": "word", "text": "text", "sign": "sign"}
Within = Literal["block", "object", "class", "brackets", "text"]

_TOKEN = re.compile(
    r"""(?P<space> \s+ | //[^\n]* | /\*.*?\*/ )
    | (?P<word> [\#\w$]+ (?:(?<=\d)\.\d+)? )
    | (?P<text> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
    | (?P<sign> => | \.\.\. | \?\. | [-+*%&|^!=<>?]+= | /= | \+\+ | -- | && | \|\| | \?\? | . )""",
    re.VERBOSE | re.DOTALL,
)
_PIECE = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
_PATTERN = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")

_words = re.compile(r"\S+").findall
BEFORE_A_VALUE = frozenset(_words("await case delete do else in instanceof new of return throw typeof void yield"))
RESERVED = (BEFORE_A_VALUE - {"of"}) | frozenset(
    _words(
        "break catch class const continue default export extends false finally for function if import let null super"
        " switch this true try while"
    )
)
MODIFIERS = frozenset({"async", "get", "set", "static"})
BEFORE_A_BLOCK = frozenset(_words("; ) { } => else try finally do catch"))


@dataclass(frozen=True)
class Token:
    """A token, and what it is."""

    text: str
    kind: Kind


def tokens(script: str) -> list[Token]:
    """The tokens of a script, without spaces and comments."""
    return list(_with_roles(_pieces(script)))


def joined(script: Iterable[Token]) -> str:
    """A script of these tokens, with spaces only where two of them would become one."""
    parts: list[str] = []
    for token in script:
        before = parts[-1] if parts else ""
        words = _is_wordy(token.text[0]) and _is_wordy(before[-1:])
        parts.append(f" {token.text}" if words or before[-1:] + token.text[0] in ("++", "--") else token.text)
    return "".join(parts)


def _is_wordy(sign: str) -> bool:
    return sign.isalnum() or (sign != "" and sign in "_$#")


def _pieces(script: str) -> list[Token]:
    """Tokens without roles. A text with values in it comes in pieces, such as `a ${` and `} b`."""
    found = [Token(";", "sign")]
    values: list[bool] = []
    at = 0
    while at < len(script):
        if script[at] == "`" or (script[at] == "}" and values[-1]):
            match, kind = _PIECE.match(script, at), "text"
        elif script[at] == "/" and _is_before_a_value(found[-1]) and _PATTERN.match(script, at):
            match, kind = _PATTERN.match(script, at), "text"
        else:
            match = _TOKEN.match(script, at)
            kind = str(match and match.lastgroup)
        assert match is not None, f"no token: {script[at : at + 80]}"
        at = match.end()
        if kind != "space":
            found.append(Token(match[0], KINDS[kind]))
            if match[0][0] == "}":
                values.pop()
            if match[0][-1] == "{":
                values.append(kind == "text")
    return found[1:]


def _is_before_a_value(token: Token) -> bool:
    if token.kind == "word":
        return token.text in BEFORE_A_VALUE
    return token.kind == "sign" and token.text not in (")", "]", "}")


def _with_roles(found: list[Token]) -> Iterator[Token]:
    within: list[Within] = ["block"]
    is_class = False
    ends = Token(";", "sign")
    for before, token, after in zip([ends, *found], found, [*found[1:], ends], strict=False):
        if token.text[0] in ")]}" and token.kind != "word":
            within.pop()
        is_class = is_class or (token.text == "class" and after.kind == "word")
        yield Token(token.text, _role(before, token, after, within[-1])) if token.kind == "word" else token
        if token.kind == "sign" and token.text in "([":
            within.append("brackets")
        elif token.kind == "text" and token.text.endswith("${"):
            within.append("text")
        elif token.text == "{":
            within.append("class" if is_class else "block" if before.text in BEFORE_A_BLOCK else "object")
            is_class = False


def _role(before: Token, token: Token, after: Token, within: Within) -> Kind:
    """What a word is, by what stands around it."""
    if token.text in RESERVED or not _NAME.fullmatch(token.text) or before.text in (".", "?."):
        return "word"
    if token.text in MODIFIERS and (after.kind == "word" or (token.text == "async" and after.text == "(")):
        return "word"
    if token.text == "of" and (before.kind == "word" or before.text in ("]", "}")):
        return "word"
    is_first = before.text in ("{", ",", *MODIFIERS)
    if within == "object" and is_first:
        return "short field" if after.text in (",", "}", "=") else "word"
    if within == "class" and (is_first or before.text in (";", "}")):
        return "word"
    return "variable"
