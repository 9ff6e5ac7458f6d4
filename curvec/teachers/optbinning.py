"""optbinning's Scorecard: the points of every bin, which add up to ``score``.

Bins are closed on the left. A missing value has a row of its own; an unseen category scores the points of the row
"Special", as the scorecard itself does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curvec.errors import UnsupportedError
from curvec.ir import EnumCurve, Feature, Levels, Term
from curvec.teachers.categories import key_type
from curvec.teachers.curves import merged_steps
from curvec.teachers.reading import Adapter, Options, Parts
from curvec.teachers.recognise import is_instance

__all__ = ["ADAPTER"]


def _claims(teacher: Any) -> bool:
    return is_instance(teacher, "optbinning", "Scorecard")


def _read(teacher: Any, options: Options) -> Parts:
    if not getattr(teacher, "_is_fitted", False):
        raise UnsupportedError("Scorecard is not fitted; call fit first")
    table = teacher.table("detailed")
    process = teacher.binning_process_
    names = options.names(process.variable_names, len(process.variable_names), "x")
    features, terms = [Feature(name) for name in names], []
    for index, own in enumerate(process.variable_names):
        points = table["Points"][table["Variable"] == own].to_numpy(dtype=np.float64).tolist()
        if not points:
            continue  # not selected
        binned = process.get_binned_variable(own)
        if binned.dtype == "numerical":
            terms.append(_numeric(names[index], binned, points))
        else:
            curve = _categorical(names, index, binned, points, options)
            terms.append(curve)
            features[index] = Feature(names[index], key_type(curve.levels))
    return Parts(
        features=features,
        terms=terms,
        constant=float(teacher.intercept_),
        raw=lambda rows: np.asarray(teacher.score(rows), dtype=np.float64),
        centred=True,  # points are what a scorecard shows: they stay as they are
        notes=["the score is in points; the estimator's log-odds are a straight line of it"],
    )


def _numeric(name: str, binned: Any, points: Sequence[float]) -> Term:
    """Points are those of the bins, then special, then missing."""
    *inner, special, missing = points
    cuts, values = [float(cut) for cut in binned.splits], list(inner)
    codes = binned.special_codes
    if isinstance(codes, dict):
        raise UnsupportedError(f"{name!r} has groups of special codes; give them as one list")
    for code in sorted(float(code) for code in codes if not isinstance(code, str)) if codes is not None else []:
        at = int(np.searchsorted(cuts, code, side="right"))
        after = float(np.nextafter(code, np.inf))
        cuts[at:at] = [code, after]
        values[at:at] = [values[at], special]
        _drop_empty(cuts, values)
    return merged_steps(name, cuts, values, missing)


def _drop_empty(cuts: list[float], values: list[float]) -> None:
    """Remove bins of no width, left of a cut that stands twice."""
    for index in range(len(cuts) - 1, 0, -1):
        if cuts[index] <= cuts[index - 1]:
            del cuts[index], values[index]


def _categorical(names: list[str], index: int, binned: Any, points: Sequence[float], options: Options) -> EnumCurve:
    groups = [list(np.asarray(group).tolist()) for group in binned.splits]
    *inner, special, missing = points
    flat = [value for group in groups for value in group]
    keys = iter(options.keys(flat, names, index))
    levels = Levels((next(keys), value) for group, value in zip(groups, inner, strict=False) for _ in group)
    return EnumCurve(names[index], levels, default=special, missing=missing)


ADAPTER = Adapter("optbinning Scorecard", _claims, _read, frozenset({"feature_names"}))
