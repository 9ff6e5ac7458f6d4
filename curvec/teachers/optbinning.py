"""optbinning's Scorecard: the points of every bin, which add up to ``score``.

Bins are closed on the left. Special codes and missing values have rows of their own; an unseen category scores the
points of the row "Missing", as the scorecard itself does (its bin's index is -1, which is the last row).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curvec.errors import UnsupportedError
from curvec.ir import EnumCurve, Feature, Levels, Term, changed
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.categories import key_type
from curvec.teachers.parts.curves import merged_steps
from curvec.teachers.parts.recognise import check_fitted, is_instance


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "optbinning", "Scorecard")


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    check_fitted(teacher, fitted=getattr(teacher, "_is_fitted", False))
    table = teacher.table("detailed")
    process = teacher.binning_process_
    names = options.names(list(map(str, process.variable_names)), len(process.variable_names), "x")
    features, terms = [Feature(name) for name in names], []
    for index, own in enumerate(process.variable_names):
        points = table["Points"][table["Variable"] == own].to_numpy(dtype=np.float64).tolist()
        if not points:
            continue  # not selected
        _check_metrics(process, own)
        binned = process.get_binned_variable(own)
        if binned.dtype == "numerical":
            terms.append(_numeric(names[index], binned, points))
        else:
            curve = _categorical(names, index, binned, points, options)
            terms.append(curve)
            features[index] = Feature(names[index], key_type(curve.levels))
    return AdditiveParts(
        features=features,
        terms=terms,
        constant=float(teacher.intercept_),
        raw=lambda rows: np.asarray(teacher.score(rows), dtype=np.float64),
        centred=True,  # points are what a scorecard shows: they stay as they are
        notes=["the score is in points; the estimator's log-odds are a straight line of it"],
    )


def _check_metrics(process: Any, variable: str) -> None:
    """A variable's own metric that is a whole number is taken for the number of a bin when the card scores.

    Raises:
        UnsupportedError: the variable has one.

    """
    given = (process.binning_transform_params or {}).get(variable, {})
    for option in ("metric_special", "metric_missing"):
        value = given.get(option)
        if isinstance(value, int):
            raise UnsupportedError(
                f"{option}={value} of {variable!r} is an int, for which optbinning scores the points of bin {value}, "
                f"not those of its own table; give it as {float(value)} and fit again"
            )


def _numeric(name: str, binned: Any, points: Sequence[float]) -> Term:
    """Points are those of the bins, then those of the special codes, group by group, then missing."""
    inner, special, missing = _rows(binned, points)
    codes = {code: value for code, value in special.items() if not isinstance(code, str)}
    return changed(merged_steps(name, [float(cut) for cut in binned.splits], inner, missing), special=codes)


def _rows(binned: Any, points: Sequence[float]) -> tuple[Sequence[float], dict[Any, float], float]:
    """The points of the bins, of each special code, and of missing values."""
    codes = binned.special_codes
    groups = list(codes.values()) if isinstance(codes, dict) else [[] if codes is None else codes]
    first = len(points) - 1 - len(groups)
    special: dict[Any, float] = {}
    for group, value in zip(groups, points[first:-1], strict=True):
        listed = np.asarray(group).tolist()
        special |= dict.fromkeys(listed if isinstance(listed, list) else [listed], value)
    return points[:first], special, points[-1]


def _categorical(
    names: list[str], index: int, binned: Any, points: Sequence[float], options: TeacherOptions
) -> EnumCurve:
    groups = [list(np.asarray(group).tolist()) for group in binned.splits]
    inner, special, missing = _rows(binned, points)
    flat = [value for group in groups for value in group]
    text = any(isinstance(value, str) for value in flat)
    codes = {code: value for code, value in special.items() if isinstance(code, str) == text}
    worth = [value for group, value in zip(groups, inner, strict=True) for _ in group] + list(codes.values())
    keys = options.keys([*flat, *codes], names, index)
    return EnumCurve(names[index], Levels(zip(keys, worth, strict=True)), default=missing, missing=missing)


ADAPTER = Adapter("optbinning Scorecard", _matches, _take_apart, frozenset({"feature_names"}))
