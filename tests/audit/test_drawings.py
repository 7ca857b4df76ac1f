"""The list of luck: every drawing of a game, with the numbers that anybody can make again."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from referee.audit.luck import Drawing
from referee.audit.record import Record, read_commit
from referee.audit.verify import audit
from referee.kernel.canon import plain
from referee.kernel.chance import Source
from referee.kernel.ruleset import Ruleset
from tests.audit.forgeries import KNOWN
from tests.audit.race import RACE
from tests.audit.recorded_game import Play, played
from tests.page.luck import luck_of

each_ruleset = pytest.mark.parametrize("ruleset", KNOWN.values(), ids=lambda ruleset: ruleset.slug)


def drawings_in(record: Record) -> list[Drawing]:
    found: list[Drawing] = []
    audit(record, KNOWN, drawings=found)
    return found


@each_ruleset
def test_every_drawing_is_listed_with_numbers_that_follow_from_the_secret(ruleset: Ruleset) -> None:
    record = played(ruleset)
    assert record.secret is not None
    drawings, key = drawings_in(record), record.secret.chance_key(record.header.nonces)
    versions = [entry.version for entry in record.entries for _ in range(read_commit(entry.body).draws)]
    assert [(each.number, each.version) for each in drawings] == list(enumerate(versions))
    for each in drawings:
        assert each.label == f"{each.number}:{each.point}"
        source = Source(key, each.label)
        assert each.numbers == tuple(source.below(bound) for bound in each.bounds)
    listed = [
        {name: each[name] for name in ("number", "version", "point", "bounds", "numbers")} for each in plain(drawings)
    ]
    assert listed == luck_of(record)["drawings"], "another way to watch the same numbers"


@each_ruleset
def test_the_event_that_shows_an_outcome_has_it(ruleset: Ruleset) -> None:
    record = played(ruleset)
    events = [msgspec.json.decode(entry.body)["events"] for entry in record.entries]
    shown = [each for each in plain(drawings_in(record)) if each["shown"] is not None]
    assert shown, "some event shows luck"
    for each in shown:
        event = events[each["version"] - 1][each["shown"]["event"]]
        assert event[each["shown"]["field"]] == each["outcome"]


def test_a_die_shows_its_number_and_one() -> None:
    dice = [each for each in drawings_in(played(RACE)) if each.point == "roll_dice"]
    assert dice
    for each in dice:
        assert each.bounds == (6, 6) and each.outcome == tuple(number + 1 for number in each.numbers)
        assert each.shown is not None and each.shown.field == "dice"


def test_the_list_ends_before_the_first_commit_that_does_not_follow() -> None:
    honest = Play(RACE).to_the_end(random.Random(1))
    rolls = [version for version, points in honest.drawn.items() if points]
    cheat = Play(RACE, cheat_at=rolls[3]).to_the_end(random.Random(1)).record
    assert drawings_in(cheat) == [each for each in drawings_in(honest.record) if each.version < rolls[3]]


def test_a_record_without_its_secret_has_no_list() -> None:
    assert drawings_in(replace(played(RACE), secret=None)) == []
