"""Descriptions of fields and of sets of words: the strings that stand below them in the source."""

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

Texts = dict[str, str]


def field_texts(kinds: Iterable[type[msgspec.Struct]]) -> dict[str, Texts]:
    """For each struct and all structs within it: the texts of its fields, by the names that these have in JSON."""
    found: dict[str, type[msgspec.Struct]] = {}
    _find_structs(msgspec.inspect.multi_type_info(kinds), found)
    return {name: _texts_of(kind) for name, kind in found.items()}


def _find_structs(part: Any, found: dict[str, type[msgspec.Struct]]) -> None:
    """Note every struct within a type as msgspec describes it."""
    if isinstance(part, tuple):
        for each in part:
            _find_structs(each, found)
    elif isinstance(part, (msgspec.inspect.Type, msgspec.inspect.Field)):
        if isinstance(part, msgspec.inspect.StructType):
            if part.cls.__name__ in found:
                return
            found[part.cls.__name__] = part.cls
        for name in part.__struct_fields__:
            _find_structs(getattr(part, name), found)


def _texts_of(kind: type[msgspec.Struct]) -> Texts:
    texts: Texts = {}
    for part in reversed(kind.__mro__):
        if issubclass(part, msgspec.Struct) and part is not msgspec.Struct:
            texts |= _texts_in(part.__module__).get(part.__qualname__, {})
    return {each.encode_name: texts[each.name] for each in msgspec.structs.fields(kind) if each.name in texts}


@cache
def _texts_in(module: str) -> dict[str, Texts]:
    """For each class of a module the texts of its fields."""
    return {node.name: dict(_below(node.body)) for node in _body(module) if isinstance(node, ast.ClassDef)}


def alias_texts(module: str) -> Texts:
    """The texts of the names that a module assigns to."""
    return dict(_below(_body(module)))


@cache
def _body(module: str) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(sys.modules[module])).body


def _below(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Each name that is declared or assigned to, with the string below."""
    for pair in pairwise(body):
        match pair:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())
