"""The losses of rankings: means over queries of a loss of the query's scores."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, shown
from curvec.metrics import check_gains
from curvec.parameters.design import weighted_squares
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import scipy.sparse as sp
    from typing_extensions import Self

_TINY = 1e-300
"""A floor under the second derivative's trace, which is 0 where the scores of every query are far apart."""

_SMOOTH = 0.1
"""The difference of two scores over which ApproxNDCG smooths their order."""

_BLOCK = 4096
"""About how many rows of whole queries one dense matrix holds."""


class _QueryLoss:
    """What the losses share: the rows of each query that has an order to learn, one query after another."""

    constant = False
    exact = True
    relative = True

    def __init__(self, name: str, y: FloatArray, query: npt.NDArray[Any]) -> None:
        self._name, self._y = name, y
        self.groups = query
        _, place = np.unique(query, return_inverse=True)
        order = np.argsort(place, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(place[order])) + 1)
        # A query whose documents are all alike says nothing about their order.
        queries = [rows for rows in groups if np.ptp(y[rows]) > 0]
        if not queries:
            raise InputError(
                f"loss {shown(name)}: no query has documents of different labels; there is no order to learn"
            )
        sizes = [len(rows) for rows in queries]
        self._count = len(queries)
        self._rows = np.concatenate(queries)
        self._starts = np.concatenate([[0], np.cumsum(sizes[:-1], dtype=np.intp)])
        self._place = np.repeat(np.arange(len(queries)), sizes)

    def _losses(self, score: FloatArray) -> FloatArray:
        """(queries,) the loss of each, for (rows,) scores, query after query."""
        raise NotImplementedError

    def _slopes(self, score: FloatArray) -> FloatArray:
        """(rows,) the derivative of each query's loss by its scores."""
        raise NotImplementedError

    def value(self, score: FloatArray) -> float:
        """The mean over queries."""
        return float(np.mean(self._losses(score[self._rows])))

    def per_group(self, score: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(queries,) equal shares, and (queries,) the loss of each query that has an order to learn."""
        return np.full(self._count, 1 / self._count), self._losses(score[self._rows])

    def gradient(self, score: FloatArray) -> FloatArray:
        """(rows,) its derivative by the scores."""
        result = np.zeros(len(score))
        result[self._rows] = self._slopes(score[self._rows]) / self._count
        return result

    def restricted_to(self, rows: npt.NDArray[np.intp]) -> Self:
        """The same loss on some of the rows."""
        return type(self)(self._name, self._y[rows], self.groups[rows])

    def _noise(self, slopes: FloatArray, trace: float, moved: FloatArray) -> FloatArray:
        """(queries,) the variance of each loss along a change: ``moved``, its second derivative, times a dispersion."""
        return float(slopes @ slopes) / max(trace, _TINY) * moved


class Listwise(_QueryLoss):
    """Softmax cross-entropy against the gains 2^label - 1, as shares (ListNet's first place, Cao et al. 2007)."""

    def __init__(self, name: str, y: FloatArray, query: npt.NDArray[Any]) -> None:
        check_gains(f"loss {shown(name)}", y)
        super().__init__(name, y, query)
        gain = np.exp2(y[self._rows]) - 1
        self._target = gain / self._sums(gain)[self._place]

    def _sums(self, values: FloatArray) -> FloatArray:
        result: FloatArray = np.add.reduceat(values, self._starts)
        return result

    def _shares(self, score: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(rows,) the softmax of each query's scores, and (queries,) the logarithm of its denominator."""
        top = np.maximum.reduceat(score, self._starts)
        share = np.exp(score - top[self._place])
        total = self._sums(share)
        return share / total[self._place], np.log(total) + top

    def _losses(self, score: FloatArray) -> FloatArray:
        return self._shares(score)[1] - self._sums(self._target * score)

    def _slopes(self, score: FloatArray) -> FloatArray:
        return self._shares(score)[0] - self._target

    def curvature(self, score: FloatArray, basis: sp.csr_array) -> FloatArray:
        """(p, p) B' H B; a query's block of H is diag(shares) - shares shares'."""
        from scipy.sparse import csr_array

        share, weights = self._shares(score[self._rows])[0], np.zeros(len(score))
        weights[self._rows] = share  # of all rows: a copy of the others' derivative would be as large as the whole
        ends = np.append(self._starts, len(share))
        means = (csr_array((share, self._rows, ends), shape=(self._count, len(score))) @ basis).toarray()
        result: FloatArray = (weighted_squares(basis, weights) - means.T @ means) / self._count
        return result

    def scale(self, score: FloatArray) -> float:
        """The trace of H."""
        share = self._shares(score[self._rows])[0]
        return float(np.sum(share - np.square(share)) / self._count)

    def label_noise_variance(self, score: FloatArray, change: FloatArray) -> FloatArray:
        """(queries,) the variance of the change of each query's loss, were the labels drawn around ``score``."""
        share, change = self._shares(score[self._rows])[0], change[self._rows]
        moved = self._sums(share * np.square(change)) - np.square(self._sums(share * change))
        return self._noise(share - self._target, float(np.sum(share - np.square(share))), moved)


class _PairLoss(_QueryLoss):
    """A loss of the differences of two scores of a query.

    A pair is two places in the rows, the first to be above the second. What a loss says of every pair is how strongly
    the first is pushed up and the second down (minus the derivative), and its weight: the sum of the weights times the
    squared differences of a change is the second derivative along that change, or a bound of it.
    """

    def __init__(self, name: str, y: FloatArray, query: npt.NDArray[Any]) -> None:
        super().__init__(name, y, query)
        starts = self._starts.tolist()
        self._queries = [slice(*ends) for ends in zip(starts, [*starts[1:], len(self._rows)], strict=True)]

    @cached_property
    def _pair_places(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """(pairs,) the place of the first of each pair, and of the second."""
        labels = self._y[self._rows]
        found = [(own.start, self._pairs(labels[own])) for own in self._queries]
        first, second = zip(*((start + above, start + below) for start, (above, below) in found), strict=True)
        return np.concatenate(first), np.concatenate(second)

    def _pairs(self, labels: FloatArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The places of the pairs of a query."""
        raise NotImplementedError

    def _pair_slope(self, score: FloatArray) -> FloatArray:
        """(pairs,) minus the derivative of the loss by the first score of each pair."""
        raise NotImplementedError

    def _weights(self, score: FloatArray) -> FloatArray:
        """(pairs,) the second derivative of the loss by the difference of each pair's scores, or a bound of it."""
        raise NotImplementedError

    def _margin(self, score: FloatArray) -> FloatArray:
        """(pairs,) how far the first is above the second."""
        first, second = self._pair_places
        margin: FloatArray = score[first] - score[second]
        return margin

    def _sums(self, values: FloatArray, places: npt.NDArray[np.intp]) -> FloatArray:
        """(rows,) the pairs' values, added up at one of their places."""
        sums: FloatArray = np.bincount(places, values, len(self._rows)).astype(np.float64)
        return sums

    def _of_query(self, values: FloatArray) -> FloatArray:
        """(queries,) the pairs' values, added up."""
        sums: FloatArray = np.bincount(self._place[self._pair_places[0]], values, self._count).astype(np.float64)
        return sums

    def _slopes(self, score: FloatArray) -> FloatArray:
        push, (first, second) = self._pair_slope(score), self._pair_places
        return self._sums(push, second) - self._sums(push, first)

    def curvature(self, score: FloatArray, basis: sp.csr_array) -> FloatArray:
        """(p, p) B' H B; H is the Laplacian of the weights."""
        from scipy.sparse import csr_array

        weights, (first, second) = self._weights(score[self._rows]), self._pair_places
        sums = self._sums(weights, first) + self._sums(weights, second)
        table = csr_array((weights, (first, second)), shape=(len(sums), len(sums)))
        result = np.zeros((basis.shape[1], basis.shape[1]))
        for start, stop in self._blocks():
            block, pairs = basis[self._rows[start:stop]].toarray(), table[start:stop, start:stop]
            result += block.T @ (sums[start:stop, None] * block - (pairs + pairs.T) @ block)
        return result / self._count

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """Whole queries, some thousand rows at a time: as dense tables all would take too much memory."""
        start = 0
        for own in self._queries:
            if own.stop - start >= _BLOCK or own.stop == len(self._rows):
                yield start, own.stop
                start = own.stop

    def scale(self, score: FloatArray) -> float:
        """The trace of H."""
        return 2 * float(self._weights(score[self._rows]).sum()) / self._count

    def label_noise_variance(self, score: FloatArray, change: FloatArray) -> FloatArray:
        """(queries,) the variance of the change of each query's loss, were the labels drawn around ``score``."""
        weights = self._weights(score[self._rows])
        moved = weights * np.square(self._margin(change[self._rows]))
        return self._noise(self._slopes(score[self._rows]), 2 * float(weights.sum()), self._of_query(moved))


class Pairwise(_PairLoss):
    """RankNet's logistic loss, the mean over pairs of different labels (Burges et al. 2005)."""

    def __init__(self, name: str, y: FloatArray, query: npt.NDArray[Any]) -> None:
        super().__init__(name, y, query)
        place = self._place[self._pair_places[0]]
        self._share = 1.0 / np.bincount(place, minlength=self._count)[place]

    def _pairs(self, labels: FloatArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        first, second = np.nonzero(labels[:, None] > labels[None, :])
        return first, second

    def _losses(self, score: FloatArray) -> FloatArray:
        margin = self._margin(score)
        losses = self._share * (np.maximum(-margin, 0.0) + np.log1p(np.exp(-np.abs(margin))))
        return self._of_query(losses)

    def _pair_slope(self, score: FloatArray) -> FloatArray:
        push: FloatArray = self._share * logistic(-self._margin(score))
        return push

    def _weights(self, score: FloatArray) -> FloatArray:
        margin = self._margin(score)
        weights: FloatArray = self._share * logistic(margin) * logistic(-margin)
        return weights


class ApproxNDCG(_PairLoss):
    """1 - NDCG of smooth ranks: 1 + the sum of logistic((s_j - s_i) / 0.1) over the others (Qin et al. 2010).

    Its pairs are of every document with a gain and every other one: for each query a matrix.
    """

    exact = False

    def __init__(self, name: str, y: FloatArray, query: npt.NDArray[Any]) -> None:
        check_gains(f"loss {shown(name)}", y)
        super().__init__(name, y, query)
        gain = np.exp2(y[self._rows]) - 1
        order = np.lexsort((-gain, self._place))
        place = np.arange(len(gain)) - self._starts[self._place]
        best = np.add.reduceat(gain[order] / np.log2(2.0 + place), self._starts)
        share = gain / best[self._place]
        self._gaining = [np.flatnonzero(y[self._rows][own]) for own in self._queries]
        self._gains = [share[own][gaining] for own, gaining in zip(self._queries, self._gaining, strict=True)]

    def _pairs(self, labels: FloatArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        gaining = np.flatnonzero(labels)
        which, second = np.nonzero(gaining[:, None] != np.arange(len(labels)))
        return gaining[which], second

    def label_noise_variance(self, score: FloatArray, change: FloatArray) -> FloatArray:
        """(queries,) zeros: no distribution of labels belongs to this loss, so their variance is not known.

        The bound of the curvature would make it far too large, and no gain would ever count.
        """
        del score, change
        return np.zeros(self._count)

    def _smooth_ranks(self, score: FloatArray) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
        """For each query how far each document with a gain is behind each of all, from 0 to 1.

        Yields:
            (gaining, documents) that, 0 where both are the same one; (gaining,) the smooth ranks; (gaining,) the gains.

        """
        for own, gaining, gains in zip(self._queries, self._gaining, self._gains, strict=True):
            scaled = score[own] / _SMOOTH
            behind = logistic(scaled - scaled[gaining, None])
            behind[np.arange(len(gaining)), gaining] = 0.0
            yield behind, 1 + behind.sum(axis=1), gains

    def _losses(self, score: FloatArray) -> FloatArray:
        return np.array([1 - np.sum(gains / np.log2(1 + ranks)) for _, ranks, gains in self._smooth_ranks(score)])

    def _pair_slopes(self, score: FloatArray) -> Iterator[FloatArray]:
        """For each query (gaining, documents) how strongly the first is pushed up, and the second down."""
        for behind, ranks, gains in self._smooth_ranks(score):
            growth = gains * np.log(2) / ((1 + ranks) * np.square(np.log1p(ranks)))  # of the loss with the rank
            yield (growth / _SMOOTH)[:, None] * (behind * (1 - behind))

    def _pair_slope(self, score: FloatArray) -> FloatArray:
        pushes = zip(self._pair_slopes(score), self._gaining, strict=True)
        return np.concatenate([push[gaining[:, None] != np.arange(push.shape[1])] for push, gaining in pushes])

    def _slopes(self, score: FloatArray) -> FloatArray:
        slopes = np.empty(len(score))
        for push, own, gaining in zip(self._pair_slopes(score), self._queries, self._gaining, strict=True):
            slopes[own] = push.sum(axis=0)
            slopes[own][gaining] -= push.sum(axis=1)
        return slopes

    def _weights(self, score: FloatArray) -> FloatArray:
        """A bound: the logistic function's second derivative is at most its first, and the other part is negative.

        That part is of the loss as a function of the ranks: minus the discount, which is concave.
        """
        return self._pair_slope(score) / _SMOOTH


def logistic(x: FloatArray) -> FloatArray:
    """1 / (1 + exp(-x)), elementwise; numpy's exp takes half the time of scipy's expit."""
    with np.errstate(over="ignore"):
        result: FloatArray = 1 / (1 + np.exp(-x))
    return result


QUERY_LOSSES: dict[str, type[Pairwise | Listwise | ApproxNDCG]] = {
    "pairwise": Pairwise,
    "listwise": Listwise,
    "approx_ndcg": ApproxNDCG,
}
"""By name; each is made of labels (rows,) and query ids (rows,)."""
