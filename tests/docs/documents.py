"""The documents and their fenced blocks.

Blocks in `sh` run in order, in one shell per document. A `json`, `http` or `text` block right after one shows its
output. A `python` block that begins with `# name.py` is a file of that name. Blocks in other languages do not run.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.subjects import ROOT

DOCUMENTS: tuple[Path, ...] = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))

SHOWING = ("json", "http", "text")
LANGUAGES = ("sh", *SHOWING, "python", "js", "ts", "bash", "console", "markdown", "toml")

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_FILE_NAME = re.compile(r"# (\w+\.py)\n")


@dataclass(frozen=True)
class Block:
    """A fenced block, and the line of the document where it begins."""

    language: str
    text: str
    line: int

    @property
    def file_name(self) -> str | None:
        """The name of the file that the block contains, if it does."""
        found = _FILE_NAME.match(self.text) if self.language == "python" else None
        return found[1] if found else None


def blocks_of(text: str) -> list[Block]:
    """The blocks of a document, in order."""
    return [Block(found[1], found[2], text.count("\n", 0, found.start()) + 1) for found in _BLOCK.finditer(text)]


def steps_of(blocks: list[Block]) -> list[tuple[Block, Block | None]]:
    """Each block that runs, with the block that shows its output, if there is one."""
    return [
        (block, after if after is not None and after.language in SHOWING else None)
        for block, after in pairwise([*blocks, None])
        if block is not None and block.language == "sh"
    ]


def read(document: Path) -> str:
    return document.read_text(encoding="utf-8")
