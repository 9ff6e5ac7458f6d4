"""A table of shape functions: the columns feature, x, y and, if there are weights, w.

A numeric feature becomes a piecewise-linear curve through its points, one with text a table of categories.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvec.conversion import is_missing, numbers
from curvec.errors import InputError, shown
from curvec.ir import EnumCurve, Feature, FeatureType, Levels, PWLCurve, Term
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts, ShapePoints
from curvec.teachers.parts.categories import key_type, level_keys
from curvec.teachers.parts.curves import merged_steps
from curvec.teachers.parts.files import Document
from curvec.transforms import FloatArray

_COLUMNS = ("feature", "x", "y")


def _matches(teacher: Any) -> bool:
    import narwhals.stable.v1 as nw

    if isinstance(teacher, Document):
        if isinstance(teacher.content, str):
            return set(_COLUMNS) <= set(_header(teacher.content))
        return teacher.has(*_COLUMNS)
    try:
        return set(_COLUMNS) <= set(nw.from_native(teacher, eager_only=True).columns)
    except TypeError:
        return False


def _header(text: str) -> list[str]:
    return [name.strip() for name in next(csv.reader(text.splitlines()[:1], skipinitialspace=True), [])]


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    names, xs, y, w = _columns(teacher)
    parts = AdditiveParts([], [], link=options.link or "identity", centred=True)
    groups: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        groups.setdefault(name, []).append(row)
    for name, rows in groups.items():
        kind, term, sample, spread = _curve(name, [xs[row] for row in rows], y[rows], w[rows])
        parts.features.append(Feature(name, kind))
        parts.samples.append(sample)
        if spread > 0:
            share = f"{spread:.3g} of its variance"
            parts.notes.append(f"{name}: y differs at equal x ({share}); the weighted mean is taken")
        if term is None:
            parts.constant += float(sample.y[0])
        else:
            parts.terms.append(term)
    parts.notes.append("between the points of the table a numeric curve is straight")
    return parts


def _columns(teacher: Any) -> tuple[list[str], list[Any], FloatArray, FloatArray]:
    import narwhals.stable.v1 as nw

    if isinstance(teacher, Document) and isinstance(teacher.content, str):
        rows = list(csv.DictReader(io.StringIO(teacher.content), skipinitialspace=True))
        _check_widths(rows)
        table: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
        for name in ("y", "w"):
            if name in table:
                table[name] = [_number(text, name, row) for row, text in enumerate(table[name])]
        table["x"] = _with_types(table.get("x", []), table.get("feature", []))
    elif isinstance(teacher, Document):
        assert not isinstance(teacher.content, str)  # noqa: S101  the case above
        table = {name: list(column) for name, column in teacher.content.items()}
    else:
        frame = nw.from_native(teacher, eager_only=True)
        table = {name: frame[name].to_list() for name in frame.columns}
    if not table.get("feature"):
        raise InputError("the table has no rows; it needs the columns feature, x, y and perhaps w")
    for row, name in enumerate(table["feature"]):
        if is_missing(name) or name == "":
            raise InputError(f"row {row}: the feature's name is missing")
    y = numbers(np.array(table["y"], dtype=object), "y")
    w = numbers(np.array(table["w"], dtype=object), "w") if "w" in table else np.ones(len(y))
    for name, values, bad in (("y", y, ~np.isfinite(y)), ("w", w, ~(np.isfinite(w) & (w >= 0)))):
        if bad.any():
            row = int(np.argmax(bad))
            raise InputError(f"row {row}: {name} is {values[row]}; it must be a finite number{' >= 0' * (name == 'w')}")
    return [str(name) for name in table["feature"]], list(table["x"]), y, w


def _check_widths(rows: Sequence[Mapping[Any, Any]]) -> None:
    """A row with too many entries has them under the key None, one with too few has the value None."""
    for number, row in enumerate(rows):
        if None in row or None in row.values():
            raise InputError(f"row {number} has more entries than the first line has names, or fewer")


def _number(text: str, name: str, row: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"row {row}: {name} is {shown(text)}, which is not a number") from None


def _with_types(xs: Sequence[str], names: Sequence[str]) -> list[Any]:
    """The text of a CSV file: numbers if every x of a feature is one; an empty text is a missing x."""
    words = {name for x, name in zip(xs, names, strict=True) if x and not _is_number(x)}
    return [None if not x else x if name in words else float(x) for x, name in zip(xs, names, strict=True)]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _curve(
    name: str, xs: list[Any], y: FloatArray, w: FloatArray
) -> tuple[FeatureType, Term | None, ShapePoints, float]:
    """The type, the curve (None: constant), the merged points and the share of variance within equal x."""
    gone = np.array([is_missing(x) for x in xs])
    missing = float(np.average(y[gone], weights=w[gone] if w[gone].any() else None)) if gone.any() else None
    present = [x for x in xs if not is_missing(x)]
    y, w = y[~gone], w[~gone]
    if not present:
        raise InputError(f"{shown(name)} has only a missing x; add points with a value of x")
    text = any(isinstance(x, (str, bool, np.bool_)) for x in present)
    keys: Any = level_keys(present, name) if text else numbers(np.array(present, dtype=object), name)
    if not text and not np.isfinite(keys).all():
        raise InputError(f"{shown(name)} has an x that is not finite; a curve's points are")
    values, where = np.unique(np.asarray(keys, dtype=object if text else None), return_inverse=True)
    weight = np.bincount(where, w).astype(np.float64)
    if (weight <= 0).any():
        x = values[int(np.argmin(weight))]
        raise InputError(f"{shown(name)} has no weight at x={x if text else float(x)!r}; leave the point out")
    first = np.zeros(len(values))
    first[where] = y
    # A point that stands alone keeps its y to the last bit.
    mean = np.where(np.bincount(where) == 1, first, np.bincount(where, w * y) / weight)
    total = float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))
    within = float(np.average((y - mean[where]) ** 2, weights=w))
    sample = ShapePoints(name, values, mean, weight)
    spread = within / total if within > 1e-24 * (1 + total) else 0.0
    if text:
        levels = Levels(zip(values.tolist(), mean.tolist(), strict=True))
        return key_type(levels), EnumCurve(name, levels, missing=missing), sample, spread
    if len(values) == 1 and missing in (None, mean[0]):
        return "number", None, sample, spread
    if len(values) == 1:
        return "number", merged_steps(name, [], mean, missing), sample, spread
    return (
        "number",
        PWLCurve(name, list(zip(values.tolist(), mean.tolist(), strict=True)), missing=missing),
        sample,
        spread,
    )


ADAPTER = Adapter("table of (feature, x, y[, w])", _matches, _take_apart, frozenset({"link"}))
