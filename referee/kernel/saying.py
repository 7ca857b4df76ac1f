"""Compiles templates: for each hole a function that says the field, chosen once by the type of the field."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from referee.kernel.grammar import Grammar
from referee.kernel.message import type_of
from referee.kernel.seat import Seat
from referee.kernel.templates import ABSENT, BRANCHING, WAYS, Hole, Template

Names = Sequence[str]
"""What the seats are called, by seat."""

Say = Callable[[Any, Names], str]
"""Says a value, or a message."""

ITEMS_MAX = 8
"""The most items of a list that the fallback names."""

_ID = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")


def as_words(id: str) -> str:
    """An id as words: `cold_storage` is `cold storage`; what is no id stays as it is."""
    return id.replace("_", " ").replace("-", " ") if _ID.fullmatch(id) else id


Thing = str | tuple[str, ...] | Mapping[str, str]
"""The word for a thing: its one form, or its forms by place (`FORMS`) or by name."""

ONE, OTHER, ARTICLE = FORMS = ("one", "other", "a")
"""One of a thing, several, and one with its article: in the case of what somebody takes or gives."""


def forms_of(thing: Thing) -> dict[str, str]:
    """The forms of a thing by their names; `one` is always there."""
    if isinstance(thing, Mapping):
        return dict(thing)
    return dict(zip(FORMS, (thing,) if isinstance(thing, str) else thing, strict=False))


class Sayer:
    """Says values of any type with the words of one language."""

    def __init__(self, things: Mapping[str, Thing], parts: Mapping[str, Template], grammar: Grammar) -> None:
        self._forms = {id: forms_of(each) for id, each in things.items()}
        self._parts = parts
        self.grammar = grammar

    def has_form(self, form: str) -> bool:
        """Whether any thing has a form of this name."""
        return form == ARTICLE or any(form in forms for forms in self._forms.values())

    def thing(self, id: str, form: str = ONE) -> str:
        """One thing in one of its forms; without an article if it has no such form."""
        forms = self._forms.get(id)
        return as_words(id) if forms is None else forms.get(form, forms[ONE])

    def counted(self, number: int, id: str) -> str:
        """A number of things: `2 crabs`."""
        forms = self._forms.get(id)
        if forms is None:
            return f"{number} × {as_words(id)}"
        if number == 1 and self.grammar.one_has_article and ARTICLE in forms:
            return forms[ARTICLE]
        return f"{number} {forms[ONE] if self.grammar.is_singular(number) else forms.get(OTHER, forms[ONE])}"

    def listed(self, ids: Sequence[str]) -> str:
        """A list in which equal things are counted: `2 crabs and a tuna`."""
        return self.grammar.listed([self._several(number, id) for id, number in Counter(ids).items()])

    def _several(self, number: int, id: str) -> str:
        forms = self._forms.get(id, {})
        if number > 1 or (OTHER in forms and ARTICLE not in forms):
            return self.counted(number, id)
        return self.thing(id, ARTICLE)

    def of_type(self, hint: Any) -> Say:
        """What says a value of this type; raises ValueError if there is no one way to say it."""
        hint = _plain(hint)
        if hint is Seat:
            return lambda seat, names: names[seat]
        if hint is int:
            return lambda number, names: str(number)
        if hint is str:
            return lambda text, names: text
        if isinstance(hint, NewType) or get_origin(hint) is Literal:
            return lambda id, names: self.thing(id)
        if get_origin(hint) is tuple:
            return self._of_list(_plain(get_args(hint)[0]))
        if get_origin(hint) is dict:
            return lambda bag, names: self.grammar.listed(
                [self.counted(number, id) for id, number in bag.items() if number]
            )
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct) and type_of(hint.__name__) in self._parts:
            return compile_template(hint, self._parts[type_of(hint.__name__)], self)
        raise ValueError(f"a value of the type {hint} cannot be said like this")

    def _bag(self, numbers: Mapping[str, int]) -> str:
        return self.grammar.listed([self.counted(number, id) for id, number in numbers.items() if number])

    def _of_list(self, item: Any) -> Say:
        if item is str or (isinstance(item, NewType) and item is not Seat) or get_origin(item) is Literal:
            return lambda ids, names: self.listed([id for id in ids if id is not None])
        say = self.of_type(item)
        return lambda items, names: self.grammar.listed([say(each, names) for each in items if each is not None])

    def by_seat(self, values: Any, names: Names) -> str:
        """A list by seat, or an object whose keys are seats: `Ada 3 and Bob 5`."""
        pairs = values.items() if isinstance(values, dict) else enumerate(values)
        return self.grammar.listed(
            [f"{names[int(seat)]} {self._brief(each)}" for seat, each in pairs if each is not None]
        )

    def _brief(self, value: Any) -> str:
        return self.thing(value) if isinstance(value, str) else str(value)


def _plain(hint: Any) -> Any:
    """A type without its annotations, and without what stands for an absent value."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        present = [each for each in get_args(hint) if each not in (UnsetType, type(None))]
        return _plain(present[0]) if len(present) == 1 else Union[tuple(present)]
    return hint


def is_absent(value: Any) -> bool:
    """Whether a field says nothing: it is null, empty, or hidden from the reader."""
    if isinstance(value, tuple):
        return all(each is None for each in value)
    return value is None or value is UNSET or value in ("", {})


def compile_template(kind: type[msgspec.Struct], template: Template, sayer: Sayer, is_sentence: bool = False) -> Say:
    """What says messages of a kind by a template; raises ValueError if the template does not fit the kind."""
    hints = get_type_hints(kind, include_extras=True)
    names = {each.encode_name: each.name for each in msgspec.structs.fields(kind)}
    fields = {name: (attribute, _plain(hints[attribute])) for name, attribute in names.items()}
    try:
        say = _compile(template, fields, sayer)
    except ValueError as error:
        raise ValueError(f"{type_of(kind.__name__)}: {error}") from None
    begins_with_a_name = isinstance(first := template[0], Hole) and fields[first.name][1] is Seat
    return say if begins_with_a_name or not is_sentence else _capitalized(say)


def _capitalized(say: Say) -> Say:
    def capital(message: Any, names: Names) -> str:
        text = say(message, names)
        return text[:1].upper() + text[1:]

    return capital


Fields = Mapping[str, tuple[str, Any]]
"""By the name in JSON: the attribute of a field, and its type."""


def _compile(template: Template, fields: Fields, sayer: Sayer) -> Say:
    says = [_constant(part) if isinstance(part, str) else _compile_hole(part, fields, sayer) for part in template]
    return lambda message, names: sayer.grammar.joined([say(message, names) for say in says])


def _constant(text: str) -> Say:
    return lambda message, names: text


def _compile_hole(hole: Hole, fields: Fields, sayer: Sayer) -> Say:
    if hole.name not in fields:
        raise ValueError(f"there is no field `{hole.name}`")
    attribute, hint = fields[hole.name]
    if hole.way in BRANCHING:
        return _compile_cases(
            hole, attribute, {name: _compile(each, fields, sayer) for name, each in hole.cases.items()}, sayer.grammar
        )
    say = _way_of(hole, hint, fields, sayer)
    otherwise = None if hole.otherwise is None else _compile(hole.otherwise, fields, sayer)

    def fill(message: Any, names: Names) -> str:
        value = getattr(message, attribute)
        if otherwise is not None and is_absent(value):
            return otherwise(message, names)
        return say(message, names)

    return fill


def _way_of(hole: Hole, hint: Any, fields: Fields, sayer: Sayer) -> Say:
    """How a present field is said."""
    attribute = fields[hole.name][0]
    if hole.way == "by_seat":
        return lambda message, names: sayer.by_seat(getattr(message, attribute), names)
    if hole.way == "last":
        say_item = sayer.of_type(get_args(hint)[0])
        return lambda message, names: say_item(getattr(message, attribute)[-1], names)
    if hole.way not in WAYS:
        if not sayer.has_form(hole.way):
            raise ValueError(f"no thing has a form `{hole.way}`")
        return lambda message, names: sayer.thing(getattr(message, attribute), hole.way)
    if hole.way == "of" and hole.noun in fields:
        noun = fields[hole.noun][0]
        return lambda message, names: sayer.counted(getattr(message, attribute), getattr(message, noun))
    if hole.way == "of":
        return lambda message, names: sayer.counted(getattr(message, attribute), hole.noun)
    say = sayer.of_type(hint)
    return lambda message, names: say(getattr(message, attribute), names)


def _compile_cases(hole: Hole, attribute: str, cases: Mapping[str, Say], grammar: Grammar) -> Say:
    if not cases:
        return lambda message, names: str(_number(getattr(message, attribute)))
    other = cases["other"]

    def key(value: Any) -> str:
        return _case(value) if hole.way == "select" else "one" if grammar.is_singular(_number(value)) else "other"

    def choose(message: Any, names: Names) -> str:
        value = getattr(message, attribute)
        return (cases.get(f"={_number(value)}") or cases.get(key(value), other))(message, names)

    return choose


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0 if is_absent(value) else len(value)


def _case(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ABSENT if is_absent(value) else str(value)


def fallback(kind: type[msgspec.Struct], sayer: Sayer) -> Say:
    """What says a message without a template: its type and its fields as words."""
    title = as_words(type_of(kind.__name__)).capitalize()
    say_fields = _say_fields(kind, sayer, "; ")

    def say(message: Any, names: Names) -> str:
        told = say_fields(message, names)
        return f"{title}: {told}." if told else f"{title}."

    return say


def _say_fields(kind: type[msgspec.Struct], sayer: Sayer, comma: str) -> Say:
    """What says the fields of a struct that are not absent, each with its name."""
    hints = get_type_hints(kind, include_extras=True)
    fields = [
        (each.name, as_words(each.encode_name), _say_briefly(_plain(hints[each.name]), sayer))
        for each in msgspec.structs.fields(kind)
    ]

    def say(message: Any, names: Names) -> str:
        present = [
            (name, say(value, names)) for at, name, say in fields if not is_absent(value := getattr(message, at))
        ]
        return comma.join([f"{name} {text}" for name, text in present if text])

    return say


def _say_briefly(hint: Any, sayer: Sayer) -> Say:
    """What says a value of any type in a few words."""
    if hint is bool:
        return lambda value, names: "yes" if value else "no"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _say_fields(hint, sayer, ", ")
    try:
        say = sayer.of_type(hint)
    except ValueError:
        return lambda value, names: f"{len(value)} items"

    def brief(value: Any, names: Names) -> str:
        is_long = isinstance(value, (tuple, dict)) and len(value) > ITEMS_MAX
        return f"{len(value)} items" if is_long else say(value, names)

    return brief
