"""Every node on every SQL engine: the reference's bits, and with a logarithm what the engine's library gives."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from models import every_node
from real_engines import JIT, SLOW, SQL_ENGINES, by_engine, needed
from strategies import HARD_KEYS, HARD_NAMES

from curvec import CurveModel, EnumCurve, PWLCurve, StepCurve, UnsupportedError, emit
from curvec.parity.check import run
from curvec.parity.probes import Probes, probes
from curvec.parity.runners import RUNNERS, ColumnTypes, Runner, Scores, StoredTable, clickhouse
from curvec.parity.runners.sql import SqlRunner

NAMES = [
    *HARD_NAMES,
    "TRUE",
    "false",
    "NULL",
    "rowid",
    "curvec_row",
    "row_number",
    "t",
    "l1",
    "exponential",
    "level_key",
]

C_LIBRARY = {"sqlite", "apsw", "duckdb", "postgres", "mariadb", "datafusion", "polars"}
"""Engines whose LN and EXP are the C library's, as Python's are, on Linux."""


AT_NIGHT = {*SLOW, "clickhouse", *C_LIBRARY} - {"sqlite"}
"""Where the logarithm is Python's, every bit is the reference's with logarithms, too."""


@pytest.mark.parametrize(
    ("link", "logs", "name"),
    [
        *(pytest.param("logit", True, name, marks=[pytest.mark.nightly] * (name == "spark")) for name in SQL_ENGINES),
        *(
            pytest.param("identity", False, name, marks=[pytest.mark.nightly] * (name in AT_NIGHT))
            for name in SQL_ENGINES
        ),
    ],
)
def test_every_node_in_every_type_of_column_and_every_form(
    link: str, logs: bool, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = needed(name)
    monkeypatch.delitem(clickhouse._SETTINGS, JIT, raising=False)  # as ClickHouse is by default
    model = every_node(link, logs=logs)
    result = run(runner, model, probes(model))
    assert result.ok, f"{result.notes} {result.worst}"
    assert result.rows > 200
    assert result.columns == {kind: [t.name for t in types] for kind, types in runner.column_types().items()}
    assert {"select", "expression"} <= set(result.forms)
    if not logs:
        assert (result.bound, result.verdict) == (0.0, "identical")
    if name in C_LIBRARY and sys.platform == "linux":
        assert result.verdict == "identical", result.worst


@by_engine("name")
def test_the_log_link_is_the_exponential_of_the_score(name: str) -> None:
    model = CurveModel("rate", [PWLCurve("x", [(-800, -800), (0, 0.1), (800, 800)], missing=0.5)], link="log")
    result = run(needed(name), model, probes(model))
    assert result.ok, f"{result.notes} {result.worst}"
    if name in C_LIBRARY and sys.platform == "linux":
        assert result.verdict == "identical", result.worst


@by_engine("name")
def test_any_name_is_taken_or_refused(name: str) -> None:
    runner = needed(name)
    taken = [feature for feature in NAMES if _takes(runner, feature)]
    assert len(taken) > 10
    model = CurveModel("names", [_curve(feature) for feature in taken])
    rows = Probes({feature: np.array([0.5, np.nan, 3.0]) for feature in taken}, ["between, missing, beyond"] * 3)
    result = run(runner, model, rows)
    assert result.verdict == "identical", f"{result.notes} {result.worst}"


def _curve(feature: str) -> PWLCurve:
    return PWLCurve(feature, [(0, 1), (2, 5)], missing=7.0)


def _takes(runner: SqlRunner, feature: str) -> bool:
    """Whether the dialect takes a column of that name; if not it says which name it refuses."""
    try:
        emit(CurveModel("one name", [_curve(feature)]), "sql", runner.dialect, form="select", table="t")
    except UnsupportedError as error:
        refusal = str(error)
    else:
        return True
    assert repr(feature) in refusal
    return False


@by_engine("name")
def test_any_level_is_told_from_its_neighbours(name: str) -> None:
    runner = needed(name)
    model = CurveModel("levels", [EnumCurve("key", {key: float(at) for at, key in enumerate(HARD_KEYS)}, -1.0, -2.0)])
    result = run(runner, model, probes(model))
    assert result.verdict == "identical", f"{result.notes} {result.worst}"


@by_engine("name")
def test_a_column_may_have_no_value_at_all(name: str) -> None:
    """In every type: one that lists its values has none to list."""
    mappings: list[dict[bool | int | str, float]] = [{1: 1.0}, {"a": 1.0}, {True: 1.0}]
    tables = [EnumCurve(f"c{at}", levels, default=2.0, missing=3.0) for at, levels in enumerate(mappings)]
    model = CurveModel("all missing", [_curve("x"), *tables])
    none = {str(term.feature): np.array([None, None], dtype=object) for term in model.terms}
    result = run(needed(name), model, Probes(none, ["all missing"] * 2))
    assert result.verdict == "identical", f"{result.notes} {result.worst}"


@pytest.mark.parametrize("name", [name for name in SQL_ENGINES if name not in {*SLOW, "clickhouse"}])
def test_levels_longer_than_a_type_of_column_holds_are_scored_in_the_others(name: str) -> None:
    runner = needed(name)
    levels = {text: float(at) for at, text in enumerate(("x" * 256, "🙂é" * 300, "x" * 255 + "y", "short"))}
    model = CurveModel("long", [EnumCurve("key", levels, default=-1.0, missing=-2.0)])
    result = run(runner, model, probes(model))
    assert result.verdict == "identical", f"{result.notes} {result.worst}"
    assert result.columns["str"] == [column.name for column in runner.column_types()["str"]]
    assert result.notes == []  # no row is left out: of a wide model, each has some text that an engine cannot hold


def test_a_column_without_room_for_its_values_has_the_usual_type() -> None:
    """Near the sizes at which the engines refuse a table."""
    for name, kind, count, length, fit in [
        *(("mariadb", "VARCHAR(n)", 300, 60, 246), ("mariadb", "CHAR(n)", 100, 250, 63)),
        *(("mariadb", "ENUM", 64, 1_000, 8), ("mariadb", "ENUM", 1, 70_000, 0), ("h2", "ENUM", 1, 65_536, 0)),
        *(("clickhouse", "Enum16", 1, 32_768, 0), ("clickhouse", "Enum16", 1, 32_767, 1)),
    ]:
        (column,) = (column for column in RUNNERS[name].types["str"] if column.name == kind)
        texts = [f"{k}" for k in range(length)] if kind.startswith(("ENUM", "Enum")) else ["x" * length]
        data = {f"c{k}": np.array(texts, dtype=object) for k in range(count)}
        fitted = RUNNERS[name].fitting(dict.fromkeys(data, column), data)
        assert sum(found is column for found in fitted.values()) == fit, (name, kind, count, length)


COLLATED = {
    "sqlite": "c COLLATE NOCASE",
    "apsw": "c COLLATE RTRIM",
    "duckdb": "c COLLATE NOCASE.NOACCENT",
    "mariadb": "c COLLATE utf8mb4_general_ci",
    "spark": "c COLLATE UNICODE_CI_AI_RTRIM",
    "h2": "CAST(c AS VARCHAR_IGNORECASE)",
}
"""A column that its engine compares without regard to case, accents or trailing blanks."""


@pytest.mark.parametrize("name", COLLATED)
def test_a_columns_collation_does_not_decide_which_level_it_is(name: str) -> None:
    runner = needed(name)
    levels = {key: float(at) for at, key in enumerate(HARD_KEYS)}
    few = CurveModel("levels", [EnumCurve("c", levels, -1.0, -2.0)])
    many = CurveModel("levels", [EnumCurve("c", {**levels, **{f"k{k}": k / 7 for k in range(300)}}, -1.0, -2.0)])
    keys = [
        key for key in [*HARD_KEYS, *map(str.swapcase, HARD_KEYS), "É", "k7", "K7", "k7 ", "a  "] if "\0" not in key
    ]
    with runner.session() as session:
        columns = [runner.column("k", "int", range(len(keys))), runner.column("c", "str", keys)]
        session.load("plain", columns)
        for model in (few, many):
            text = emit(model, "sql", runner.dialect, form="select", table="plain", key=["k"])
            collated = f"FROM (SELECT k, {COLLATED[name]} AS c FROM plain) t"  # noqa: S608  names of this file
            text, count = re.subn(r"FROM plain AS t", collated, text)
            assert count == 1
            found = [score for _, score in sorted(map(tuple, session.query(text)))]
            assert found == model.eval({"c": keys}).tolist()


@by_engine("name")
def test_a_product_too_small_for_a_double_is_no_error(name: str) -> None:
    runner = needed(name)
    near = [
        ((0, 1), (10, 2)),
        ((-5e-324, 1), (1, 2)),
        ((0, 0), (1e300, 1e-9)),
        ((1e-320, 0), (1, 1e-5)),
        ((-0.5, 3), (0, 2)),
    ]
    terms = [PWLCurve("x", points, fx) for points in near for fx in ("identity", "log1p", "symlog1p")]
    model = CurveModel("tiny", terms)
    x = np.array([5e-324, 1e-323, 1e-322, 1e-321, 1.1e-320, 1e-315, 2.2250738585072014e-308, -5e-324, -1e-320, 1e-9])
    result = run(runner, model, Probes({"x": x}, ["tiny"] * len(x)))
    assert result.ok, f"{result.notes} {result.worst}"
    assert (result.rows >= len(x), result.notes) == (True, [])


@by_engine("name")
def test_a_wrong_point_is_caught_on_the_engine(name: str) -> None:
    runner = needed(name)
    points, others = [(18, 3.13), (21, 0.5914), (46, -0.7206)], [StepCurve("age", [18, 30.5], [0.1, -0.2, 1 / 3])]
    moved = [(x, y + 1e-9 * (x == 21)) for x, y in points]
    right, wrong = (CurveModel("m", [PWLCurve("age", some, missing=0.25), *others]) for some in (points, moved))
    result = run(_Swapped(runner, wrong), right, probes(right))
    assert not result.ok
    assert result.worst is not None
    assert (result.worst.what, result.worst.inputs["age"]) != ("prediction", "NULL")


class _Swapped(Runner):
    """A runner that scores with another model than the one it is asked for."""

    def __init__(self, runner: Runner, model: CurveModel) -> None:
        self.runner, self.model = runner, model
        self.name, self.limits, self.log_ulps = runner.name, runner.limits, runner.log_ulps  # type: ignore[misc]

    def column_types(self) -> ColumnTypes:
        return self.runner.column_types()

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterable[Scores]:
        assert model != self.model
        return self.runner.run(self.model, tables)


JOINED = [
    pytest.param(name, marks=[pytest.mark.nightly] * (name == "h2")) for name in SQL_ENGINES if name not in SLOW
]  # which take minutes


@pytest.mark.parametrize("name", JOINED)
def test_a_table_of_levels_is_joined_to_columns_of_every_type(name: str) -> None:
    runner = needed(name)
    integers = EnumCurve("z", {k: k / 7 for k in range(0, 600, 3)}, default=5.0, missing=7.0)
    texts = EnumCurve("c", {f"k{k}": k / 7 for k in range(200)}, default=5.0, missing=7.0)
    model = CurveModel("many", [integers, texts])
    result = run(runner, model, probes(model))
    assert result.verdict == "identical", f"{result.notes} {result.worst}"
