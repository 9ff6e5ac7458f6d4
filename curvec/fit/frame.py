"""One transform: problems on any candidates, made from the same data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from curvec._core import Frame as Core
from curvec.condense import CODES, Points
from curvec.fit.candidates import round_significant
from curvec.fit.choose import floor_of
from curvec.fit.options import Options
from curvec.fit.search import Best, Problem, search_bent, seconds_left
from curvec.fit.shape import Shape
from curvec.transforms import FloatArray, Transform

__all__ = ["Frame"]


@dataclass(frozen=True)
class Frame:
    """What every problem under one transform shares.

    Attributes:
        points: the data.
        options: what was asked.
        fx: the transform.
        shape: what every curve must obey.
        x: (k,) the candidates that the options ask for.
        digits: decimal digits of candidates; None for all.

    """

    points: Points
    options: Options
    fx: Transform
    shape: Shape
    x: FloatArray
    digits: int | None

    @cached_property
    def core(self) -> Core:
        """The same in the compiled core."""
        points, shape = self.points, self.shape
        return Core(
            points.sample(self.fx), CODES.get(self.fx.name, self.fx.forward), self.fx.lower, self._closest(),
            self.digits or 0, shape.slopes, shape.y_bounds, shape.turn or "", self._knots(), self.options.learn_ends,
            None if points.parts is None else points.last,
            partial(search_bent, shape, floor_of(points)) if shape.curvature is not None else None,
        )  # fmt: skip

    def fault(self) -> str | None:
        """What is wrong with the required knots: two of them are one under fx, or they are too many."""
        options = self.options
        if options.learn_ends and not len(options.knots):
            return None
        required = self._knots() if options.learn_ends else np.union1d(self._knots(), self.x[[0, -1]])
        merged = np.flatnonzero(~(np.diff(self.fx.forward(required)) > self._closest()))
        if merged.size:
            left, right = (float(x) for x in required[merged[0] : merged[0] + 2])
            return (
                f"the knots {left!r} and {right!r} are required, but fx={self.fx.name!r} makes them one; "
                "leave one out, or use fx='identity'"
            )
        if len(required) > options.most + 1:
            return (
                f"{len(required)} knots are required (ends that are not learnt count), but a curve of "
                f"{options.most} segments has {options.most + 1}; ask for more segments"
            )
        return None

    def _closest(self) -> float:
        """The least distance of two knots in u: no finite slope joins closer ones."""
        return (self.points.y_range[1] - self.points.y_range[0]) * 1e-300

    def _knots(self) -> FloatArray:
        """(r,) the required knots as they will be printed."""
        knots = self.options.knots
        return knots if self.digits is None else round_significant(knots, self.digits)

    def problem(self) -> Problem:
        """The problem on the candidates that the options ask for."""
        return Problem(self.core.problem(self.x), self.fx, self.shape)

    def refined(self, base: Problem, best: Best, deadline: float) -> tuple[Problem, Best]:
        """The best curve on the candidates of ``base`` and finer ones around good knots.

        It is never worse than the best on the candidates of ``base``.
        """
        core, found = self.core.refined(base.core, best[1:], best.num_segments, seconds_left(deadline))
        return Problem(core, self.fx, self.shape), Best(best.num_segments, *found)
