"""A column's values as numbers or as categories: float64 with NaN for missing, or Python keys with None for missing.

Nothing is guessed: a value of the wrong type is refused with the column and the row.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.checks import is_whole, plain
from curvec.contract import EXACT_INTEGERS
from curvec.errors import InputError, shown, with_article
from curvec.features import FeatureType, Key
from curvec.transforms import FloatArray


class Place(NamedTuple):
    """Where rows come from, for messages: the part of a stream ("" if there is only one), and its first row."""

    origin: str = ""
    first: int = 0

    def column(self, name: str) -> str:
        """What a column is called."""
        return f"column {shown(name)}"

    def cell(self, name: str, row: int) -> str:
        """A value's place in words."""
        return f"{self.head}{self.column(name)}, row {self.first + row}"

    def values(self, name: str) -> str:  # noqa: ARG002  see Argument
        """What stands for a column's values in a way out that is written as Python."""
        return "column"

    def for_text(self, name: str) -> str:  # noqa: ARG002  see Argument
        """What to do about a text in a column of numbers, as the end of a message."""
        return "; where a value is missing say None, in a .csv file by an empty cell"

    def for_one_value(self) -> str:
        """What to do about one value in place of a column, as the end of a message."""
        return "; for one row, a dict of plain values, there is model.score_row(row)"

    @property
    def head(self) -> str:
        """What a message about the part begins with: its name, where it has one."""
        return f"{self.origin}: " if self.origin else ""


class Argument(Place):
    """Where an argument that is a column by itself stands, as y and w: the caller calls its values y[3] and w[0]."""

    def column(self, name: str) -> str:
        """See :meth:`Place.column`."""
        return name

    def cell(self, name: str, row: int) -> str:
        """See :meth:`Place.cell`."""
        return f"{name}[{row}]"

    def values(self, name: str) -> str:
        """See :meth:`Place.values`."""
        return name

    def for_text(self, name: str) -> str:
        """See :meth:`Place.for_text`."""
        return "; encode two classes as 0 and 1" if name == "y" else ""

    def for_one_value(self) -> str:
        """See :meth:`Place.for_one_value`."""
        return ": a list, an array, a series"


class Coded(msgspec.Struct, frozen=True, eq=False):
    """A column in which each distinct value is held once.

    Attributes:
        values: (distinct,) the values.
        codes: (rows,) the place of each row's value; -1 where it is missing.

    """

    values: npt.NDArray[Any]
    codes: npt.NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.codes)

    def expanded(self) -> npt.NDArray[Any]:
        """(rows,) the value of each row, None where it is missing."""
        lookup = np.empty(len(self.values) + 1, dtype=object)  # of the last, -1 takes None
        lookup[:-1] = _listed(self.values)
        return np.asarray(lookup[self.codes])


def _listed(values: npt.NDArray[Any]) -> list[Any]:
    """The values as Python's; dates and durations as they are, which could become numbers of nanoseconds."""
    return list(values) if values.dtype.kind in "mM" else list(values.tolist())


def unmasked(array: Any) -> npt.NDArray[np.object_]:
    """A masked array of any shape as objects, None where it is masked."""
    values = objects(_listed(array.data.ravel())).reshape(array.shape)
    values[np.ma.getmaskarray(array)] = None
    return values


def objects(values: Collection[Any]) -> npt.NDArray[np.object_]:
    """(n,) the values as they are, which numpy would else make numbers or texts of one type."""
    column = np.empty(len(values), dtype=object)
    column[:] = list(values)
    return column


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and pd.NA; "" and "nan" are categories like any other."""
    if value is None:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()  # a signalling one too, which no float takes
    if isinstance(value, (float, np.floating)):
        return math.isnan(value)
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    return type(value).__name__ in ("NAType", "NaTType")


def converted(array: npt.NDArray[Any] | Coded, name: str, kind: FeatureType, place: Place) -> npt.NDArray[Any]:
    """A column as a feature of this type has it: :func:`numbers` or :func:`categories`."""
    return numbers(array, name, place) if kind == "number" else categories(array, name, kind, place)


def numbers(array: npt.NDArray[Any] | Coded, name: str, place: Place = Place()) -> FloatArray:  # noqa: B008  a value
    """A column as float64, NaN where missing.

    Raises:
        InputError: the column is not numeric, or holds an integer that no double holds.

    """
    if isinstance(array, Coded):
        array = array.expanded()
    kind = array.dtype.kind
    if kind == "f":
        if array.dtype.itemsize > 8:
            raise InputError(f"{place.column(name)} is {array.dtype}, wider than a double; cast it to float64")
        return array.astype(np.float64, copy=False)
    if kind in "iu":
        _check_integers(array, name, place)
        return array.astype(np.float64)
    if kind == "b":
        return array.astype(np.float64)
    if kind == "U":
        array = objects(array.tolist())
    elif kind != "O":
        values = place.values(name)
        hint = bytes_hint(array[0], values, "float") or time_hint(array[0], values) if len(array) else ""
        raise InputError(f"{place.column(name)} is {array.dtype}; it must be numbers{hint}")
    try:
        return np.fromiter((_real(value, name, row, place) for row, value in enumerate(array)), np.float64, len(array))
    except InputError:
        row = next((row for row, value in enumerate(array) if _is_word(value)), None)
        if row is None:
            raise
        # A single word makes text of every number in a column of CSV: it is what has to be corrected.
        comma = "," in array[row] and not _is_word(array[row].replace(",", ""))
        hint = f"; it has a comma: {_COMMA}" if comma else place.for_text(name)
        raise InputError(f"{place.cell(name, row)}: {shown(array[row])} is not a number{hint}") from None


_COMMA = "pandas.read_csv(..., decimal=',') reads one before decimals, and thousands=',' one between digits"


def _is_word(value: Any) -> bool:
    """Whether it is text that spells no number."""
    try:
        return isinstance(value, str) and not isinstance(float(value), float)
    except ValueError:
        return True


def _check_integers(array: npt.NDArray[Any], name: str, place: Place) -> None:
    if array.dtype.itemsize < 8 or not len(array):
        return
    beyond = (array > EXACT_INTEGERS) | (array < -EXACT_INTEGERS) if array.dtype.kind == "i" else array > EXACT_INTEGERS
    if beyond.any():
        row = int(np.argmax(beyond))
        raise _beyond(array[row], place.cell(name, row))


def _beyond(value: Any, cell: str) -> InputError:
    way_out = "cast the column to float64 to accept the rounding"
    return InputError(f"{cell}: {shown(plain(value))} is beyond 2^53, where doubles skip integers; {way_out}")


def _real(value: Any, name: str, row: int, place: Place) -> float:
    if is_missing(value):
        return math.nan
    if isinstance(value, (bool, np.bool_, float, np.floating, Decimal)):
        return float(value)
    if is_whole(value):
        if abs(int(value)) > EXACT_INTEGERS:
            raise _beyond(value, place.cell(name, row))
        return float(value)
    values = place.values(name)
    hint = bytes_hint(value, values, "float") or time_hint(value, values)
    if isinstance(value, str):  # of a word, numbers says more
        hint = f" but text that reads as one; make numbers of the column: numpy.array({values}, dtype=float)"
    raise InputError(f"{place.cell(name, row)}: {shown(value)} is not a number{hint}")


def time_hint(value: Any, name: str) -> str:
    """What makes numbers of dates, durations, or pandas' periods and intervals, as the end of a message; else "".

    Args:
        value: one of the values.
        name: what the values are called.

    """
    if isinstance(value, (timedelta, np.timedelta64)):
        days = f"numpy.array({name}, 'timedelta64[us]') / numpy.timedelta64(1, 'D')"
    elif isinstance(value, (date, np.datetime64)):
        days = f"(numpy.array({name}, 'datetime64[us]') - numpy.datetime64('1970-01-01')) / numpy.timedelta64(1, 'D')"
    elif type(value).__name__ == "Period":
        return f"; a period has no unit here, so pass numbers, such as periods since 1970: pandas.Index({name}).asi8"
    elif type(value).__name__ == "Interval":
        return f"; an interval is no number, so pass its middle: pandas.IntervalIndex({name}).mid"
    else:
        return ""
    return f"; dates and durations have no unit here, so pass numbers, such as days: {days}"


def bytes_hint(value: Any, name: str, kind: str) -> str:
    """What makes values of bytes, as the end of a message; empty for any other value.

    Args:
        value: one of the values.
        name: what the values are called.
        kind: the type that they should have: float, int, str or bool.

    """
    if not isinstance(value, (bytes, bytearray, memoryview)):
        return ""
    way = {"str": "bytes(value).decode()", "bool": "bool(int(bytes(value)))"}.get(kind, f"{kind}(bytes(value))")
    return f"; bytes are neither numbers nor text; where they spell such, pass [{way} for value in {name}]"


def categories(
    array: npt.NDArray[Any] | Coded,
    name: str,
    kind: FeatureType,
    place: Place = Place(),  # noqa: B008  a value, never changed
) -> npt.NDArray[np.object_]:
    """A column as Python keys of one type, None where missing.

    An integral float stands for the integer (frames turn integers with gaps into floats), and 0 and 1 stand
    for False and True (databases have no boolean); a fraction matches no level.

    Raises:
        InputError: a value is of another type than the model's levels.

    """
    if isinstance(array, Coded):
        array = array.expanded()
    convert = {"int": _int_key, "str": _str_key, "bool": _bool_key}[kind]
    result = np.empty(len(array), dtype=object)
    for row, value in enumerate(_listed(array)):
        if is_missing(value):
            continue
        try:
            result[row] = convert(plain(value))
        except TypeError:
            hint = (
                bytes_hint(value, place.values(name), kind)
                or f"; convert the column{_as_text(name) if kind == 'str' else ''}"
            )
            raise InputError(
                f"{place.cell(name, row)}: {shown(value)} is {with_article(type(value).__name__)}, and the model's "
                f"levels are {kind}{hint}"
            ) from None
    return result


def _as_text(name: str) -> str:
    way = f"pandas.read_csv(..., dtype={{{shown(name)}: str}})"
    return f" (a .csv file says no types: read it by {way}, or keep it as .parquet)"


def _int_key(value: Any) -> Key | float:
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return int(value)  # not by way of a float, which would make a level of one of its neighbours
    if isinstance(value, (float, Decimal)):
        number = float(value)
        return int(number) if number.is_integer() and abs(number) <= EXACT_INTEGERS else number
    raise TypeError


def _str_key(value: Any) -> Key:
    if isinstance(value, str):
        return str(value)
    raise TypeError


def _bool_key(value: Any) -> Key:
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)) and value in (0, 1):
        return bool(value)
    raise TypeError
