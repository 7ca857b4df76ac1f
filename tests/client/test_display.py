"""What the runner shows on a terminal."""

import io
import logging
import os
import select

import pytest

from referee_client import Unreachable
from referee_client.bot.config import Config
from referee_client.bot.display import UP_AND_CLEAR, Display
from referee_client.bot.runner import Runner


def shown_on_a_terminal() -> tuple[Display, int]:
    """A display on a pseudo-terminal, and the other end of it."""
    other_end, terminal = os.openpty()
    return Display(os.fdopen(terminal, "w")), other_end


def test_a_terminal_has_a_live_line_per_game_below_the_log() -> None:
    display, other_end = shown_on_a_terminal()
    display.show("first", "first: thinks")
    display.show("second", "second: thinks")
    display.show("first", "first: made a move")
    display.emit(logging.makeLogRecord({"msg": "a message", "levelname": "INFO"}))
    display.remove("second")
    ending = (
        f"INFO a message\nfirst: made a move\nsecond: thinks\n{2 * UP_AND_CLEAR}second: thinks\nfirst: made a move\n"
    )
    data = b""
    while not (text := data.decode().replace("\r\n", "\n")).endswith(ending):
        assert select.select([other_end], [], [], 10)[0], text
        data += os.read(other_end, 65536)
    assert text.startswith(f"first: thinks\n{UP_AND_CLEAR}first: thinks\nsecond: thinks\n")
    assert f"{2 * UP_AND_CLEAR}first: made a move\nsecond: thinks\n" in text


def test_a_log_gets_a_line_per_change_and_no_cursor_movements() -> None:
    reader, writer = os.pipe()
    display = Display(os.fdopen(writer, "w"))
    logger = logging.getLogger("referee_client.bot")
    logger.addHandler(display)
    logger.setLevel(logging.INFO)
    try:
        display.show("first", "first: thinks\x1b[2J\nforged")
        display.remove("first")
    finally:
        logger.removeHandler(display)
    text = os.read(reader, 65536).decode()
    assert text.endswith(" INFO first: thinks?[2J?forged\n")
    assert text.count("\n") == 1


def test_calls_that_wait_for_the_same_thing_get_one_line(caplog: pytest.LogCaptureFixture) -> None:
    runner = Runner(Config(), "key", Display(io.StringIO()))
    for pause in (0.5, 5, 5):
        runner._note_pause(Unreachable("Nobody answers."), pause)
    assert [record.getMessage() for record in caplog.records] == ["Nobody answers. Trying again in 5 s."]
