"""Every command and request that a document shows is run, and what it is said to print is what it prints."""

from pathlib import Path

import pytest

from tests.docs.documents import DOCUMENTS, LANGUAGES, blocks_of, read, steps_of
from tests.docs.shell import run_all
from tests.docs.showing import misfit_of_output, read_shown
from tests.service import Service
from tests.subjects import ROOT

PARAMETERS = [pytest.param(each, id=each.name) for each in DOCUMENTS]
RUN = [pytest.param(each, id=each.name) for each in DOCUMENTS if steps_of(blocks_of(read(each)))]

IN_THE_CHECKOUT = ("contributors.md",)
"""The documents whose reader stands in the project's directory; their commands change nothing there."""


@pytest.mark.parametrize("document", RUN)
def test_what_is_shown_is_what_happens(
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
    )
    for (_, shown), real in zip(steps, printed, strict=True):
        if shown is not None:
            fault = misfit_of_output(shown.language, shown.text, real)
            assert fault is None, f"{document.name}:{shown.line}: {fault}"


@pytest.mark.parametrize("document", PARAMETERS)
def test_blocks_are_written_in_known_languages(document: Path) -> None:
    for block in blocks_of(read(document)):
        assert block.language in LANGUAGES, f"line {block.line}"
        if block.language == "json":
            read_shown(block.text)
