"""A model to train from zero: knots at quantiles, every value 0 (the SGD baseline of Ravina et al. 2021, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curvec.checks import is_whole
from curvec.data import Table
from curvec.errors import InputError, shown
from curvec.ir import EnumCurve, Feature, PWLCurve, Term
from curvec.model import CurveModel


def quantile_model(
    X: Any,  # noqa: N803  the field's name for the data
    features: Sequence[Feature | str],
    *,
    num_segments: int = 5,
    link: str = "identity",
    name: str = "model",
) -> CurveModel:
    """Zero curves with knots at the quantiles of each feature, and zero tables of every level.

    ``refine(quantile_model(X, ...), X, y, loss=..., learned=False)`` trains such a model directly, which is what
    distilling is compared with.

    Args:
        X: the rows.
        features: the features that get a curve; a name alone is a numeric feature.
        num_segments: linear pieces of a curve: knots at 0, 1/n, ..., 1 of the rows, equal ones once.
        link: the model's link.
        name: the model's name.

    Raises:
        InputError: a column is missing, or has fewer than two distinct values.

    """
    if not is_whole(num_segments) or num_segments < 1:
        raise InputError(f"num_segments={shown(num_segments)}; it must be a whole number >= 1")
    if isinstance(features, str):
        raise InputError(f"features={shown(features)} is one string; pass a list of names")
    listed = [Feature(feature) if isinstance(feature, str) else feature for feature in features]
    table = Table(X, listed)
    return CurveModel(name, [_zero(feature, table, num_segments) for feature in listed], 0.0, link, listed)


def _zero(feature: Feature, table: Table, num_segments: int) -> Term:
    if feature.type != "number":
        levels = sorted({key for key in table.keys(feature.name, feature.type) if key is not None})
        if not levels:
            raise InputError(f"column {feature.name!r} has no level; leave the feature out")
        return EnumCurve(feature.name, dict.fromkeys(levels, 0.0), default=0.0, missing=0.0)
    x = table.number(feature.name)
    x = x[np.isfinite(x)]
    knots = x if not len(x) else np.unique(np.quantile(x, np.linspace(0, 1, num_segments + 1), method="nearest"))
    if len(knots) < 2:
        raise InputError(f"column {feature.name!r} has fewer than two distinct values; leave the feature out")
    return PWLCurve(feature.name, [(float(knot), 0.0) for knot in knots], missing=0.0)
