"""A record with what the service would add: the position and the sentences of every commit, made without a service."""

import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from referee.audit.record import Unreadable, read_record
from referee.kernel.ruleset import Ruleset
from referee.kernel.words import Kind, Sentence, Speaker, Words
from referee.offline.game import recorded_game
from referee.rulesets.words import words_of
from referee.table.match import after_commit, first_state, read_commit
from referee.table.moves import TABLE_EVENTS, TABLE_MOVES
from referee.table.words import ENGLISH, WORDS
from referee_client.terminal.context import Steps
from referee_client.terminal.faults import Fault


def read_steps(
    file: Path, progress: Callable[[str, int | None], AbstractContextManager[Steps]], language: str
) -> tuple[list[dict[str, Any]], int]:
    """Return the commits of a record, each with `view` (the whole position) and `text`, and the number of seats.

    The record is replayed, not proved: `referee audit` does that. Raises Fault.
    """
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        record = read_record(data.splitlines(keepends=True))
        game = recorded_game(record)
    except (Unreadable, ValueError) as error:
        raise Fault(f"{file} cannot be replayed: {error}") from None
    names = [f"seat {seat}" for seat in range(len(record.header.nonces))]
    speaker, state, found = _speaker(game.rules, language), first_state(game), []
    with progress("Replaying", len(record.entries)) as steps:
        for entry in record.entries:
            try:
                commit = read_commit(game, entry)
                state = after_commit(game, state, commit, entry.hash)
            except Exception as error:
                raise Fault(f"Commit {entry.version} of {file} does not follow: {error}. Try: referee audit") from None
            move = None if commit.move is None else _sentence(speaker.say(commit.move, names))
            text = {"move": move, "events": [_sentence(speaker.say(event, names)) for event in commit.events]}
            found.append(
                {**json.loads(entry.body), "view": json.loads(msgspec.json.encode(state.position)), "text": text}
            )
            steps.reach(len(found))
    return found, len(names)


def _speaker(rules: Ruleset, language: str) -> Speaker:
    spoken = language.partition("-")[0].lower()
    kinds: tuple[Kind, ...] = (*rules.moves.values(), *rules.events.values())
    own = words_of(rules).get(spoken) or words_of(rules).get(ENGLISH) or Words()
    return Speaker((own, kinds), (WORDS.get(spoken) or WORDS[ENGLISH], (*TABLE_MOVES, *TABLE_EVENTS)))


def _sentence(sentence: Sentence) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(sentence)
    return found
