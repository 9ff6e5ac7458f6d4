"""The losses that a model can be refined on, with gradient and curvature; those of one row are here.

Every loss is a weighted mean over its groups (single rows, or the rows of a query), so that a ridge means the same
whatever their number.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, shown
from curvec.parameters.design import weighted_squares
from curvec.refine.query_losses import QUERY_LOSSES, logistic
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import scipy.sparse as sp

Rows = npt.NDArray[np.intp]

_SQUARED = 1e70
"""The largest size of a label of the squared loss: sums of squares of losses of larger ones could overflow."""
_TINY = 1e-300
"""A floor under the Hessian's trace where the labels have no dispersion (log loss at probabilities of exactly 0 or 1):
the variance asked for is 0 there, and not 0 / 0."""


class Loss(Protocol):
    """A loss on fixed labels.

    Attributes:
        groups: (rows,) the unit that a cross-validation keeps in one fold: the row itself, or its query.
        constant: whether the curvature does not depend on the score.
        exact: whether the curvature is the second derivative, and the loss convex; False: it is a bound of it.
        relative: whether only differences of scores count, so that a constant added to all changes nothing.

    """

    groups: npt.NDArray[Any]
    constant: bool
    exact: bool
    relative: bool

    def value(self, score: FloatArray) -> float:
        """The weighted mean loss."""
        ...

    def per_group(self, score: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(groups,) the share of each group in the mean, and (groups,) its loss."""
        ...

    def gradient(self, score: FloatArray) -> FloatArray:
        """(rows,) its derivative by the scores."""
        ...

    def curvature(self, score: FloatArray, basis: sp.csr_array) -> FloatArray:
        """(p, p) B' H B, H the second derivative by the scores (or a bound of it), B (rows, p)."""
        ...

    def scale(self, score: FloatArray) -> float:
        """The trace of H, by which a ridge is multiplied: 1 then means the same for every loss."""
        ...

    def label_noise_variance(self, score: FloatArray, change: FloatArray) -> FloatArray:
        """(groups,) the variance of the change of each group's loss, were its labels drawn around ``score`` (rows,).

        ``change`` is the scores' (rows,). For a loss that is the log-likelihood of an exponential family with its own
        link, labels vary as H times a dispersion (McCullagh and Nelder 1989, section 2.2.2). The dispersion is
        estimated by the mean squared gradient over the mean trace of H. 0 where no distribution belongs to the loss.
        """
        ...

    def restricted_to(self, rows: Rows) -> Loss:
        """The same loss on some of the rows."""
        ...


class PointFunctions(msgspec.Struct, frozen=True):
    """A loss of one row: value, first and second derivative by the score.

    Attributes:
        link: of the models that it suits.
        constant: whether the second derivative does not depend on the score.
        variance: that of the first derivative over labels, divided by the dispersion; None: the second derivative,
            which it is with an exponential family's own link.
        relative_change: (theta(s + d) - theta(s)) / theta'(s) as a function of d, theta the coefficient of the label in
            the loss: -exp(-s) of gamma's, so 1 - exp(-d). None: d, as with an exponential family's own link.
        least: the least label that suits, ...
        most: ... and the greatest.

    """

    value: Callable[[FloatArray, FloatArray], FloatArray]
    first: Callable[[FloatArray, FloatArray], FloatArray]
    second: Callable[[FloatArray, FloatArray], FloatArray]
    link: str
    constant: bool = False
    variance: Callable[[FloatArray, FloatArray], FloatArray] | None = None
    relative_change: Callable[[FloatArray], FloatArray] | None = None
    least: float = -math.inf
    most: float = math.inf


def _softplus(x: FloatArray) -> FloatArray:
    return np.logaddexp(0.0, x)


def _rate(score: FloatArray) -> FloatArray:
    return np.exp(np.clip(score, -700.0, 700.0))


POINTWISE = {
    "squared": PointFunctions(
        lambda y, s: (s - y) ** 2 / 2,
        lambda y, s: s - y,
        lambda y, _: np.ones_like(y),
        "identity",
        constant=True,
        least=-_SQUARED,
        most=_SQUARED,
    ),
    "log_loss": PointFunctions(
        lambda y, s: _softplus(s) - y * s,
        lambda y, s: logistic(s) - y,
        lambda _, s: logistic(s) * logistic(-s),
        "logit",
        least=0.0,
        most=1.0,
    ),
    "poisson": PointFunctions(
        lambda y, s: _rate(s) - y * s, lambda y, s: _rate(s) - y, lambda _, s: _rate(s), "log", least=0.0
    ),
    "gamma": PointFunctions(
        lambda y, s: y * _rate(-s) + s,
        lambda y, s: 1.0 - y * _rate(-s),
        lambda y, s: y * _rate(-s),
        "log",
        variance=lambda _, s: np.ones_like(s),
        relative_change=lambda change: -np.expm1(-change),
        least=math.nextafter(0.0, 1.0),
    ),
    "tweedie": PointFunctions(  # of variance power 1.5, as LightGBM's and XGBoost's is unless they are told another
        lambda y, s: 2.0 * (_rate(0.5 * s) + y * _rate(-0.5 * s)),
        lambda y, s: _rate(0.5 * s) - y * _rate(-0.5 * s),
        lambda y, s: 0.5 * (_rate(0.5 * s) + y * _rate(-0.5 * s)),
        "log",
        variance=lambda _, s: _rate(0.5 * s),
        relative_change=lambda change: -2.0 * np.expm1(-0.5 * change),
        least=0.0,
    ),
}
"""Half of the unit deviance up to a term of the labels, where the deviance has a name (Jorgensen 1987)."""


class PointLoss:
    """A loss that is a sum over rows."""

    exact = True
    relative = False

    def __init__(self, functions: PointFunctions, y: FloatArray, w: FloatArray) -> None:
        self._functions, self._y, self._w = functions, y, w
        self._share = w / w.sum()
        # Rows without weight go where the first with one goes, so that no fold is without weight.
        self.groups: npt.NDArray[Any] = np.where(w > 0, np.arange(len(y)), int(np.argmax(w > 0)))
        self.constant = functions.constant

    def value(self, score: FloatArray) -> float:
        """The weighted mean loss."""
        share, losses = self.per_group(score)
        return float(share @ losses)

    def per_group(self, score: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(rows,) the share of each row in the mean, and (rows,) its loss."""
        return self._share, self._functions.value(self._y, score)

    def gradient(self, score: FloatArray) -> FloatArray:
        """(rows,) its derivative by the scores."""
        result: FloatArray = self._share * self._functions.first(self._y, score)
        return result

    def curvature(self, score: FloatArray, basis: sp.csr_array) -> FloatArray:
        """(p, p) B' H B; H is diagonal."""
        return weighted_squares(basis, self._share * self._functions.second(self._y, score))

    def scale(self, score: FloatArray) -> float:
        """The trace of H."""
        return float(self._share @ self._functions.second(self._y, score))

    def label_noise_variance(self, score: FloatArray, change: FloatArray) -> FloatArray:
        """(rows,) the variance of the change of each row's loss, were the labels drawn around ``score``."""
        variance = (self._functions.variance or self._functions.second)(self._y, score)
        squares = float(self._share @ np.square(self._functions.first(self._y, score)))
        dispersion = squares / max(float(self._share @ variance), _TINY)
        relative_change = self._functions.relative_change
        moved = change if relative_change is None else relative_change(change)
        result: FloatArray = dispersion * variance * np.square(moved)
        return result

    def restricted_to(self, rows: Rows) -> PointLoss:
        """The same loss on some of the rows."""
        return PointLoss(self._functions, self._y[rows], self._w[rows])


LOSSES = (*POINTWISE, *QUERY_LOSSES)


def default_loss(link: str) -> str:
    """The loss that models with this link are usually trained on."""
    return next(name for name, functions in POINTWISE.items() if functions.link == link)


def loss_on(name: str, link: str, y: FloatArray, w: FloatArray | None, query: npt.NDArray[Any] | None) -> Loss:
    """The loss of that name on labels ``y`` (rows,).

    Raises:
        InputError: no such loss, the model's link is another, labels do not suit it, or queries are missing.

    """
    if name in POINTWISE:
        if query is not None:
            raise InputError(
                f"loss {shown(name)} is a mean over rows, which does not know queries; "
                f"leave query out, or use one of {', '.join(QUERY_LOSSES)}"
            )
        functions = pointwise(name, link)
        check_labels(name, y)
        used = y if w is None else y[w > 0]
        if len(used):
            check_minimum(name, float(used.min()), float(used.max()))
        return PointLoss(functions, y, np.ones(len(y)) if w is None else w)
    if query is None:
        raise InputError(f"loss {shown(name)} compares the documents of a query; pass query=, one id a row")
    if w is not None:
        raise InputError(f"loss {shown(name)} weighs queries, not rows; leave w out")
    return QUERY_LOSSES[name](name, y, query)


def check_loss(name: Any) -> None:
    """Check that there is a loss of that name, or that it is "teacher".

    Raises:
        InputError: there is none.

    """
    if not isinstance(name, str) or name not in (*LOSSES, "teacher"):
        raise InputError(f"loss={shown(name)} is not a loss; use one of {', '.join(LOSSES)}, or 'teacher'")


def pointwise(name: str, link: str) -> PointFunctions:
    """The pointwise loss of that name, for models of this link.

    Raises:
        InputError: it is of models with another link.

    """
    functions = POINTWISE[name]
    if link != functions.link:
        raise InputError(f"loss {shown(name)} is of models with link {functions.link!r}; this one has {link!r}")
    return functions


def check_minimum(name: str, low: float, high: float) -> None:
    """Refuse labels without a least loss: where all are 0 (or all 1), it falls as the score goes to infinity.

    Args:
        name: the loss.
        low: the least label of a row with a positive weight.
        high: the largest one.

    Raises:
        InputError: they are that.

    """
    functions = POINTWISE[name]
    if functions.link == "identity":
        return
    if low == high and low in (functions.least, functions.most):
        both = "rows of both classes" if functions.most == 1 else "rows with other labels"
        raise InputError(
            f"every label (of positive weight) is {low:g}, and the loss {shown(name)} would only fall "
            f"as the score goes to {'-' if low == functions.least else ''}infinity; refine on {both}"
        )


def check_labels(name: str, y: FloatArray, cell_name: Callable[[int], str] = "y[{}]".format) -> None:
    """Check that labels suit a loss.

    Args:
        name: the loss.
        y: (rows,) the labels.
        cell_name: what a row's label is called in messages.

    Raises:
        InputError: one does not; the message names the first.

    """
    least, most = POINTWISE[name].least, POINTWISE[name].most
    wrong = (y < least) | (y > most)
    if np.any(wrong):
        rule = "between 0 and 1" if most == 1 else "not negative" if least == 0 else "above 0"
        rule = f"within {_SQUARED:g}, whose square is a double; rescale them" if name == "squared" else rule
        row = int(np.argmax(wrong))
        raise InputError(f"{cell_name(row)} is {y[row]}; labels of loss {shown(name)} are {rule}")
