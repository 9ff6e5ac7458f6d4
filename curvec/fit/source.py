"""Frames from data: the one place that knows whether they came as rows or as moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curvec.condense import CODES, Points, Rows
from curvec.fit.candidates import candidates_of, check_domain, round_significant, rounded
from curvec.fit.choose import transforms_for
from curvec.fit.frame import Frame
from curvec.fit.options import Options
from curvec.fit.shape import Shape
from curvec.transforms import FloatArray, Transform, transform

__all__ = ["Source", "from_moments", "from_rows"]


@dataclass(frozen=True, slots=True)
class Source:
    """Data and candidates, for each transform to try.

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

    def frames(self, shape: Shape) -> list[Frame]:
        """For each transform the data and the candidates that the options ask for."""
        self.check_domains()
        wanted = candidates_of(self.points, self.options)
        return [self._frame(fx, wanted, shape) for fx in self.transforms]

    def check_domains(self) -> None:
        """The data must be inside the domain of every transform.

        Raises:
            InputError: names the least x that is not.

        """
        for fx in self.transforms:
            check_domain(self.points.x[:1], fx, "x")

    def _frame(self, fx: Transform, wanted: FloatArray, shape: Shape) -> Frame:
        check_domain(wanted, fx, "candidates")
        if self.edges is None:
            x, digits = rounded(wanted, self.options, fx, 4 * (self.options.most + 1))
        else:
            x, digits = self._on_edges(wanted), self.digits
        return Frame(self.points, self.options, fx, shape, x, digits)

    def _on_edges(self, wanted: FloatArray) -> FloatArray:
        """The edge next to each; a value that has its bin to itself stays."""
        assert self.edges is not None  # noqa: S101 - for the type checker
        if self.digits is None:
            return np.unique(wanted[self.points.allowed(wanted)])
        printed = round_significant(wanted, self.digits)
        free = self.points.allowed(printed)
        at = np.searchsorted(self.edges, wanted[~free], side="right") - 1
        return np.union1d(printed[free], self.edges[np.maximum(at, 0)])


def from_rows(rows: Rows, options: Options) -> Source:
    """Sorted points, or bins where the rows are many.

    Raises:
        InputError: fx is no transform, or x is outside its domain.

    """
    named = options.fx is None or isinstance(options.fx, str)
    if not (rows.many and named):
        points = rows.points()
        return Source(points, options, transforms_for(options.transform, points.x, _least(points.x[0], options)))
    transforms = transforms_for(options.transform, np.array([rows.x_range[0]]), _least(rows.x_range[0], options))
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


def _least(x: float, options: Options) -> float:
    """The least x of the data, of the candidates asked for and of the required knots."""
    asked = (options.knots,) if options.candidates is None else (options.knots, options.candidates)
    return float(min([x, *(some[0] for some in asked if len(some))]))


def from_moments(points: Points, fx: str, edges: FloatArray, options: Options) -> Source:
    """Moments that were made elsewhere."""
    return Source(points, options, (transform(fx),), edges)
