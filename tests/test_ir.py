"""The nodes refuse what breaks a rule, and say which."""

from __future__ import annotations

import math
import pickle
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum
from curvec.evaluate import term_values
from curvec.ir import MAX_NODES, Levels, changed
from curvec.model import from_json
from curvec.passes import merge_curves

POINTS = [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: PWLCurve("x", None), "the points are None; pass a list"),
        (lambda: StepCurve("x", 1.0, [0.0, 1.0]), r"the cuts are 1\.0; pass a list"),
        (lambda: Sum(Line("x")), r"the terms of a Sum are Line\(.*; pass a list"),
        (lambda: PWLCurve("x", [(0, 0)]), "has 1 point; it needs two"),
        (lambda: PWLCurve("x", [(0, 0), (0, 1)]), "strictly increasing"),
        (lambda: PWLCurve("x", [(1, 0), (0, 1)]), "1 is followed by 0"),
        (lambda: PWLCurve("x", [(0, math.nan), (1, 1)]), "a y is nan; it must be finite"),
        (lambda: PWLCurve("x", [(0, math.inf), (1, 1)]), "a y is inf; it must be finite"),
        (lambda: PWLCurve("x", [(0, 0), (2**53 + 1, 1)]), "no double holds"),
        (lambda: PWLCurve("x", [(0, 0), (10**400, 1)]), "must be finite"),
        (lambda: PWLCurve("x", [(0, "1"), (1, 1)]), "a y is '1'; it must be a number"),
        (lambda: PWLCurve("x", [(0, True), (1, 1)]), "a y is True; it must be a number"),
        (lambda: PWLCurve("x", [0, 1]), "not a pair"),
        (lambda: PWLCurve("x", POINTS, "log"), "outside the domain of log"),
        (lambda: PWLCurve("x", POINTS, "sqrt"), "fx='sqrt' is not a transform; use one of identity, log"),
        (lambda: PWLCurve(3, POINTS), "must be a string"),
        (lambda: PWLCurve("\ud800", POINTS), "lone surrogate"),
        (lambda: PWLCurve("x", POINTS, missing=math.nan), "missing of PWLCurve of 'x' is nan"),
        (lambda: StepCurve("x", [], [1]), "no cut"),
        (lambda: StepCurve("x", [1], [1]), "1 cut and 1 value"),
        (lambda: StepCurve("x", [1, 1], [1, 2, 3]), "strictly increasing"),
        (lambda: EnumCurve("c", {}), "is empty"),
        (lambda: EnumCurve("c", {1: 0, "a": 1}), "must be all int, all str or all bool"),
        (lambda: EnumCurve("c", {1.0: 0}), "must be all int"),
        (lambda: EnumCurve("c", Levels([(1, 0), (True, 0)])), "of type int, bool; they must be all int"),
        (lambda: EnumCurve("c", {2**60: 0}), "beyond 2"),
        (lambda: EnumCurve("c", Levels([("a", 1), ("a", 2)])), "there twice"),
        (lambda: Sum([]), "has no terms"),
        (lambda: Product([1.0]), "its terms must be curves"),
        (lambda: Feature("x", "float"), "use number, int, str or bool"),
        (lambda: CurveModel("", [Line("x")]), "name is empty"),
        (lambda: CurveModel("m", [Line("x")], link="probit"), "link='probit' is not a link"),
        (lambda: CurveModel("m", [Line("x")], math.inf), "the intercept is inf"),
        (lambda: CurveModel("m", [Line("x"), EnumCurve("x", {"a": 1})]), "used as number and as str"),
        (lambda: CurveModel("m", [Line("x")], features=[Feature("y")]), "not listed in features"),
        (lambda: CurveModel("m", [Line("x")], features=[Feature("x"), Feature("x")]), "listed twice"),
        (lambda: CurveModel("m", [Line("x")], features=[Feature("x", "str")]), "listed as str and used as number"),
    ],
)
def test_a_broken_rule_is_named(build: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build()


def test_nodes_are_values() -> None:
    one = PWLCurve("x", [(0, 0), (1, 1)])
    other = PWLCurve("x", ((0.0, 0.0), (1.0, np.float32(1))))
    assert one == other
    assert hash(one) == hash(other)
    with pytest.raises(AttributeError):
        one.fx = "log"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301  our own bytes: models cross process borders


def test_the_type_of_the_keys_is_part_of_the_node() -> None:
    ints, bools = EnumCurve("c", {1: 1.0, 0: 0.0}), EnumCurve("c", {True: 1.0, False: 0.0})
    assert ints != bools
    with pytest.raises(KeyError):
        ints.levels[True]
    assert list(ints.levels) == [1, 0]


def test_negative_zero_and_numpy_scalars_become_plain_floats() -> None:
    curve = PWLCurve("x", [(np.float64(-0.0), -0.0), (np.int64(1), np.float32(0.5))])
    assert repr(curve.points) == "((0.0, 0.0), (1.0, 0.5))"
    assert repr(EnumCurve("c", {np.int64(3): np.float64(0.5)}).levels) == "{3: 0.5}"


def test_features_follow_from_the_terms() -> None:
    model = CurveModel("m", [Line("b"), Product([EnumCurve("a", {"x": 1}), PWLCurve("b", POINTS)])])
    assert model.features == (Feature("b"), Feature("a", "str"))


def test_an_integer_category_may_also_be_read_as_a_number() -> None:
    model = CurveModel("m", [PWLCurve("c", POINTS), EnumCurve("c", {0: 10.0, 1: 20.0})])
    assert model.features == (Feature("c", "int"),)
    assert model.eval({"c": [0, 1]}).tolist() == [10, 21]


def test_listed_features_that_no_term_uses_need_no_data() -> None:
    model = CurveModel("m", [Line("x")], features=[Feature("unused"), Feature("x")])
    assert model.eval({"x": [1.5]}).tolist() == [1.5]


@pytest.mark.parametrize(
    ("value", "fields", "message"),
    [
        (PWLCurve("x", POINTS), {"points": [(1, 0), (1, 1)]}, "strictly increasing"),
        (PWLCurve("x", POINTS), {"fx": "log"}, "outside the domain"),
        (StepCurve("x", [1], [1, 2]), {"values": [1]}, "need one more value"),
        (EnumCurve("c", {1: 1.0}), {"mapping": {}}, "is empty"),
        (Sum([Line("x")]), {"terms": []}, "has no terms"),
        (Product([Line("x")]), {"factors": [1.0]}, "its terms must be curves"),
        (Line("x"), {"input": 1}, "must be a string"),
        (Feature("x"), {"type": "float"}, "use number, int, str or bool"),
        (CurveModel("m", [Line("x")]), {"link": "probit"}, "is not a link"),
    ],
)
def test_what_is_changed_is_checked_as_what_is_new(value: Any, fields: dict[str, Any], message: str) -> None:
    # msgspec's own replace runs no check before its 0.21, and an edit then gave a curve that is none.
    with pytest.raises(InputError, match=message):
        changed(value, **fields)
    assert changed(value) == value


def test_rounded_points_that_fall_together_are_refused() -> None:
    with pytest.raises(InputError, match="keep more digits"):
        PWLCurve("a", [(1.01, 1), (1.02, 2)]).round(2)


def test_the_order_of_levels_is_part_of_the_node() -> None:
    """It is what a person reads, in every listing."""
    assert EnumCurve("c", {1: 1.0, 2: 0.0}) != EnumCurve("c", {2: 0.0, 1: 1.0})
    assert Levels({"a": 1, "b": 2}) != Levels({"b": 2, "a": 1})
    assert Levels({"a": 1, "b": 2}) == Levels([("a", 1.0), ("b", 2.0)])


@pytest.mark.parametrize(
    ("mapping", "complete"),
    [({True: 1.0}, False), ({False: 1.0}, False), ({False: 1.0, True: 2.0}, True), ({0: 1.0, 1: 2.0}, False)],
)
def test_only_a_table_of_both_bools_is_complete(mapping: dict[Any, float], complete: bool) -> None:
    assert Levels(mapping).complete == complete


def test_a_sum_with_a_note_stays_one_term() -> None:
    a, b, c = Line("a"), Line("b"), Line("c")
    assert a + b + c == Sum([a, b, c])
    assert a * b * c == Product([a, b, c])
    assert a + (b + c) == Sum([a, Sum([b, c])])
    assert Sum([a, b], "kept") + c == Sum([Sum([a, b], "kept"), c])
    assert Product([a, b], "kept") * c == Product([Product([a, b], "kept"), c])
    assert (a + b) * c == Product([Sum([a, b]), c])


def nested(depth: int) -> Any:
    node: Any = Line("x")
    for _ in range(depth - 1):
        node = Sum([node])
    return node


def test_nodes_nest_to_the_stated_depth_and_no_deeper() -> None:
    assert CurveModel("m", [nested(31)]).eval({"x": [2.5]}).tolist() == [2.5]  # the model is a level too
    deepest = nested(32)
    for build in (lambda: CurveModel("m", [deepest]), lambda: Sum([deepest]), lambda: Product([Line("x"), deepest])):
        with pytest.raises(InputError, match="nested more than 32 deep"):
            build()


def test_a_sum_of_itself_over_and_over_is_measured_once_and_refused_where_it_is_too_large() -> None:
    node: Any = Line("x")
    for _ in range(18):
        node = Sum([node, node])  # 2^19 - 1 nodes at last, of which each is looked at once
    with pytest.raises(InputError, match=rf"holds 1,048,574 nodes, more than {MAX_NODES:,}"):
        Sum([node, node])


@pytest.mark.parametrize("level", [2**53, -(2**53)])
def test_integer_levels_reach_as_far_as_doubles_have_all_integers(level: int) -> None:
    assert list(EnumCurve("c", {level: 1.0}).levels) == [level]
    assert CurveModel("m", [EnumCurve("c", {level: 1.0})]).eval({"c": [level]}).tolist() == [1.0]
    with pytest.raises(InputError, match="beyond 2"):
        EnumCurve("c", {level + (1 if level > 0 else -1): 1.0})


def test_factors_are_multiplied_left_to_right() -> None:
    values = [0.1, 0.2, 0.3]
    forward, backward = 1.0, 1.0
    for value in values:
        forward = float(Fraction(forward) * Fraction(value))  # the exact product, rounded once: IEEE multiplication
    for value in reversed(values):
        backward = float(Fraction(backward) * Fraction(value))
    assert forward != backward
    names = ["a", "b", "c"]
    model = CurveModel("m", [Product([Line(name) for name in names])])
    rows = {name: [value] for name, value in zip(names, values, strict=True)}
    assert term_values(model.terms[0], model.table(rows)).tolist() == [forward]
    assert model.eval(rows).tolist() == [forward]
    assert model.compile().score_row({name: column[0] for name, column in rows.items()}) == forward


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (Line("a"), ("a", "number", (), (), 1, "increasing")),
        (Line("a", -0.5, 3), ("a", "number", (), (), 1, "decreasing")),
        (Line("a", 0), ("a", "number", (), (), 1, "constant")),
        (PWLCurve("a", [(0, 3), (1, 1)]), ("a", "number", (0.0, 1.0), (3.0, 1.0), 1, "decreasing")),
        (StepCurve("a", [5], [1, 2]), ("a", "number", (5.0,), (1.0, 2.0), 2, "increasing")),
        (StepCurve("a", [5, 6], [1, 2, 1]), ("a", "number", (5.0, 6.0), (1.0, 2.0, 1.0), 3, "neither")),
        (PWLCurve("a", [(0, 3), (1, 3)]), ("a", "number", (0.0, 1.0), (3.0, 3.0), 1, "constant")),
        (EnumCurve("a", {"u": 1, "v": 2}), ("a", "str", (), (1.0, 2.0), 2, "neither")),
        (Sum([Line("a"), StepCurve("b", [1], [1, 2])]), (None, "number", (), (), 3, "neither")),
        (PWLCurve(Sum([Line("a")]), POINTS), (None, "number", (0.0, 1.0), (0.0, 1.0), 1, "increasing")),
    ],
)
def test_a_node_says_what_it_is_made_of(node: Any, expected: tuple[Any, ...]) -> None:
    assert (node.feature, node.reads, node.breaks, node.ordinates, node.pieces, node.direction) == expected
    assert node.input == (Sum([Line("a")]) if isinstance(node, PWLCurve) and node.children else node.feature)
    assert node.with_ordinates(node.ordinates) == node
    assert node.with_coefficients(node.coefficients) == node
    assert list(node.entries.values()) == list(node.coefficients)
    assert node.map_numbers(lambda value: value) == node
    assert node.map_children(lambda child: child) == node
    if node.ordinates:
        assert node.with_ordinates([2 * y for y in node.ordinates]).ordinates == tuple(2 * y for y in node.ordinates)
    else:
        with pytest.raises(InputError, match="has no values of its own"):
            node.with_ordinates([1.0])


@pytest.mark.parametrize(
    ("special", "message"),
    [
        ({math.nan: 1.0}, "PWLCurve of 'x': a special code is nan; it must be finite"),
        ({math.inf: 1.0}, "a special code is inf; it must be finite"),
        ({2**53 + 1: 1.0}, "a special code is 9007199254740993, which no double holds"),
        ({True: 1.0}, "a special code is True; it must be a number"),
        ({"-9": 1.0}, "a special code is '-9'; it must be a number"),
        ({-9: math.nan}, "the value of the special code -9 is nan"),
        ({-9: None}, "the value of the special code -9 is None"),
        ([(0.0, 1.0), (-0.0, 2.0)], "the special code -0.0 is there twice"),
        ([(-9, 1.0), (-9.0, 2.0)], "the special code -9.0 is there twice"),
        (5, "special is 5; give a dict of code: value"),
        ([1, 2], "give a dict of code: value"),
    ],
)
def test_special_codes_are_distinct_finite_numbers(special: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        PWLCurve("x", POINTS, special=special)


def test_a_special_code_is_matched_exactly_before_the_curve() -> None:
    special = {-8: 0.25, -9: 0.5, 0: 7, 2**53: 3.0, 0.1: 2.0}
    for curve in (
        PWLCurve("x", POINTS, missing=-1, special=special),
        StepCurve("x", [0.5], [0, 1], -1, special=special),
    ):
        for code, value in special.items():
            near = [math.nextafter(code, math.inf), math.nextafter(code, -math.inf)]
            assert curve(code) == curve(float(code)) == value
            assert curve(near).tolist() == changed(curve, special={})(near).tolist()
        assert curve(-0.0) == 7
        assert curve(math.nan) == curve(None) == -1
        assert str(curve).endswith("missing=-1, special={-9: 0.5, -8: 0.25, 0: 7, 0.1: 2, 9007199254740992.0: 3})")
        assert curve == changed(curve, special=dict(reversed(special.items())))
        assert len({curve, changed(curve, special={**special, 0: 8})}) == 2
        assert curve.round(1)(0.1) == 2
        assert (2 * curve)(-8) == 0.5
        assert curve.capped(0.2, 0.6)(-9) == 0.5
        assert CurveModel("m", [curve]) == from_json(CurveModel("m", [curve]).to_json())
        assert "special" not in CurveModel("m", [changed(curve, special={})]).to_json()
    with pytest.raises(InputError, match="which only a feature has"):
        PWLCurve(Sum([Line("x")]), POINTS, special={1: 2})
    assert PWLCurve("x", POINTS, special={1: 2}).numbers_to_read == 6


def test_curves_that_are_joined_keep_their_special_codes() -> None:
    a = PWLCurve("x", [(0, 0), (10, 5)], missing=1, special={-9: 1, 4: 2})
    b = PWLCurve("x", [(0, 1), (5, -1)], missing=2, special={-9: 0.5, -8: 3})
    (joined,) = merge_curves(CurveModel("m", [a, b])).terms
    x = [-9, -8, -7, 0, 2, 4, 5, 6, 10, None]
    np.testing.assert_allclose(joined(x), a(x) + b(x), rtol=1e-15)


def test_lines_of_one_feature_are_joined_to_the_sum_of_their_coefficients():
    merged = merge_curves(CurveModel("m", [Line("x", 2.0), Line("y"), Line("x", 3.0)]))
    assert list(merged.terms) == [Line("x", 5.0), Line("y")]


@pytest.mark.parametrize("missing", [None, 3.0, -2.0])
def test_the_range_of_a_line_that_is_level_is_0_and_its_missing_value(missing):
    assert Line("x", 0.0, missing).own_range == (min(0.0, missing or 0.0), max(0.0, missing or 0.0))


@pytest.mark.parametrize("fx", ["identity", "log", "log1p", "symlog1p"])
def test_what_a_curve_gains_by_what_is_inside_is_its_derivative(fx):
    curve = PWLCurve(Sum([Line("x")]), [(1, 0.5), (4, 2), (9, -3)], fx)
    x = np.array([0.5, 1.5, 3.0, 5.0, 8.0, 20.0])
    (gain,) = curve.gains(CurveModel("m", [curve]).table({"x": x}))
    slope = (curve({"x": x + 1e-6}) - curve({"x": x - 1e-6})) / 2e-6
    assert np.abs(gain - slope).max() < 1e-8
