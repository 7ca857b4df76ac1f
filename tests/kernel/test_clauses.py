"""Reading a rules.md."""

import pytest

from referee.kernel.clauses import read_rulebook

RULES = """# Fish

- **FI-R1** A ruling as a bullet.

## 1. Setup

Some words.
- **FI-S1** Two to four seats.

## 4.2 The turn

- **FI-1** A fish is drawn,
  and kept:

| fish | value |
|---|---|
| eel | 4 |

- **FI-2** A fish is thrown back.
- a bullet without an id
  that goes on

## Rulings

| id | question | answer |
|---|---|---|
| FI-R2 | May one swim? | No. |
| **FI-R3** | Dive? | **Yes** |

Not a clause: **FI-3** in the middle of a line.
"""


def test_clauses_and_rulings_are_found_in_order_with_their_kind_and_section() -> None:
    found = [(clause.id, clause.kind, clause.section) for clause in read_rulebook(RULES).clauses.values()]
    assert found == [
        ("FI-R1", "ruling", "Fish"),
        ("FI-S1", "clause", "Setup"),
        ("FI-1", "clause", "The turn"),
        ("FI-2", "clause", "The turn"),
        ("FI-R2", "ruling", "Rulings"),
        ("FI-R3", "ruling", "Rulings"),
    ]


def test_a_clause_has_all_its_lines_and_tables() -> None:
    assert read_rulebook(RULES).text("FI-1") == (
        "A fish is drawn,\nand kept:\n\n| fish | value |\n|---|---|\n| eel | 4 |"
    )
    assert read_rulebook(RULES).text("FI-2") == "A fish is thrown back."


def test_the_text_of_a_table_row_is_its_cells() -> None:
    assert read_rulebook(RULES).text("FI-R2") == "May one swim? — No."
    assert read_rulebook(RULES).text("FI-R3") == "Dive? — **Yes**"


def test_a_clause_names_its_source_apart_from_its_text() -> None:
    rulebook = read_rulebook("""
- **FI-1** A fish is drawn. {source: rulebook}
- **FI-2** A fish is
  thrown back: {source: rulebook, reviews}

| fish |
|---|
| eel |

- **FI-3** Nobody swims.

| FI-R1 | May one dive? | No. {source: ruling} |
""")
    assert [(clause.text, clause.source) for clause in rulebook.clauses.values()] == [
        ("A fish is drawn.", "rulebook"),
        ("A fish is\nthrown back:\n\n| fish |\n|---|\n| eel |", "rulebook, reviews"),
        ("Nobody swims.", None),
        ("May one dive? — No.", "ruling"),
    ]


def test_no_clause_names_its_source_twice() -> None:
    with pytest.raises(AssertionError, match="FI-1 names its source twice"):
        read_rulebook("- **FI-1** Once. {source: rulebook} Twice. {source: ruling}")


def test_no_clause_is_stated_twice() -> None:
    with pytest.raises(AssertionError, match="FI-1 is stated twice"):
        read_rulebook("- **FI-1** Once.\n- **FI-1** Twice.")


def test_an_unknown_clause_has_no_text() -> None:
    with pytest.raises(KeyError):
        read_rulebook(RULES).text("FI-99")
