"""H2: its own shell in a Java process, started once; scripts and results go through files, so there is no port."""

from __future__ import annotations

import atexit
import csv
import math
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_text import name, unescaped
from curvec.errors import ParityError
from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.column_types import (
    ColumnType,
    ColumnTypes,
    boolean,
    char,
    decimal,
    double,
    integer,
    same,
    single,
    text,
)
from curvec.parity.runners.scratch import scratch
from curvec.parity.runners.sql import Session, SqlRunner, declared, labels

_NUMBERS = (
    single("REAL"),
    decimal("NUMERIC(15,6)", 15, 6),
    decimal("NUMERIC(38,12)", 38, 12),
    double("DECFLOAT"),
    integer("INTEGER", 32),
    integer("TINYINT", 8),
)
_DOUBLE, _BIGINT = double("DOUBLE PRECISION"), integer("BIGINT", 64)
_BLANKS = "".join(map(chr, range(33)))
_ENUM = ColumnType("ENUM", lambda value: None if value is None else value.strip(_BLANKS).upper() or None, same)
"""A type that lists its values, which differ in more than case and what is around them, and are not empty."""
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT, *_NUMBERS, boolean("BOOLEAN")),
    "int": (_BIGINT, _DOUBLE, *_NUMBERS),
    "str": (text("VARCHAR"), text("VARCHAR_IGNORECASE"), text("CLOB"), char("CHAR(n)"), _ENUM),
    "bool": (boolean("BOOLEAN"), integer("TINYINT", 8), _DOUBLE),
}
_MAVEN = ".m2/repository/com/h2database/h2"
_OLDEST = "2.3.230"
"""Earlier ones lose columns of nested subqueries: https://github.com/h2database/h2database/pull/3989"""
_NULL = "(null)"
_ROWS = 500  # of one INSERT


class H2Runner(SqlRunner):
    """H2 in memory, by the jar of ``CURVEC_H2`` (a path) if set, else by the newest that Maven has fetched."""

    name = "h2"
    dialect: ClassVar[str] = "h2"
    types = _TYPES
    most_labels: ClassVar[Mapping[str, int]] = {"ENUM": 65_535}
    log_ulps = 8.0  # Java's logarithm and exponential differ from the C library's in the last bit for some arguments

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        if shutil.which("java") is None:
            return "install Java 11 or newer (Debian: apt-get install default-jre-headless)"
        jar = _jar()
        version = _version(jar) if jar else ""
        if jar is None or not version:
            found = f" ({jar} is none)" if jar else ""
            return (
                "fetch H2 by Maven (mvn dependency:get -Dartifact=com.h2database:h2:2.3.232), or set CURVEC_H2 to the "
                f"path of its jar{found}"
            )
        if _parts(version) < _parts(_OLDEST):
            return f"set CURVEC_H2 to the jar of H2 {_OLDEST} or newer, as {jar} is {version}"
        return None

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        return _version(_jar() or Path())

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        jar = _jar()
        assert jar is not None  # noqa: S101  needs() has found it
        shell = _shell(jar)
        shell.execute("DROP ALL OBJECTS")
        yield _Session(shell)


def _jar() -> Path | None:
    """The jar to use, if one is named or found."""
    if named := os.environ.get("CURVEC_H2"):
        return Path(named)
    fetched = (jar for jar in (Path.home() / _MAVEN).glob("*/h2-*.jar") if jar.stem == f"h2-{jar.parent.name}")
    return max(fetched, key=lambda jar: _parts(jar.parent.name), default=None)


def _version(jar: Path) -> str:
    """The version of H2 in a jar; "" if it is no such jar."""
    try:
        with zipfile.ZipFile(jar) as files:
            manifest = files.read("META-INF/MANIFEST.MF").decode()
    except (OSError, KeyError, zipfile.BadZipFile):
        return ""
    said = dict(line.split(": ", 1) for line in manifest.splitlines() if ": " in line)
    return said.get("Bundle-Version", "") if said.get("Bundle-SymbolicName") == "com.h2database" else ""


def _parts(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


class _Session(Session):
    connection: _Shell

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        fields = ", ".join(f"{_named(column.name)} {_declared(column)}" for column in columns)
        rows = [f"({', '.join(map(_literal, row))})" for row in zip(*(c.values for c in columns), strict=True)]
        batches = (",\n".join(rows[first : first + _ROWS]) for first in range(0, len(rows), _ROWS))
        inserts = [f"INSERT INTO {_named(table)} VALUES\n{batch}" for batch in batches]
        self.connection.execute(f"CREATE TABLE {_named(table)} ({fields})", *inserts)

    def query(self, sql: str) -> list[Sequence[Any]]:
        return self.connection.fetch(sql)


class _Shell:
    """H2's shell, which reads commands from a pipe, with one database in memory.

    Each command is a script in a file, as the shell itself ends a statement at any line that ends with a semicolon.
    """

    def __init__(self, jar: Path, folder: str) -> None:
        self.folder, self.numbers = Path(folder), count()
        quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", f"-Djava.io.tmpdir={folder}"]
        self.process = subprocess.Popen(  # noqa: S603  our own
            ["java", *quick, "-cp", str(jar), "org.h2.tools.Shell", "-url", "jdbc:h2:mem:"],  # noqa: S607
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # an interrupt is for us; it ends when the pipe does
        )

    def execute(self, *statements: str) -> None:
        """Run statements.

        Raises:
            ParityError: what H2 says.

        """
        number = next(self.numbers)
        script, end = self.folder / f"{number}.sql", f"end-of-{number}"
        script.write_text(";\n".join(statements) + ";\n", encoding="utf-8", newline="")
        self.say(f"RUNSCRIPT FROM '{script}' CHARSET 'UTF-8';\nCALL '{end}';\n")
        said = list(iter(self.line, end))
        script.unlink()
        failed = [place for place, line in enumerate(said) if line.startswith("Error: ")]
        if failed:
            raise ParityError(f"H2: {' '.join(said[failed[0] :])}")

    def fetch(self, sql: str) -> list[Sequence[Any]]:
        """The rows of a query, converted by the types that its columns have."""
        types, rows = self.folder / "types.csv", self.folder / "rows.csv"
        self.execute(
            "DROP TABLE IF EXISTS curvec_result",
            f"CREATE TABLE curvec_result AS\n{sql}",
            _written(types, _RESULT_TYPES),
            _written(rows, "SELECT * FROM curvec_result"),
        )
        kinds = [kind for (kind,) in _read(types)]
        return [[_value(kind, cell) for kind, cell in zip(kinds, row, strict=True)] for row in _read(rows)]

    def say(self, text: str) -> None:
        assert self.process.stdin is not None  # noqa: S101  it is a pipe
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def line(self) -> str:
        assert self.process.stdout is not None  # noqa: S101  it is a pipe
        line = self.process.stdout.readline()
        if not line:
            raise ParityError("H2's shell ended")
        return line.strip().removeprefix("sql> ")

    def end(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()


_RESULT_TYPES = (
    "SELECT data_type FROM information_schema.columns WHERE table_name = 'CURVEC_RESULT' ORDER BY ordinal_position"
)


@cache
def _shell(jar: Path) -> _Shell:
    folder = scratch("h2")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shell = _Shell(jar, folder)
    atexit.register(shell.end)
    return shell


def _named(text: str) -> str:
    """A name as the emitted text has it, in capitals if it is one without quotes."""
    return unescaped(name(DIALECTS["h2"], text))


def _declared(column: TableColumn) -> str:
    if column.type is _ENUM:
        return f"ENUM({', '.join(map(_text, labels(column)))})"
    return declared(column, length=lambda value: len(value.encode("utf-16-le")) // 2)


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and not math.isfinite(value):
        return f"'{'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity'}'"
    return _text(value) if isinstance(value, str) else f"{value}"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _written(path: Path, query: str) -> str:
    return f"CALL CSVWRITE('{path}', {_text(query)}, 'charset=UTF-8 null={_NULL} writeColumnHeader=false')"


def _read(path: Path) -> list[list[str | None]]:
    with path.open(encoding="utf-8", newline="") as file:
        found = [[None if cell == _NULL else cell for cell in row] for row in csv.reader(file)]
    path.unlink()
    return found


_READ: Mapping[str, Callable[[str], Any]] = {
    "DOUBLE PRECISION": float,
    "BOOLEAN": "TRUE".__eq__,
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT"), int),
    **dict.fromkeys(("REAL", "NUMERIC", "DECFLOAT"), Decimal),
}


def _value(kind: str | None, cell: str | None) -> Any:
    return None if cell is None else _READ.get(kind or "", str)(cell)
