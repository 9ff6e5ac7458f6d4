"""One function of one variable replaced by one curve: a fit for numbers, a table of means for categories."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.conversion import objects
from curvec.data import Table
from curvec.distill.fidelity import Fidelity, fidelity
from curvec.distill.options import DistillOptions
from curvec.errors import CurvecError, InputError
from curvec.evaluate import term_values
from curvec.fit import Fit, fit_pwl
from curvec.fit.api import fit_sizes
from curvec.fit.candidates import rough_ends
from curvec.fit.special import absent_note, code_means, special_codes, weighted_mean, with_codes
from curvec.ir import Curve, EnumCurve, Feature, Key, PWLCurve, Sum, Term, changed, unlisted_level
from curvec.parameters.precision import Precision
from curvec.spelling import rounded
from curvec.transforms import FloatArray


class Examples(NamedTuple):
    """A function evaluated on the rows: x (rows,) numbers or keys, y (rows,) its values, w (rows,) weights."""

    x: npt.NDArray[Any]
    y: FloatArray
    w: FloatArray


class FittedCurve(msgspec.Struct, frozen=True):
    """A curve or table that replaces a function, how far it is from it, and how it was made.

    Attributes:
        label: the feature, or the curve's place in a larger term.
        term: the curve.
        distance: its distance from the teacher's function.
        seconds: the time of the fit.
        fit: the fit, with the best curve of every size; None where there was nothing to fit.
        kept: whether the teacher's own curve was short enough to be kept.
        notes: what the fit did differently from what was asked, and why.

    """

    label: str
    term: Term
    distance: Fidelity
    seconds: float = 0.0
    fit: Fit | None = None
    kept: bool = False
    notes: tuple[str, ...] = ()


def distance_of(examples: Examples, curve: FloatArray) -> Fidelity:
    """The distance of ``curve`` (rows,) from the function."""
    return fidelity(examples.y, curve, examples.w, examples.x)


def value_at_missing(term: Term, feature: Feature) -> float | None:
    """What a function of one feature gives where the feature is missing; None for a missing result."""
    return _value_at(term, feature, None)


def _value_at(term: Term, feature: Feature, key: Key | None) -> float | None:
    value = float(term_values(term, Table({feature.name: [key]}, [feature]))[0])
    return None if math.isnan(value) else value


def flat(feature: str | Sum, x: FloatArray, value: float, missing: float | None) -> PWLCurve:
    """A constant as a curve over the range of ``x``, for places inside a term, where no intercept can hold it."""
    low, high = rough_ends(float(np.min(x)), float(np.max(x)))
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
        InputError: no row has a value, a value is infinite, or the fit refuses its input; the message names the
            feature.

    """
    start = time.perf_counter()
    missing = missing_of(term, feature, examples, options, precision)
    if (kept := short_enough(term, feature, missing, options, precision)) is not None:
        return FittedCurve(feature, kept, distance_of(examples, examples.y), kept=True)
    curve, fit = best_curve(feature, examples, options, missing, precision)
    return fitted_curve(feature, curve, fit, examples, time.perf_counter() - start)


def fitted_curve(feature: str, curve: PWLCurve, fit: Fit | None, examples: Examples, seconds: float) -> FittedCurve:
    """A curve beside the function on the rows."""
    values = term_values(curve, Table({feature: examples.x}, [Feature(feature)]))
    return FittedCurve(feature, curve, distance_of(examples, values), seconds, fit, notes=fit.notes if fit else ())


def missing_of(
    term: Term, feature: str, examples: Examples, options: DistillOptions, precision: Precision
) -> float | None:
    """The curve's value for a missing input: the teacher's, if that was asked for or some row has a missing input."""
    if options.unseen == "null" and not (np.isnan(examples.x) & (examples.w > 0)).any():
        return None
    return precision.round(value_at_missing(term, Feature(feature)), options.fit_options(feature)["digits"])


def best_curve(
    feature: str, examples: Examples, options: DistillOptions, missing: float | None, precision: Precision
) -> tuple[PWLCurve, Fit | None]:
    """The curve of ``fit_pwl`` with the feature's options; no fit if the values are constant, or nearly so."""
    arguments = options.fit_options(feature)
    used, special = _without_special(feature, used_of(feature, examples), arguments, precision)
    _check_finite(feature, used.x)
    mean, total = mean_and_squares(used.y, used.w)
    margin = precision.share(total)
    if np.ptp(used.y) == 0 or margin >= 1:
        digits = arguments["digits"]
        of_factor = precision.place is None and precision.allowance is not None
        value = precision.shortest(mean, float(used.w.sum()), digits) if of_factor else precision.round(mean, digits)
        constant = flat(feature, used.x, value, missing)
        return changed(constant, special=special.values), None
    try:
        fit = fit_pwl(*used, feature=feature, missing=missing, **{"margin": margin, **arguments})
    except CurvecError as error:
        raise type(error)(f"feature {feature!r}: {error}") from None
    fit = with_codes(fit, special.values, special.notes)
    return fit.curve, fit


class InfiniteInputError(InputError):
    """A row has an infinite value of a feature that a curve is fitted to.

    Attributes:
        feature: its name.
        value: the value.

    """

    def __init__(self, feature: str, value: float) -> None:
        super().__init__(f"feature {feature!r} is {value}; {FINITE}")
        self.feature, self.value = feature, value


FINITE = "a curve has finite points only, so make it missing (None or NaN), or leave such rows out"


def _check_finite(feature: str, x: FloatArray) -> None:
    infinite = x[np.isinf(x)]
    if infinite.size:
        raise InfiniteInputError(feature, float(infinite[0]))


class _Special(msgspec.Struct, frozen=True):
    """The values of special codes, and what the report says of them."""

    values: Mapping[float, float]
    notes: tuple[str, ...]


def _without_special(
    feature: str, used: Examples, arguments: dict[str, Any], precision: Precision
) -> tuple[Examples, _Special]:
    """The rows without special codes, and the codes; ``arguments`` loses the option that says which."""
    asked = arguments.pop("special", "auto")
    codes = special_codes(used.x, asked, feature)
    notes = (_code_note(codes, feature),) if codes and isinstance(asked, str) else absent_note(asked, codes)
    if not codes:
        return used, _Special({}, notes)
    rest, means = code_means(*used, codes)
    values = {code: precision.round(mean, arguments["digits"]) for code, mean in means.items()}
    return Examples(used.x[rest], used.y[rest], used.w[rest]), _Special(values, notes)


def _code_note(codes: Sequence[float], feature: str) -> str:
    """What the report says of codes that were found."""
    listed = ", ".join(f"{code:g}" for code in codes)
    verb = "is a special code" if len(codes) == 1 else "are special codes"
    return f"{listed} {verb}, found so; overrides={{{feature!r}: {{'special': ()}}}} makes values of them"


def fits_of_sizes(
    feature: str,
    examples: Examples,
    options: DistillOptions,
    missing: float | None,
    precision: Precision,
    fewest: int = 1,
) -> list[Fit]:
    """The best curve of every number of segments from ``fewest`` on that the options allow, in its shortest text.

    Where its digits are given, the margin is for fewer segments alone.

    Raises:
        InputError: no row has a value, a value is infinite, or the fit refuses its input; the message names the
            feature.

    """
    arguments = options.fit_options(feature)
    used, special = _without_special(feature, used_of(feature, examples), arguments, precision)
    _check_finite(feature, used.x)
    most = arguments.pop("num_segments")
    sizes = [most] if most == "auto" else [*range(fewest, most + 1)]
    place = precision.place if arguments["digits"] == "auto" else None
    share = min(precision.share(mean_and_squares(used.y, used.w)[1]), _MOST_MARGIN) if place is not None else 0.0
    margin = arguments.pop("margin", share)
    try:
        fits = fit_sizes(
            *used, sizes=sizes, margin=margin, y_place=place, feature=feature, missing=missing, **arguments
        )
        return [with_codes(fit, special.values, special.notes) for fit in fits]
    except CurvecError as error:
        raise type(error)(f"feature {feature!r}: {error}") from None


_MOST_MARGIN = 0.1
"""The most that a curve may lose for rounder numbers, as a share of its own variance, however little it contributes."""


def used_of(feature: str, examples: Examples) -> Examples:
    """The rows where the function has an input and a value.

    Raises:
        InputError: there are none of positive weight.

    """
    used = ~np.isnan(examples.x) & ~np.isnan(examples.y) & (examples.w > 0)
    if not used.any():
        raise InputError(
            f"feature {feature!r} has no row with a value and a positive weight; distil on rows that have one"
        )
    return Examples(examples.x[used], examples.y[used], examples.w[used])


def mean_and_squares(y: FloatArray, w: FloatArray) -> tuple[float, float]:
    """The weighted mean of some values, and the weighted sum of squares about it; the weights are not all 0."""
    mean = weighted_mean(y, w)
    return mean, float(np.sum(w * np.square(y - mean)))


OPTIONS_OF_FORM = {"num_segments", "mono", "fx", "digits", "knots_on"}
"""The arguments of ``fit_pwl`` that a teacher's own curve is checked against, to see whether it is short enough
already."""


def short_enough(
    term: Term, feature: str, missing: float | None, options: DistillOptions, precision: Precision
) -> PWLCurve | None:
    """The teacher's own curve, where it is of the asked form already, so that fitting could only lose."""
    arguments = options.fit_options(feature)
    if not isinstance(term, PWLCurve):
        return None
    digits, segments = arguments["digits"], arguments["num_segments"]
    codes = tuple(term.special_codes)
    if arguments.pop("special", codes) != codes:
        return None
    if set(arguments) > OPTIONS_OF_FORM or segments == "auto":
        return None
    if arguments["mono"] is not False or arguments["fx"] not in (None, term.fx):
        return None
    knots, values = zip(*term.points, strict=True)
    # A curve is constant beyond its end points, so a flat segment at an end is one too many.
    flat_end = len(values) > 2 and (values[0] == values[1] or values[-1] == values[-2])
    fine = all(digits is None or rounded(x, 4 if digits == "auto" else digits) == x for x in knots)
    printed = all(precision.round(y, digits) == y for y in values)
    short = len(term.points) - 1 <= segments and not flat_end
    return changed(term, missing=missing) if short and fine and printed else None


class LevelCounts(msgspec.Struct, frozen=True):
    """The levels of a category, and the rows' total weight at each.

    Attributes:
        feature: the feature, with the type of its levels.
        keys: (levels,) the levels, in order.
        weights: (levels,) the weight of each; 0 for a level that no row has.
        missing: whether some row has no level.
        unseen: whether some row has a level that the teacher does not list.

    """

    feature: Feature
    keys: Sequence[Key]
    weights: FloatArray
    missing: bool
    unseen: bool


def fit_table(term: Term, levels: LevelCounts, options: DistillOptions, precision: Precision) -> FittedCurve:
    """A table of the function's value at each level."""
    values = level_values(term, levels)
    digits = options.fit_options(levels.feature.name)["digits"]
    printed = np.array([precision.round(float(value), digits) for value in values])
    return tabulated(term, levels, values, printed, options, precision, base=0.0)


def level_values(term: Term, levels: LevelCounts) -> FloatArray:
    """(levels,) the function's value at each level, NaN where it has none.

    Raises:
        InputError: it has none at all.

    """
    values = term_values(term, Table({levels.feature.name: objects(levels.keys)}, [levels.feature]))
    if not np.isfinite(values).any():
        raise InputError(
            f"feature {levels.feature.name!r}: the teacher has no value at any level; nothing can be distilled"
        )
    return values


def tabulated(
    term: Term,
    levels: LevelCounts,
    values: FloatArray,
    printed: FloatArray,
    options: DistillOptions,
    precision: Precision,
    *,
    base: float,
) -> FittedCurve:
    """A table of printed values, which are the function's less ``base``; every level stays listed.

    Args:
        term: the teacher's function.
        levels: the levels.
        values: (levels,) the function's values.
        printed: (levels,) the values in the table; NaN where a level has none.
        options: the options of the distillation.
        precision: the decimal place at which the values end.
        base: a constant that goes into the intercept.

    """
    feature = levels.feature
    digits = options.fit_options(feature.name)["digits"]
    default = _value_at_unseen(term, feature, levels.keys) if levels.unseen or options.unseen == "teacher" else None
    missing = value_at_missing(term, feature) if levels.missing or options.unseen == "teacher" else None
    curve = EnumCurve(
        feature.name,
        {key: float(y) for key, y in zip(levels.keys, printed, strict=True) if math.isfinite(y)},  # type: ignore[arg-type]  # keys are all of one type: they come from one column
        default=precision.round(None if default is None else default - base, digits),
        missing=precision.round(None if missing is None else missing - base, digits),
    )
    column = objects(levels.keys)
    new = term_values(curve, Table({feature.name: column}, [feature]))
    return FittedCurve(feature.name, curve, distance_of(Examples(column, values - base, levels.weights), new))


def _value_at_unseen(term: Term, feature: Feature, keys: Sequence[Key]) -> float | None:
    """The teacher's value at a level it does not list; None if that is missing, or if no such level exists."""
    if isinstance(term, EnumCurve):
        return term.default
    if isinstance(term, Curve) or feature.type == "number":
        return None  # a number taken as a category: nobody asked for the teacher's values between its levels
    unlisted = unlisted_level(feature.type, keys)
    return None if unlisted is None else _value_at(term, feature, unlisted)
