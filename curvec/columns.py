"""A user's single columns (x, labels, weights, query ids), each read in one way: float64 and finite, or an error.

The error names the first offending value. They are read as curvec/data.py and curvec/conversion.py read
the columns of a table, in which values may be missing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec._core import survey
from curvec.checks import plain
from curvec.conversion import Argument, numbers
from curvec.data import array_of
from curvec.errors import InputError, counted, shown
from curvec.transforms import FloatArray


def column(values: Any, name: str) -> FloatArray:
    """(n,) finite float64.

    Raises:
        InputError: not one column, not real numbers, or not finite; names the first offending value and its index.

    """
    return surveyed(values, name)[0]


def surveyed(values: Any, name: str) -> tuple[FloatArray, float, float]:
    """The column as :func:`column` gives it, its least and its largest value (inf and -inf where it is empty)."""
    array = array_of(values, name, Argument())
    out = np.ascontiguousarray(numbers(array, name, Argument()))
    low, high, finite = survey(out)
    if not finite:
        _refuse(np.isfinite(out), array, name, "must be finite" + (_LEAVE_OUT if np.isnan(out).any() else ""))
    return out, low, high


_LEAVE_OUT = "; leave out the rows in which it is missing"


def name_of(values: Any) -> str | None:
    """The name of a pandas, polars or similar series, or of a frame's only column, if it has one."""
    columns: Any = getattr(values, "columns", ())
    name = columns[0] if len(columns) == 1 else getattr(values, "name", None)
    return name if isinstance(name, str) and name else None


def check_aligned(**columns: Any) -> None:
    """Refuse columns of pandas whose rows have the labels of the first one's in another order.

    Rows belong together by their places, as in numpy and scikit-learn. Labels that are not the same say nothing.

    Raises:
        InputError: a column was sorted or shuffled without the others.

    """
    indices = {
        name: values.index
        for name, values in columns.items()
        if type(values).__module__.partition(".")[0] == "pandas" and hasattr(values, "index")
    }
    first = next(iter(indices), "")
    for name in list(indices)[1:]:
        one, other = indices[first], indices[name]
        if len(one) == len(other) and not one.equals(other) and one.isin(other).all() and other.isin(one).all():
            raise InputError(
                f"{name} has the index labels of {first} in another order, and rows belong together by their places; "
                f"pass {name}.loc[{first}.index], or {name}.to_numpy() where the places are right"
            )


def weights_of(values: Any) -> tuple[FloatArray, float, float]:
    """(n,) weights, finite and not negative, the least and the largest."""
    out, least, largest = surveyed(values, "w")
    if least < 0:
        _refuse(out >= 0, out, "w", "must not be negative")
    return out, least, largest


def unit_of(largest: float) -> float:
    """The power of two at or just below the largest weight, which is positive; in this unit weights are below 2."""
    return math.ldexp(1.0, math.frexp(largest)[1] - 1)


def row_labels(values: Any, rows: int) -> FloatArray:
    """(rows,) labels, one for each row of the table that they go with.

    Raises:
        InputError: as :func:`column`, or it is not as long as the table.

    """
    out = column(values, "y")
    if out.shape != (rows,):
        raise InputError(f"y has shape {out.shape}; X has {counted(rows, 'row')}, so it must be ({rows},)")
    return out


def row_weights(values: Any, rows: int) -> FloatArray | None:
    """(rows,) weights, finite, not negative and not all zero; None as it is.

    Raises:
        InputError: they are not that.

    """
    if values is None:
        return None
    out, _, largest = weights_of(values)
    if out.shape != (rows,):
        raise InputError(f"w has shape {out.shape}; X has {counted(rows, 'row')}, so it must be ({rows},)")
    if not out.any():
        raise InputError("every weight is 0; give some row a positive weight")
    return rescaled(out, largest)[0]


_UNITS = 2.0**200
"""Weights of about this size and more, or its inverse and less, are rescaled."""


def rescaled(weights: FloatArray, largest: float) -> tuple[FloatArray, float]:
    """(rows,) weights, and the power of two near the largest, for uses in which only ratios of weights matter.

    Where that unit is extreme, the weights are divided by it, so that their products with squares stay doubles.
    """
    unit = unit_of(largest) if largest > 0 else 1.0
    return (weights, unit) if 1 / _UNITS < unit < _UNITS else (weights / unit, 1.0)


def weights_or_ones(values: Any, rows: int) -> FloatArray:
    """(rows,) weights as :func:`row_weights` reads them; ones for None."""
    weights = row_weights(values, rows)
    return np.ones(rows) if weights is None else weights


def query_ids(values: Any, rows: int) -> npt.NDArray[Any]:
    """(rows,) query ids, of any type.

    Raises:
        InputError: they are not one a row, or one is missing.

    """
    groups = np.asarray(values)
    if groups.shape != (rows,):
        sizes = groups.ndim == 1 and groups.dtype.kind in "iu" and groups.sum() == rows
        way_out = "; of sizes numpy.repeat(numpy.arange(len(query)), query) makes ids" if sizes else ""
        raise InputError(f"query has shape {groups.shape}; it must be one id a row, ({rows},){way_out}")
    # What is missing does not equal itself: NaN, NaT; None is no id either.
    bad = np.array([value is None for value in groups.tolist()]) | (groups != groups)  # noqa: PLR0124
    if bad.any():
        raise InputError(f"query[{int(np.argmax(bad))}] is missing; every row needs the id of its query")
    return groups


def _refuse(good: npt.NDArray[np.bool_], array: npt.NDArray[Any], name: str, rule: str) -> None:
    """Raise for the first value that is not good."""
    index = int(np.flatnonzero(~good)[0])
    raise InputError(f"{name}[{index}] is {shown(plain(array[index]))}; {rule}")
