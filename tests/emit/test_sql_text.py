"""Numbers, names and strings in SQL: what is written reads back, what cannot be held is refused by name."""

from __future__ import annotations

import math
import random
import re
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from real_engines import by_engine, needed
from strategies import HARD_KEYS

import curvec
from curvec import CurveModel, EnumCurve, InputError, PWLCurve, UnsupportedError
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_limits import nesting
from curvec.emit.sql_text import comment, comparand, literal, name, operand, string, unescaped
from curvec.fields import changed

IN_QUOTES = changed(DIALECTS["duckdb"], quotes_all=True)
EXTREMES = [
    0.1,
    1 / 3,
    5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    1e22,
    1e23,
    2.0**53 + 2,
    9.53674316e-07,
]
CONTROLS = [
    "a\rb",
    "\n",
    "\t",
    "\x0b",
    "\x1f",
    "\x7f",
    "\x85",
    "\u2028",
    "tab\tnew\r\nline",
    "\\n",
    "\\",
    "'",
    "''",
    "$",
    "${x}",
]


def doubles(count: int) -> list[float]:
    """Any bit pattern that is a finite number, and numbers as people write them."""
    generator = random.Random(7)  # noqa: S311  numbers for a test
    bits = [struct.unpack("d", struct.pack("Q", generator.getrandbits(64)))[0] for _ in range(count // 2)]
    typed = [float(f"{generator.gauss(0, 100):.{generator.randint(1, 17)}g}") for _ in range(count // 2)]
    return [value for value in [*bits, *typed, *EXTREMES] if math.isfinite(value)]


@by_engine("engine")
def test_every_literal_is_read_to_the_bit(engine: str) -> None:
    runner = needed(engine)
    count = 120 if engine in ("bigquery", "spark") else 600  # which plan a query for seconds
    values = [value for value in doubles(count) if engine != "mariadb" or abs(value) > 1e-307]
    dialect = DIALECTS[runner.dialect]
    one = dialect.double.format("k")
    spellings: list[Callable[[float], str]] = [
        lambda value: literal(dialect, value),
        lambda value: f"{one} * {operand(dialect, value)}",
        lambda value: f"CASE WHEN {literal(dialect, value)} * {one} = {comparand(dialect, value)} THEN {one} END",
    ]
    with runner.session() as session:
        session.load("one", [runner.column("k", "int", [1])])
        for spelled, wanted in zip(spellings, [values, values, [1.0] * len(values)], strict=True):
            read: list[float] = []
            for first in range(0, len(values), 150):
                columns = ", ".join(f"{spelled(value)} AS c{k}" for k, value in enumerate(values[first : first + 150]))
                read += next(iter(session.query(f"SELECT {columns} FROM one")))  # noqa: S608
            assert read == wanted


@by_engine("engine")
def test_every_string_is_read_as_it_was(engine: str) -> None:
    runner = needed(engine)
    values = [*HARD_KEYS, *CONTROLS]
    with runner.session() as session:
        session.load("one", [runner.column("k", "int", [1])])
        texts = [unescaped(string(DIALECTS[runner.dialect], value)) for value in values]
        columns = ", ".join(f"{text} AS c{k}" for k, text in enumerate(texts))
        read = next(iter(session.query(f"SELECT {columns} FROM one")))  # noqa: S608
    assert [value.decode() if isinstance(value, bytes) else value for value in read] == values
    assert all(len(text.splitlines()) <= 1 for text in texts) or not DIALECTS[runner.dialect].control


@pytest.mark.parametrize("dialect", DIALECTS)
@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_a_literal_is_a_double_and_never_a_decimal_or_an_integer(dialect: str, value: float) -> None:
    engine = DIALECTS[dialect]
    if value and abs(value) < engine.least:
        with pytest.raises(UnsupportedError, match="does not hold"):
            literal(engine, value)
        return
    text = literal(engine, value)
    numbers = re.findall(r"[\d.]+(?:e-?\d+)?", text.removesuffix(engine.suffix).replace(engine.suffix, ""))
    double = re.compile("e" if engine.needs_exponent else "" if engine.suffix else "[.e]")
    assert all(double.search(number) for number in numbers), text
    if len(numbers) == 1:
        assert float(text.removesuffix(engine.suffix)) == value


@pytest.mark.parametrize(
    ("dialect", "text", "reason"),
    [
        *((dialect, "nul\0", "NUL") for dialect in DIALECTS),
        *((dialect, "", "is empty") for dialect in DIALECTS if dialect != "sqlite"),
        ("postgres", "x" * 64, "64 bytes.*at most 63"),
        ("postgres", "é" * 32, "64 bytes.*at most 63"),
        ("mysql", "x" * 65, "65 characters.*at most 64"),
        ("mysql", "a ", "blank"),
        ("mariadb", "🙂", "basic plane"),
        ("redshift", "x" * 200, "at most 127"),
        ("bigquery", "home.dest", r"holds '\.'"),
        ("bigquery", "x" * 301, "at most 300"),
        ("snowflake", "x" * 256, "at most 255"),
        ("tsql", "x" * 200, "at most 128"),
        ("oracle", 'a"b', "holds '\"'"),
        ("oracle", "x" * 200, "at most 128"),
        ("spark", "${x}", r"holds '\$\{'"),
        ("databricks", "x" * 300, "at most 255"),
    ],
)
def test_a_name_that_an_engine_cannot_hold_is_refused(dialect: str, text: str, reason: str) -> None:
    with pytest.raises(UnsupportedError, match=f"(?s){reason}.*in {DIALECTS[dialect].title}; rename"):
        curvec.emit(CurveModel("m", [PWLCurve(text, [(0, 0), (1, 1)])]), "sql", dialect)


@pytest.mark.parametrize(
    ("dialect", "level", "reason"),
    [
        *((dialect, "a\0b", "NUL") for dialect in DIALECTS),
        ("oracle", "", "NULL in Oracle"),
        ("oracle", "é" * 1000, "has 2000 bytes, and Oracle compares 1999; shorten it"),
    ],
)
def test_a_level_that_an_engine_cannot_hold_is_refused(dialect: str, level: str, reason: str) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        curvec.emit(CurveModel("m", [EnumCurve("c", {level: 1.0})]), "sql", dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_features_that_differ_only_in_case(dialect: str) -> None:
    model = CurveModel("m", [PWLCurve("Age", [(0, 0), (1, 1)]), PWLCurve("age", [(0, 0), (1, 1)])])
    if DIALECTS[dialect].folds == "nothing":
        assert curvec.emit(model, "sql", dialect)
        return
    with pytest.raises(UnsupportedError, match="'Age' and 'age' differ only in case"):
        curvec.emit(model, "sql", dialect)


@pytest.mark.parametrize("dialect", [None, "", "oracle ", "DuckDB"])
def test_an_unknown_dialect_is_refused_with_those_that_exist(dialect: str | None) -> None:
    fault = (
        "SQL needs dialect=, the engine that reads it" if dialect is None else f"dialect={dialect!r} is not a dialect"
    )
    with pytest.raises(InputError, match=f"{fault}; use one of sqlite, duckdb, "):
        curvec.emit(CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)])]), "sql", dialect)


@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1))
def test_names_strings_and_comments_come_out_as_they_went_in(text: str) -> None:
    assert unescaped(name(IN_QUOTES, text)) == '"' + text.replace('"', '""') + '"'
    said = unescaped(comment(text))
    assert len(said.splitlines()) <= 1
    assert "${" not in said
    assert nesting(name(IN_QUOTES, text) + comment(text)) == (0, 0)


def test_comments_are_read_as_they_were_written() -> None:
    """Accents stay; text in quotes, so that a level '1' is told from 1; what is not seen, or turns the text, is not."""
    towns = EnumCurve("âge", {"Orléans": 1, "1": 2, "a: 3, b": 3, "O'Brien": 4}, note="Größe: 100 m², 年\u202e\x85🎉")
    text = curvec.emit(CurveModel("modèle", [towns, EnumCurve("n", {1: 2, -3: 4})]), "sql", "duckdb")
    assert "-- modèle: " in text
    assert """-- âge: "Orléans": 1, "1": 2, "a: 3, b": 3, "O'Brien": 4; note: Größe: 100 m², 年""" in text
    assert r"年\u202e\x85\U0001f389" in text
    assert "-- n: 1: 2, -3: 4" in text


def test_nesting_counts_what_the_engine_parses() -> None:
    assert nesting("CASE WHEN (a) THEN CASE WHEN b THEN (c) END ELSE CASE END END") == (2, 9)
