"""The transforms against mpmath, where their doubles are hardest."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import mpmath
import numpy as np
import pytest

from curvec import CurveModel, PWLCurve, get_include, runtime
from curvec.links import LINKS, Link
from curvec.transforms import TRANSFORMS, Transform, logarithm_for

TINY = [0.0, 5e-324, 1e-300, 1e-17, 2.0**-54, 2.0**-53, 2.0**-53 * (1 + 2.0**-52), 1.2e-16, 2.0**-52, 1e-12]
EXACT = {
    "identity": lambda x: x,
    "log": mpmath.log,
    "log1p": lambda x: mpmath.log(1 + x),
    "symlog1p": lambda x: mpmath.sign(x) * mpmath.log(1 + abs(x)),
}


def distance(value: float, exact: mpmath.mpf) -> float:
    """In ULP of the exact value."""
    return float(abs(mpmath.mpf(value) - exact) / mpmath.mpf(math.ulp(float(exact))))


def test_every_transform_is_tried() -> None:
    assert set(EXACT) == set(TRANSFORMS)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_the_transform_is_the_function_to_within_two_ulp(name: str) -> None:
    fx = TRANSFORMS[name]
    places = [x for size in [*TINY, 0.1, 0.5, 0.9999999, 1.0, 18.0, 1e300] for x in (size, -size) if fx.contains(x)]
    with mpmath.workdps(700):  # 1 + 5e-324 in full
        for x, u in zip(places, fx.forward(np.array(places)).tolist(), strict=True):
            assert distance(u, EXACT[name](mpmath.mpf(x))) <= 2, (x, u)


@pytest.mark.parametrize("name", ["log1p", "symlog1p"])
@pytest.mark.parametrize("x", [x for x in TINY if x < 2.0**-53])
def test_where_one_plus_x_is_one_the_logarithm_is_x_itself(name: str, x: float) -> None:
    assert TRANSFORMS[name].forward(np.array([x])).tolist() == [x]
    curve = PWLCurve("x", [(0, 0), (2.0**-30, 2.0**-30)], name)
    slope = 2.0**-30 / TRANSFORMS[name].forward(np.array([2.0**-30]))[0]
    for value in (CurveModel("m", [curve]).eval({"x": [x]})[0], runtime.PWLCurve(curve.points, name).Eval(x)):
        assert value == pytest.approx(slope * x, rel=1e-15, abs=0)
        assert (value > 0) == (x > 0)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_the_derivative_and_the_fast_form_are_those_of_the_function(name: str) -> None:
    fx = TRANSFORMS[name]
    places = np.array([x for x in (-7.0, -0.5, 1e-9, 0.25, 1.0, 18.0, 1e9) if fx.contains(x)])
    slopes = [float(mpmath.diff(EXACT[name], mpmath.mpf(x))) for x in places.tolist()]
    assert fx.derivative(places) == pytest.approx(slopes, rel=1e-6)
    assert (fx.fast or fx.forward)(places) == pytest.approx(fx.forward(places), rel=1e-15)
    if name != "identity":
        for x, slope in zip(places, slopes, strict=True):
            found = fx.where_steep(np.array([slope]))
            assert min(abs(found - x)) <= 1e-6 * (1 + abs(x))
    assert fx.inverse(fx.forward(places)) == pytest.approx(places, rel=1e-6)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_middle_is_half_way_in_the_transform(name: str) -> None:
    fx = TRANSFORMS[name]
    for left, right in ((0.25, 18.0), (1e-9, 1e9), (-0.5, 3.0), (-7.0, 0.0)):
        if fx.contains(left):
            u = float(fx.forward(np.array([fx.middle(left, right)]))[0])
            assert u == pytest.approx(float(sum(EXACT[name](mpmath.mpf(x)) for x in (left, right)) / 2), abs=1e-9)
    near = [1e9, math.nextafter(math.nextafter(1e9, 2e9), 2e9)]  # where rounding takes the inverse to an end or beyond
    assert near[0] < fx.middle(*near) < near[1]
    assert fx.middle(1.0, math.nextafter(1.0, 2.0)) in (1.0, math.nextafter(1.0, 2.0))


@pytest.mark.parametrize(("list_of_types", "table"), [("Transforms", TRANSFORMS), ("Links", LINKS)])
def test_the_types_are_those_of_the_cpp_runtime(list_of_types: str, table: Mapping[str, Transform | Link]) -> None:
    header = Path(get_include()) / "curvec" / f"{list_of_types.lower()}.hpp"
    types = re.search(rf"using {list_of_types} = TypeList<([^>]*)>", header.read_text())
    assert types
    assert [entry.cpp for entry in table.values()] == types[1].split(", ")


def test_the_codes_are_the_places_in_that_list() -> None:
    assert [fx.code for fx in TRANSFORMS.values()] == list(range(len(TRANSFORMS)))


@pytest.mark.parametrize("name", LINKS)
def test_the_slope_is_that_of_the_links_inverse(name: str) -> None:
    exact = {"identity": lambda s: s, "logit": lambda s: 1 / (1 + mpmath.exp(-s)), "log": mpmath.exp}[name]
    scores = [-3.0, -0.25, 0.0, 1.0, 4.0]
    predictions = LINKS[name].inverse(np.array(scores))
    assert predictions == pytest.approx([float(exact(mpmath.mpf(s))) for s in scores], rel=1e-15)
    slopes = [float(mpmath.diff(exact, mpmath.mpf(s))) for s in scores]
    assert LINKS[name].slope(predictions) == pytest.approx(slopes, rel=1e-9)


@pytest.mark.parametrize(
    ("x", "name"), [(2.0, "log"), (5e-324, "log"), (0.0, "log1p"), (-0.5, "log1p"), (-1.0, "symlog1p")]
)
def test_the_plainest_logarithm_that_takes_a_value(x: float, name: str) -> None:
    assert logarithm_for(x).name == name


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_transform_bends_anew_at_its_kinks_alone(name):
    fx = TRANSFORMS[name]

    def jump(x):
        """How far the second derivative is apart on both sides of x."""
        h, u = 1e-3, (lambda at: float(fx.forward(np.array([at]))[0]))
        left, right = ((u(x) - 2 * u(x + side * h) + u(x + 2 * side * h)) / h**2 for side in (-1, 1))
        return abs(left - right)

    assert all(jump(kink) > 0.5 for kink in fx.kinks)
    assert all(jump(x) < 0.1 for x in (-2.0, -1.0, 0.0, 1.0, 2.0) if x - 0.1 > fx.lower and x not in fx.kinks)
