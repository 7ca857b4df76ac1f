"""Logs for people and for machines: one line each, time, level, where, what."""

import logging
import os
import sys
import time
import traceback
from functools import lru_cache


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


class ClientDataFilter(logging.Filter):
    """Leaves out what a client sent: of an error the log has its kind and where it was raised, not its text."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Take the texts of errors out of a record, and let it pass."""
        if isinstance(record.args, tuple):
            record.args = tuple(
                type(each).__name__ if isinstance(each, BaseException) else each for each in record.args
            )
        if record.exc_info:
            kind, _, trace = record.exc_info
            record.exc_text = "".join(traceback.format_tb(trace)) + (kind.__name__ if kind else "")
            record.exc_info = None
        return True


def log_line(name: str, text: str) -> None:
    """Write a line as the loggers do, without what they cost: for what is logged with every request."""
    seconds, rest = divmod(time.time_ns() // 1_000_000, 1000)
    os.write(2, f"{_to_the_second(seconds)}.{rest:03d}Z INFO {name} {text}\n".encode("utf-8", "replace"))


@lru_cache(maxsize=4)
def _to_the_second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
