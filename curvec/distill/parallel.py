"""Independent jobs on threads, with progress on the terminal. The fit's kernel releases the interpreter's lock.

Python tells only the main thread of Ctrl-C. The fit's kernel, and Python code by ``check_stopped``, ask now and then
whether their job is to end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from typing import TypeVar

from curvec._core import stoppable
from curvec.progress import progress_bar

J = TypeVar("J")
R = TypeVar("R")


def run_parallel(
    work: Callable[[J], R], jobs: Sequence[J], *, threads: int, label: str, progress: bool | None = None
) -> list[R]:
    """``work`` of every job, in the order of the jobs; the first error ends it, and so does Ctrl-C.

    Args:
        work: what to do with one job.
        jobs: the jobs.
        threads: how many at a time.
        label: what the progress bar says.
        progress: whether to show it; None shows it where stderr is a terminal.

    """
    from concurrent.futures import ThreadPoolExecutor, as_completed

    stop = Event()
    with (
        progress_bar(shown=progress) as bar,
        ThreadPoolExecutor(max_workers=min(threads, max(1, len(jobs)))) as pool,
    ):
        task = bar.add_task(label, total=len(jobs))
        futures = [pool.submit(stoppable, stop.is_set, partial(work, job)) for job in jobs]
        try:
            for future in as_completed(futures):
                future.result()
                bar.advance(task)
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        return [future.result() for future in futures]
