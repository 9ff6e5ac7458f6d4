# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""Kinds of faults of SQL generators, from public reports, each with its right value, on engines that run here.

What is not here is in other files: parity's tests run every node, hard names and levels, points and their neighbours on
every engine (P03, P21, P22, P24, P27, P30 to P33, P41 to P48, P53 to P57, P85), and test the tester (P84);
test_sql_text.py has literals and refusals (P05, P07 to P09, P14, P17, P44); test_sql_forms.py columns, bytes and
comments (P55, P59, P83); test_sql_large.py sizes (P50, P66, P90, P93); test_sql_warehouses.py the grammar (P34, P62,
P64, P72); test_deterministic.py the locale (P15); the IR refuses what is not finite (P10).
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
import sql_engines as engines
import sqlglot
from golden_sql import MODEL as EVERY_NODE

import curvec
from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.emit.dialects import DIALECTS

LINE = [(1.0, 0.0), (4.0, 1.0)]
FLOAT = {"sqlite": "REAL", "duckdb": "DOUBLE", "postgres": "float8"}
NARROW = {"sqlite": "REAL", "duckdb": "FLOAT", "postgres": "real"}


def scores(dialect: str, model: CurveModel, types: dict[str, str], rows: list[Any], **options: Any) -> Any:
    """(rows, columns) of the emitted query over a table of those declared types."""
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, {"k": "integer", **types}, [(k, *row) for k, row in enumerate(rows)])
        text = curvec.emit(model, "sql", dialect, form="select", table="rows", key=["k"], **options)
        found = engines.fetch(connection, text)
    return found[np.argsort(found[:, 0])][:, 1:]


on_each = pytest.mark.parametrize("dialect", engines.IN_PROCESS)


@on_each
@pytest.mark.parametrize("kind", ["integer", "bigint", "decimal(12,4)", "numeric"])
def test_p60_integer_and_decimal_columns_are_computed_in_doubles(dialect: str, kind: str) -> None:
    model = CurveModel("m", [PWLCurve("x", LINE), PWLCurve("x", [(0, 0), (7, 1)], "log1p")], 0.1)
    found = scores(dialect, model, {"x": kind}, [[2], [3], [7], [-5], [None]])
    engines.assert_same(found[:, 0], model.eval({"x": [2, 3, 7, -5, None]}))
    assert found[0, 0] != 0.1, "an integer division would give the first point's value"


@on_each
def test_p60_a_32_bit_column_is_widened_before_it_is_compared(dialect: str) -> None:
    tenth = float(np.float32(0.1))  # a little above 0.1
    model = CurveModel("m", [StepCurve("x", [0.1], [1, 2]), PWLCurve("x", [(0.1, 0), (1, 1 / 3)])])
    stored = tenth if dialect == "sqlite" else 0.1
    found = scores(dialect, model, {"x": NARROW[dialect]}, [[stored]])
    engines.assert_same(found[:, 0], model.eval({"x": [tenth]}))


@on_each
def test_p61_constants_are_doubles_where_no_column_makes_them_so(dialect: str) -> None:
    values = [0.1, 0.2, 0.7, 0.3]
    curves = [EnumCurve("c", {"a": value}) for value in values]
    model = CurveModel("m", curves, 0.1)
    found = scores(dialect, model, {"c": "varchar(9)"}, [["a"]])
    total = 0.1
    for value in values:
        total += value
    assert float(found[0, 0]) == total
    assert total != float(sum(map(Decimal, map(str, [0.1, *values])))), "decimals would sum to another number"


@on_each
def test_p03_values_beyond_float32_stay_apart(dialect: str) -> None:
    model = CurveModel("m", [StepCurve("seconds", [1_500_000_001.0], [0, 1])])
    found = scores(dialect, model, {"seconds": "bigint"}, [[1_500_000_000], [1_500_000_001], [2**53 - 1]])
    engines.assert_same(found[:, 0], [0, 1, 1])


@on_each
@pytest.mark.parametrize("column", ["integer", "bigint"])
def test_p08_integral_points_divide_no_integers(dialect: str, column: str) -> None:
    curves = [PWLCurve("x", [(1, 2), (4, 3)]), StepCurve("x", [5], [7, 8]), PWLCurve("x", [(0, 1), (7, 2)], "log1p")]
    model = CurveModel("m", [*curves, Line("x", 3.0), PWLCurve(Sum([Line("x")]), [(1, 2), (4, 3)])], 2.0)
    values = [*range(9), 2**31 - 1, -(2**31) + 1]
    found = scores(dialect, model, {"x": column}, [[value] for value in values])
    engines.assert_same(found[:, 0], model.eval({"x": values}))


@on_each
@pytest.mark.parametrize("value", [1e-310, 5e-324, 1e-320, -1e-310])
def test_p14_subnormal_points(dialect: str, value: float) -> None:
    model = CurveModel("m", [StepCurve("x", [value], [0, 1])])
    beside = [value, math.nextafter(value, -1), math.nextafter(value, 1)]
    found = scores(dialect, model, {"x": FLOAT[dialect]}, [[x] for x in beside])
    engines.assert_same(found[:, 0], [1, 0, 1])


@on_each
def test_p30_to_p32_null_and_nan_reach_the_missing_value_and_infinities_the_ends(dialect: str) -> None:
    inputs = [None, math.nan, -math.nan, math.inf, -math.inf, 0.0, -0.0]
    sure = [PWLCurve("x", LINE, missing=9.0), StepCurve("x", [0.0, 2.0], [1, 2, 3], missing=8.0)]
    sure += [PWLCurve("x", [(1e-9, 0), (2, 5)], "log", missing=7.0), PWLCurve("x", LINE)]
    found = scores(dialect, CurveModel("m", sure), {"x": FLOAT[dialect]}, [[x] for x in inputs], per_term=True)
    nan = math.nan
    wanted = [[9, 8, 7, nan]] * 3 + [[1, 3, 5, 1], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0]]
    engines.assert_same(found[:, :4], wanted)
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, {"x": FLOAT[dialect]}, [[x] for x in inputs[:3]])
        model = CurveModel("m", [Line("x"), Product([Line("x"), PWLCurve("x", LINE, missing=1.0)])])
        text = curvec.emit(model, "sql", dialect, form="select", table="rows", per_term=True)
        rows = connection.execute(text).fetchall()
    assert rows == [(None, None, None)] * 3, "a NaN that a query returned would pass the filter score > 0.5"


@on_each
def test_p40_a_curve_without_a_missing_value_has_none_and_takes_no_end_for_it(dialect: str) -> None:
    terms = [PWLCurve("x", LINE), StepCurve("x", [2.0], [1, 2]), EnumCurve("c", {"a": 1}, default=5)]
    model = CurveModel("m", terms, 1.0, "logit")
    types = {"x": FLOAT[dialect], "c": "varchar(9)"}
    found = scores(dialect, model, types, [[None, "a"], [3.0, None], [math.nan, None]], per_term=True, link=True)
    nan = math.nan
    engines.assert_same(found, [[nan, nan, 1, nan, nan], [2 / 3, 2, nan, nan, nan], [nan] * 5])


@on_each
def test_p35_a_missing_factor_makes_the_product_missing(dialect: str) -> None:
    model = CurveModel("m", [Product([PWLCurve("x", LINE), PWLCurve("y", LINE, missing=2.0)])], link="logit")
    types = {"x": FLOAT[dialect], "y": FLOAT[dialect]}
    found = scores(dialect, model, types, [[None, 3.0], [4.0, None], [None, None]], link=True)
    engines.assert_same(found, [[math.nan] * 2, [2.0, model.predict({"x": [4.0], "y": [math.nan]})[0]], [math.nan] * 2])


@on_each
def test_p37_a_missing_key_in_a_float_column_is_missing_and_a_fraction_unseen(dialect: str) -> None:
    model = CurveModel("m", [EnumCurve("k2", {1: 10, 0: 20, -3: 30}, default=40, missing=50)])
    inputs = [1.0, 0.0, -0.0, -3.0, 1.5, math.nan, None, math.inf, -math.inf, 2.0**53]
    found = scores(dialect, model, {"k2": FLOAT[dialect]}, [[x] for x in inputs])
    engines.assert_same(found[:, 0], [10, 20, 20, 30, 40, 50, 50, 40, 40, 40])


@on_each
def test_p42_integers_are_told_apart_where_doubles_are_not(dialect: str) -> None:
    model = CurveModel("m", [EnumCurve("k2", {2**53: 1}, default=0, missing=5)])
    found = scores(dialect, model, {"k2": "bigint"}, [[2**53], [2**53 + 1], [None], [-(2**63)]])
    engines.assert_same(found[:, 0], [1, 0, 5, 0])


@on_each
def test_p43_booleans_are_booleans_or_zero_and_one(dialect: str) -> None:
    model = CurveModel("m", [EnumCurve("b", {True: 1, False: 2}, missing=3), EnumCurve("b", {True: 1}, 7, 8)])
    kinds = ["boolean", "integer"] if dialect != "sqlite" else ["integer", "boolean", "real"]
    for kind in kinds:
        values = [True, False, None] if kind == "boolean" else [1, 0, None]
        found = scores(dialect, model, {"b": kind}, [[value] for value in values], per_term=True)
        engines.assert_same(found[:, :2], [[1, 1], [2, 7], [3, 8]])


@pytest.mark.parametrize(
    ("dialect", "refused"),
    [("snowflake", r"\w+"), ("postgres", "double"), ("redshift", "double"), ("bigquery", "FLOAT64")],
)
def test_p65_no_boolean_is_cast_to_a_number_where_the_engine_refuses_that(dialect: str, refused: str) -> None:
    """Snowflake casts none to FLOAT, the others to no floating type."""
    model = CurveModel("m", [EnumCurve("b", {True: 1, False: 2}, missing=3)])
    options: dict[str, Any]
    for options in ({}, {"form": "select", "table": "t"}):
        text = curvec.emit(model, "sql", dialect, **options)
        assert re.search(r"\bb\b", text)
        assert not re.search(rf"CAST\((?:t\.)?b AS {refused}", text)


@on_each
def test_p47_text_is_compared_by_bytes(dialect: str) -> None:
    model = CurveModel(
        "m", [EnumCurve("c", {"a": 1, "A": 2, "a ": 3, "é": 4, "e\u0301": 5, "": 6}, default=0, missing=-1)]
    )
    inputs = ["a", "A", "a ", "é", "e\u0301", "", None, "A ", "É", "a\t"]
    types = {"c": {"sqlite": "TEXT COLLATE NOCASE", "duckdb": "VARCHAR COLLATE NOCASE"}.get(dialect, "text")}
    found = scores(dialect, model, types, [[x] for x in inputs])
    engines.assert_same(found[:, 0], [1, 2, 3, 4, 5, 6, -1, 0, 0, 0])


def test_p47_text_is_compared_by_bytes_under_a_collation_of_postgresql() -> None:
    model = CurveModel("m", [EnumCurve("c", {"a": 1, "A": 2}, default=0)])
    with engines.connected("postgres") as connection:
        try:
            connection.execute(
                "CREATE COLLATION lax (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
            )
        except Exception as error:  # noqa: BLE001  whatever the driver calls it
            pytest.skip(f"PostgreSQL was built without ICU: {error}")
        engines.fill(connection, "postgres", {"c": "text COLLATE lax"}, [["a"], ["A"]])
        text = curvec.emit(model, "sql", "postgres", form="select", table="rows")
        assert [row[0] for row in connection.execute(text).fetchall()] == [1.0, 2.0]


@on_each
def test_p49_levels_of_one_value_all_stay_listed(dialect: str) -> None:
    model = CurveModel("m", [EnumCurve("c", {"a": 1, "b": 1, "c": 1}, default=2)])
    engines.assert_same(scores(dialect, model, {"c": "varchar(9)"}, [["a"], ["b"], ["c"], ["d"]])[:, 0], [1, 1, 1, 2])


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_p63_logarithms_and_divisions_are_safe_in_every_branch_of_a_case(dialect: str) -> None:
    """Each LN, EXP and quotient of the text is run by itself, without its CASE, on rows that its CASE keeps from it."""
    exp = sqlglot.exp
    text = curvec.emit(EVERY_NODE, "sql", dialect, form="select", table="rows", link=True)
    hostile = [0.0, -1.0, -0.5, 1e300, -1e300, -1e6, math.nan, math.inf, -math.inf, None, 1e-300]
    names = ["balance", "age", "score"]
    found = 0
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, dict.fromkeys(names, FLOAT[dialect]), [[x] * 3 for x in hostile])
        for node in sqlglot.parse_one(text, read=dialect).find_all(exp.Ln, exp.Exp, exp.Div):
            if isinstance(node, exp.Div) and not node.find(exp.Nullif):
                continue  # over 1 + exp, which is never zero
            connection.execute(f"SELECT {node.sql(dialect)} FROM rows").fetchall()
            found += 1
    assert found > 5


@pytest.mark.parametrize("dialect", DIALECTS)
def test_p63_no_subexpression_is_constant(dialect: str) -> None:
    """PostgreSQL works a constant LN(0) out when it plans, in a branch that no row takes too."""
    text = curvec.emit(EVERY_NODE, "sql", dialect, form="select", table="rows", link=True)
    engine = DIALECTS[dialect]
    number = rf"\d[\d.]*(?:e-?\d+)?(?:{re.escape(engine.suffix)})?(?![\w.:])"
    assert not re.findall(rf"(?:{engine.ln}|EXP)\(-?{number}\)", text)
    assert not re.findall(rf"(?<![-+*/] )(?<![\w.]){number} [-+*/] {number}(?! [*/])", text.replace("1e0 / 1e0", ""))


@on_each
@pytest.mark.parametrize("link", ["logit", "log"])
def test_p68_links_neither_overflow_nor_underflow(dialect: str, link: str) -> None:
    model = CurveModel("m", [Line("x")], link=link)
    inputs = [0.0, -0.0, 1.0, -1.0, 37.0, -37.0, 699.9, -699.9, 700.0, -700.0, 701.0, -701.0, 1e4, -1e4, 1e300, -1e300]
    inputs += [math.inf, -math.inf]
    found = scores(dialect, model, {"x": FLOAT[dialect]}, [[x] for x in [*inputs, None]], link=True)
    wanted = model.predict({"x": [*inputs, math.nan]})
    engines.assert_same(found[:, 1], wanted)
    assert np.all(found[:-1, 1] > 0), "small predictions are kept, not rounded to zero"
    assert math.isnan(found[-1, 1])


@on_each
def test_p67_p73_the_score_is_written_once_and_no_alias_is_used_where_it_is_made(dialect: str) -> None:
    model = CurveModel("m", [PWLCurve("x", LINE), PWLCurve("y", LINE)], link="logit")
    text = curvec.emit(model, "sql", dialect, form="select", table="rows", per_term=True, link=True)
    assert text.count("END AS ") == 2 + 1, "each curve, and the prediction"
    for layer in text.split("SELECT\n")[2:]:  # the first one reads t."x", which is no alias
        made = set(re.findall(r' AS ("\w+"),?$', layer, re.MULTILINE))
        used = set(re.findall(r'(?<!AS )"\w+"', re.sub(r"--.*|FROM .*", "", layer)))
        assert not made & used


@pytest.mark.parametrize("dialect", DIALECTS)
def test_p74_a_subquery_is_called_the_same_where_it_is_made_and_read(dialect: str) -> None:
    """Quoted in one place and not in the other, a name is two names where the engine folds case."""
    text = curvec.emit(EVERY_NODE, "sql", dialect, form="select", table="rows", link=True, per_term=True)
    made = re.findall(r"^(\S+)(?: \(.*\))? AS \($", text, re.MULTILINE)
    read = re.findall(r"(?:FROM|JOIN) (\S*curvec_\w+\S?)", text)
    assert set(made) == set(read)
    assert len(made) == len(set(made)) > 4
    assert all(re.fullmatch(r"curvec_\w+", name) for name in made)


@on_each
def test_p75_p76_the_intercept_counts_once_and_the_link_is_asked_for(dialect: str) -> None:
    model = CurveModel("m", [EnumCurve("c", {"a": 0.0})], intercept=0.75, link="log")
    engines.assert_same(scores(dialect, model, {"c": "varchar(9)"}, [["a"]]), [[0.75]])
    engines.assert_same(scores(dialect, model, {"c": "varchar(9)"}, [["a"]], link=True), [[0.75, math.exp(0.75)]])
    plain = CurveModel("m", model.terms, 0.75)
    engines.assert_same(scores(dialect, plain, {"c": "varchar(9)"}, [["a"]], link=True), [[0.75, 0.75]])


@on_each
def test_p24_p29_a_step_takes_the_right_hand_value_at_its_cut(dialect: str) -> None:
    for count in (1, 5, 6, 7, 40, 200):  # one by one, and searched by halves
        cuts = [float(k) for k in range(count)]
        model = CurveModel("m", [StepCurve("x", cuts, [k / 2 for k in range(count + 1)], missing=-1.0)])
        inputs = [*cuts, *(math.nextafter(cut, -1) for cut in cuts), -5.0, 1e9, None, math.nan]
        found = scores(dialect, model, {"x": FLOAT[dialect]}, [[x] for x in inputs])
        engines.assert_same(found[:, 0], model.eval({"x": inputs}))
        engines.assert_same(found[:count, 0], [(k + 1) / 2 for k in range(count)])


@on_each
def test_a_feature_may_be_called_as_a_column_of_a_joined_table(dialect: str) -> None:
    levels = {f"k{k}": float(k) for k in range(300)}
    model = CurveModel(
        "m", [EnumCurve("level", levels, default=-1.0), PWLCurve("value", LINE), EnumCurve("level", levels)]
    )
    found = scores(
        dialect, model, {"level": "varchar(9)", "value": FLOAT[dialect]}, [["k7", 2.5], ["K7", 1.0], [None, 4.0]]
    )
    engines.assert_same(found[:, 0], model.eval({"level": ["k7", "K7", None], "value": [2.5, 1.0, 4.0]}))


@on_each
def test_a_sum_of_more_terms_than_a_group_keeps_the_order_of_the_contract(dialect: str) -> None:
    curves: list[Any] = [EnumCurve("c", {"a": value}) for value in np.geomspace(1e-9, 1e9, 80).tolist()]
    model = CurveModel("m", [*curves, Sum(curves[:60])], 0.1)
    found = scores(dialect, model, {"c": "varchar(9)"}, [["a"]])
    assert found[0, 0] == model.eval({"c": ["a"]})[0]
    flat = 0.1
    for value in [*np.geomspace(1e-9, 1e9, 80).tolist(), model.contributions({"c": ["a"]})[0, -1]]:
        flat += value
    assert found[0, 0] != flat, "these values show the order"
