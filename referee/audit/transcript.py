"""The readable transcript of a record: every commit in the sentences that the service shows."""

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from referee.audit.record import Record
from referee.kernel.ruleset import Ruleset
from referee.kernel.words import Sentence, Speaker
from referee.rulesets.editions import with_edition_of
from referee.rulesets.words import words_of
from referee.table.match import commit_decoder
from referee.table.record import ADMIN, AnyCommit, Header, is_hash
from referee.table.words import ENGLISH, speaker

UNKNOWN = "There is no transcript: these rules are unknown here."
ERASED = "a text that was erased"


def transcript(record: Record, rulesets: Mapping[tuple[str, str], Ruleset], language: str = ENGLISH) -> Iterator[str]:
    """Yield the lines of a transcript. It reports what the record says, whether that is proved or not."""
    header = record.header
    usual = rulesets.get((header.ruleset, header.version))
    rules = None if usual is None else with_edition_of(usual, header.edition)
    if rules is None:
        yield UNKNOWN
        return
    names, says, decoder = seat_names(header), speaker(rules, words_of(rules), language), commit_decoder(rules)
    texts = {text.hash: text.text for text in record.beside.texts}
    yield f"{rules.title}, game {header.game}: {', '.join(names)}"
    for entry in record.entries:
        try:
            yield from _lines(_with_reason(decoder.decode(entry.body), texts), says, names)
        except (msgspec.ValidationError, IndexError) as error:
            yield f"{entry.version:>4}  This is no commit of these rules: {error}."


def seat_names(header: Header) -> tuple[str, ...]:
    """What the seats are called: a record names no player."""
    return tuple([f"Seat {seat}" + (f" (bot {bot})" if bot else "") for seat, bot in enumerate(header.terms.bots)])


def _with_reason(commit: AnyCommit, texts: Mapping[str, str]) -> AnyCommit:
    """The commit with the text of an admin's reason in place of its hash."""
    reason = getattr(commit.move, "reason", None)
    if commit.actor != ADMIN or reason is None or not is_hash(reason):
        return commit
    text = texts.get(reason, ERASED)
    events = [replace(event, reason=text) if hasattr(event, "reason") else event for event in commit.events]
    return replace(commit, move=replace(commit.move, reason=text), events=tuple(events))


def _lines(commit: AnyCommit, says: Speaker, names: tuple[str, ...]) -> list[str]:
    """The lines of a commit: who did what, and below it what happened."""
    actor = names[commit.actor] if isinstance(commit.actor, int) else str(commit.actor).capitalize()
    why = " (the deadline was missed)" if commit.cause and "deadline" in commit.cause else ""
    events = [said for event in commit.events if not (said := says.say(event, names)).quiet]
    headline = f"{commit.version:>4}  {commit.at}  {actor}: {says.say(commit.move, names).text}{why}"
    return [headline, *(f"{'':>6}{said.text}{_cited(said)}" for said in events)]


def _cited(said: Sentence) -> str:
    return f" [{', '.join(said.clauses)}]" if said.clauses else ""
