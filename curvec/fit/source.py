"""Problems from data: the one place that knows whether the data are points or moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curvec.condense import Points
from curvec.errors import InputError
from curvec.fit.candidates import candidates_of, check_domain, round_significant, rounded
from curvec.fit.options import Options
from curvec.fit.refine import Refinement
from curvec.fit.search import Problem
from curvec.transforms import FloatArray, Transform

__all__ = ["PointSource"]


@dataclass(frozen=True, slots=True)
class PointSource:
    """Problems on any candidates, from points with distinct x."""

    points: Points
    options: Options

    def problem(self, fx: Transform) -> tuple[Problem, int | None]:
        """The problem on the candidates that the options ask for, and the digits of the candidates."""
        options = self.options
        check_domain(self.points.x[:1], fx, "x")
        wanted = candidates_of(self.points, options)
        check_domain(wanted, fx, "candidates")
        x, digits = rounded(wanted, options, fx, 4 * (options.most + 1))
        return self.make(x, fx, digits), digits

    def make(self, x: FloatArray, fx: Transform, digits: int | None) -> Problem:
        """The problem on these candidates."""
        u = fx.forward(x)
        keep = np.concatenate([[True], np.diff(u) > 0])
        x, u = x[keep], u[keep]
        knots = self.options.knots if digits is None else round_significant(self.options.knots, digits)
        required = set(np.searchsorted(x, knots).tolist())
        if len(x) and not self.options.learn_ends:
            required |= {0, len(x) - 1}
        if len(required) > self.options.most + 1:
            raise InputError(
                f"{len(required)} knots are required (ends that are not learnt count), but a curve of "
                f"{self.options.most} segments has {self.options.most + 1}; ask for more segments"
            )
        return Problem(fx, x, u, self.points.gaps(x, fx), tuple(sorted(required)))

    def refinement(self, fx: Transform, digits: int | None, deadline: float) -> Refinement:
        """Finer candidates around knots."""

        def snap(x: FloatArray) -> FloatArray:
            x = x[x > fx.lower]
            out = x if digits is None else np.unique(round_significant(x, digits))
            return out[out > fx.lower]

        return Refinement(self.points, deadline, lambda x: self.make(x, fx, digits), snap)
