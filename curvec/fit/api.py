"""``fit_pwl``: from rows to the best curve there is."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from curvec.columns import name_of
from curvec.condense import Points, read_rows
from curvec.errors import InputError
from curvec.fields import changed
from curvec.fit import options as opts
from curvec.fit.band import uncertainty
from curvec.fit.data import from_moments, from_rows
from curvec.fit.pipeline import run, run_sizes
from curvec.fit.result import Fit
from curvec.fit.special import absent_note, printed_value, special_codes, with_codes, without_codes
from curvec.fit.through import check_codes
from curvec.transforms import FloatArray


def fit_pwl(
    x: Any,
    y: Any,
    w: Any = None,
    *,
    num_segments: opts.Segments = 5,
    mono: opts.Mono = False,
    curvature: Literal["convex", "concave"] | None = None,
    min_slope: float | None = None,
    max_slope: float | None = None,
    fx: str | None = None,
    num_samples: int = 100,
    candidates: Sequence[float] | None = None,
    knots: Sequence[float] = (),
    through: Sequence[tuple[float, float]] | FloatArray = (),
    knots_on: opts.KnotsOn = "any",
    learn_ends: bool | None = None,
    periodic: bool = False,
    digits: opts.Digits = None,
    margin: float = 0.0,
    y_bounds: opts.Bounds = "data",
    tolerance: float = 0.01,
    max_segments: int = 10,
    refine_knots: bool = True,
    max_seconds: float | None = None,
    feature: str | None = None,
    missing: float | None = None,
    special: Sequence[float] | Literal["auto"] = (),
) -> Fit:
    """Fit the piecewise-linear curve with the least weighted squared error.

    Minimises sum w (y - curve(x))^2 over curves with at most ``num_segments`` segments whose knots are among the
    candidates, constant outside their end knots (Ravina et al. 2021, section 3), exactly.

    Args:
        x: (n,) the feature; any array, sequence or column of finite real numbers, in any order.
        y: (n,) the target.
        w: (n,) weights >= 0; rows of weight zero are ignored. None: all ones.
        num_segments: the most segments, >= 1; "auto": the fewest that reach ``tolerance``, at most ``max_segments``;
            where y is noise around a function of x, no more than cross-validation shows to be there (ten folds, the
            one-standard-error rule). "bic": the same, the noise judged by the Bayesian information criterion, each row
            counting as one. The first choice of both is a straight line over the whole range of x. A note says where
            the tolerance was not reached.
        mono: False; True (the direction that isotonic regression fits better); "increasing"; "decreasing";
            "peak" (up, then down); "valley"; "bitonic" (the better of the two).
        curvature: "convex" or "concave" between the end knots. The best found is returned, with the bound.
        min_slope: least slope of a segment, per unit of fx(x).
        max_slope: largest slope of a segment, per unit of fx(x).
        fx: a transform by name, such as "log1p". None chooses: identity, unless the logarithm
            that fits the domain leaves at least 2% less of the shape's squared error (and always identity where a
            slope bound other than zero, or a curvature, needs a unit).
        num_samples: about how many candidate knots, taken at weight quantiles; memory grows with its square, so 2048
            at most. Where more segments are asked for, up to twice as many.
        candidates: the candidate knots instead, in the units of x.
        knots: x where the curve must have knots.
        through: points (x, y) of the curve, exactly as they are given, whatever ``digits`` and ``knots_on`` say. Each
            is one of the curve's knots. The search is as exact with them as without.
        knots_on: where knots may be. "any"; "values" of x that occur; "whole" numbers; "round" numbers, each with the
            fewest significant digits that ``margin`` allows; "auto": "whole" where all x are whole numbers, else
            "round". Does not concern ``candidates`` and ``knots``, which stay as they are.
        learn_ends: whether the end knots may move inwards, beyond which the curve is constant; False pins them at the
            first and the last candidate, from where ``digits="auto"`` may move them to rounder numbers, outwards only.
            None: they move, unless constant ends break what is asked, a curvature or slopes that are never zero
            (moved, they could leave most rows beyond), and unless an automatic number of segments ends at a straight
            line. True lets them, and a note says how many rows that are.
        periodic: y is the same at both ends, as of an hour of the day, exactly, in the printed numbers too. The ends
            are the first and the last knot; ``knots=[0, 24]`` says where these are. The best such curve found is
            returned, with the bound of those that need not be periodic.
        digits: significant decimal digits of every number of the curve. "auto": the fewest that ``margin`` allows;
            all y then share their last decimal place.
        margin: share of the shape's variance by which the curve may be worse than the best one to be shorter: fewer
            segments, rounder knots, fewer digits. ``Fit.shortening_loss`` says what it cost.
        y_bounds: "data" keeps the curve within the range of y, None does not, a pair (low, high) says otherwise.
        tolerance: for "auto" and "bic": share of the shape's variance that may stay unexplained.
        max_segments: for "auto" and "bic".
        refine_knots: add finer candidates around the best knots and search again, unless that turns out to be far
            more work than the search itself.
        max_seconds: a time budget; on expiry the best found is returned with its bound, and ``optimal`` is False. The
            search behind ``Fit.path``, made when that is first read, has the same budget again.
        feature: the name that the curve reads. None: that of x, if it is a series with one, else "x".
        missing: the curve's value for a missing input.
        special: values of x that are codes, such as -9 for "no record": each gets a value of its own, the weighted mean
            of its rows' y, and the curve, with all that the fit says of it, is of the other rows. A note names those
            that no row has. "auto" finds negative codes, as in :func:`curvec.distill`.

    Returns:
        The curve, its errors, and the proof.

    Raises:
        InputError: bad rows (the message names the first offending value) or contradictory options.
        FitError: no curve on the candidates obeys the constraints.

    """
    started = time.monotonic()
    asked = opts.Keywords(
        num_segments=num_segments, mono=mono, curvature=curvature, min_slope=min_slope, max_slope=max_slope, fx=fx,
        num_samples=num_samples, candidates=candidates, knots=knots, through=through, knots_on=knots_on,
        learn_ends=learn_ends, periodic=periodic, digits=digits, margin=margin, y_bounds=y_bounds,
        tolerance=tolerance, max_segments=max_segments, refine_knots=refine_knots, max_seconds=max_seconds,
        feature=name_of(x) if feature is None else feature, missing=missing,
    )  # fmt: skip
    options = opts.check_options(asked)
    rows = all_rows = read_rows(x, y, w)
    codes: dict[float, float] = {}
    notes: tuple[str, ...] = ()
    if not (isinstance(special, tuple) and not special):
        found = special_codes(rows.x, special, options.feature)
        check_codes(options.through, found)
        rows, codes = without_codes(rows, found)
        notes = absent_note(special, codes)
    fit = run(from_rows(rows, options), started + options.max_seconds)
    fit = with_codes(fit, {code: printed_value(value, fit, digits, margin) for code, value in codes.items()}, notes)
    return changed(fit, _uncertainty=partial(uncertainty, fit.curve, all_rows, options))


def fit_sizes(
    x: FloatArray,
    y: FloatArray,
    w: FloatArray,
    *,
    sizes: Sequence[opts.Segments],
    margin: float,
    y_place: int | None,
    **options: Any,
) -> list[Fit]:
    """The curves of :func:`fit_pwl` for several numbers of segments, from one look at the rows.

    Sizes of which there is no curve (required knots may be more than it has) are left out, but for the last.

    Args:
        x: (n,) the feature.
        y: (n,) the target.
        w: (n,) weights.
        sizes: numbers of segments, the largest last.
        margin: as in ``fit_pwl``, spent on rounder numbers and not on fewer segments.
        y_place: with ``digits="auto"``, the coarsest decimal place of y; None: each curve's own.
        options: further options of ``fit_pwl``.

    Raises:
        InputError: as in ``fit_pwl``.
        FitError: no curve of the last size obeys the constraints.

    """
    started = time.monotonic()
    asked = opts.Keywords(**options, num_segments=sizes[-1], margin=margin)
    checked = changed(opts.check_options(asked), y_place=y_place)
    return run_sizes(from_rows(read_rows(x, y, w), checked), sizes, started + checked.max_seconds)


_FIXED = ("candidates", "fx", "knots_on", "num_samples", "refine_knots", "special")
"""Options that the moments decide: they are on their own candidates, under one transform, and rows of special codes can
no longer be told apart in them."""


def fit_moments(points: Points, candidates: FloatArray, fx: str, options: Mapping[str, Any]) -> Fit:
    """What :meth:`curvec.Moments.fit` does."""
    started = time.monotonic()
    for name in options:
        if name in _FIXED or name not in opts.Keywords.__struct_fields__:
            reason = "is fixed by the moments" if name in _FIXED else "is not an option"
            raise InputError(f"{name} {reason}; the options are those of fit_pwl but for {', '.join(_FIXED)}")
    if options.get("num_segments") == "bic":
        raise InputError("num_segments='bic' counts rows, which moments do not know; use 'auto', or a number")
    asked = opts.Keywords(**options, fx=fx, candidates=candidates.tolist(), refine_knots=False)
    checked = changed(opts.check_options(asked), rounds_knots=False)
    return run(from_moments(points, fx, candidates, checked), started + checked.max_seconds)
