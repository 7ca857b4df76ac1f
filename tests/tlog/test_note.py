"""Signed notes: keys, signatures, checkpoints, and everything that is not one."""

import pytest

from referee.tlog.note import (
    Checkpoint,
    InvalidNote,
    Signer,
    new_signer,
    open_note,
    read_checkpoint,
    read_signer,
    read_vkey,
    split_note,
)

SIGNER = Signer("referee.example/log", bytes(32))
TEXT = "referee.example/log\n7\n" + "A" * 43 + "=\n"
NOTE = SIGNER.sign(TEXT)

PUBLISHED_VKEY = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
"""The key of the log of Go's modules, which other programs have made."""


def test_a_note_is_opened_by_its_key_and_signing_is_deterministic() -> None:
    assert open_note(NOTE, SIGNER.verifier) == TEXT
    assert SIGNER.sign(TEXT) == NOTE
    assert NOTE.splitlines()[3] == ""
    assert NOTE.splitlines()[4].startswith("— referee.example/log ")


def test_keys_are_read_back() -> None:
    signer = new_signer("a.example/log")
    assert read_signer(signer.secret).sign(TEXT) == signer.sign(TEXT)
    assert read_vkey(signer.verifier.vkey) == signer.verifier


@pytest.mark.parametrize("change", ["", "x", "+", " "])
def test_a_damaged_key_is_refused(change: str) -> None:
    signer = new_signer("a.example/log")
    with pytest.raises(InvalidNote):
        read_signer(signer.secret[:-3] + change)
    with pytest.raises(InvalidNote):
        read_vkey(signer.verifier.vkey[:-3] + change)
    with pytest.raises(InvalidNote):
        read_vkey(signer.verifier.vkey.replace("a.example", "b.example"))
    with pytest.raises(InvalidNote):
        Signer(f"a log{change}", bytes(32))


def test_lines_of_unknown_keys_are_skipped_and_a_wrong_signature_is_not() -> None:
    other = new_signer("witness.example/w")
    assert open_note(NOTE + other.line(TEXT), SIGNER.verifier) == TEXT
    assert open_note(NOTE + other.line(TEXT), other.verifier) == TEXT
    namesake = new_signer("referee.example/log")
    assert open_note(TEXT + "\n" + namesake.line(TEXT) + SIGNER.line(TEXT), SIGNER.verifier) == TEXT
    with pytest.raises(InvalidNote, match="has not signed"):
        open_note(NOTE, other.verifier)
    with pytest.raises(InvalidNote, match="is wrong"):
        open_note(NOTE.replace("\n7\n", "\n8\n"), SIGNER.verifier)


BROKEN = {
    "empty": "",
    "no signature": TEXT + "\n",
    "no empty line": TEXT + SIGNER.line(TEXT),
    "no last line feed": NOTE[:-1],
    "a control character": NOTE.replace("7", "\t7"),
    "a carriage return": NOTE.replace("\n", "\r\n"),
    "a hyphen for the dash": NOTE.replace("—", "-"),
    "a line that is no signature": NOTE + "— x\n",
    "too many signatures": NOTE + SIGNER.line(TEXT) * 64,
    "too long": "x" * 65_536 + NOTE,
    "other base64": NOTE.replace("=", ""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_a_note_is_refused(name: str) -> None:
    with pytest.raises(InvalidNote):
        split_note(BROKEN[name])
        open_note(BROKEN[name], SIGNER.verifier)


def test_a_checkpoint_is_read_back() -> None:
    checkpoint = Checkpoint("referee.example/log", 20_852_163, b"\x07" * 32)
    assert read_checkpoint(checkpoint.text) == checkpoint


ROOT = "A" * 43 + "="


@pytest.mark.parametrize(
    "text",
    [
        f"o\n1\n{ROOT}",
        f"o\n1\n{ROOT}\nextension\n",
        f"o\n01\n{ROOT}\n",
        f"o\n-1\n{ROOT}\n",
        f"o\n+1\n{ROOT}\n",
        f"o\n1e3\n{ROOT}\n",
        f"o\n{'9' * 30}\n{ROOT}\n",
        f"\n1\n{ROOT}\n",
        f"o o\n1\n{ROOT}\n",
        f"o\n1\n{ROOT[:-1]}\n",
        "o\n1\nAAAA\n",
        "o\n\uff11\n" + ROOT + "\n",
    ],
)
def test_what_is_not_a_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(InvalidNote):
        read_checkpoint(text)


def test_a_key_that_another_program_published_is_read() -> None:
    assert read_vkey(PUBLISHED_VKEY).vkey == PUBLISHED_VKEY
