"""The notebook of docs/ runs, and prints what it shows."""

from tests.docs.notebook import NOTEBOOK, outputs, read_notebook, run_notebook


def test_the_notebook_prints_what_it_shows_and_its_agent_learns() -> None:
    notebook = read_notebook(NOTEBOOK)
    printed, names = run_notebook(notebook)
    assert printed == outputs(notebook), "`python -m tests.docs.notebook` writes the output again"
    assert sum(names["after"]) > sum(names["before"])
    assert names["after"].count(1.0) >= 15
