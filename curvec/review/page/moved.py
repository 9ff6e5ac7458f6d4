"""The rows whose scores an edit changes most, with both models' scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.model import CurveModel
from curvec.review.page.examples import row_names
from curvec.review.svg import with_minus

MOST = 10
"""Rows in the table; the quantiles of the change above it are over all."""


def rows_that_move(
    model: CurveModel, base: CurveModel, data: Any, ids: npt.ArrayLike | None = None
) -> list[dict[str, str]]:
    """The rows whose raw score changes most from a base model to another, the largest change first.

    Args:
        model: the model after.
        base: the model before.
        data: (rows, features) data that both read.
        ids: (rows,) what a reader finds a row by; None for its number, from 0.

    Returns:
        At most ten rows, each its id, and before and after as texts, of the raw score and of the prediction, and the
        change; fewer where fewer change. A row that has no score in one of the models is not among them.

    Raises:
        InputError: ids are not one a row or not all different.

    """
    before, after = base.eval(data), model.eval(data)
    with np.errstate(invalid="ignore"):
        size = np.nan_to_num(np.abs(after - before), nan=0.0, posinf=0.0)
    order = np.argsort(-size, kind="stable")[:MOST]
    names = row_names(ids, len(after))
    predictions = base.predict(data), model.predict(data)
    return [
        {
            "id": names[row],
            "before": _text(before[row]),
            "after": _text(after[row]),
            "change": with_minus(f"{after[row] - before[row]:+.4g}"),
            "prediction_before": _text(predictions[0][row]),
            "prediction_after": _text(predictions[1][row]),
        }
        for row in order.tolist()
        if size[row] > 0
    ]


def _text(value: float) -> str:
    return with_minus(f"{value:.6g}")
