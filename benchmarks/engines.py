# ruff: noqa: S608  the statements are made of names of this file
"""Engines with a table of random numbers, and the processor time that a query over it takes.

Time is that of the process that does the work, which a busy machine changes less than it changes the time of day.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from curvec.parity.runners import RUNNERS

__all__ = ["FEATURES", "FEW", "Engine", "opened", "table"]

FEATURES = [f"x{k}" for k in range(20)]
FEW = 1000
"""Rows of the table that tells what a query costs before its first row."""
LIMIT = 300.0
"""Seconds after which a query is given up."""
TICK = os.sysconf("SC_CLK_TCK")
SPARK = {
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -Xss16m",  # a forest's text nests deeply
    "spark.log.level": "OFF",
    "spark.sql.codegen.hugeMethodLimit": "8000",  # what the emitted text says; it makes every form here faster
}


def table(rows: int) -> pd.DataFrame:
    """Random rows."""
    return pd.DataFrame(np.random.default_rng(9).normal(0, 1, (rows, len(FEATURES))), columns=FEATURES)


@contextmanager
def opened(name: str) -> Iterator[Engine]:
    """The engine; Spark with its own compilers, where parity's session makes do with the quick one."""
    if name == "spark":
        from pyspark.sql import SparkSession  # noqa: PLC0415  only where Spark is asked for

        builder = SparkSession.builder.master("local[1]").appName("curvec")
        for key, value in SPARK.items():
            builder = builder.config(key, value)
        builder.getOrCreate()
        logging.getLogger("py4j").setLevel(logging.CRITICAL)  # which otherwise prints every query that is given up
    with RUNNERS[name].session() as session:  # type: ignore[attr-defined]  every runner here is of SQL
        yield Engine(name, session)


class Engine:
    """An engine with the tables ``scored``, ``tenth`` and ``few``, and queries that are run for the sum of a column."""

    def __init__(self, name: str, session: Any) -> None:
        self.name, self.session = name, session
        self.rows = self.tenth = 0
        self.process = os.getpid()
        if name == "duckdb":
            session.connection.execute("SET threads = 1")
        if name == "postgres":
            session.connection.commit()
            session.connection.autocommit = True  # a query that is refused leaves no transaction behind
            self.process = next(iter(session.query("SELECT pg_backend_pid()")))[0]
        if name == "mariadb":
            ((file,),) = session.query("SELECT @@pid_file")
            self.process = int(Path(file).read_text(encoding="ascii"))
        if name == "spark":
            self.process = int(session.connection._jvm.java.lang.ProcessHandle.current().pid())  # noqa: SLF001
        self.stage = 0

    def load(self, rows: int) -> None:
        """Make the tables."""
        self.rows, self.tenth = rows, rows // 10
        whole = table(rows)
        for name, count in {"scored": rows, "tenth": self.tenth, "few": FEW}.items():
            self._load(name, whole[:count])

    def _load(self, name: str, frame: pd.DataFrame) -> None:
        if self.name == "duckdb":
            self.session.connection.register("frame", frame)
            self.session.connection.execute(f"CREATE TABLE {name} AS SELECT * FROM frame")
        elif self.name == "spark":
            self.session.connection.createDataFrame(frame).coalesce(1).cache().createOrReplaceTempView(name)
        else:
            self.session.load(name, [RUNNERS[self.name].column(n, "number", frame[n].tolist()) for n in FEATURES])

    def seconds(self, query: str, column: str = "score", source: str = "scored") -> tuple[float, float]:
        """Processor seconds of one sum over the query, made to read another table than ``scored``, and that sum.

        Raises:
            TimeoutError: it took more than LIMIT seconds and could be left; Spark is then still at it.

        """
        text = re.sub(r"\bscored\b", source, query)
        before = self.clock()
        with self._limited(before):
            rows: Sequence[Any] = list(self.session.query(f"SELECT SUM({column}) FROM ({text}) q"))
        return self.clock() - before, float(rows[0][0])

    def scoring(self, query: str) -> tuple[float, float]:
        """Processor seconds of going through the rows, and of the whole query.

        On Spark the first are those of the tasks, as Spark counts them. The others are the planner's, the compilers'
        and the garbage collector's, which fall on a query by chance: on equal ones they differ by a second.
        """
        whole, _ = self.seconds(query)
        return (self._tasks() if self.name == "spark" else whole), whole

    def _tasks(self) -> float:
        """Processor seconds of the tasks of all stages since it was last asked."""
        from py4j.protocol import Py4JJavaError  # noqa: PLC0415  only where Spark is asked for

        context = self.session.connection.sparkContext._jsc.sc()  # noqa: SLF001  Python's side does not have them
        context.listenerBus().waitUntilEmpty()
        nanoseconds = 0
        while True:
            try:
                nanoseconds += context.statusStore().lastStageAttempt(self.stage).executorCpuTime()
            except Py4JJavaError:  # there is no such stage yet
                return nanoseconds / 1e9
            self.stage += 1

    @contextmanager
    def _limited(self, before: float) -> Iterator[None]:
        late = False

        def look(*_: object) -> None:
            nonlocal late
            if self.clock() - before > LIMIT:
                late = True
                raise TimeoutError

        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, 1, 1)
        try:
            yield
        except Exception as error:  # a driver may make another one of it
            signal.setitimer(signal.ITIMER_REAL, 0)
            if late:
                raise TimeoutError(f"more than {LIMIT:.0f} s") from error
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def clock(self) -> float:
        """Processor seconds that the engine's process has had."""
        if self.process == os.getpid():
            return time.process_time()
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK
