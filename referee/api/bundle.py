"""Puts modules of JavaScript into one script that people can read: from a disk, browsers load no modules."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "(?:\./)?(?:page/)?(\w+)(?:\.js)?";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*|</script|<!--", re.MULTILINE | re.IGNORECASE)

Read = Callable[[str], str]
"""Returns the text of a module by its name."""


class Import(NamedTuple):
    """What a module calls something that another one exports; without a name, it is all of it."""

    local: str
    module: str
    name: str | None


def bundle(start: str, read: Read) -> str:
    """A script that does what a module does.

    Each module becomes a function that returns what the module exports, after those that it imports.
    """
    return "\n".join(_as_function(name, read(name)) for name in in_order(start, read))


def in_order(name: str, read: Read, within: tuple[str, ...] = ()) -> list[str]:
    """The modules that a module needs, each after those that it needs itself; the module is the last."""
    if name in within:
        raise ValueError(f"{name}.js imports itself, by way of {within[-1]}.js.")
    imported = [found[2] for found in _IMPORT.findall(read(name))]
    needed = [each for other in imported for each in in_order(other, read, (*within, name))]
    return list(dict.fromkeys((*needed, name)))


def imports(text: str) -> Iterator[Import]:
    """What a module imports."""
    for names, whole, module in _IMPORT.findall(text):
        if whole:
            yield Import(whole, module, None)
        for name in filter(None, map(str.strip, names.split(","))):
            yield Import(name.split(" as ")[-1], module, name.split(" as ")[0])


def exports(text: str) -> list[str]:
    """The names that a module exports."""
    return [found[1] for found in _EXPORT.findall(text)]


def alone(name: str, text: str, imported: Callable[[re.Match[str]], str] = lambda _found: "") -> str:
    """What a module does, without the words that import and export."""
    text = _EXPORT.sub(r"\1", _IMPORT.sub(imported, text))
    if left_over := _LEFT_OVER.search(text):
        raise ValueError(f"{name}.js cannot be put into one script: {left_over[0]}")
    return text


def _as_function(name: str, text: str) -> str:
    exported = ", ".join(exports(text))
    return f"const module_{name} = (() => {{\n{alone(name, text, _as_constants)}\nreturn {{ {exported} }};\n}})();\n"


def _as_constants(found: re.Match[str]) -> str:
    names, whole, module = found.groups()
    taken = whole or f"{{{names.replace(' as ', ': ')}}}"
    return f"const {taken} = module_{module};\n"
