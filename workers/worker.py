"""A worker process: jobs run in the process itself, one after the other, without forking.

`python -m workers.worker [nudges] [bots]` listens to the queues named, or to both.
"""

import sys

from rq import SimpleWorker
from rq.timeouts import TimerDeathPenalty

from referee.logs import set_up_logs
from referee.settings import read_settings
from referee.wiring import connect
from workers.queues import QUEUES, queue


class NudgeWorker(SimpleWorker):
    """Carries out jobs as soon as they are queued."""

    death_penalty_class = TimerDeathPenalty


def main(names: list[str]) -> None:
    """Work until a signal comes."""
    unknown = [name for name in names if name not in QUEUES]
    if unknown:
        sys.exit(f"There is no queue {', '.join(unknown)}; there are: {', '.join(QUEUES)}.")
    settings = read_settings()
    set_up_logs(settings.log_level)
    redis = connect(settings.queue_url)
    queues = [queue(redis, name) for name in names or QUEUES]
    worker = NudgeWorker(queues, connection=redis, log_job_description=False)
    worker.work(with_scheduler=False, logging_level="WARNING")


if __name__ == "__main__":
    main(sys.argv[1:])
