"""Rows to judge a model on."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.checks import is_number
from curvec.columns import check_aligned
from curvec.data import Table
from curvec.errors import InputError, shown


class EvaluationRows(msgspec.Struct, frozen=True):
    """Rows to judge a model on.

    Attributes:
        X: the features: a mapping of arrays or a data frame.
        y: (rows,) labels, or None.
        w: (rows,) weights, or None.
        query: (rows,) query ids, or None.

    Raises:
        InputError: columns of pandas are in another order than X.

    """

    X: Any
    y: npt.ArrayLike | None = None
    w: npt.ArrayLike | None = None
    query: npt.ArrayLike | None = None

    def __post_init__(self) -> None:
        """Rows belong together by their places."""
        check_aligned(X=self.X, y=self.y, w=self.w, query=self.query)


def check_threshold(threshold: Any, link: str) -> None:
    """Check a threshold on the predictions of a model with that link; None is none.

    Raises:
        InputError: it is no finite number, or no probability where predictions are that.

    """
    if threshold is None:
        return
    if not is_number(threshold) or not math.isfinite(threshold):
        raise InputError(f"threshold={shown(threshold)}; it is a finite number, or None")
    if link == "logit" and not 0 <= threshold <= 1:
        raise InputError(f"threshold={shown(threshold)}; the predictions are probabilities, from 0 to 1")


def columns_hash(table: Table) -> str:
    """SHA-256 of a table's columns in order: the same for the same values in any kind of frame.

    Of each column its name and type as UTF-8, a zero byte, and its values: numbers as little-endian doubles, with one
    NaN for what is missing; of categories the ``repr`` of each key, a line each.
    """
    import hashlib

    digest = hashlib.sha256()
    for feature in table.features:
        digest.update(f"{feature.name}\n{feature.type}\0".encode("utf-8", "surrogatepass"))
        if feature.type == "number":
            column = np.array(table.number(feature.name), dtype="<f8")
            column[np.isnan(column)] = np.nan
            digest.update(column.tobytes())
        else:
            digest.update("".join(f"{key!r}\n" for key in table.keys(feature.name, feature.type)).encode())
    return digest.hexdigest()
