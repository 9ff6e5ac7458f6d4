"""A teacher's exact form compared with the teacher's own raw scores, row by row."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from curvec.errors import CurvecError, InputError, UnsupportedError, shown
from curvec.ir import names_of
from curvec.model import CurveModel
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.user_rows import UserRows, as_list
from curvec.transforms import FloatArray

_READ_SCORES = (
    "read it as a function of rows that gives its raw score, read_teacher(function, X): any sum of functions of one "
    "column each can be read so"
)


class Check(msgspec.Struct, frozen=True):
    """How far the exact form is from the teacher's own raw score.

    Attributes:
        rows: how many rows were compared.
        distance: the largest absolute difference of the raw scores.
        scale: the largest sum of the absolute values that a raw score is made of.
        tolerance: the largest ``distance`` that is accepted: the library's tolerance times (1 + scale).

    """

    rows: int
    distance: float
    scale: float
    tolerance: float


def check_categories(library: str, parts: AdditiveParts, rows: UserRows) -> None:
    """Refuse fractions in a column of integer categories if the teacher would cut them off.

    Raises:
        InputError: the message names the column and the row.

    """
    if not parts.cuts_off_fractions:
        return
    columns = rows.columns([feature.name for feature in parts.features])
    for feature in parts.features:
        if feature.type != "int":
            continue
        for row, value in enumerate(as_list(columns[feature.name])):
            if isinstance(value, float) and math.isfinite(value) and not value.is_integer():
                raise InputError(
                    f"column {feature.name!r}, row {row}: {shown(value)} is not a whole number, and the feature is a "
                    f"category: {library} would cut the fraction off, the model has no such level; pass whole numbers"
                )


def magnitude(parts: AdditiveParts, rows: UserRows) -> float:
    """The most that the absolute values of the terms and the constant add up to: what rounding is relative to."""
    columns = rows.columns([feature.name for feature in parts.features])
    total = np.full(rows.count, max(parts.start, abs(parts.constant)))
    for term in parts.terms:
        values = np.abs(CurveModel("term", [term], features=parts.features).eval(columns))
        total += np.where(np.isfinite(values), values, 0.0)
    return float(total.max(initial=0.0))


def compared_on_rows(model: CurveModel, parts: AdditiveParts, rows: UserRows, library: str, largest: float) -> Check:
    """The comparison over these rows; ``largest`` is the :func:`magnitude` of the parts.

    Raises:
        InputError: the teacher does not score the rows, or its parts have no value where it gives one.
        UnsupportedError: an exact form is further from the teacher than rounding explains.

    """
    assert parts.raw is not None  # noqa: S101  the caller looked
    names = [feature.name for feature in parts.features]
    theirs = _their_scores(parts.raw, rows, names, library)
    columns = rows.columns(names)
    if parts.rounds_to_single:
        columns = {name: np.asarray(column, dtype=np.float32) for name, column in columns.items()}
    ours = model.eval(columns)
    both = np.isfinite(theirs) & np.isfinite(ours)
    if not np.array_equal(np.isnan(theirs), np.isnan(ours)):
        row = int(np.argmax(np.isnan(theirs) != np.isnan(ours)))
        if np.isnan(ours[row]):
            raise InputError(_without_score(model, library, columns, row, float(theirs[row])))
        raise UnsupportedError(
            f"in row {row} of X the {library} teacher gives no score and the exact form {float(ours[row])!r}; "
            f"{_READ_SCORES}"
        )
    distance = float(np.abs(theirs[both] - ours[both]).max(initial=0.0))
    scale = max(largest, float(np.abs(theirs[both]).max(initial=0.0)))
    # An overflow of the teacher's own says nothing about the curves.
    check = Check(int((both | np.isnan(theirs)).sum()), distance, scale, parts.tolerance * (1 + scale))
    if distance > check.tolerance and parts.exact:
        row = int(np.argmax(np.where(both, np.abs(theirs - ours), -1.0)))
        raise UnsupportedError(
            f"in row {row} of X the exact form gives {float(ours[row])!r} and the {library} teacher "
            f"{float(theirs[row])!r}; rounding explains {check.tolerance:.3g}. "
            f"This version of the library computes its scores in another way than its attributes say; {_READ_SCORES}"
        )
    return check


def _their_scores(raw: Callable[[Any], Any], rows: UserRows, names: Sequence[str], library: str) -> FloatArray:
    table = rows.matrix(names)
    try:
        with warnings.catch_warnings():
            # Columns are matched here, by name or position: scikit-learn's own worry about it is not the user's.
            warnings.filterwarnings("ignore", "X (does not have valid|has) feature names")
            return np.asarray(raw(table), dtype=np.float64).ravel()
    except CurvecError:
        raise
    except Exception as error:  # each library has errors of its own; what they say is what the user needs
        raise InputError(f"the {library} teacher does not score X: {type(error).__name__}: {error}") from error


def _without_score(model: CurveModel, library: str, columns: Mapping[str, Any], row: int, theirs: float) -> str:
    """The message that names the term without a value for this row."""
    for term in model.terms:
        if np.isnan(CurveModel("term", [term], features=model.features).eval(columns)[row]):
            break
    inputs = " and ".join(f"{name!r} is {shown(as_list(columns[name])[row])}" for name in names_of(term))
    return (
        f"in row {row} of X {inputs}, for which the {library} teacher's own parts have no value, though it "
        f"gives {shown(theirs)}; leave such rows out of X"
    )
