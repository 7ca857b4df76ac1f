"""Logs one line per message, as text for people or as JSON for programs."""

import json
import logging
import os
import sys
import time
import traceback
from functools import lru_cache
from typing import Any

TEXT, JSON = FORMATS = ("text", "json")

_format = TEXT


def set_up_logs(level: str, form: str = TEXT) -> None:
    """Log to standard error in one of the formats."""
    global _format
    _format = form
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(form))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("rq").setLevel(logging.WARNING)


def formatter(form: str) -> logging.Formatter:
    """The formatter of a format."""
    return _JsonFormatter() if form == JSON else _TextFormatter()


class _TextFormatter(logging.Formatter):
    """Time, level, logger, text."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """Return the time of a record in UTC."""
        return _moment(round(record.created * 1000))


class _JsonFormatter(logging.Formatter):
    """The same as an object; a traceback is a field of it, so that a message is always one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line = {
            "at": _moment(round(record.created * 1000)),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            line["traceback"] = record.exc_text
        return json.dumps(line)


class ClientDataFilter(logging.Filter):
    """Removes the texts of errors, which may quote a client's data; types and tracebacks stay."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Remove the texts of errors from a record, and accept it."""
        if isinstance(record.args, tuple):
            record.args = tuple(
                type(each).__name__ if isinstance(each, BaseException) else each for each in record.args
            )
        if record.exc_info:
            kind, _, trace = record.exc_info
            record.exc_text = "".join(traceback.format_tb(trace)) + (kind.__name__ if kind else "")
            record.exc_info = None
        return True


def log_request(name: str, method: str, path: str, status: int, ms: float, **more: str | None) -> None:
    """Write the line of a request in the format of the loggers, but faster, since every request has one."""
    at = _moment(time.time_ns() // 1_000_000)
    if _format == JSON:
        line: dict[str, Any] = {"at": at, "level": "INFO", "logger": name, "method": method, "path": path}
        text = json.dumps(line | {"status": status, "ms": round(ms, 1), **more})
    else:
        words = " ".join(f"{key}={value}" for key, value in more.items())
        text = f"{at} INFO {name} {method} {path} {status} {ms:.1f}ms {words}"
    os.write(2, f"{text}\n".encode("utf-8", "replace"))


def _moment(ms: int) -> str:
    seconds, rest = divmod(ms, 1000)
    return f"{_to_the_second(seconds)}.{rest:03d}Z"


@lru_cache(maxsize=4)
def _to_the_second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
