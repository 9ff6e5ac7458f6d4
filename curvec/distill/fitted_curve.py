"""One function of one variable replaced by one curve: a fit for numbers, a table of means for categories."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from curvec.data import Table
from curvec.distill.fidelity import Fidelity, fidelity
from curvec.distill.options import DistillOptions
from curvec.distill.precision import Precision
from curvec.errors import CurvecError, InputError
from curvec.evaluate import term_values
from curvec.fit import Fit, fit_pwl
from curvec.ir import Curve, EnumCurve, Feature, Key, PWLCurve, Sum, Term
from curvec.spelling import rounded
from curvec.transforms import FloatArray

__all__ = [
    "Examples",
    "FittedCurve",
    "best_curve",
    "distance_of",
    "fit_curve",
    "fit_table",
    "value_at_missing",
]


class Examples(NamedTuple):
    """A function evaluated on the rows: x (rows,) numbers or keys, y (rows,) its values, w (rows,) weights."""

    x: npt.NDArray[Any]
    y: FloatArray
    w: FloatArray


@dataclass(frozen=True)
class FittedCurve:
    """A curve or table, and what is worth knowing of how it came about.

    Attributes:
        label: the feature, or where in a larger term the curve stands.
        term: the curve.
        distance: its distance from the teacher's function.
        seconds: the time of the fit.
        fit: the fit, with the best curve of every size; None where there was nothing to fit.
        pooled: levels that share the mean of the rare ones.
        kept: whether the teacher's own curve was short enough to be kept.
        notes: what the fit did differently from what was asked, and why.

    """

    label: str
    term: Term
    distance: Fidelity
    seconds: float = 0.0
    fit: Fit | None = None
    pooled: int = 0
    kept: bool = False
    notes: tuple[str, ...] = ()

    @property
    def missing(self) -> float | None:
        """The curve's value at a missing input."""
        return self.term.missing if isinstance(self.term, (PWLCurve, EnumCurve)) else None


def distance_of(examples: Examples, curve: FloatArray) -> Fidelity:
    """The distance of ``curve`` (rows,) from the function."""
    return fidelity(examples.y, curve, examples.w, examples.x)


def value_at_missing(term: Term, feature: Feature) -> float | None:
    """What a function of one feature gives where the feature is missing; None for a missing result."""
    value = float(term_values(term, Table({feature.name: [None]}, [feature]))[0])
    return None if math.isnan(value) else value


def flat(feature: str | Sum, x: FloatArray, value: float, missing: float | None) -> PWLCurve:
    """A constant as a curve, over the range of ``x``: for places where no intercept can take it."""
    low, high = float(np.min(x)), float(np.max(x))
    if not low < high:
        high = low + max(1.0, abs(low))
    return PWLCurve(feature, [(low, value), (high, value)], missing=missing)


def fit_curve(
    term: Term, feature: str, examples: Examples, options: DistillOptions, precision: Precision
) -> FittedCurve:
    """The best short curve through the examples, NaN rows left out; the value at missing is the teacher's.

    Args:
        term: the teacher's function of ``feature``.
        feature: the feature's name.
        examples: the function on the rows.
        options: the options of the distillation.
        precision: how exact the curve has to be.

    Raises:
        InputError: no row has a value, or the fit refuses its input; the message names the feature.

    """
    start = time.perf_counter()
    arguments = options.fit_options(feature)
    missing = precision.round(value_at_missing(term, Feature(feature)), arguments["digits"])
    if isinstance(term, PWLCurve) and _short_enough(term, arguments, precision):
        return FittedCurve(feature, term, distance_of(examples, examples.y), kept=True)
    curve, fit = best_curve(feature, examples, options, missing, precision)
    values = term_values(curve, Table({feature: examples.x}, [Feature(feature)]))
    seconds = time.perf_counter() - start
    return FittedCurve(feature, curve, distance_of(examples, values), seconds, fit, notes=fit.notes if fit else ())


def best_curve(
    feature: str, examples: Examples, options: DistillOptions, missing: float | None, precision: Precision
) -> tuple[PWLCurve, Fit | None]:
    """The curve of ``fit_pwl`` under the feature's options; no fit for a constant, or what may be one."""
    used = ~np.isnan(examples.x) & ~np.isnan(examples.y) & (examples.w > 0)
    if not used.any():
        raise InputError(
            f"feature {feature!r} has no row with a value and a positive weight; distil on rows that have one"
        )
    x, y, w = examples.x[used], examples.y[used], examples.w[used]
    arguments = options.fit_options(feature)
    mean = float(np.average(y, weights=w / w.max())) if np.ptp(y) else float(y[0])
    margin = precision.share(float(np.sum(w * np.square(y - mean))))
    if np.ptp(y) == 0 or margin >= 1:
        return flat(feature, x, precision.round(mean, arguments["digits"]), missing), None
    try:
        fit = fit_pwl(x, y, w, feature=feature, missing=missing, **{"margin": margin, **arguments})
    except CurvecError as error:
        raise type(error)(f"feature {feature!r}: {error}") from None
    return fit.curve, fit


_OWN = {"num_segments", "mono", "fx", "digits", "knots_on"}
"""The arguments of ``fit_pwl`` whose meaning for a curve that is there already is plain."""


def _short_enough(curve: PWLCurve, arguments: Mapping[str, Any], precision: Precision) -> bool:
    """Whether the teacher's curve is already of the asked form, so that fitting could only lose."""
    digits, segments = arguments["digits"], arguments["num_segments"]
    if set(arguments) > _OWN or segments == "auto":
        return False
    if arguments["mono"] is not False or arguments["fx"] not in (None, curve.fx):
        return False
    knots, values = zip(*curve.points, strict=True)
    fine = all(digits is None or rounded(x, 4 if digits == "auto" else digits) == x for x in knots)
    printed = all(precision.round(y, digits) == y for y in [*values, curve.missing or 0.0])
    return len(curve.points) - 1 <= segments and fine and printed


def fit_table(
    term: Term,
    feature: Feature,
    keys: Sequence[Key],
    counts: FloatArray,
    options: DistillOptions,
    precision: Precision,
) -> FittedCurve:
    """A table of the function's value at each level; levels lighter than ``pool_below`` share their weighted mean.

    Every level stays listed, pooled or not: a level is never turned into an unseen one.

    Args:
        term: the teacher's function of the feature.
        feature: the feature, with the type of its levels.
        keys: (levels,) the levels, in order.
        counts: (levels,) the weight of each in the data; 0 for a level that the data lack.
        options: the options of the distillation.
        precision: where the values end.

    """
    values = term_values(term, Table({feature.name: _column(keys)}, [feature]))
    digits = options.fit_options(feature.name)["digits"]
    rare = (counts < options.pool_below) & np.isfinite(values)
    table = values.copy()
    if rare.sum() > 1:
        weights = counts[rare] if counts[rare].sum() > 0 else np.ones(int(rare.sum()))
        table[rare] = np.average(values[rare], weights=weights)
    mapping = {key: precision.round(float(v), digits) for key, v in zip(keys, table, strict=True) if math.isfinite(v)}
    if not mapping:
        raise InputError(f"feature {feature.name!r}: the teacher has no value at any level; nothing can be distilled")
    curve = EnumCurve(
        feature.name,
        mapping,  # type: ignore[arg-type]  # keys are all of one type: they come from one column
        default=precision.round(_value_at_unseen(term, feature, keys), digits),
        missing=precision.round(value_at_missing(term, feature), digits),
    )
    distance = distance_of(
        Examples(_column(keys), values, counts), term_values(curve, Table({feature.name: _column(keys)}, [feature]))
    )
    return FittedCurve(feature.name, curve, distance, pooled=int(rare.sum()) if rare.sum() > 1 else 0)


def _column(keys: Sequence[Key]) -> np.ndarray[Any, np.dtype[np.object_]]:
    column = np.empty(len(keys), dtype=object)
    column[:] = list(keys)
    return column


def _value_at_unseen(term: Term, feature: Feature, keys: Sequence[Key]) -> float | None:
    """The teacher's value at a level it does not list; None for a missing result, and where no such level exists."""
    if isinstance(term, EnumCurve):
        return term.default
    if isinstance(term, Curve) or feature.type not in ("int", "str"):
        return None  # a number taken as a category: what lies between its levels is not known to be wanted
    unseen: Key = max(int(key) for key in keys) + 1 if feature.type == "int" else max(map(str, keys)) + "\x00"
    value = float(term_values(term, Table({feature.name: [unseen]}, [feature]))[0])
    return None if math.isnan(value) else value
