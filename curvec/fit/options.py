"""The options of a fit, checked before any work is done."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import msgspec
import numpy as np

from curvec.checks import check, check_choice, check_digits, check_flag, is_number, is_whole
from curvec.columns import column
from curvec.conversion import is_missing
from curvec.errors import InputError, counted, shown
from curvec.fields import changed
from curvec.fit.through import check_given
from curvec.spelling import shortest
from curvec.transforms import TRANSFORMS, FloatArray

Mono: TypeAlias = bool | Literal["increasing", "decreasing", "peak", "valley", "bitonic"]
Segments: TypeAlias = int | Literal["auto", "bic"]
Bounds: TypeAlias = Literal["data"] | tuple[float | None, float | None] | None
Digits: TypeAlias = int | Literal["auto"] | None
KnotsOn: TypeAlias = Literal["any", "auto", "values", "whole", "round"]

MOST_CANDIDATES = 4096
"""The search keeps a segment for each pair of candidates: half a gigabyte for this many."""
MONO = (False, True, "increasing", "decreasing", "peak", "valley", "bitonic")
AUTOMATIC = ("auto", "bic")
KNOTS_ON: tuple[KnotsOn, ...] = get_args(KnotsOn)


class Keywords(msgspec.Struct, frozen=True, kw_only=True):
    """The keywords of :func:`curvec.fit_pwl` as a caller gives them, with its defaults."""

    num_segments: Segments = 5
    mono: Mono = False
    curvature: Literal["convex", "concave"] | None = None
    min_slope: float | None = None
    max_slope: float | None = None
    fx: str | None = None
    num_samples: int = 100
    candidates: Sequence[float] | FloatArray | None = None
    knots: Sequence[float] | FloatArray = ()
    through: Sequence[tuple[float, float]] | FloatArray = ()
    knots_on: KnotsOn = "any"
    learn_ends: bool | None = None
    periodic: bool = False
    digits: Digits = None
    y_bounds: Bounds = "data"
    margin: float = 0.0
    tolerance: float = 0.01
    max_segments: int = 10
    refine_knots: bool = True
    max_seconds: float | None = None
    feature: str | None = None
    missing: float | None = None


class Options(Keywords, frozen=True, kw_only=True):
    """The keywords checked and normalised: bounds are numbers, infinite where there are none."""

    min_slope: float
    max_slope: float
    candidates: FloatArray | None
    knots: FloatArray
    through: FloatArray
    learn_ends: bool
    max_seconds: float
    feature: str
    ends_open: bool = False
    """Whether ``learn_ends`` was left open, so that the end knots move unless noise speaks for a straight line."""
    rounds_knots: bool = True
    """Whether candidates may be rounded to ``digits``: not those of moments."""
    y_place: int | None = None
    """With ``digits="auto"``, the coarsest decimal place of y, which a model's curves share; None: the curve's own."""
    keeps_place: bool = False
    """Whether y ends at ``y_place`` even if that loses more than the margin, unless it breaks a constraint."""

    @property
    def required(self) -> FloatArray:
        """(r,) the knots that every curve has, ends apart, before any rounding."""
        return np.union1d(self.knots, self.through[:, 0]) if len(self.through) else self.knots

    @property
    def most_segments(self) -> int:
        """The largest number of segments to search for: no curve has more than there can be candidates."""
        return min(self.max_segments if isinstance(self.num_segments, str) else self.num_segments, MOST_CANDIDATES)

    @property
    def is_automatic(self) -> bool:
        """Whether the number of segments is to be found."""
        return self.num_segments in AUTOMATIC

    @property
    def significant(self) -> int | None:
        """The significant digits asked for; None: all, or as few as ``margin`` allows."""
        return None if self.digits == "auto" else self.digits

    @property
    def rounds_x(self) -> bool:
        """Whether knots are moved to rounder numbers, as far as ``margin`` allows: not the user's own candidates."""
        wanted = self.knots_on == "round" or self.digits == "auto" or (self.knots_on == "whole" and self.margin > 0)
        return wanted and self.rounds_knots and self.candidates is None

    @property
    def shortens(self) -> bool:
        """Whether the text of the curve is made shorter than that of the best curve, as far as ``margin`` allows."""
        return self.margin > 0 or self.digits == "auto" or self.knots_on == "round"

    @property
    def refines(self) -> bool:
        """Whether finer candidates may be added: not to the user's own."""
        return self.refine_knots and self.candidates is None

    @property
    def transform(self) -> str | None:
        """fx, but "identity" where None would leave open what a slope bound or a curvature is measured in."""
        slopes = [s for s in (self.min_slope, self.max_slope) if math.isfinite(s) and s != 0]
        return "identity" if self.fx is None and (slopes or self.curvature) else self.fx

    @property
    def forbids_flat_ends(self) -> bool:
        """Whether the curve's constant ends break what is asked of it: a curvature, or slopes that are never zero."""
        return self.curvature is not None or self.min_slope > 0 or self.max_slope < 0


def check_options(keywords: Keywords) -> Options:
    """Normalise and check.

    Raises:
        InputError: an option is none of its values, or two contradict each other.

    """
    low, high, seconds = keywords.min_slope, keywords.max_slope, keywords.max_seconds
    normalised: dict[str, Any] = {
        "min_slope": -math.inf if low is None else _finite(low, "min_slope"),
        "max_slope": math.inf if high is None else _finite(high, "max_slope"),
        "candidates": None if keywords.candidates is None else _ascending(keywords.candidates, "candidates"),
        "knots": _ascending(keywords.knots, "knots"),
        "through": _points(keywords.through),
        "learn_ends": True if keywords.learn_ends is None else keywords.learn_ends,
        "max_seconds": math.inf if seconds is None else _real(seconds, "max_seconds", "seconds or None"),
        "feature": "x" if keywords.feature is None else keywords.feature,
    }
    options = Options(**msgspec.structs.asdict(keywords) | normalised)
    _check_counts(options)
    _check_choices(options)
    _check_slopes(options)
    _check_periodic(options)
    _check_bounds(options.y_bounds)
    check_given(
        options.through,
        slopes=(options.min_slope, options.max_slope),
        y_bounds=options.y_bounds,
        mono=options.mono,
        curvature=options.curvature,
        fx=options.transform,
    )
    if keywords.learn_ends is not None:
        return options
    return changed(options, learn_ends=not options.forbids_flat_ends, ends_open=not options.forbids_flat_ends)


def _points(values: Sequence[tuple[float, float]] | FloatArray) -> FloatArray:
    """(p, 2) points by ascending x, each x once."""
    rule = "give points of finite numbers: [(x, y), ...]"
    values = values.tolist() if isinstance(values, np.ndarray) else values
    pairs = isinstance(values, (list, tuple)) and all(
        isinstance(point, (list, tuple))
        and len(point) == 2
        and not any(isinstance(number, str) or is_missing(number) for number in point)
        for point in values
    )
    check("through", values, rule, holds=pairs)
    if not values:
        return np.empty((0, 2))
    x, y = (column([point[k] for point in values], f"through's {axis}") for k, axis in enumerate("xy"))
    points = np.unique(np.column_stack([x, y]), axis=0)
    _ascending(points[:, 0].tolist(), "through's x")
    twice = np.flatnonzero(points[1:, 0] == points[:-1, 0])
    if twice.size:
        at, first, second = points[twice[0], 0], points[twice[0], 1], points[twice[0] + 1, 1]
        raise InputError(
            f"through has {shortest(first)} and {shortest(second)} at x = {shortest(at)}; a curve has one value there"
        )
    return points


def _ascending(values: Sequence[float] | FloatArray, name: str) -> FloatArray:
    if isinstance(values, tuple) and not values:
        return np.empty(0)
    out = column(values, name)
    if not (out[1:] > out[:-1]).all():
        out = np.unique(out)
    if len(out) and not math.isfinite(float(out[-1]) - float(out[0])):
        raise InputError(f"{name} go from {float(out[0])!r} to {float(out[-1])!r}; no double holds the difference")
    return out


def _real(value: Any, name: str, what: str) -> float:
    check(name, value, f"it must be {what}", holds=is_number(value))
    return float(value)


def _finite(value: float, name: str) -> float:
    number = _real(value, name, "a finite number or None")
    if not math.isfinite(number):
        raise InputError(f"{name}={shown(value)}; it must be a finite number or None")
    return number


def _whole(value: Any, name: str, least: int) -> None:
    check(name, value, f"it must be a whole number >= {least}", holds=is_whole(value) and value >= least)


def _check_counts(options: Options) -> None:
    many: Any = options.num_segments
    fits = (isinstance(many, str) and many in AUTOMATIC) or (is_whole(many) and many >= 1)
    check("num_segments", many, "it must be a whole number >= 1, 'auto' or 'bic'", holds=fits)
    _whole(options.max_segments, "max_segments", 1)
    _whole(options.num_samples, "num_samples", 2)
    if options.num_samples > MOST_CANDIDATES // 2:
        raise InputError(
            f"num_samples={shown(options.num_samples)}; memory grows with its square, so it may be "
            f"{MOST_CANDIDATES // 2} at most; for finer knots keep refine_knots=True, "
            "or pass candidates where they matter"
        )
    if options.candidates is not None and len(options.candidates) > MOST_CANDIDATES:
        raise InputError(
            f"{len(options.candidates)} candidates; memory grows with their square, so {MOST_CANDIDATES} are the most"
        )
    check_digits(options.digits, or_auto=True)
    check("max_seconds", options.max_seconds, "it must be above zero, or None", holds=options.max_seconds > 0)
    if not 0 <= _real(options.tolerance, "tolerance", "a share of the shape's variance") < 1:
        raise InputError(
            f"tolerance={shown(options.tolerance)}; it is a share of the shape's variance, 0 <= tolerance < 1"
        )
    if not 0 <= _real(options.margin, "margin", "a share of the shape's variance") < 1:
        raise InputError(f"margin={shown(options.margin)}; it is a share of the shape's variance, 0 <= margin < 1")
    own = options.candidates
    if own is not None and len(own) < 2 and len(np.union1d(own, options.required)) < 2:
        raise InputError(f"candidates={own.tolist()!r}; a curve needs at least two distinct ones")
    fewest = options.most_segments + 1
    if len(options.required) > fewest:
        raise InputError(
            f"{_knot_options(options)} {counted(len(options.required), 'knot')}, but "
            f"a curve of {counted(options.most_segments, 'segment')} has {fewest}; "
            "ask for more segments"
        )


def _knot_options(options: Options) -> str:
    if not len(options.through):
        return "knots= requires"
    return "knots= and through= require" if len(options.knots) else "through= requires"


def _check_choices(options: Options) -> None:
    check_choice("mono", options.mono, MONO)
    check_choice("curvature", options.curvature, (None, "convex", "concave"))
    if callable(options.fx):
        raise InputError(
            f"fx={shown(options.fx)}; use the name of a transform ({', '.join(TRANSFORMS)}). No code carries a "
            "function: give its values as x, and name them so: fit_pwl(f(x), y, feature='f of x')"
        )
    check_choice("knots_on", options.knots_on, KNOTS_ON)
    against = {("convex", "peak"), ("concave", "valley")}
    if (options.curvature, options.mono) in against:
        raise InputError(
            f"curvature={shown(options.curvature)} contradicts mono={shown(options.mono)}: such a curve cannot turn"
        )
    check_flag("refine_knots", options.refine_knots)
    check_flag("learn_ends", options.learn_ends)
    check_flag("periodic", options.periodic)
    check("feature", options.feature, "it must be a string", holds=isinstance(options.feature, str))


def _check_slopes(options: Options) -> None:
    low, high, mono = options.min_slope, options.max_slope, options.mono
    if low > high:
        raise InputError(f"min_slope={shown(low)} is above max_slope={shown(high)}; no slope is between them")
    if mono == "increasing" and high < 0:
        raise InputError(f"mono='increasing' contradicts max_slope={shown(high)} < 0")
    if mono == "decreasing" and low > 0:
        raise InputError(f"mono='decreasing' contradicts min_slope={shown(low)} > 0")
    if mono in ("peak", "valley", "bitonic") and (low > 0 or high < 0):
        raise InputError(
            f"mono={shown(mono)} contradicts min_slope={shown(low)}, max_slope={shown(high)}: both "
            f"directions are needed"
        )


def _check_periodic(options: Options) -> None:
    if not options.periodic:
        return
    one_way = options.mono in (True, "increasing", "decreasing") or options.min_slope >= 0 or options.max_slope <= 0
    if one_way:
        raise InputError(
            "periodic=True asks for equal y at both ends, which a curve that goes one way has only if it is constant; "
            f"leave out periodic, or mono={shown(options.mono)}, min_slope and max_slope"
        )


def _check_bounds(bounds: Bounds) -> None:
    if bounds is None or (isinstance(bounds, str) and bounds == "data"):
        return
    if isinstance(bounds, str) or not isinstance(bounds, (tuple, list)) or len(bounds) != 2:
        raise InputError(f"y_bounds={shown(bounds)}; use 'data', None, or a pair (low, high)")
    for end in bounds:
        if end is not None:
            _finite(end, "an end of y_bounds")
    low, high = bounds
    if low is not None and high is not None and low > high:
        raise InputError(f"y_bounds={shown(bounds)}: the lower bound is above the upper one")
