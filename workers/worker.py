"""A worker process: it runs jobs one after the other, without forking.

`python -m workers.worker [nudges] [quick-bots] [bots] [audits]` listens to the queues named, or to all.
"""

import sys
import threading
import time

from rq import Queue, SimpleWorker
from rq.job import Job
from rq.utils import now
from rq.worker import WorkerStatus
from rq.worker_registration import clean_worker_registry

from referee.ops.logs import set_up_logs
from referee.service.hosts import ANNOUNCE_S, Hosts
from referee.settings import read_settings
from referee.wiring import connect, make_hosts
from workers.jobs import carry_out
from workers.queues import GAMES_MAX, GamesJob, GamesQueue, queue


class GamesWorker(SimpleWorker):
    """Carries out jobs as soon as they are queued. Nothing that others write into Redis makes it run other code."""

    job_class = GamesJob
    queue_class = GamesQueue

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Carry out a job without RQ's bookkeeping, and without the callbacks that a stored job can name."""
        assert isinstance(job, GamesJob)
        self.set_state(WorkerStatus.BUSY)
        carry_out(job)
        self.set_state(WorkerStatus.IDLE)

    def procline(self, message: str) -> None:
        """Keep the title of the process, which names its queues; RQ would change it twice for each job."""

    def subscribe(self) -> None:
        """Do not listen for RQ's commands: they would let everybody who can publish stop a worker."""

    def run_maintenance_tasks(self) -> None:
        """Remove dead workers from the registry; there is nothing else to maintain."""
        for each in self.queues:
            clean_worker_registry(each)
        setattr(self, "last_cleaned_at", now())  # which RQ declares to be None


def announce(hosts: Hosts) -> None:
    """Announce the rules of this process again and again; when it ends, the announcement expires."""
    while True:
        hosts.announce()
        time.sleep(ANNOUNCE_S)


def main(names: list[str]) -> None:
    """Work until a signal comes."""
    unknown = [name for name in names if name not in GAMES_MAX]
    if unknown:
        sys.exit(f"There is no queue {', '.join(unknown)}. The queues are: {', '.join(GAMES_MAX)}.")
    settings = read_settings()
    set_up_logs(settings.log_level, settings.log_format)
    redis = connect(settings.queue_url)
    queues = [queue(redis, name) for name in names or GAMES_MAX]
    threading.Thread(target=announce, args=(make_hosts(connect(settings.queue_url)),), daemon=True).start()
    worker = GamesWorker(queues, connection=redis, log_job_description=False)
    worker.work(with_scheduler=False, logging_level="WARNING")


if __name__ == "__main__":
    main(sys.argv[1:])
