"""From the structs of a ruleset: marshmallow schemas for its moves, JSON Schemas for everything it has."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, missing, post_load, validate
from msgspec import UNSET, inspect

from referee.kernel.message import Move, schema_of, tag
from referee.kernel.ruleset import Ruleset
from schemas.base import StrictBoolean, StrictInteger


class StructSchema(Schema):
    """Reads and writes one kind of struct: as strict as the struct itself."""

    class Meta:
        """Unknown fields are faults."""

        unknown = RAISE

    struct: ClassVar[type[msgspec.Struct]]

    def get_attribute(self, obj: Any, attr: str, default: Any) -> Any:
        """A field's value; what is unset, or left out because it is the default, is not written."""
        value = getattr(obj, attr)
        left_out = self.struct.__struct_config__.omit_defaults and value == _defaults(self.struct).get(attr, UNSET)
        return missing if value is UNSET or left_out else value

    @post_load
    def make(self, data: dict[str, Any], **kwargs: Any) -> msgspec.Struct:
        """The struct; what its fields say only together is checked here."""
        data.pop(TAG, None)
        try:
            return self.struct(**data)
        except (ValueError, TypeError) as error:
            raise ValidationError(str(error)) from None


TAG = "type"


class Tag(fields.String):
    """The `type` of a message: always the same word."""

    _CHECK_ATTRIBUTE = False

    def __init__(self, word: str) -> None:
        super().__init__(required=True, validate=validate.OneOf([word]))
        self._word = word

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str:
        return self._word


class Items(fields.List[Any]):
    """A list, kept as a tuple."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return tuple(super()._deserialize(value, attr, data, **kwargs))


class Found(validate.Regexp):
    """A pattern that occurs in a string, as msgspec and JSON Schema understand it."""

    def __call__(self, value: Any) -> Any:
        """The value; raises ValidationError."""
        if self.regex.search(value) is None:
            raise ValidationError(self._format_error(value))
        return value


@cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {each.name: each.default for each in msgspec.structs.fields(kind) if each.default is not msgspec.NODEFAULT}


@cache
def marshmallow_schema(kind: type[msgspec.Struct]) -> type[StructSchema]:
    """The marshmallow schema of a struct. It loads the struct and dumps its JSON."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    parts: dict[str, Any] = {"struct": kind, "__doc__": kind.__doc__}
    if info.tag is not None:
        parts[TAG] = Tag(str(info.tag))
    for each in info.fields:
        given: dict[str, Any] = {"required": each.required, "data_key": each.encode_name}
        if each.default not in (msgspec.NODEFAULT, UNSET):
            given["load_default"] = each.default
        parts[each.name] = _field(each.type, given)
    return type(kind.__name__, (StructSchema,), parts)


def _field(info: inspect.Type, given: dict[str, Any]) -> "fields.Field[Any]":
    """The marshmallow field of a type."""
    if isinstance(info, inspect.Metadata):
        metadata = {**(info.extra_json_schema or {}), **given.get("metadata", {})}
        return _field(info.type, {**given, "metadata": metadata})
    if isinstance(info, inspect.UnionType):
        some = [each for each in info.types if not isinstance(each, inspect.NoneType)]
        assert len(some) == 1, f"no field for the union {info}"
        return _field(some[0], {**given, "allow_none": len(info.types) > 1})
    return _MAKERS[type(info)](info, given)


def _integer(info: inspect.IntType, given: dict[str, Any]) -> "fields.Field[Any]":
    low = info.ge if info.ge is not None else None if info.gt is None else info.gt + 1
    high = info.le if info.le is not None else None if info.lt is None else info.lt - 1
    bounded = low is not None or high is not None
    return StrictInteger(validate=[validate.Range(low, high)] if bounded else None, **given)


def _string(info: inspect.StrType, given: dict[str, Any]) -> "fields.Field[Any]":
    checks: list[Any] = _length(info)
    if info.pattern is not None:
        checks.append(Found(info.pattern))
    return fields.String(validate=checks or None, **given)


def _choice(info: inspect.LiteralType, given: dict[str, Any]) -> "fields.Field[Any]":
    assert all(isinstance(value, str) for value in info.values), f"no field for {info}"
    return fields.String(validate=validate.OneOf(info.values), **given)


def _items(info: inspect.VarTupleType, given: dict[str, Any]) -> "fields.Field[Any]":
    return Items(_field(info.item_type, {}), validate=_length(info) or None, **given)


def _dict(info: inspect.DictType, given: dict[str, Any]) -> "fields.Field[Any]":
    keys, values = _field(info.key_type, {}), _field(info.value_type, {})
    return fields.Dict(keys=keys, values=values, validate=_length(info) or None, **given)


def _length(info: inspect.StrType | inspect.VarTupleType | inspect.DictType) -> list[Any]:
    if info.min_length is None and info.max_length is None:
        return []
    return [validate.Length(info.min_length, info.max_length)]


_MAKERS: Mapping[type, Callable[[Any, dict[str, Any]], "fields.Field[Any]"]] = {
    inspect.IntType: _integer,
    inspect.StrType: _string,
    inspect.BoolType: lambda info, given: StrictBoolean(**given),
    inspect.LiteralType: _choice,
    inspect.VarTupleType: _items,
    inspect.DictType: _dict,
    inspect.StructType: lambda info, given: fields.Nested(marshmallow_schema(info.cls), **given),
}
"""What is made of each kind of type; a move has no others."""


def prefix_of(ruleset: Ruleset) -> str:
    """What the component names of a ruleset begin with."""
    return "".join(part.capitalize() for part in ruleset.slug.replace("&", "and").split("-"))


def inline_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """One struct as a JSON Schema that stands alone."""
    return msgspec.json.schema(kind)


def message_schemas(messages: dict[str, Any]) -> list[dict[str, Any]]:
    """The types of moves or events, each with its description and its JSON Schema."""
    return [
        {
            "type": tag(kind),
            "description": (kind.__doc__ or "").strip(),
            "schema": schema_of(kind) if issubclass(kind, Move) else inline_schema(kind),
        }
        for kind in messages.values()
    ]
