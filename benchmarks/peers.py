"""The same distillation by single fits, each curve to four significant digits: google/pwlfit, pwlf, curvec.fit_pwl."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, Sum
from curvec.ir import Term

__all__ = ["CURVES", "Curve", "Fitted", "distilled", "unexplained"]

Array = npt.NDArray[np.float64]
Points = tuple[list[tuple[float, float]], str]
Curve = Callable[[Array, Array, int, bool], Points]

_NAMES = {"identity": "identity", "log": "log", "log1p": "log1p", "symlog1p": "symlog1p", "symmetriclog1p": "symlog1p"}


def _rounded(value: float) -> float:
    return float(f"{value:.3e}")


def pwlfit_curve(x: Array, y: Array, segments: int, mono: bool) -> Points:  # noqa: FBT001
    """google/pwlfit with its defaults; the transform is its own choice."""
    from pwlfit import fitter  # noqa: PLC0415

    curve = fitter.fit_pwl(x, y, num_segments=segments, mono=mono).round_to_sig_figs(4)
    return [(float(a), float(b)) for a, b in curve.points], _NAMES[curve.fx.__name__]


def pwlf_curve(x: Array, y: Array, segments: int, _mono: bool) -> Points:  # noqa: FBT001
    """Pwlf's global search on the distinct x, each weighing as its rows.

    A teacher's curve is a function of x, so that the distinct x have the same squared error as all rows (pwlf
    multiplies residuals by the weights). Where there are over 1,000 of them, 1,000 rows are drawn at random, as in the
    paper: pwlf is slow on more.
    """
    import pwlf  # noqa: PLC0415

    if len(np.unique(x)) > 1000:
        drawn = np.random.default_rng(0).choice(len(x), 1000, replace=False)
        x, y = x[drawn], y[drawn]
    distinct, first, counts = np.unique(x, return_index=True, return_counts=True)
    if len(distinct) <= segments + 1:  # pwlf cannot place more knots than there are points
        return [(float(a), _rounded(float(b))) for a, b in zip(distinct, y[first], strict=True)], "identity"
    fit = pwlf.PiecewiseLinFit(distinct, y[first], weights=np.sqrt(counts), seed=0)
    knots = fit.fit(segments)
    points = {_rounded(float(a)): _rounded(float(b)) for a, b in zip(knots, fit.predict(knots), strict=True)}
    return sorted(points.items()), "identity"


def best_curve(x: Array, y: Array, segments: int, mono: bool) -> Points:  # noqa: FBT001
    """``curvec.fit_pwl`` with its defaults: the least squared error, nothing given up for fewer numbers."""
    curve = curvec.fit_pwl(x, y, num_segments=segments, mono=mono, digits=4).curve
    return [(float(a), float(b)) for a, b in curve.points], curve.fx


CURVES: dict[str, Curve] = {"pwlfit": pwlfit_curve, "pwlf": pwlf_curve, "fit_pwl": best_curve}


class Fitted(NamedTuple):
    """One fit.

    Attributes:
        feature: whose function it was of.
        cpu_seconds: what it took.
        rmse: to the teacher's function, on the rows.

    """

    feature: str
    cpu_seconds: float
    rmse: float


def distilled(
    teacher: CurveModel, rows: Any, curve: Curve, segments: int, *, mono: bool, fits: list[Fitted] | None = None
) -> CurveModel:
    """The teacher with every step curve replaced by the peer's curve, and every table rounded; ``fits`` grows."""
    table = teacher.table(rows)
    contributions = teacher.contributions(rows)
    terms: list[Term] = []
    for place, term in enumerate(teacher.terms):
        if isinstance(term, EnumCurve):
            terms.append(EnumCurve(term.feature, {key: _rounded(value) for key, value in term.levels.items()}))
            continue
        name = getattr(term, "input", "")
        assert not isinstance(name, Sum)  # noqa: S101  the teachers here have no nested curves
        x, y, start = table.number(name), contributions[:, place], time.process_time()
        points, fx = curve(x, y, segments, mono)
        seconds = time.process_time() - start
        if len(points) < 2:
            points = [points[0], (points[0][0] + 1.0, points[0][1])]
        terms.append(PWLCurve(name, points, fx))
        if fits is not None:
            rmse = float(np.sqrt(np.mean((terms[-1](x) - y) ** 2)))
            fits.append(Fitted(name, round(seconds, 4), rmse))
    return CurveModel(teacher.name, terms, teacher.intercept, teacher.link)


def unexplained(teacher: CurveModel, model: CurveModel, rows: Any) -> list[float]:
    """For each curve, squared error over the total sum of squares."""
    if len(teacher.terms) != len(model.terms):
        raise ValueError("a constant was folded away: the curves no longer stand side by side")
    exact, new = teacher.contributions(rows), model.contributions(rows)
    total = np.sum((exact - exact.mean(axis=0)) ** 2, axis=0)
    return (np.sum((exact - new) ** 2, axis=0) / np.where(total > 0, total, 1.0)).tolist()
