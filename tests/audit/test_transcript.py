"""The readable transcript of a record."""

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.audit.__main__ import main
from referee.audit.record import Beside, write_record
from referee.audit.transcript import ERASED, UNKNOWN, transcript
from referee.rulesets import RULESETS, TITLES
from referee.service.sentences import Teller
from referee.table.match import commit_decoder
from referee.table.moves import AnnulGame, GameAnnulled
from referee.table.record import Text
from tests.audit.forgeries import KNOWN, chained, commits_of
from tests.audit.race import RACE
from tests.audit.recorded_game import Play, played

TITLE = TITLES[0]
RECORD = played(TITLE)
TEXT = Text(salt="5" * 64, text="The \x1b[2Jhall closes.")
BESIDE = Beside(texts=(TEXT,))
ANNULLED = Play(RACE).commit("admin", AnnulGame(reason=TEXT.hash), (GameAnnulled(reason=TEXT.hash),)).record


def test_a_transcript_has_the_sentences_that_the_service_shows() -> None:
    heading, *lines = transcript(RECORD, RULESETS)
    assert heading == f"{TITLE.title}, game g_test: Seat 0, Seat 1, Seat 2"
    teller = Teller(TITLE, ("Seat 0", "Seat 1", "Seat 2"), "en")
    expected: list[str] = []
    for entry in RECORD.entries:
        commit = commit_decoder(TITLE).decode(entry.body)
        told = teller.commit(commit.move, commit.events)
        assert told.move is not None
        expected += [told.move.text, *(each.text for each in told.events if not each.quiet)]
    assert len(lines) == len(expected)
    assert all(text in line for line, text in zip(lines, expected, strict=True))
    assert re.search(r"\[\w+-S\d+(, [\w-]+)*\]$", lines[1])


def test_the_reason_of_an_admin_is_shown_unless_it_was_erased() -> None:
    assert TEXT.text in "".join(transcript(replace(ANNULLED, beside=BESIDE), KNOWN))
    assert ERASED in "".join(transcript(ANNULLED, KNOWN))


@pytest.mark.parametrize("changes", [{"actor": 9}, {"move": {"type": "castle"}}, {"events": [{}]}])
def test_a_commit_that_is_none_is_named(changes: dict[str, object]) -> None:
    first, *rest = commits_of(RECORD)
    lines = list(transcript(chained(RECORD, [{**first, **changes}, *rest], RECORD.header), RULESETS))
    assert "This is no commit of these rules" in lines[1]
    assert len(lines) > len(RECORD.entries)


def test_rules_that_are_unknown_have_no_transcript() -> None:
    assert list(transcript(replace(RECORD, header=replace(RECORD.header, version="99")), RULESETS)) == [UNKNOWN]


def test_the_command_prints_the_transcript_before_the_verdict_and_nothing_in_it_controls_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"".join(write_record(ANNULLED.header, ANNULLED.entries, ANNULLED.secret, BESIDE)))
    assert main([str(file), "--transcript"], KNOWN) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{RACE.title}, game ")
    assert r"The \x1b[2Jhall closes." in lines[0]
    assert lines[-1] == "PROVED"
    main([str(file), "--transcript", "--json"], KNOWN)
    told = json.loads(capsys.readouterr().out)
    assert told["transcript"] == list(transcript(replace(ANNULLED, beside=BESIDE), KNOWN))
