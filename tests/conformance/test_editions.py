"""The editions of a ruleset, read from TOML."""

import tomllib

import msgspec
import pytest

from referee.rulesets.editions import BOX, editions_of, with_edition
from tests.subjects import Subject, every_ruleset


@every_ruleset
def test_the_file_of_the_box_is_the_edition_of_the_ruleset(subject: Subject) -> None:
    ruleset = subject.ruleset
    again = with_edition(ruleset, (ruleset.directory / "edition.toml").read_text(encoding="utf-8"))
    assert again.edition == ruleset.edition
    assert again.edition_hash == ruleset.edition_hash


@every_ruleset
def test_every_edition_is_another_box_with_the_same_rules(subject: Subject) -> None:
    ruleset = subject.ruleset
    editions = editions_of(ruleset)
    assert editions[BOX] is ruleset and len(editions) > 1
    assert len({each.edition_hash for each in editions.values()}) == len(editions)
    for each in editions.values():
        assert type(each.edition) is type(ruleset.edition)
        assert (each.slug, each.version, each.contract) == (ruleset.slug, ruleset.version, ruleset.contract)


@every_ruleset
def test_a_misspelt_a_missing_and_an_unreadable_number_is_refused(subject: Subject) -> None:
    numbers = tomllib.loads((subject.ruleset.directory / "edition.toml").read_text(encoding="utf-8"))
    for name, value in numbers.items():
        rest = {other: numbers[other] for other in numbers if other != name}
        for fault in ({f"{name}_": value}, {}, {name: None}):
            with pytest.raises(msgspec.ValidationError, match=name):
                msgspec.convert({**rest, **fault}, type(subject.ruleset.edition))


@every_ruleset
def test_every_clause_and_ruling_has_a_text(subject: Subject) -> None:
    clauses = subject.ruleset.rulebook.clauses
    assert clauses and all(clause.text for clause in clauses.values())
