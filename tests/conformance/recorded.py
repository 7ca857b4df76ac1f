"""The recorded types of a ruleset's messages, which show any change."""

from pathlib import Path

import msgspec

from referee.kernel.ruleset import Ruleset

HERE = Path(__file__).parent


class Tags(msgspec.Struct, frozen=True):
    """The types of moves and events that stored games may hold."""

    moves: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


def tags_file(ruleset: Ruleset) -> Path:
    """The file with the recorded types of a ruleset."""
    return HERE / "tags" / f"{ruleset.slug}.json"


def recorded_tags(ruleset: Ruleset) -> Tags:
    """The recorded types; none for a new ruleset."""
    file = tags_file(ruleset)
    return msgspec.json.decode(file.read_bytes(), type=Tags) if file.exists() else Tags()


def record_tags(ruleset: Ruleset) -> None:
    """Add new types to the recorded ones, none of which is ever removed."""
    old, file = recorded_tags(ruleset), tags_file(ruleset)
    moves, events = sorted({*old.moves, *ruleset.moves}), sorted({*old.events, *ruleset.events})
    text = msgspec.json.format(msgspec.json.encode(Tags(tuple(moves), tuple(events))), indent=1)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text + b"\n")
