"""What a fit returns."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, overload

import msgspec
import numpy as np

from curvec.contract import segments
from curvec.display import Displayed
from curvec.errors import InputError
from curvec.fit.band import Uncertainty, band
from curvec.fit.ends import End
from curvec.ir import PWLCurve
from curvec.model import as_model
from curvec.transforms import FloatArray


class PathEntry(NamedTuple):
    """The best curve with at most ``num_segments`` segments."""

    num_segments: int
    sse: float
    curve: PWLCurve


def _returned(value: Any) -> Any:
    return value


class Fit(Displayed, msgspec.Struct, frozen=True, dict=True, eq=False):
    """A fitted curve and how good it is.

    Attributes:
        curve: the curve; with ``digits``, in the numbers that will be printed.
        sse: weighted sum of squared errors over all rows, of the curve as printed.
        mse: sse / total weight.
        unexplained: share of the shape's variance that the curve leaves: squared error over that of the mean, both
            less what no function of x could avoid.
        variance: mean squared error of the mean of y: what there is to explain, with the pure error.
        pure_error: mean squared error that no function of x could avoid: the spread of y at equal x (the "pure error"
            of a test for lack of fit). It is above zero if the teacher reads more than x, or is noisy. For many rows it
            is the spread about each bin's own line.
        optimal: the best curve found is the best there is: no curve on these candidates with at most ``num_segments``
            segments that obeys the constraints is better. The curve printed may be worse by ``shortening_loss``.
        lower_bound: no curve on these candidates has a lower sse than this; the difference to sse is the loss by
            rounding, and what an unfinished search may have missed.
        candidates: (k,) where knots could be, in the units of x.
        notes: what was done differently from what was asked, and why.
        shortening_loss: what ``digits``, ``knots_on`` and ``margin`` cost: the squared error of the curve as printed
            less that of the best curve found, as a share of the shape's variance.

    """

    curve: PWLCurve
    sse: float
    mse: float
    unexplained: float
    variance: float
    pure_error: float
    optimal: bool
    lower_bound: float
    candidates: FloatArray
    notes: tuple[str, ...] = ()
    shortening_loss: float = 0.0
    _condensed: Callable[[], FloatArray] = lambda: np.empty((0, 3))
    _path: Callable[[], tuple[PathEntry, ...]] = tuple
    _ends: Callable[[], tuple[End, ...]] = tuple
    _uncertainty: Callable[[], Uncertainty | None] = lambda: None

    @overload
    def __call__(self, x: float | None) -> float: ...
    @overload
    def __call__(self, x: Any) -> FloatArray: ...
    def __call__(self, x: Any) -> float | FloatArray:
        """The curve at one value or at many; see the curve's own call."""
        value: float | FloatArray = self.curve(x)
        return value

    @overload
    def predict(self, x: float | None) -> float: ...
    @overload
    def predict(self, x: Any) -> FloatArray: ...
    def predict(self, x: Any) -> float | FloatArray:
        """The same as ``fit(x)``."""
        value: float | FloatArray = self.curve(x)
        return value

    def band(self, x: Any, level: float = 0.95) -> FloatArray:
        """A pointwise confidence band, by the sandwich estimate of the values' covariance (White 1980; HC3).

        It is of the best curve on these knots, were all rows there are known, at each x for itself: in ``level`` of all
        samples it holds that curve's value there. Neither equal variances nor normal ones are assumed, nor that a curve
        on these knots is the truth; rows must be independent. The knots, the transform and the number of segments are
        taken as given. Where they were found in the same rows, the band holds the true function less often than
        ``level`` says, most of all near knots. Constraints on slopes and y are not counted on, rounding is no part of
        it; points that were given (``through``) are sure. The residuals are those of the rows, which a fit holds until
        it is pickled.

        Args:
            x: as in ``fit(x)``.
            level: the share of samples, 0 < level < 1.

        Returns:
            (..., 2) the lower and the upper end at each x; infinite where the rows say nothing, NaN where the curve is.

        Raises:
            InputError: the level is no such share, or the fit was made from moments, which have no residuals.

        """
        if self._estimate is None:
            raise InputError("this fit was made without rows, whose residuals a band needs; pass the rows to fit_pwl")
        return band(self.curve, self._estimate, x, level)

    @property
    def has_band(self) -> bool:
        """Whether there is a :meth:`band`: it was made from rows."""
        return self._estimate is not None

    @cached_property
    def _estimate(self) -> Uncertainty | None:
        return self._uncertainty()

    @property
    def knots(self) -> FloatArray:
        """(num_segments + 1,) the points' x."""
        return np.array(self.curve.breaks)

    @property
    def slopes(self) -> FloatArray:
        """(num_segments,) the slope of each segment, per unit of fx(x)."""
        return segments(self.curve.points, self.curve.fx).slope

    @property
    def r2(self) -> float:
        """The coefficient of determination, 1 - mse / variance; of a y that is constant 1 where it is met, else 0."""
        if self.variance > 0:
            return 1.0 - self.mse / self.variance
        return float(self.mse == 0)

    @property
    def rmse(self) -> float:
        """The root of the mean squared error, in units of y."""
        return math.sqrt(self.mse)

    def to_json(self) -> str:
        """The curve as a model file; see :meth:`curvec.CurveModel.to_json`."""
        return as_model(self).to_json()

    def save(self, path: str | Path) -> None:
        """Write :meth:`to_json` to a .json file, a model of the curve alone; :func:`curvec.load` reads it back.

        Raises:
            InputError: the file cannot be written, or its suffix says that it is no JSON.

        """
        as_model(self).save(path)

    @property
    def num_segments(self) -> int:
        """Segments of the curve; fewer than asked for where more would not have helped."""
        return len(self.curve.points) - 1

    @cached_property
    def condensed(self) -> FloatArray:
        """(p, 3) distinct x (of a bin: its least), weight, mean y: what the search saw of the rows."""
        return self._condensed()

    @cached_property
    def path(self) -> tuple[PathEntry, ...]:
        """The best curve for every number of segments up to the limit, on the same candidates.

        The fit proves only the number of segments that was asked for; the others are searched when this is first read.
        """
        return self._path()

    @cached_property
    def ends(self) -> tuple[End, ...]:
        """The curve at the least and at the largest x, and the rows beyond its end knots, where it is constant."""
        return self._ends()

    def __reduce__(self) -> tuple[Any, ...]:
        # What is made when it is first asked for: a copy or a pickle holds it made.
        made = (self.condensed, self.path, self.ends, self._estimate)
        found = [getattr(self, name) for name in self.__struct_fields__[: -len(made)]]
        return type(self), (*found, *(partial(_returned, value) for value in made))

    def _stated_fields(self) -> dict[str, Any]:
        """What a fit is by: all but the candidates and what is made when it is first asked for."""
        names = (name for name in self.__struct_fields__ if name != "candidates" and not name.startswith("_"))
        return {name: getattr(self, name) for name in names}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fit) and self._stated_fields() == other._stated_fields()

    def __hash__(self) -> int:
        return hash(tuple(self._stated_fields().values()))

    def __repr__(self) -> str:
        return f"Fit({', '.join(f'{name}={value!r}' for name, value in self._stated_fields().items())})"
