"""Each engine's session carries typed columns in and doubles out exactly: what parity rests on."""

from __future__ import annotations

import math
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from real_engines import by_engine, needed
from strategies import HARD_KEYS

from curvec.parity import RUNNERS

DOUBLES = [0.0, 0.1, 1 / 3, -2.5, 5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1e-300, 1e22, 1e23]
DOUBLES += [2.0**53, 2.0**53 + 2, math.pi * 1e100, 1.7976931348623157e308, -1.7976931348623157e308, 123456789.12345679]
SPECIAL = [-0.0, math.inf, -math.inf, math.nan, None]
KEYS: list[Any] = [*HARD_KEYS, "unseen", None]
INTEGERS: list[Any] = [0, -1, 2**53, -(2**53), 2**62, None]


def bits(value: float | None) -> bytes | None:
    return None if value is None else struct.pack("<d", value)


@by_engine("name")
def test_columns_arrive_with_their_bits_and_types(name: str) -> None:
    runner = needed(name)
    special = [value for value in SPECIAL if _holds(runner, value)]
    doubles: list[Any] = [*DOUBLES, *special]
    count = max(len(doubles), len(KEYS), len(INTEGERS))
    doubles += [None] * (count - len(doubles))
    keys, integers = (values + [None] * (count - len(values)) for values in (KEYS, INTEGERS))
    flags = [[True, False, None][row % 3] for row in range(count)]
    columns = [
        runner.column("k", "int", list(range(count))),
        runner.column("x", "number", doubles),
        runner.column("s", "str", keys),
        runner.column("i", "int", integers),
        runner.column("b", "bool", flags),
    ]
    with runner.session() as session:
        session.load("t", columns)
        found = sorted(session.query("SELECT k, x, s, i, b FROM t"), key=lambda row: row[0])
    assert [row[0] for row in found] == list(range(count))
    expected = [0.0 if value == 0.0 and name in ("sqlite", "apsw", "mariadb", "h2") else value for value in doubles]
    assert [bits(row[1]) for row in found] == [bits(value) for value in expected]
    assert [row[2] for row in found] == keys
    assert [row[3] for row in found] == integers
    assert [None if row[4] is None else bool(row[4]) for row in found] == flags


def _holds(runner: Any, value: float | None) -> bool:
    if value is None:
        return True
    return not ((math.isnan(value) and not runner.limits.nan) or (math.isinf(value) and not runner.limits.infinity))


@by_engine("name")
def test_a_session_starts_with_nothing(name: str) -> None:
    runner = needed(name)
    for _ in range(2):
        with runner.session() as session:
            session.load("t", [runner.column("k", "int", [1])])
            assert [tuple(row) for row in session.query("SELECT k FROM t")] == [(1,)]


def test_h2_is_a_jar_that_is_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: "java")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("CURVEC_H2", raising=False)
    runner = RUNNERS["h2"]
    assert "mvn dependency:get -Dartifact=com.h2database:h2:" in str(runner.needs())
    for version in ("2.1.214", "2.3.230", "2.10.0"):
        folder = tmp_path / ".m2/repository/com/h2database/h2" / version
        folder.mkdir(parents=True)
        with zipfile.ZipFile(folder / f"h2-{version}.jar", "w") as jar:
            manifest = f"Bundle-SymbolicName: com.h2database\r\nBundle-Version: {version}\r\n"
            jar.writestr("META-INF/MANIFEST.MF", manifest)
        assert str(runner.needs()).endswith("h2-2.1.214.jar is 2.1.214") == (version == "2.1.214")
    assert (runner.needs(), runner.version()) == (None, "2.10.0")
    monkeypatch.setenv("CURVEC_H2", str(tmp_path / "none.jar"))
    assert str(runner.needs()).endswith("none.jar is none)")
