"""The checks of the architecture find planted faults."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import test_architecture as checks

KERNEL = "referee/kernel/tried.py"
RULES = "referee/rulesets/toy/tried.py"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    checks.functions_that_give_sets()
    yield tmp_path


@pytest.mark.parametrize(
    ("check", "name", "source"),
    [
        (checks.test_a_part_imports_only_what_it_may, KERNEL, "from referee.store import log"),
        (checks.test_a_part_imports_only_what_it_may, KERNEL, "import referee.settings"),
        (checks.test_a_part_imports_only_what_it_may, KERNEL, "from referee import rulesets"),
        (checks.test_a_part_imports_only_what_it_may, RULES, "from flask import request"),
        (checks.test_a_part_imports_only_what_it_may, "workers/tried.py", "from referee.kernel import judge"),
        (checks.test_a_part_imports_only_what_it_may, "referee/api/tried.py", "from referee.store.log import Log"),
        (checks.test_the_rules_need_nothing_but_the_standard_library_and_msgspec, KERNEL, "import marshmallow"),
        (checks.test_the_package_needs_nothing_but_the_standard_library_and_msgspec, KERNEL, "import numpy"),
        (checks.test_the_rules_need_nothing_but_the_standard_library_and_msgspec, RULES, "from random import choice"),
        (checks.test_no_rule_imports_advice, RULES, "from referee.rulesets.toy.advice import ADVICE"),
        (checks.test_no_rule_imports_advice, RULES, "from referee.rulesets.toy.advice.greedy import choose"),
        (checks.test_a_ruleset_imports_no_sibling, RULES, "from referee.rulesets.other import flow"),
        (checks.test_the_rules_read_no_clock_and_no_environment, RULES, "at = datetime.now()"),
        (checks.test_the_rules_read_no_clock_and_no_environment, RULES, "home = os.environ['HOME']"),
        (checks.test_the_rules_read_no_clock_and_no_environment, RULES, "order = hash('word')"),
        (checks.test_the_rules_have_no_floats, RULES, "half = 0.5"),
        (checks.test_the_rules_have_no_floats, RULES, "half = cards / 2"),
        (checks.test_the_rules_iterate_over_no_set, RULES, "for card in {'eel', 'pike'}: pass"),
        (checks.test_the_rules_iterate_over_no_set, RULES, "cards = [card for card in set(hand)]"),
        (checks.test_the_rules_iterate_over_no_set, RULES, "cards = tuple(set(hand) - set(table))"),
        (checks.test_the_rules_iterate_over_no_set, RULES, "cards = (*{'eel'},)"),
        (
            checks.test_the_rules_iterate_over_no_set,
            RULES,
            "def first(cards: set[str]) -> str:\n    return next(cards)",
        ),
        (checks.test_a_module_is_short, KERNEL, "pass\n" * 301),
        (checks.test_a_function_is_short, KERNEL, "def long() -> None:\n" + "    pass\n" * 41),
        (checks.test_everything_public_has_a_docstring, KERNEL, "card = 1"),
        (checks.test_everything_public_has_a_docstring, KERNEL, "'''A.'''\ndef long() -> None: pass"),
        (
            checks.test_everything_public_has_a_docstring,
            KERNEL,
            "'''A.'''\nclass Long:\n    '''B.'''\n    def cut(self): pass",
        ),
        (checks.test_no_todo_and_no_silenced_check_is_left, KERNEL, "# TO" + "DO: all of it"),
    ],
)
def test_a_check_finds_its_fault(project: Path, check: Callable[[Path], None], name: str, source: str) -> None:
    file = project / name
    file.parent.mkdir(parents=True)
    file.write_text(source, encoding="utf-8")
    with pytest.raises(AssertionError):
        check(file)


@pytest.mark.parametrize("slug", [slug for slug, _ in checks.RULESETS])
def test_a_name_of_a_ruleset_is_found(project: Path, slug: str) -> None:
    file = project / "referee" / "tried.py"
    file.parent.mkdir()
    file.write_text(f"if ruleset.slug == {slug!r}: pass", encoding="utf-8")
    with pytest.raises(AssertionError):
        checks.test_only_the_list_of_titles_names_a_ruleset(file)


def test_allowed_code_passes(project: Path) -> None:
    file = project / RULES
    file.parent.mkdir(parents=True)
    file.write_text(
        '"""A ruleset."""\nfrom referee.kernel import judge\nfrom referee.rulesets.toy import flow\n'
        'rules = HERE / "rules.md"\nfor card in sorted({"eel", "pike"}): pass\nis_eel = card in {"eel"}\n'
        'eels = frozenset(card for card in {"eel", "pike"} if card == "eel")\n',
        encoding="utf-8",
    )
    for name, check in vars(checks).items():
        scripts = [
            mark for mark in getattr(check, "pytestmark", ()) if mark.args[1] in (checks.SCRIPTS, checks.PAGE_SCRIPTS)
        ]
        if name.startswith("test_") and not scripts:
            check(file)
