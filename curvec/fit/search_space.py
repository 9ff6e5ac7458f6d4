"""The curves that are searched under one transform: data, constraints and candidates, as the compiled core has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import cast

import msgspec
import numpy as np

from curvec._core import SearchSpace as Core
from curvec.condense import Points
from curvec.errors import counted
from curvec.fit.candidates import round_significant
from curvec.fit.constraints import Constraints
from curvec.fit.curvature import curved_search
from curvec.fit.options import Options
from curvec.fit.periodic import periodic_search
from curvec.fit.search import Found, Problem
from curvec.transforms import FloatArray, Transform


class SearchSpace(msgspec.Struct, frozen=True, dict=True):
    """What all curves under one transform share; :meth:`problem` puts it on candidates.

    Attributes:
        points: the data.
        options: what was asked.
        fx: the transform.
        constraints: what every curve must obey.
        x: (k,) the candidates that the options ask for.
        digits: decimal digits of candidates; None for all.

    """

    points: Points
    options: Options
    fx: Transform
    constraints: Constraints
    x: FloatArray
    digits: int | None

    @cached_property
    def core(self) -> Core:
        """The same search space in the compiled core."""
        points, constraints, knots = self.points, self.constraints, self.required
        return Core(
            points.sample(self.fx), self.fx.code, self.fx.lower, self._least_distance(),
            self.digits or 0, self._knot_places(), constraints.slopes,
            cast("tuple[float, float]", constraints.y_bounds), constraints.turn or "",
            knots, self._given_y(knots), self.options.learn_ends,
            None if points.parts is None else points.last, self._coupled_search(),
        )  # fmt: skip

    def _given_y(self, knots: FloatArray) -> FloatArray:
        """(r,) the y that the curve must have at each required knot, NaN where that is free."""
        out, points = np.full(len(knots), np.nan), self.constraints.through
        out[np.searchsorted(knots, points[:, 0])] = points[:, 1] - self.constraints.origin
        return out

    def _coupled_search(self) -> Callable[..., list[Found]] | None:
        """The search for curves whose segments depend on each other by more than where they meet."""
        constraints = self.constraints
        if constraints.curvature is not None:
            return partial(curved_search, constraints, self.points.floor)
        return partial(periodic_search, constraints) if constraints.periodic else None

    def fault(self) -> str | None:
        """Why the required knots cannot all be: fx makes two of them equal, or there are too many; None if they can."""
        options = self.options
        if len(self.x) < 2:
            return f"fewer than two whole numbers are inside the domain of fx={self.fx.name!r}; use knots_on='any'"
        if options.learn_ends and not len(options.required):
            return None
        required = self.required if options.learn_ends else np.union1d(self.required, self.x[[0, -1]])
        merged = np.flatnonzero(~(np.diff(self.fx.forward(required)) > self._least_distance()))
        if merged.size:
            left, right = (float(x) for x in required[merged[0] : merged[0] + 2])
            return (
                f"the knots {left!r} and {right!r} are required, but fx={self.fx.name!r} makes them one; "
                "leave one out, or use fx='identity'"
            )
        if len(required) > options.most_segments + 1:
            return (
                f"{len(required)} knots are required (ends that are not learnt count), but a curve of "
                f"{counted(options.most_segments, 'segment')} has {options.most_segments + 1}; ask for more segments"
            )
        return None

    def _least_distance(self) -> float:
        """The least distance of two knots in u: no finite slope joins closer ones."""
        return (self.points.y_range[1] - self.points.y_range[0]) * 1e-300

    @property
    def required(self) -> FloatArray:
        """(r,) the required knots as they will be printed."""
        knots = self.options.knots
        rounded = knots if self.digits is None else round_significant(knots, self.digits)
        return np.union1d(rounded, self.options.through[:, 0])

    def _knot_places(self) -> str:
        """Where finer candidates may be."""
        return self.options.knots_on if self.options.knots_on in ("whole", "values") else "any"

    def problem(self, candidates: FloatArray) -> Problem:
        """The problem on any candidates (k,), ascending."""
        return Problem(self.core.problem(candidates), self.fx, self.constraints)
