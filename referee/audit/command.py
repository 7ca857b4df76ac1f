"""The name by which a command was started, for its help and its messages."""

import sys
from pathlib import Path


def program(command: str, module: str) -> str:
    """Return the name of the installed command if it was started so; else how Python starts its module."""
    return command if Path(sys.argv[0]).stem == command else f"python -m {module}"
