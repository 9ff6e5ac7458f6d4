"""One transform: problems on any candidates, made from the same data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curvec._core import Sample
from curvec.condense import Points
from curvec.errors import InputError
from curvec.fit.candidates import round_significant
from curvec.fit.options import Options
from curvec.fit.search import Problem
from curvec.fit.shape import Shape
from curvec.transforms import FloatArray, Transform

__all__ = ["Frame"]


@dataclass(frozen=True, slots=True)
class Frame:
    """What every problem under one transform shares.

    Attributes:
        points: the data.
        sample: the data in u = fx(x).
        options: what was asked.
        fx: the transform.
        shape: what every curve must obey.
        x: (k,) the candidates that the options ask for.
        digits: decimal digits of candidates; None for all.

    """

    points: Points
    sample: Sample
    options: Options
    fx: Transform
    shape: Shape
    x: FloatArray
    digits: int | None

    def problem(self, x: FloatArray) -> Problem:
        """The problem on these candidates."""
        u = self.fx.forward(x)
        # Closer than this no finite slope joins two knots.
        closest = (self.points.y_range[1] - self.points.y_range[0]) * 1e-300
        apart = u[1:] - u[:-1] > closest
        if not apart.all():
            keep = np.concatenate([[True], apart])
            x, u = x[keep], u[keep]
        return Problem(self.fx, x, u, self.sample.gaps(x, u), self.shape, self._required(x))

    def finer(self, knots: FloatArray, pool: FloatArray) -> FloatArray:
        """The knots and finer candidates around each, as far as its neighbours in the pool."""
        found = self.sample.around(knots, pool)
        if self.digits is not None:
            found = np.unique(round_significant(found, self.digits))
        if found[0] <= self.fx.lower:
            found = found[found > self.fx.lower]
        if self.points.parts is not None:
            found = found[self.points.allowed(found)]
        return found

    def _required(self, x: FloatArray) -> tuple[int, ...]:
        options = self.options
        if options.learn_ends and not len(options.knots):
            return ()
        most = options.most + 1
        knots = options.knots if self.digits is None else round_significant(options.knots, self.digits)
        required = set(np.searchsorted(x, knots).tolist())
        if not options.learn_ends:
            required |= {0, len(x) - 1}
        if len(required) > most:
            raise InputError(
                f"{len(required)} knots are required (ends that are not learnt count), but a curve of "
                f"{most - 1} segments has {most}; ask for more segments"
            )
        return tuple(sorted(required))
