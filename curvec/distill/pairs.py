"""Interactions as products: a table over two features becomes a short sum of products of curves of one feature each.

An EBM's pair is a table T over the cells of two features. A low-rank factorisation T ~ sum_r u_r v_r, each cell
weighted by its rows, is a sum of products of step curves: the paper's product form (Ravina et al. 2021, section 1).
Each factor is then distilled like any other function.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.conversion import objects
from curvec.data import Table
from curvec.evaluate import term_values
from curvec.ir import (
    EnumCurve,
    Feature,
    Key,
    Levels,
    Product,
    StepCurve,
    Sum,
    Term,
    curves_of,
    features_of,
    unlisted_level,
)
from curvec.transforms import FloatArray

_BACKGROUND = 0.1
"""Weight added to the cells of a pair: this share of the rows' weight, spread as if the two features were independent.
Without it a factor could take any value where there are few rows, and that value would go into the score of every later
row in the same row or column of the table."""

_ROUNDS = 200


class Cells(msgspec.Struct, frozen=True):
    """The cells of one feature: that of a missing input first, then those of its values, then that of unseen levels.

    Attributes:
        feature: the feature.
        cuts: of a number; empty for categories.
        levels: of a category; empty for numbers.

    """

    feature: Feature
    cuts: tuple[float, ...]
    levels: tuple[Key, ...]

    def examples(self) -> npt.NDArray[Any]:
        """One input of every cell."""
        if self.feature.type == "number":
            below = np.nextafter(self.cuts[0], -np.inf)
            return np.array([np.nan, below, *self.cuts])
        # Both values of a bool may be levels; then the cell of unseen ones is that of missing ones, which it equals.
        return objects([None, *self.levels, unlisted_level(self.feature.type, self.levels)])

    def places(self, table: Table) -> npt.NDArray[np.intp]:
        """(rows,) the cell of every row."""
        if self.feature.type == "number":
            x = table.number(self.feature.name)
            return np.where(np.isnan(x), 0, np.searchsorted(self.cuts, x, side="right") + 1)
        known: dict[Any, int] = {level: place for place, level in enumerate(self.levels, start=1)}
        keys = table.keys(self.feature.name, self.feature.type).tolist()
        return np.array([0 if key is None else known.get(key, len(known) + 1) for key in keys], dtype=np.intp)

    def curve(self, values: FloatArray) -> Term:
        """The curve with these values in the cells; NaN at missing or unseen inputs gives a missing result."""
        inner = values.tolist()
        missing = None if np.isnan(values[0]) else inner[0]
        if self.feature.type == "number":
            return StepCurve(self.feature.name, self.cuts, inner[1:], missing)
        default = None if np.isnan(values[-1]) else inner[-1]
        return EnumCurve(self.feature.name, Levels(zip(self.levels, inner[1:-1], strict=True)), default, missing)


class Factored(msgspec.Struct, frozen=True):
    """A pair as products.

    Attributes:
        term: the sum of products of step curves and tables.
        products: how many.
        share: the share of the table's weighted variance that they explain.

    """

    term: Term
    products: int
    share: float


def pair_of(term: Term) -> tuple[Feature, Feature] | None:
    """The two features of a table over two features that is not a product already; None for any other term."""
    features = sorted(set(features_of(term)), key=lambda feature: feature.name)
    if len(features) != 2 or features[0].name == features[1].name:
        return None
    simple = isinstance(term, Product) and all(len(set(features_of(factor))) == 1 for factor in term.factors)
    if simple or any(not _is_table(node) for node in curves_of(term)):
        return None
    first = next(iter(features_of(term)))
    return (features[0], features[1]) if first == features[0] else (features[1], features[0])


def _is_table(term: Term) -> bool:
    return isinstance(term, EnumCurve) or (isinstance(term, StepCurve) and isinstance(term.input, str))


def factored(term: Term, table: Table, w: FloatArray, *, share: float, most: int) -> Factored:
    """The fewest products, at most ``most``, that explain ``share`` of the pair's weighted variance on the rows.

    Args:
        term: a term for which :func:`pair_of` is not None.
        table: the rows.
        w: (rows,) weights.
        share: 0 < share <= 1.
        most: at least 1.

    """
    pair = pair_of(term)
    assert pair is not None  # noqa: S101  the caller has looked
    axes = [_cells(term, feature) for feature in pair]
    examples = [axis.examples() for axis in axes]
    first, second = (np.repeat(examples[0], len(examples[1])), np.tile(examples[1], len(examples[0])))
    grid = Table({axes[0].feature.name: first, axes[1].feature.name: second}, [axis.feature for axis in axes])
    values = term_values(term, grid).reshape(len(examples[0]), len(examples[1]))
    weights = np.zeros(values.shape)
    np.add.at(weights, (axes[0].places(table), axes[1].places(table)), w)
    dead = np.isnan(values)  # a cell with a missing result keeps it
    clean = np.where(dead, 0.0, values)
    weights = np.where(dead, 0.0, weights)
    mean = float(np.sum(weights * clean) / max(weights.sum(), 1e-300))
    total = float(np.sum(weights * (clean - mean) ** 2))
    fitted = _with_background(weights, dead)
    for rank in range(1, min(most, *values.shape) + 1):
        left, right = low_rank(clean, fitted, rank)
        lost = float(np.sum(weights * (clean - left @ right.T) ** 2))
        explained = 1.0 - lost / total if total > 0 else 1.0
        if explained >= share:
            break
    # Where the teacher adds nothing (mostly for missing inputs) the factors are exactly 0, without rounding errors.
    left[~clean.any(axis=1)], right[~clean.any(axis=0)] = 0.0, 0.0
    left[dead.all(axis=1)] = np.nan
    right[dead.all(axis=0)] = np.nan
    products = [Product([axes[0].curve(left[:, r]), axes[1].curve(right[:, r])]) for r in range(left.shape[1])]
    return Factored(Sum(products) if len(products) > 1 else products[0], len(products), explained)


def _cells(term: Term, feature: Feature) -> Cells:
    cuts: set[float] = set()
    levels: dict[Key, None] = {}
    for node in curves_of(term):
        if isinstance(node, StepCurve) and node.input == feature.name:
            cuts.update(node.cuts)
        elif isinstance(node, EnumCurve) and node.feature == feature.name:
            levels.update(dict.fromkeys(node.levels))
    return Cells(feature, tuple(sorted(cuts)), tuple(levels))


def _with_background(weights: FloatArray, dead: npt.NDArray[np.bool_]) -> FloatArray:
    total = max(float(weights.sum()), 1e-300)
    # The table's row and column sums, and a little for cells without rows, so that those follow the teacher, too.
    rows = weights.sum(axis=1) + 1e-3 * total / weights.shape[0]
    columns = weights.sum(axis=0) + 1e-3 * total / weights.shape[1]
    return np.where(dead, 1e-9 * total, weights + _BACKGROUND * np.outer(rows, columns) / total)


def low_rank(values: FloatArray, weights: FloatArray, rank: int) -> tuple[FloatArray, FloatArray]:
    """The U (m, rank) and V (n, rank) with the least sum of ``weights * (values - U V')^2``, found by alternation.

    Weights are positive. Starts from the singular vectors of the table under their margins, which is the answer where
    the weights are a product of margins; each round then solves for U given V and for V given U, and never gets
    worse. The result is in canonical form: components in order of size, each v of weighted mean square 1 and a mean
    that is not negative.
    """
    rows, columns = np.sqrt(weights.sum(axis=1)), np.sqrt(weights.sum(axis=0))
    left, size, right = np.linalg.svd(rows[:, None] * values * columns, full_matrices=False)
    u = left[:, :rank] * size[:rank] / rows[:, None]
    v = right[:rank].T / columns[:, None]
    before = np.inf
    for _ in range(_ROUNDS):
        u = _coefficients_on(values, weights, v)
        v = _coefficients_on(values.T, weights.T, u)
        loss = float(np.sum(weights * (values - u @ v.T) ** 2))
        if not loss < before * (1 - 1e-9):
            break
        before = loss
    q1, r1 = np.linalg.qr(rows[:, None] * u)
    q2, r2 = np.linalg.qr(columns[:, None] * v)
    left, size, right = np.linalg.svd(r1 @ r2.T)
    scale = np.sqrt(float(weights.sum()))
    u, v = q1 @ left * size / rows[:, None] / scale, q2 @ right.T / columns[:, None] * scale
    sign = np.where(np.square(columns) @ v < 0, -1.0, 1.0)
    return u * sign, v * sign


def _coefficients_on(values: FloatArray, weights: FloatArray, other: FloatArray) -> FloatArray:
    """Row by row, the weighted least squares coefficients on the columns of ``other``."""
    gram = np.einsum("ij,jr,js->irs", weights, other, other)
    # A tiny ridge: two components that have become alike must not make the system singular.
    trace = np.trace(gram, axis1=1, axis2=2)[:, None, None]
    gram = gram + (1e-12 * trace + 1e-300) * np.eye(other.shape[1])
    target = np.einsum("ij,ij,jr->ir", weights, values, other)
    solved: FloatArray = np.linalg.solve(gram, target[:, :, None])[:, :, 0]
    return solved
