"""Rows of the data that the page carries, so that a reader can look at one person's score."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, counted
from curvec.ir import names_of
from curvec.model import CurveModel

__all__ = ["examples", "row_names"]


def examples(model: CurveModel, data: Any, count: int, ids: npt.ArrayLike | None = None) -> dict[str, Any] | None:
    """Some rows of the data, from the lowest score to the highest: their ids and their values.

    Args:
        model: the model.
        data: (rows, features) data.
        count: how many rows at most; 0 for none.
        ids: (rows,) what a reader finds a row by; None for its number, from 0.

    Returns:
        ``ids`` as text, ``columns`` by feature with None for what is missing, ``numbers``, which of them are numbers,
        and ``rows``, how many there are in all; None without examples.

    Raises:
        InputError: ids are not one a row or not all different, a value is infinite, or ``count`` is negative.

    """
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise InputError(f"examples={count!r} is no number of rows; give 0 or more")
    if data is None and (count or ids is not None):
        raise InputError("examples are rows of data; pass data with them")
    if ids is not None and not count:
        raise InputError("ids are for the examples; say how many rows with examples=")
    if not count:
        return None
    table = model.table(data)
    names = row_names(ids, table.rows)
    order = np.argsort(model.eval(data), kind="stable")
    chosen = order[np.unique(np.linspace(0, table.rows - 1, min(count, table.rows)).round().astype(int))]
    used = set(names_of(*model.terms))
    columns: dict[str, list[Any]] = {}
    for feature in model.features:
        if feature.name in used and feature.type == "number":
            values = table.number(feature.name)[chosen]
            if np.isinf(values).any():
                raise InputError(f"column {feature.name!r} holds an infinity, which the page cannot show as an example")
            columns[feature.name] = [None if np.isnan(value) else value for value in values.tolist()]
        elif feature.name in used:
            columns[feature.name] = table.keys(feature.name, feature.type)[chosen].tolist()
    numbers = [feature.name for feature in model.features if feature.type == "number"]
    return {"ids": [names[row] for row in chosen], "columns": columns, "numbers": numbers, "rows": table.rows}


def row_names(ids: npt.ArrayLike | None, rows: int) -> list[str]:
    """What a reader finds each row by: its id as text, or its number, from 0.

    Raises:
        InputError: ids are not one a row, or not all different.

    """
    if ids is None:
        return list(map(str, range(rows)))
    names = list(map(str, np.asarray(ids).tolist()))
    if len(names) != rows:
        raise InputError(f"ids= has {counted(len(names), 'id')} for {counted(rows, 'row')}; give one id a row")
    if len(set(names)) < rows:
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InputError(f"the id {twice!r} is there twice; a reader could not tell the rows apart")
    return names
