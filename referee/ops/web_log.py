"""The log lines of gunicorn itself, in the format of all others."""

from typing import Any

from gunicorn.glogging import Logger

from referee.ops.logs import formatter
from referee.settings import read_settings


class WebLog(Logger):
    """Gunicorn's logger with our format; it imports little, because gevent has not patched the library yet."""

    def setup(self, cfg: Any) -> None:
        """Set up gunicorn's loggers, then their format."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(formatter(read_settings().log_format))
