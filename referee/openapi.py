"""Writes `openapi.yaml`: `python -m referee.openapi [file]`."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from referee.api.docs import openapi

FILE = Path(__file__).parent.parent / "openapi.yaml"


class _Writer(yaml.SafeDumper):
    """Writes everything out in full, without anchors, and prose line by line."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write every value out, without aliases."""
        return True


def _prose(writer: _Writer, text: str) -> yaml.Node:
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Writer.add_representer(str, _prose)


def written() -> str:
    """The document as YAML, the same bytes each time."""
    import_module("referee.app")  # Each part of the application declares its calls.
    return yaml.dump(openapi(), Dumper=_Writer, sort_keys=False, allow_unicode=True, width=120)


def main() -> None:
    """Write the file."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    file.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    main()
