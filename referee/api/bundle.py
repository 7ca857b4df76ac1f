"""Puts modules of JavaScript into one script: from a disk, browsers load no modules."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from string import ascii_letters

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "(?:\./)?(?:page/)?(\w+)(?:\.js)?";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*|</script|<!--", re.MULTILINE | re.IGNORECASE)

_LITERAL = r"""
    "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `[^`]*`
    | (?:(?<=[(,=:\[!&|?{};\n]) | (?<=[(,=:\[!&|?{};]\ ))
      / (?!\*) (?:\\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[])+ /[a-z]*
"""
_SPACE = re.compile(rf"({_LITERAL}) | \ ?([!{{}}()\[\];,=<>?:&|]+)\ ?", re.VERBOSE)
_STYLE_SPACE = re.compile(r"\s*([{};,>]|:(?= ))\s*")
_NEEDLESS_BREAK = re.compile(r"(?<=[;{,(\[])\n|\n(?=[}\])])")
_NESTED = re.compile(r"`[^`]*\$\{[^}`]*`")

_WORD = re.compile(r"\w+")
_OWN = re.compile(r"\b(?:const|let|function\*?|class) (\w+)")
_FIELD = re.compile(r"(?:(?<=\.)|(?<=[{,]))\w+(?=[,}=])|(?<=\.)\w+|\w+(?=:)")
SHORT = 2
RESERVED = {"as", "do", "if", "in", "is", "of"}

Read = Callable[[str], str]


def bundle(start: str, read: Read, exported: Iterable[str] = ()) -> str:
    """A script that does what a module does; `read` returns the text of a module by its name.

    Each module becomes a function that returns what the module exports, after those that it imports. The script
    itself exports what the modules named by `exported` do.
    """
    functions = [_as_function(name, read(name)) for name in _in_order(start, read, ())]
    again = [f"export const {{ {_names_exported(read(name))} }} = module_{name};\n" for name in exported]
    return "\n".join([*functions, *again])


def thin(script: str) -> str:
    """A script without the spaces that only people need; lines with a text inside a text stay as they are."""
    lines = [line.strip() for line in script.splitlines()]
    thinned = [line if _NESTED.search(line) else _SPACE.sub(_kept, line) for line in lines if line]
    return _NEEDLESS_BREAK.sub("", "\n".join(thinned))


def _kept(found: re.Match[str]) -> str:
    return str(found[1] or found[2])


def shorten(script: str) -> str:
    """A thin script with short names for what is its own and nothing else: no field, no word in a text."""
    texts = " ".join(found[1] for found in _SPACE.finditer(script) if found[1])
    code = _SPACE.sub(lambda found: found[2] or '""', script)
    others = {*_FIELD.findall(code), *_WORD.findall(texts)}
    counts = Counter(_WORD.findall(script))
    own = [name for name in dict.fromkeys(_OWN.findall(code)) if name not in others and len(name) > SHORT]
    free = (name for pair in product(ascii_letters, ascii_letters) if (name := "".join(pair)) not in counts)
    short = dict(
        zip(sorted(own, key=lambda name: -counts[name]), (each for each in free if each not in RESERVED), strict=False)
    )
    return _WORD.sub(lambda found: short.get(found[0], found[0]), script)


def thin_style(style: str) -> str:
    """A style sheet without the spaces that only people need."""
    return _STYLE_SPACE.sub(r"\1", style)


def _in_order(name: str, read: Read, within: tuple[str, ...]) -> list[str]:
    """A module after all those that it needs."""
    if name in within:
        raise ValueError(f"{name}.js imports itself, by way of {within[-1]}.js.")
    imported = [found[2] for found in _IMPORT.findall(read(name))]
    needed = [each for other in imported for each in _in_order(other, read, (*within, name))]
    return list(dict.fromkeys((*needed, name)))


def _as_function(name: str, text: str) -> str:
    exported = _names_exported(text)
    text = _EXPORT.sub(r"\1", _IMPORT.sub(_as_constants, text))
    if left_over := _LEFT_OVER.search(text):
        raise ValueError(f"{name}.js cannot be put into one script: {left_over[0]}")
    return f"const module_{name} = (() => {{\n{text}\nreturn {{ {exported} }};\n}})();\n"


def _names_exported(text: str) -> str:
    return ", ".join(found[1] for found in _EXPORT.findall(text))


def _as_constants(found: re.Match[str]) -> str:
    names, whole, module = found.groups()
    taken = whole or f"{{{names.replace(' as ', ': ')}}}"
    return f"const {taken} = module_{module};\n"
