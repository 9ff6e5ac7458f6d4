"""Some rows of a stream, and where they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np

from curvec.conversion import Place
from curvec.data import Table
from curvec.errors import InputError
from curvec.features import Feature
from curvec.rows.packages import pyarrow

T = TypeVar("T")

_VALUES = 1 << 21
"""The most values of a batch: 16 MB of doubles. Three are in memory where two threads work."""
_MOST_ROWS = 1 << 17
_FEWEST_ROWS = 1 << 12


class Batch(msgspec.Struct, frozen=True):
    """Consecutive rows of a stream.

    Attributes:
        columns: name -> (rows,) values, as :class:`curvec.data.Table` takes them.
        rows: how many there are.
        arrow: the same as a pyarrow RecordBatch.
        place: what the rows are part of (a file's path; "" where there is one stream), and the number of the first.

    """

    columns: Mapping[str, Any]
    rows: int
    arrow: Any
    place: Place

    def table(self, features: Sequence[Feature]) -> Table:
        """The columns of these features. Errors in them name the file and the row.

        Raises:
            InputError: a column is missing.

        """
        columns = self.columns if features else {"": np.zeros(self.rows)}
        return Table(columns, features, place=self.place)

    def arrow_table(self, most: int) -> Any:
        """The first ``most`` rows as a pyarrow table."""
        return pyarrow().Table.from_batches([self.arrow.slice(0, most)])


def rows_at_once(columns: int) -> int:
    """Rows of a batch with so many columns: few enough for several batches to be in memory at a time."""
    return max(_FEWEST_ROWS, min(_MOST_ROWS, _VALUES // max(1, columns)))


def check_columns(origin: str, wanted: Sequence[str], have: Sequence[str]) -> None:
    """Check that each wanted column exists, and only once.

    Raises:
        InputError: it is missing, or there twice.

    """
    for name in wanted:
        if name not in have:
            found = ", ".join(map(repr, list(have)[:8])) or "no columns"
            raise InputError(f"{Place(origin).head}column {name!r} is missing from the data (it has {found})")
        if list(have).count(name) > 1:
            raise InputError(f"{Place(origin).head}two columns are called {name!r}; names must differ")


def ahead(items: Iterator[T]) -> Iterator[T]:
    """The items, each fetched while the one before it is processed."""
    from concurrent.futures import ThreadPoolExecutor

    done = object()
    step: Callable[[], Any] = lambda: next(items, done)  # noqa: E731  of one line
    with ThreadPoolExecutor(1, thread_name_prefix="curvec-rows") as pool:
        coming = pool.submit(step)
        while (item := coming.result()) is not done:
            coming = pool.submit(step)
            yield item
