"""A new title, copied from docs/contributors.md and registered as that page shows, passes the conformance suite."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.listings import LIST_OF_TITLES, listings_read, listings_written, registered
from tests.subjects import ROOT

SHORT_FORM = (
    *(f"tests/conformance/test_{part}.py" for part in ("setup", "flow", "legality", "secrets", "log")),
    "tests/test_architecture.py",
)
"""Set-up, random play, legality, secrets and replay; the rest needs recorded files."""

LEFT_OUT = shutil.ignore_patterns("__pycache__", "corpus", "campaigns", "playthroughs")


def test_the_page_shows_every_file_of_the_toy() -> None:
    assert {f"pond/{name}" for name in listings_read()} | {"registration"} == set(listings_written())


def test_a_title_copied_from_the_page_passes_the_conformance_suite(tmp_path: Path) -> None:
    for part in ("referee", "schemas", "workers", "tests"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=LEFT_OUT)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, text in listings_read().items():
        file = tmp_path / "referee" / "rulesets" / "pond" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    titles = tmp_path / LIST_OF_TITLES.relative_to(ROOT)
    titles.write_text(registered(titles.read_text(encoding="utf-8")), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "pond", *SHORT_FORM]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
