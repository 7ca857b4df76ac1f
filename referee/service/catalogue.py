"""What can be played: the rulesets, their options, the built-in bots, and the tests that show a clause."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from referee.bots import BOTS
from referee.kernel.judge import read_options, read_start
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST, RULESETS
from referee.rulesets.editions import BOX, name_of_edition, offered_editions, with_edition_of
from referee.service.problems import Problem, invalid
from schemas.answers import BuiltInBot, Edition, EditionInShort


def all_rules() -> tuple[Ruleset, ...]:
    """The rulesets of new games."""
    return tuple(LATEST.values())


def all_versions() -> tuple[Ruleset, ...]:
    """The rulesets of new games, and the older versions that games may still use."""
    return tuple(RULESETS.values())


def all_bots() -> tuple[BuiltInBot, ...]:
    """The built-in bots, what each does and which rulesets it plays."""
    return tuple(
        BuiltInBot(name, bot.version, _first_line(bot), tuple(rules.slug for rules in all_rules() if bot.plays(rules)))
        for name, bot in BOTS.items()
    )


def _first_line(bot: object) -> str:
    return (type(bot).__doc__ or "").strip().partition("\n")[0]


@cache
def _shown_by() -> dict[str, tuple[str, ...]]:
    file = files("referee.rulesets") / "shown_by.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, tuple[str, ...]]) if file.is_file() else {}


def tests_that_show(clause: str) -> tuple[str, ...]:
    """The tests that show a clause."""
    return _shown_by().get(clause, ())


def known_bot(rules: Ruleset, name: str, field: str) -> str:
    """The name of a bot that plays these rules; raises a problem about the field that names another."""
    known = [each for each, bot in BOTS.items() if bot.plays(rules)]
    if name not in known:
        raise invalid(field, f"No bot `{name}` plays {rules.title}. Choose one of: {', '.join(known)}.")
    return name


class InvalidOptions(Exception):
    """Options that the ruleset refuses, with the set-up clause that they break."""

    def __init__(self, rules: Ruleset, rejection: Rejection) -> None:
        super().__init__(rules.slug, rejection)
        self.rules = rules
        self.rejection = rejection


def latest_rules(slug: str) -> Ruleset:
    """The ruleset that new games are played by."""
    if slug not in LATEST:
        raise Problem("unknown-ruleset", f"There is no ruleset `{slug}`.")
    return LATEST[slug]


def rules_of_version(slug: str, version: str | None) -> Ruleset:
    """The ruleset of a version; None: the one that new games are played by."""
    rules = latest_rules(slug)
    if version is None:
        return rules
    if (slug, version) not in RULESETS:
        raise Problem("unknown-ruleset", f"There is no version `{version}` of {rules.title}.")
    return RULESETS[slug, version]


def rules_with(slug: str, edition: str = BOX, choose: Callable[[Ruleset], Ruleset] = lambda latest: latest) -> Ruleset:
    """The ruleset that new games are played by, with an edition that players can choose by its name.

    `choose` gets the latest version, and returns the one that all hosts have.
    """
    rules = choose(latest_rules(slug))
    offered = offered_editions(rules)
    if edition not in offered:
        raise invalid("edition", f"{rules.title} has no edition `{edition}`. Choose one of: {', '.join(offered)}.")
    return offered[edition]


def editions_in_short(rules: Ruleset) -> tuple[EditionInShort, ...]:
    """The editions that players can choose, each with its hash and the address of its numbers."""
    hashes = {name: each.edition_hash for name, each in offered_editions(rules).items()}
    return tuple(
        [EditionInShort(name, hash, f"/v1/rulesets/{rules.slug}/editions/{hash}") for name, hash in hashes.items()]
    )


def edition_numbers(slug: str, edition_hash: str) -> Edition:
    """The numbers of the edition that has this hash, whether players can choose it or not."""
    rules = latest_rules(slug)
    found = with_edition_of(rules, edition_hash)
    if found is None:
        raise Problem("unknown-edition", f"{rules.title} has no edition with the hash `{edition_hash}`.")
    return Edition(slug, name_of_edition(rules, edition_hash), edition_hash, found.edition)


def valid_options(rules: Ruleset, raw: dict[str, Any], seats: int) -> Any:
    """The blank table for these options; raises InvalidOptions with the clause, or a problem."""
    try:
        return rules.blank(read_options(rules, raw), seats)
    except msgspec.ValidationError as error:
        raise Problem("invalid-options", f"options: {error}.", errors={"options": [str(error)]}) from None
    except Rejection as rejection:
        raise InvalidOptions(rules, rejection) from None


def read_setting(
    rules: Ruleset, options: dict[str, Any], position: dict[str, Any] | None, seats: int
) -> tuple[Any, Any]:
    """The start position of a casual game, or None, and the options; raises InvalidOptions, Malformed or a problem."""
    if position is None:
        return None, valid_options(rules, options, seats).options
    start = read_start(rules, position)
    if len(start.seats) != seats:
        raise invalid("seats", f"`seats` names {seats} seats, but the position has {len(start.seats)}.")
    return start, start.options
