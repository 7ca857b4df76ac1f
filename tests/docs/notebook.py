"""Runs the cells of a notebook in order, in one namespace. `python -m tests.docs.notebook` writes what they print."""

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

from tests.subjects import ROOT

NOTEBOOK = ROOT / "docs" / "learning.ipynb"


def read_notebook(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def outputs(notebook: dict[str, Any]) -> list[str]:
    """What each cell of code shows, as the file has it."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return ["".join("".join(each["text"]) for each in cell["outputs"]) for cell in code]


def run_notebook(notebook: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Run all cells of code; returns what each prints, and the names at the end."""
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile("".join(cell["source"]), "cell", "exec"), names)
            printed.append(out.getvalue())
    return printed, names


def with_outputs(notebook: dict[str, Any], printed: list[str]) -> str:
    """The text of a notebook that shows what its cells print."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, text) in enumerate(zip(code, printed, strict=True), 1):
        cell["execution_count"] = number
        stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
        cell["outputs"] = [stream] if text else []
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    notebook = read_notebook(NOTEBOOK)
    printed, _ = run_notebook(notebook)
    NOTEBOOK.write_text(with_outputs(notebook, printed), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
