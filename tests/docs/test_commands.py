"""Every command in a document runs, and its output is the one that the document shows."""

from pathlib import Path

import pytest

from tests.docs.documents import DOCUMENTS, LANGUAGES, blocks_of, read, steps_of
from tests.docs.printed import misfit_of_output, read_shown
from tests.docs.shell import run_all
from tests.service import Service
from tests.subjects import ROOT

PARAMETERS = [pytest.param(each, id=each.name) for each in DOCUMENTS]
RUN = [pytest.param(each, id=each.name) for each in DOCUMENTS if steps_of(blocks_of(read(each)))]

TOP_LINES = 25

IN_THE_CHECKOUT = ("contributors.md",)
"""Documents whose commands run in the project's directory; they change nothing there."""


@pytest.mark.parametrize("document", RUN)
def test_commands_print_what_the_document_shows(
    document: Path, service: Service, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    blocks = blocks_of(read(document))
    for block in blocks:
        if block.file_name is not None:
            (tmp_path / block.file_name).write_text(block.text)
    steps = steps_of(blocks)
    printed = run_all(
        [command for command, _ in steps],
        ROOT if document.name in IN_THE_CHECKOUT else tmp_path,
        tmp_path_factory.mktemp("printed"),
        URL=service.url,
        ADMIN_KEY=service.admin_key,
        PYTHONPATH=str(ROOT),
        XDG_CONFIG_HOME=str(tmp_path_factory.mktemp("config")),
    )
    for (_, shown), real in zip(steps, printed, strict=True):
        if shown is not None:
            fault = misfit_of_output(shown.language, shown.text, real)
            assert fault is None, f"{document.name}:{shown.line}: {fault}"


@pytest.mark.parametrize("document", PARAMETERS)
def test_a_page_with_commands_names_their_python_and_directory_near_its_top(document: Path) -> None:
    text = read(document)
    if any(block.language in ("sh", "console") for block in blocks_of(text)):
        top = "\n".join(text.splitlines()[:TOP_LINES])
        assert "Python 3" in top
        assert "directory" in top


@pytest.mark.parametrize("document", PARAMETERS)
def test_blocks_are_written_in_known_languages(document: Path) -> None:
    for block in blocks_of(read(document)):
        assert block.language in LANGUAGES, f"line {block.line}"
        if block.language == "json":
            read_shown(block.text)
