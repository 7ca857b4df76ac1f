"""Toys that are broken in one place."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import ValidationError

from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Malformed, Rejection
from tests.conformance.play import CAMPAIGN
from tests.parts import with_functions
from tests.subjects import Subject
from tests.toy import TOY

FAULTS = (AssertionError, pytest.fail.Exception, Malformed, Rejection, ValidationError)
RUNS = 5
OWN_PARTS = ("chapters", "position_type")
"""The parts that are not functions of the contract."""


def breaks(test: Callable[..., None], name: str, **parts: Any) -> None:
    """Assert that a test fails on a toy with these parts replaced, in at least one of a few runs with other games."""
    for run in range(RUNS):
        own = {part: parts[part] for part in parts if part in OWN_PARTS}
        functions = {part: parts[part] for part in parts if part not in own}
        subject = Subject(with_functions(replace(TOY, **own), **functions), f"broken: {name} {run}{CAMPAIGN}")
        wanted = {"rng": random.Random(f"{name} {run}{CAMPAIGN}"), "subject": subject}
        try:
            test(**{name: wanted[name] for name in test.__annotations__ if name in wanted})
        except FAULTS:
            return
    pytest.fail(f"{test.__name__} finds no fault")


def ruled(kind: type[Move], rule: Callable[..., Iterator[Event]]) -> tuple[Chapter, ...]:
    """The chapters of the toy with another rule for one kind of move."""
    return (*chapters_without(kind), Chapter(rules={kind: rule}))


def reduced(kind: type[Event], reducer: Callable[..., Any]) -> tuple[Chapter, ...]:
    """The chapters of the toy with another reducer for one kind of event."""
    return (*chapters_without(kind), Chapter(reducers={kind: reducer}))


def chapters_without(kind: type[Move] | type[Event]) -> tuple[Chapter, ...]:
    """The chapters of the toy without one kind of move or event."""
    return tuple(
        Chapter(
            {each: rule for each, rule in chapter.rules.items() if each is not kind},
            {each: reducer for each, reducer in chapter.reducers.items() if each is not kind},
        )
        for chapter in TOY.chapters
    )
