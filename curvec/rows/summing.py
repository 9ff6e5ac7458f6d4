"""Batches of rows added to summaries, on several threads, one of which reads while the others add."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import TypeVar

B = TypeVar("B")
P = TypeVar("P")

_STOPPED = (-1, 0)


def add_all(batches: Iterator[B], parts: Sequence[P], add: Callable[[B, P], None], threads: int) -> None:
    """Add every batch to every part; to one part one batch at a time, in any order.

    Whichever thread runs out of work reads the next batch, so that there is at most one more in memory than threads.
    The first error ends it, first in the order of the batches and, within one, of the parts; and so does Ctrl-C.

    Args:
        batches: what is added; reading them may raise, too.
        parts: what they are added to, each without regard to the order of the batches.
        add: adds a batch to a part, without the interpreter's lock where that takes long.
        threads: how many at a time.

    """
    from concurrent.futures import ThreadPoolExecutor

    tasks = ((number, batch, place) for number, batch in enumerate(batches) for place in range(len(parts)))
    reading, adding = Lock(), [Lock() for _ in parts]
    errors: list[tuple[tuple[float, int], BaseException]] = []

    def work() -> None:
        while not errors:
            try:
                with reading:
                    task = None if errors else next(tasks, None)
            except BaseException as error:  # noqa: BLE001  raised by the caller's thread below
                errors.append(((float("inf"), 0), error))  # all batches before it are being worked on
                return
            if task is None:
                return
            number, batch, place = task
            try:
                with adding[place]:
                    add(batch, parts[place])
            except BaseException as error:  # noqa: BLE001
                errors.append(((number, place), error))

    with ThreadPoolExecutor(max(1, threads - 1), thread_name_prefix="curvec-rows") as pool:
        futures = [pool.submit(work) for _ in range(threads - 1)]
        try:
            work()
            for future in futures:
                future.result()
        except BaseException as error:  # noqa: BLE001
            errors.append((_STOPPED, error))
    if errors:
        raise min(errors, key=lambda one: (not isinstance(one[1], KeyboardInterrupt), one[0]))[1]
