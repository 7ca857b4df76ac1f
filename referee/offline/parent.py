"""Ends child processes together with their parent."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent() -> None:
    """Make a new child process receive SIGTERM when its parent dies (Linux only)."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
