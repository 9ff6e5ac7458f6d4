"""Problems from data: the one place that knows whether they came as rows or as moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curvec.condense import Points, Rows
from curvec.condense.bins import CODES
from curvec.errors import InputError
from curvec.fit.candidates import candidates_of, check_domain, round_significant, rounded
from curvec.fit.choose import transforms_for
from curvec.fit.options import Options
from curvec.fit.refine import Refinement
from curvec.fit.search import Problem
from curvec.transforms import FloatArray, Transform, transform

__all__ = ["Source", "from_moments", "from_rows"]


@dataclass(frozen=True, slots=True)
class Source:
    """Problems on candidates, for each transform to try.

    Attributes:
        points: the data.
        options: what was asked.
        transforms: identity alone, identity and a logarithm, or the one asked for.
        edges: where the data are bins: the only x that may be knots.
        digits: of the edges.

    """

    points: Points
    options: Options
    transforms: tuple[Transform, ...]
    edges: FloatArray | None = None
    digits: int | None = None

    def problem(self, fx: Transform) -> tuple[Problem, int | None]:
        """The problem on the candidates that the options ask for, and the digits of the candidates."""
        check_domain(self.points.x[:1], fx, "x")
        wanted = candidates_of(self.points, self.options)
        check_domain(wanted, fx, "candidates")
        if self.edges is None:
            x, digits = rounded(wanted, self.options, fx, 4 * (self.options.most + 1))
        else:
            x, digits = self._on_edges(wanted), self.digits
        return self.make(x, fx, digits), digits

    def _on_edges(self, wanted: FloatArray) -> FloatArray:
        """The edge next to each; a value that has its bin to itself stays."""
        assert self.edges is not None  # noqa: S101 - for the type checker
        if self.digits is None:
            return np.unique(wanted[self.points.allowed(wanted)])
        printed = round_significant(wanted, self.digits)
        free = self.points.allowed(printed)
        at = np.searchsorted(self.edges, wanted[~free], side="right") - 1
        return np.union1d(printed[free], self.edges[np.maximum(at, 0)])

    def make(self, x: FloatArray, fx: Transform, digits: int | None) -> Problem:
        """The problem on these candidates."""
        u = fx.forward(x)
        # Closer than this no finite slope joins two knots.
        closest = (self.points.y_range[1] - self.points.y_range[0]) * 1e-300
        keep = np.concatenate([[True], np.diff(u) > closest])
        x, u = x[keep], u[keep]
        return Problem(fx, x, u, self.points.gaps(x, fx), self._required(x, digits))

    def _required(self, x: FloatArray, digits: int | None) -> tuple[int, ...]:
        most = self.options.most + 1
        knots = self.options.knots if digits is None else round_significant(self.options.knots, digits)
        required = set(np.searchsorted(x, knots).tolist())
        if not self.options.learn_ends:
            required |= {0, len(x) - 1}
        if len(required) > most:
            raise InputError(
                f"{len(required)} knots are required (ends that are not learnt count), but a curve of "
                f"{most - 1} segments has {most}; ask for more segments"
            )
        return tuple(sorted(required))

    def refinement(self, fx: Transform, digits: int | None, deadline: float) -> Refinement | None:
        """Finer candidates around knots, unless the candidates are the user's."""
        if not self.options.refine or self.options.candidates is not None:
            return None

        def snap(x: FloatArray) -> FloatArray:
            out = x if digits is None else np.unique(round_significant(x, digits))
            out = out[out > fx.lower]
            return np.asarray(out[self.points.allowed(out)])

        return Refinement(self.points, deadline, lambda x: self.make(x, fx, digits), snap)


def from_rows(rows: Rows, options: Options) -> Source:
    """Sorted points, or bins where the rows are many.

    Raises:
        InputError: fx is no transform, or x is outside its domain.

    """
    named = options.fx is None or isinstance(options.fx, str)
    if not (rows.many and named):
        points = rows.points()
        return Source(points, options, transforms_for(options.transform, points.x))
    transforms = transforms_for(options.transform, np.array([rows.x_range[0]]))
    for fx in transforms:
        check_domain(np.array([rows.x_range[0]]), fx, "x")
    if rows.x_range[0] == rows.x_range[1]:
        return Source(rows.points(), options, transforms)
    fine, digits = rounded(rows.edges(), options, transforms[-1], 16 * (options.most + 1))
    own = np.empty(0) if options.candidates is None else options.candidates
    knots = options.knots
    if digits is not None:
        own, knots = round_significant(own, digits), round_significant(knots, digits)
    edges = np.unique(np.concatenate([fine, own, knots]))
    assert set(CODES) >= {fx.name for fx in transforms}  # noqa: S101 - the registry and the core agree
    return Source(rows.binned(edges, transforms), options, transforms, edges, digits)


def from_moments(points: Points, fx: str, edges: FloatArray, options: Options) -> Source:
    """Moments that were made elsewhere."""
    return Source(points, options, (transform(fx),), edges)
