"""A server that cheats with luck and recomputes every hash."""

import random
from itertools import cycle

import pytest
from msgspec.structs import replace

from referee.kernel.ruleset import Ruleset
from referee.table.record import Secret, nonce_of
from tests.audit.forgeries import KNOWN, audited, chained, commits_of, detail, failing, forged
from tests.audit.race import RACE
from tests.audit.recorded_game import Play, played

RECORD = played(RACE)
PLAY = Play(RACE).to_the_end(random.Random(1))
ROLLED = next(version for version, points in PLAY.drawn.items() if points == ("roll_dice",))

VARIANTS_MAX = 5
"""The number of games of each ruleset."""

each_ruleset = pytest.mark.parametrize("ruleset", KNOWN.values(), ids=lambda ruleset: ruleset.slug)


@each_ruleset
def test_an_honest_game_is_proved(ruleset: Ruleset) -> None:
    for seats, options in zip(cycle(ruleset.seats), ruleset.variants[:VARIANTS_MAX], strict=False):
        record = played(ruleset, seed=seats, seats=seats, options=options)
        assert audited(record).verdict == "proved", audited(record)


@each_ruleset
def test_loaded_dice_are_found(ruleset: Ruleset) -> None:
    honest = Play(ruleset).to_the_end(random.Random(7))
    lucky = [version for version, points in honest.drawn.items() if points]
    found = 0
    for version in lucky[:10]:
        cheat = Play(ruleset, cheat_at=version).to_the_end(random.Random(7))
        report = audited(cheat.record)
        if cheat.entries[version - 1] == honest.entries[version - 1]:
            assert report.verdict == "proved"
            continue
        found += 1
        assert report.verdict == "failed"
        assert failing(report) == {"outcomes"}
        assert report.first_bad_version == version
        assert any(point in detail(report, "outcomes") for point in honest.drawn[version])
    assert found


def test_the_point_and_the_field_of_a_wrong_outcome_are_named() -> None:
    def load(commit: dict) -> None:
        dice = [6, 6] if commit["events"][0]["dice"] != [6, 6] else [1, 1]
        commit["events"][0]["dice"] = dice
        commit["events"][1]["steps"] = sum(dice)

    report = audited(forged(RECORD, ROLLED, load))
    assert failing(report) == {"outcomes"}
    assert report.first_bad_version == ROLLED
    assert "its luck at roll_dice is wrong: event 1, dice[" in detail(report, "outcomes")
    assert f"Checked up to commit {ROLLED - 1}" in detail(report, "moves")


def test_a_draw_that_shows_in_a_later_event_is_named() -> None:
    def swap(commit: dict) -> None:
        hands = commit["events"][1]["hands"]
        hands[0], hands[1] = hands[1], hands[0]

    report = audited(forged(RECORD, 1, swap))
    assert failing(report) == {"outcomes"}
    assert "its luck at shuffle_cards is wrong: event 2, hands[0][0]" in detail(report, "outcomes")


def test_a_wrong_consequence_of_true_dice_is_not_luck() -> None:
    report = audited(forged(RECORD, ROLLED, lambda commit: commit["events"][1].update(steps=100)))
    assert failing(report) == {"moves"}
    assert report.first_bad_version == ROLLED
    assert "event 2, steps: the record has 100, but" in detail(report, "moves")


def test_a_missing_event_that_depends_on_luck_is_luck() -> None:
    closing = next(version for version, points in PLAY.drawn.items() if "blow" in points)
    report = audited(forged(RECORD, closing, lambda commit: commit["events"].pop(1)))
    assert failing(report) == {"outcomes"}
    assert report.first_bad_version == closing


def test_another_seed_does_not_fit_the_commitment() -> None:
    other = Secret(salt=RECORD.secret.salt, seed="ab" * 32)
    report = audited(replace(RECORD, secret=other))
    assert {"commitment", "blinding", "outcomes"} <= failing(report)
    assert report.first_bad_version == 0


def test_another_salt_does_not_fit_the_commitment() -> None:
    report = audited(replace(RECORD, secret=replace(RECORD.secret, salt="ab" * 32)))
    assert failing(report) == {"commitment"}
    assert report.first_bad_version == 0


def test_another_seed_with_its_own_commitment_has_other_salts_and_luck() -> None:
    other = Secret(salt="ab" * 32, seed="cd" * 32)
    header = replace(RECORD.header, commitment=other.commitment)
    report = audited(replace(chained(RECORD, commits_of(RECORD), header), secret=other))
    assert failing(report) == {"blinding", "outcomes"}
    assert report.first_bad_version == 1


def test_other_nonces_lead_to_other_luck() -> None:
    header = replace(RECORD.header, nonces=(nonce_of("bob's luck"), *RECORD.header.nonces[1:]))
    report = audited(chained(RECORD, commits_of(RECORD), header))
    assert failing(report) == {"outcomes"}
    assert report.first_bad_version == 1


@pytest.mark.parametrize("version", range(1, len(RECORD.entries) + 1))
def test_a_salt_that_does_not_follow_from_the_secret_is_found(version: int) -> None:
    report = audited(forged(RECORD, version, lambda commit: commit.update(salt="0" * 64)))
    assert failing(report) == {"blinding"}
    assert report.first_bad_version == version
