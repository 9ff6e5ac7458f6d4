"""Special codes of a single curve: values of their own, and a curve of the other rows."""

from __future__ import annotations

import numpy as np
import pytest

import curvec

RNG = np.random.default_rng(3)
X = RNG.choice([-9.0, -8.0, *range(30)], 600)
Y = np.where(X == -9, 0.7, np.where(X == -8, -1.2, np.minimum(X, 20) / 8)) + RNG.normal(0, 0.1, 600)
W = RNG.integers(0, 3, 600).astype(float)

SCORED = "the curve scores it like any other number"


def test_codes_have_their_weighted_mean_and_the_curve_is_that_of_the_other_rows() -> None:
    fit = curvec.fit_pwl(X, Y, W, num_segments=2, special=[-9, -8, -7])
    rest = X >= 0
    alone = curvec.fit_pwl(X[rest], Y[rest], W[rest], num_segments=2)
    assert fit.curve.points == alone.curve.points
    assert (fit.sse, fit.mse, fit.unexplained) == (alone.sse, alone.mse, alone.unexplained)
    means = {code: np.average(Y[rows], weights=W[rows]) for code in (-9.0, -8.0) for rows in [np.equal(X, code)]}
    assert dict(fit.curve.special_codes) == pytest.approx(means)
    assert all(dict(entry.curve.special_codes) == dict(fit.curve.special_codes) for entry in fit.path)


def test_codes_are_found_in_a_column_and_printed_as_the_points_are() -> None:
    fit = curvec.fit_pwl(X, Y, num_segments=2, special="auto", digits="auto", margin=0.01)
    for code, value in fit.curve.special_codes.items():
        assert (value - Y[code == X].mean()) ** 2 <= 0.01 * fit.variance
        assert len(repr(value)) <= 5
    assert list(fit.curve.special_codes) == [-9, -8]
    whole = curvec.fit_pwl([-7, -7, 0, 3], [0.5, 0.5, 0, 3], special=[-7], digits="auto").curve
    assert (whole.points, whole(-7)) == (((0, 0), (3, 3)), 0.5)
    assert curvec.fit_pwl(X, Y, digits=2, special=[-9]).curve(-9) == float(f"{Y[X == -9].mean():.1e}")


def test_a_code_without_rows_of_weight_has_no_value() -> None:
    for codes, w in (([-9], np.where(X == -9, 0.0, 1.0)), ([99], None)):
        fit = curvec.fit_pwl(X, Y, w, special=codes)
        assert not fit.curve.special_codes
        assert fit.notes == (f"no row of positive weight has the special code {codes[0]}: {SCORED}",)
    some = curvec.fit_pwl(X, Y, special=[-9, -8, 98, 99])
    assert list(some.curve.special_codes) == [-9, -8]
    assert some.notes == (f"no row of positive weight has the special code 98, 99: {SCORED}",)
    exact = curvec.CurveModel("m", [curvec.PWLCurve("a", [(0, 0), (1, 1), (2, 0)], special={-9: 0.5})])
    report = curvec.distill(exact, {"a": [0.0, 0.5, 1.0, 2.0]}, num_segments=1, digits=3).report
    assert "no row of positive weight has the special code -9" in str(report)


@pytest.mark.parametrize(("special", "message"), [([*range(-9, 30)], "no value but"), (-9, "list of numbers")])
def test_what_is_no_list_of_codes_is_refused(special: object, message: str) -> None:
    with pytest.raises(curvec.InputError, match=message):
        curvec.fit_pwl(X, Y, special=special)  # type: ignore[arg-type]  # that is the point
