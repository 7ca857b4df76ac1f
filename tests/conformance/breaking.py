"""Toys that are broken in one place."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import ValidationError

from referee.kernel.message import Event, Move
from referee.kernel.rejection import Malformed, Rejection
from referee.kernel.ruleset import Chapter
from tests.conformance.play import CAMPAIGN
from tests.subjects import Subject
from tests.toy import TOY, rules
from tests.toy.scoring import scoring

FAULTS = (AssertionError, pytest.fail.Exception, Malformed, Rejection, ValidationError)
RUNS = 5


def breaks(test: Callable[..., None], name: str, **parts: Any) -> None:
    """The test fails on a toy of which these parts are replaced, in one of a few runs with other games."""
    for run in range(RUNS):
        subject = Subject(replace(TOY, **parts), f"broken: {name} {run}{CAMPAIGN}")
        wanted = {"rng": random.Random(f"{name} {run}{CAMPAIGN}"), "subject": subject}
        try:
            test(**{name: wanted[name] for name in test.__annotations__ if name in wanted})
        except FAULTS:
            return
    pytest.fail(f"{test.__name__} finds no fault")


def ruled(kind: type[Move], rule: Callable[..., Iterator[Event]]) -> tuple[Chapter, ...]:
    """The chapters of the toy with another rule for one kind of move."""
    return (Chapter({**rules.toy.rules, kind: rule}, rules.toy.reducers), scoring)


def reduced(kind: type[Event], reducer: Callable[..., Any]) -> tuple[Chapter, ...]:
    """The chapters of the toy with another reducer for one kind of event."""
    return (Chapter(rules.toy.rules, {**rules.toy.reducers, kind: reducer}), scoring)
