# ruff: noqa: S608  the statements are made of names that the emitter wrote
"""Names with quotes and without: each is the column that it names, on engines that can say so."""

from __future__ import annotations

from typing import Any

import pytest
import sql_engines as engines
import sqlglot
from real_engines import needed
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, UnsupportedError
from curvec.emit.dialects import DIALECTS

KEYWORDS = {
    "duckdb": "SELECT keyword_name FROM duckdb_keywords()",
    "postgres": "SELECT word FROM pg_get_keywords()",
    "mariadb": "SELECT LOWER(word) FROM information_schema.keywords",
}


H2_WORDS = """
all and any array as asymmetric authorization between both case cast check constraint cross current_catalog current_date
current_path current_role current_schema current_time current_timestamp current_user day default distinct else end
except exists false fetch for foreign from full group groups having hour if ilike in inner intersect interval is join
key leading left like limit localtime localtimestamp minus minute month natural not null offset on or order over
partition primary qualify range regexp right row rownum rows second select session_user set some symmetric system_user
table to top trailing true uescape union unique unknown user using value values when where window with year
"""
"""https://www.h2database.com/html/advanced.html#keywords, as H2 does not say them itself."""


def keywords(engine: str, session: Any) -> list[str]:
    """The words that the engine itself says are of its language."""
    if engine == "h2":
        return H2_WORDS.split()
    if engine == "sqlite":
        return sorted(word.lower() for word in pytest.importorskip("apsw").keywords)
    return sorted({word for (word,) in session.query(KEYWORDS[engine]) if word.replace("_", "a").isalnum()})


@pytest.mark.parametrize("engine", ["sqlite", "h2", *KEYWORDS])
def test_every_word_of_the_language_is_a_column_that_is_read(engine: str) -> None:
    runner = needed(engine)
    with runner.session() as session:
        words = keywords(engine, session)
        assert len(words) > 90
        for first in range(0, len(words), 200):
            batch = words[first : first + 200]
            written = [engines.quoted(runner.dialect, word) for word in batch]
            mark, _ = DIALECTS[runner.dialect].quotes
            kept = [word.upper() if DIALECTS[runner.dialect].capitals else word for word in batch]
            inner = ", ".join(f"{number} AS {mark}{word}{mark}" for number, word in enumerate(kept))
            outer = ", ".join(f"t.{word} AS {word}" for word in written)
            bare = ", ".join(f"{word} + 0" for word in written)
            (row,) = session.query(f"SELECT {bare} FROM (SELECT {outer} FROM (SELECT {inner}) AS t) AS t")
            assert [int(value) for value in row] == list(range(len(batch)))


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in ("datafusion", "polars")])
def test_a_name_without_quotes_is_the_one_that_was_meant(dialect: str) -> None:
    """By another reader's rules of the dialect: names without quotes may be kept in capitals or in small letters."""
    read = {"mariadb": "mysql", "h2": "snowflake"}.get(dialect, dialect)
    in_capitals = DIALECTS[dialect].capitals
    for text in ["age", "AGE", "Age", "order", "ORDER", "value", "_x", "x1", "1x", "a b", "é", "key", "Key", "KEY"]:
        written = sqlglot.parse_one(f"SELECT {engines.quoted(dialect, text)} FROM t", read=read)
        (column,) = normalize_identifiers(written, dialect=read).find_all(sqlglot.exp.Column)
        wanted = text.upper() if in_capitals and text.isascii() and text.islower() and text[0].isalpha() else text
        wanted = text if " " in text else wanted
        assert column.name in (wanted, wanted.lower()) if not in_capitals else column.name == wanted, text


@pytest.mark.parametrize("dialect", ["snowflake", "oracle", "h2"])
def test_names_are_exactly_as_given_where_that_is_asked(dialect: str) -> None:
    model = CurveModel("m", [PWLCurve("age", [(0, 0), (1, 1)]), EnumCurve("AGE", {"a": 1.0})])
    with pytest.raises(UnsupportedError, match="'age' and 'AGE' differ only in case"):
        curvec.emit(model, "sql", dialect, form="select", table="people")
    text = curvec.emit(model, "sql", dialect, form="select", table="people", key=["id"], quote=True)
    assert all(name in text for name in ('t."age"', 't."AGE"', 't."id"', '"score"', 'FROM "people"'))


def test_a_model_without_terms_is_its_intercept_by_name() -> None:
    text = curvec.emit(CurveModel("m", [], intercept=1.5), "sql", "duckdb", form="select", table="people", key=["id"])
    assert ") AS intercept\n" in text


def test_dbt_is_told_which_columns_are_in_quotes() -> None:
    model = CurveModel("m", [PWLCurve("age", [(0, 0), (1, 1)]), PWLCurve("Home", [(0, 0), (1, 1)])])
    text = curvec.emit(model, "sql", "snowflake", form="dbt_schema", table="people", key=["ID"])
    assert '- name: "id"\n        description' in text
    assert '- name: "Home"\n        description: "A number, read by 1 curve."\n        quote: true\n' in text
    assert text.count("quote: true") == 1
