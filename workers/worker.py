"""A worker process: jobs run in the process itself, one after the other, without forking."""

from rq import SimpleWorker
from rq.timeouts import TimerDeathPenalty

from referee.logs import set_up_logs
from referee.settings import read_settings
from referee.wiring import connect
from workers.queues import nudges


class NudgeWorker(SimpleWorker):
    """Carries out nudges as soon as they are queued."""

    death_penalty_class = TimerDeathPenalty


def main() -> None:
    """Work until a signal comes."""
    settings = read_settings()
    set_up_logs(settings.log_level)
    redis = connect(settings.queue_url)
    worker = NudgeWorker([nudges(redis)], connection=redis, log_job_description=False)
    worker.work(with_scheduler=False, logging_level="WARNING")


if __name__ == "__main__":
    main()
