"""Runs the modules of the page in node, without a browser."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import referee
from referee.api.pages import BARE_NAMES, OF_BOARDS, without_comments
from referee.kernel.ruleset import Ruleset

NODE = Path(sys.prefix) / "bin" / "node"
PAGE = Path(referee.__file__).parent / "web" / "page"
HERE = Path(__file__).parent


def run_module(directory: Path, program: str, *arguments: str | Path) -> Any:
    """What a program of this directory prints as JSON; it imports the modules of the page from beside itself."""
    copy_modules(directory)
    shutil.copy(HERE / program, directory)
    return json.loads(run_node(directory / program, *arguments))


def run_node(*arguments: str | Path) -> str:
    """What node prints; it must succeed."""
    command = [str(NODE), *map(str, arguments)]
    done = subprocess.run(command, env=os.environ | {"NO_COLOR": "1"}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy_modules(directory: Path) -> None:
    """Write the modules of the page, as browsers get them, to where node takes them for modules."""
    directory.mkdir(exist_ok=True)
    for module in PAGE.glob("*.js"):
        (directory / module.name).write_bytes(without_comments(module.read_bytes()))
    (directory / "package.json").write_text('{"type": "module"}')
    (directory / "en.json").write_text(json.dumps(english()))


def english() -> Any:
    """The words of the page."""
    return tomllib.loads((PAGE / "words" / "en.toml").read_text(encoding="utf-8"))


def copy_boards(directory: Path, rules: Ruleset) -> str:
    """Write a board and what it is drawn with, where node finds them by their names; returns the board's address."""
    copy_modules(directory)
    for module in (PAGE.parent / "boards").glob("*.js"):
        (directory / module.name).write_bytes(without_comments(module.read_bytes()))
    for name in (*BARE_NAMES, *OF_BOARDS):
        package = directory / "node_modules" / name
        package.mkdir(parents=True)
        (package / "package.json").write_text('{"type": "module", "exports": "./index.js"}')
        (package / "index.js").write_text(f'export * from "../../{name}.js";')
    (directory / "board.js").write_bytes((rules.directory / "page" / "board.js").read_bytes())
    return "./board.js"
