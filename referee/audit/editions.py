"""Editions that an auditor brings: numbers that do not ship with the rules."""

import tomllib

from referee.audit.verify import Rulesets
from referee.rulesets.editions import add_edition, read_file, with_edition


class NoEdition(Exception):
    """A file that no title can read; says which file, and why."""


def bring_edition(name: str, rulesets: Rulesets) -> None:
    """Let the audit know the numbers in a file, for every title that can read them; raises NoEdition."""
    try:
        toml = read_file(name)
        tomllib.loads(toml)
    except OSError as error:
        raise NoEdition(f"edition {name}: {error.strerror}") from None
    except ValueError as error:
        raise NoEdition(f"edition {name}: {error}") from None
    faults = []
    for (slug, version), ruleset in rulesets.items():
        try:
            add_edition(with_edition(ruleset, toml))
        except ValueError as error:
            faults.append(f"{slug} {version}: {error}")
    if len(faults) == len(rulesets):
        raise NoEdition(f"edition {name}: no title can read it ({'; '.join(faults)})")
