"""Editions that an auditor supplies because they do not ship with the rules."""

import tomllib

from referee.audit.verify import Rulesets
from referee.rulesets.editions import add_edition, read_file, with_edition


class UnreadableEdition(Exception):
    """No ruleset can read the file; the message names the file and the reason."""


def add_edition_file(name: str, rulesets: Rulesets) -> None:
    """Add the edition in a file to every ruleset that can read it; raises UnreadableEdition."""
    try:
        toml = read_file(name)
        tomllib.loads(toml)
    except OSError as error:
        raise UnreadableEdition(f"edition {name}: {error.strerror}") from None
    except ValueError as error:
        raise UnreadableEdition(f"edition {name}: {error}") from None
    faults = []
    for (slug, version), ruleset in rulesets.items():
        try:
            add_edition(with_edition(ruleset, toml))
        except ValueError as error:
            faults.append(f"{slug} {version}: {error}")
    if len(faults) == len(rulesets):
        raise UnreadableEdition(f"edition {name}: no ruleset can read it ({'; '.join(faults)})")
