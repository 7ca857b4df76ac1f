"""Logs for people and for machines: one line each, time, level, where, what."""

import logging
import sys
import time


def set_up_logs(level: str) -> None:
    """Log to the error output."""
    handler = logging.StreamHandler(sys.stderr)
    formatter = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("rq").setLevel(logging.WARNING)
