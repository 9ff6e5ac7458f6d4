"""MariaDB: a server of our own on a Unix socket, started once and stopped when Python ends."""

from __future__ import annotations

import atexit
import getpass
import math
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from typing import Any, ClassVar

import numpy as np

from curvec.errors import ParityError
from curvec.parity.runners.base import Data, Limits, TableColumn, python_values
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
from curvec.parity.runners.optional import optional
from curvec.parity.runners.scratch import scratch
from curvec.parity.runners.sql import Session, SqlRunner, declared, doubled, labels, longest

_LARGEST = float(np.finfo(np.float32).max)


def _single(value: Any) -> Any:
    held = single("").nearest(value)
    return held if held is None or math.isnan(held) else type(value)(min(max(held, -_LARGEST), _LARGEST))


_FLOAT = ColumnType("FLOAT", _single, double("").stored)  # beyond its largest number there is no infinity


def _of_255(value: Any) -> Any:
    held = char("").nearest(value)
    return held if held is None or len(held) < 256 else None


# Trailing blanks of a CHAR or of a value of an ENUM are not stored; a text of a VARCHAR or CHAR ends at its length.
_VARCHAR, _CHAR, _ENUM = text("VARCHAR(n)"), ColumnType("CHAR(n)", _of_255, same), ColumnType("ENUM", _of_255, same)
_NUMBERS = (
    _FLOAT,
    decimal("DECIMAL(15,6)", 15, 6),
    decimal("DECIMAL(38,12)", 38, 12),
    integer("INT", 32),
    integer("BIGINT UNSIGNED", 64, signed=False),
    integer("TINYINT", 8),
)
_TEXT = text("LONGTEXT")
_DOUBLE, _BIGINT = double("DOUBLE"), integer("BIGINT", 64)
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT, *_NUMBERS, boolean("BOOLEAN")),
    "int": (_BIGINT, _DOUBLE, *_NUMBERS),
    "str": (_TEXT, _VARCHAR, _CHAR, _ENUM),
    "bool": (boolean("BOOLEAN"), integer("BIT(1)", 1, signed=False), integer("INT", 32), _DOUBLE),
}
_START_SECONDS = 60
_BATCH_BYTES = 4_000_000  # below max_allowed_packet


class MariadbRunner(SqlRunner):
    """MariaDB, by an installed ``mariadbd``."""

    name = "mariadb"
    dialect: ClassVar[str] = "mariadb"
    types = _TYPES
    packages = ("pymysql",)
    version_query = "SELECT VERSION()"
    # Neither NaN nor infinity exists, and arithmetic that leaves the doubles is error 1690:
    # https://mariadb.com/kb/en/double/
    limits = Limits(nan=False, infinity=False, overflow=False)

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        if shutil.which("mariadbd") is None or shutil.which("mariadb-install-db") is None:
            return "install MariaDB's server (Debian: apt-get install mariadb-server)"
        return super().needs()

    def fitting(self, types: Mapping[str, ColumnType], data: Data) -> Mapping[str, ColumnType]:
        """Rows have 65,535 bytes, four a character; as many have names of columns and, twice, the labels of ENUMs."""
        rows, names = 65_535 - 20 * len(types), 65_535 - sum(len(name.encode()) + 30 for name in types)
        fitted = dict(types)
        for name, kind in types.items():
            column = TableColumn(name, kind, python_values(data[name]))
            row = 4 * longest(column) + 2 if kind in (_VARCHAR, _CHAR) else 0
            listed = 2 * sum(len(label.encode()) + 1 for label in labels(column)) if kind is _ENUM else 0
            if (row and row > rows) or (listed and listed > names):
                fitted[name] = _TEXT
            else:
                rows, names = rows - row, names - listed
        return fitted

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        connect = optional("pymysql").connect
        with (
            closing(connect(unix_socket=_server(), user=getpass.getuser(), charset="utf8mb4")) as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute("CREATE OR REPLACE DATABASE curvec CHARACTER SET utf8mb4")
            cursor.execute("USE curvec")
            yield _Session(cursor)


class _Session(Session):
    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        types = ", ".join(f"{doubled(column.name, '`')} {_declared(column)}" for column in columns)
        # MyISAM takes 4,096 columns and rows of any length; InnoDB about 1,000.
        self.connection.execute(f"CREATE TABLE {doubled(table, '`')} ({types}) ENGINE = MyISAM")
        rows = zip(*(column.values for column in columns), strict=True)
        batch: list[str] = []
        for row in rows:
            batch.append(f"({', '.join(map(self.connection.connection.escape, row))})")
            if sum(map(len, batch[-1:])) * len(batch) > _BATCH_BYTES:
                self.insert(table, batch)
        self.insert(table, batch)

    def insert(self, table: str, batch: list[str]) -> None:
        if batch:
            self.connection.execute(f"INSERT INTO {doubled(table, '`')} VALUES {', '.join(batch)}")  # noqa: S608  escaped
            batch.clear()

    def query(self, sql: str) -> list[Sequence[Any]]:
        self.connection.execute(sql)
        return list(self.connection.fetchall())


@cache
def _server() -> str:
    """Start a server; its socket."""
    folder = scratch("my")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    user, path = getpass.getuser(), f"{folder}/socket"
    common = ["--no-defaults", f"--datadir={folder}/data", f"--user={user}"]
    install = ["mariadb-install-db", *common, "--auth-root-authentication-method=socket", "--skip-test-db"]
    if user != "root":
        install.append(f"--auth-root-socket-user={user}")
    done = subprocess.run(install, capture_output=True, text=True, check=False)  # noqa: S603  our own
    if done.returncode:
        raise ParityError(f"mariadb-install-db failed: {done.stderr.strip() or done.stdout.strip()}")
    options = [*common, "--skip-networking", f"--socket={path}", f"--pid-file={folder}/pid"]
    nothing = subprocess.DEVNULL
    server = subprocess.Popen(["mariadbd", *options], stdout=nothing, stderr=nothing)  # noqa: S603, S607  our own
    atexit.register(_stop, server)
    _wait(server, path)
    return path


def _wait(server: subprocess.Popen[bytes], path: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        if _answers(path):
            return
        time.sleep(0.1)
    raise ParityError(f"mariadbd did not start within {_START_SECONDS} seconds")


def _answers(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except OSError:
            return False
    return True


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    server.wait()


def _declared(column: TableColumn) -> str:
    if column.type is not _ENUM:
        return declared(column)
    listed = ", ".join("'" + label.replace("\\", "\\\\").replace("'", "''") + "'" for label in labels(column))
    return f"ENUM({listed}) COLLATE utf8mb4_nopad_bin"
