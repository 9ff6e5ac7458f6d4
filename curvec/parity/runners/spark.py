"""Spark: one local session, started once and stopped when Python ends."""

from __future__ import annotations

import atexit
import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.column_types import ColumnTypes, boolean, decimal, double, integer, single, text
from curvec.parity.runners.optional import optional
from curvec.parity.runners.scratch import scratch
from curvec.parity.runners.sql import Session, SqlRunner

_NUMBERS = (
    single("FLOAT"),
    decimal("DECIMAL(38,12)", 38, 12),
    integer("INT", 32),
)
_DOUBLE, _BIGINT = double("DOUBLE"), integer("BIGINT", 64)
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT, *_NUMBERS, boolean("BOOLEAN")),
    "int": (_BIGINT, _DOUBLE, *_NUMBERS),
    "str": (text("STRING"),),
    "bool": (boolean("BOOLEAN"), integer("TINYINT", 8), _DOUBLE),
}


class SparkRunner(SqlRunner):
    """Spark in this process's own JVM, with one thread."""

    name = "spark"
    dialect: ClassVar[str] = "spark"
    types = _TYPES
    packages = ("pyspark",)
    log_ulps = 8.0  # StrictMath's log and exp differ from the C library's in the last bit for some arguments

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        java = (
            None if shutil.which("java") else "install Java 17 or newer (Debian: apt-get install default-jre-headless)"
        )
        return super().needs() or java

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        session = _Session(_spark())
        try:
            yield session
        finally:
            session.drop()


class _Session(Session):
    def __init__(self, spark: Any) -> None:
        super().__init__(spark)
        self.views: list[str] = []

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        types = optional("pyspark.sql.types")
        fields = [types.StructField(c.name, types.DataType.fromDDL(c.type.name)) for c in columns]
        schema = types.StructType(fields)
        rows = list(zip(*(column.values for column in columns), strict=True))
        with _tolerant():
            self.connection.createDataFrame(rows, schema).createOrReplaceTempView(table)
        self.views.append(table)

    def query(self, sql: str) -> list[Sequence[Any]]:
        with _tolerant():
            return list(self.connection.sql(sql).collect())

    def drop(self) -> None:
        for view in self.views:
            self.connection.catalog.dropTempView(view)


_NO_LOG = """\
appender.none.type = Null
appender.none.name = none
rootLogger.level = off
rootLogger.appenderRef.none.ref = none
"""


@cache
def _spark() -> Any:
    """The session."""
    folder = Path(scratch("spark"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    quiet = folder / "log4j2.properties"
    quiet.write_text(_NO_LOG)
    builder = optional("pyspark.sql").SparkSession.builder.master("local[1]").appName("curvec")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        # A session of a minute: one quick compiler, one collector thread, no log.
        "spark.driver.extraJavaOptions": (
            f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dlog4j2.configurationFile={quiet.as_uri()}"
        ),
    }.items():
        builder = builder.config(key, value)
    with _tolerant():
        spark = builder.getOrCreate()
    atexit.register(spark.stop)
    return spark


@contextmanager
def _tolerant() -> Iterator[None]:
    """Warnings off: pyspark leaves sockets open until they are dropped, and says that it does not know pandas 3 yet."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
