"""Large models run as they are: a thousand curves, ten thousand categories, a forest's every step.

Spark takes minutes to plan the first; ``benchmarks/parity.py --large`` runs all three there too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sql_engines as engines
from sklearn import datasets, ensemble

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, StepCurve, UnsupportedError
from curvec.emit.dialects import DIALECTS
from curvec.fields import changed

FLOAT = {"sqlite": "REAL", "duckdb": "DOUBLE", "postgres": "float8"}


def on_each(by_day: str) -> pytest.MarkDecorator:
    """On one of the engines by day, at night on the others, too."""
    night = [pytest.param(name, marks=pytest.mark.nightly) for name in engines.IN_PROCESS if name != by_day]
    return pytest.mark.parametrize("dialect", [by_day, *night])


@cache
def a_thousand_curves() -> CurveModel:
    random = np.random.default_rng(1)
    curves = []
    for k in range(1000):
        x = np.unique(random.normal(0, 3, 6).round(3)).tolist()
        curves.append(
            PWLCurve(f"x{k}", list(zip(x, random.normal(0, 1, 6).round(4).tolist(), strict=False)), missing=0.1)
        )
    return CurveModel("a thousand", curves, 0.5, "logit")


def scored(dialect: str, model: CurveModel, types: dict[str, str], rows: list[Any], **options: Any) -> Any:
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, {"k": "integer", **types}, [(k, *row) for k, row in enumerate(rows)])
        text = curvec.emit(model, "sql", dialect, form="select", table="rows", key=["k"], **options)
        found = engines.fetch(connection, text)
    return found[np.argsort(found[:, 0])][:, 1:]


@on_each("duckdb")
def test_a_thousand_curves(dialect: str) -> None:
    model = a_thousand_curves()
    rows = np.random.default_rng(2).normal(0, 4, (12, 1000))
    rows[3, :7] = np.nan
    names = [feature.name for feature in model.features]
    found = scored(dialect, model, dict.fromkeys(names, FLOAT[dialect]), rows.tolist(), link=True)
    data = dict(zip(names, rows.T, strict=True))
    engines.assert_same(found, np.column_stack([model.eval(data), model.predict(data)]))


@on_each("postgres")
def test_ten_thousand_categories(dialect: str) -> None:
    levels = {f"level {k}": k / 7 for k in range(10_000)}
    codes = {3 * k: k / 11 for k in range(10_000)}
    terms = [EnumCurve("c", levels, 0.5, 1.5), EnumCurve("n", codes, missing=-1.0), EnumCurve("c", levels)]
    model = CurveModel("categories", terms, 0.25)
    text_keys = ["level 0", "level 9999", "LEVEL 0", "level 0 ", "level 10000", "", None, "level 5"]
    codes_seen = [0, 29_997, 1, 3, None, -3, 30_000, 15]
    types = {"c": {"sqlite": "TEXT COLLATE NOCASE", "duckdb": "VARCHAR"}.get(dialect, "text"), "n": "bigint"}
    found = scored(dialect, model, types, list(zip(text_keys, codes_seen, strict=True)), per_term=True)
    data = {"c": text_keys, "n": np.array(codes_seen, dtype=object)}
    engines.assert_same(found, np.column_stack([model.contributions(data), model.eval(data)]))


def test_six_thousand_categories_are_a_table_and_not_a_case() -> None:
    model = CurveModel("m", [EnumCurve("c", {f"level {k}": k / 7 for k in range(6000)}, 0.5)])
    for dialect in ("sqlite", "spark", "mysql", "bigquery", "oracle"):
        text = curvec.emit(model, "sql", dialect, form="select", table="t")
        assert text.count(" WHEN ") <= 3
        assert text.count("LEFT JOIN") == 1
    with pytest.raises(UnsupportedError, match="'c' has 6000 levels, and a CASE in SQLite takes 5000; form='select'"):
        curvec.emit(model, "sql", "sqlite")


@cache
def forest() -> tuple[CurveModel, Any]:
    """The lossless step form of a GAM forest of 300 rounds, and rows of its data with some values taken out."""
    x, y = datasets.load_breast_cancer(return_X_y=True, as_frame=True)
    x = x.iloc[:, :9]
    x = x.mask(np.random.default_rng(3).random(x.shape) < 0.02)
    teacher = ensemble.HistGradientBoostingClassifier(
        max_iter=300, interaction_cst="no_interactions", early_stopping=False, min_samples_leaf=5, learning_rate=0.3
    )
    return curvec.read_teacher(teacher.fit(x, y), x), x


@on_each("sqlite")
def test_the_step_form_of_a_forest_of_300_rounds(dialect: str) -> None:
    model, x = forest()
    steps = [term for term in model.terms if isinstance(term, StepCurve)]
    assert sum(len(term.cuts) for term in steps) > 500
    assert max(len(term.cuts) for term in steps) > 30, "long enough to be searched by halves"
    sample = x.iloc[:150]
    names = [feature.name for feature in model.features]
    rows = sample[names].astype(object).where(sample[names].notna(), None).to_numpy().tolist()
    found = scored(dialect, model, dict.fromkeys(names, FLOAT[dialect]), rows, link=True)
    engines.assert_same(found, np.column_stack([model.eval(sample), model.predict(sample)]))


@on_each("sqlite")
def test_more_terms_than_columns_are_summed_by_the_contracts_groups(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DIALECTS, dialect, changed(DIALECTS[dialect], max_columns=20))
    model = CurveModel("m", [EnumCurve("c", {"a": value}) for value in np.geomspace(1e-9, 1e9, 130).tolist()], 0.1)
    assert scored(dialect, model, {"c": "varchar(9)"}, [["a"]])[0, 0] == model.eval({"c": ["a"]})[0]
    with pytest.raises(
        UnsupportedError, match=rf"per_term=True makes 133 columns, and {DIALECTS[dialect].title} takes 20"
    ):
        curvec.emit(model, "sql", dialect, form="select", table="rows", key=["k"], per_term=True)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "spark", "oracle"])
def test_the_text_grows_with_the_model_and_no_faster(dialect: str) -> None:
    """P93: a curve's text is written once; a link, an output a term and a key add a line each, not a copy."""
    curves = a_thousand_curves().terms
    options = {"table": "t", "key": ["k"], "per_term": True, "link": True}

    def size(count: int) -> int:
        return len(curvec.emit(CurveModel("m", curves[:count], 0.5, "logit"), "sql", dialect, form="select", **options))

    assert size(200) < 2.1 * size(100)
    assert size(100) < 100 * 6 * 250, "bytes an arm"


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_case_takes_as_many_levels_as_the_dialect_says_and_no_more(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DIALECTS, dialect, changed(DIALECTS[dialect], max_arms=7))

    def emitted(count: int) -> str:
        levels = EnumCurve("c", {f"level {k}": float(k) for k in range(count)})
        return curvec.emit(CurveModel("m", [levels], 0.0), "sql", dialect)

    assert emitted(7).count("'level ") == 7
    with pytest.raises(UnsupportedError, match="has 8 levels"):
        emitted(8)


@pytest.mark.parametrize("form", [pytest.param("select", marks=pytest.mark.nightly), "view"])  # which is that select
def test_sqlite_finds_each_of_forty_thousand_levels_by_an_index(form: str) -> None:
    """Of a longer subquery than 32,767 rows it makes none, and would read all of it for each row of the table."""
    levels = {f"level {k}": k / 7 for k in range(40_000)}
    model = CurveModel("m", [EnumCurve("c", levels, 0.5, 1.5)])
    keys = ["level 0", "level 19999", "level 20000", "level 39999", "level 40000", None]
    with engines.connected("sqlite") as connection:
        engines.fill(connection, "sqlite", {"k": "integer", "c": "text"}, list(enumerate(keys)))
        text = curvec.emit(model, "sql", "sqlite", form=form, table="rows", key=["k"])
        query = text if form == "select" else "SELECT * FROM m"
        if form == "view":
            connection.execute(text)
        plan = [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
        assert len([step for step in plan if step.startswith("SEARCH l") and "AUTOMATIC COVERING INDEX" in step]) == 2
        assert not [step for step in plan if step.startswith("SCAN l")]
        found = engines.fetch(connection, query)
    engines.assert_same(found[np.argsort(found[:, 0])][:, 1], model.eval({"c": keys}))
