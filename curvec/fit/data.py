"""The data of a fit, from rows or from moments, with the transforms to try: the one place that tells these apart."""

from __future__ import annotations

import msgspec
import numpy as np

from curvec.condense import Points, Rows
from curvec.errors import InputError
from curvec.fields import changed
from curvec.fit.candidates import candidates_of, check_domain, round_candidates, round_significant
from curvec.fit.constraints import Constraints
from curvec.fit.options import Options
from curvec.fit.search_space import SearchSpace
from curvec.transforms import TRANSFORMS, FloatArray, Transform, logarithm_for, transform

LOG_MARGIN = 0.02
"""A logarithm is chosen over the identity only if it leaves at least this share less of the shape's error."""


class FitData(msgspec.Struct, frozen=True):
    """The data of a fit, from which a search space is made for each transform to try.

    Attributes:
        points: the data.
        options: what was asked.
        transforms: identity alone, identity and a logarithm, or the one asked for.
        edges: where the data are bins: the only x that may be knots.
        digits: significant digits of the edges; None for all.
        rows: what the data were made of; None for moments, which were made elsewhere.

    """

    points: Points
    options: Options
    transforms: tuple[Transform, ...]
    edges: FloatArray | None = None
    digits: int | None = None
    rows: Rows | None = None

    def points_of(self, rows: Rows) -> Points:
        """Some of the rows, in the form of the data: sorted points, or the same bins."""
        return rows.points() if self.edges is None else rows.binned(self.edges, self.transforms)

    def spaces(self, constraints: Constraints) -> list[SearchSpace]:
        """For each transform the data and the candidates that the options ask for.

        A transform that makes two required knots one is left out if there is another.

        Raises:
            InputError: there is no other, too many knots are required, or a value is outside the domain of fx.

        """
        self.check_domains()
        wanted = candidates_of(self.points, self.options, self._ends())
        spaces = [self._space(fx, wanted, constraints) for fx in self.transforms]
        faults = [space.fault() for space in spaces]
        if None not in faults:
            raise InputError(str(faults[0]))
        return [space for space, fault in zip(spaces, faults, strict=True) if fault is None]

    def _ends(self) -> FloatArray:
        """Both ends of the data where they must be candidates: of bins the outermost edges always."""
        if self.edges is not None:
            return self.edges[[0, -1]]
        return np.empty(0) if self.options.learn_ends else self.points.x[[0, -1]]

    def check_domains(self) -> None:
        """The data must be inside the domain of every transform.

        Raises:
            InputError: names the least x that is not.

        """
        for fx in self.transforms:
            check_domain(self.points.x[:1], fx, "x")
            check_domain(self.options.through[:1, 0], fx, "through")

    def _space(self, fx: Transform, wanted: FloatArray, constraints: Constraints) -> SearchSpace:
        if self.options.knots_on == "whole" and self.options.candidates is None:
            wanted = wanted[wanted > fx.lower]
        check_domain(wanted, fx, "candidates")
        if self.edges is None:
            x, digits = round_candidates(wanted, self.options, fx, 4 * (self.options.most_segments + 1))
        else:
            x, digits = self._moved_to_edges(wanted), self.digits
        return SearchSpace(self.points, self.options, fx, constraints, x, digits)

    def _moved_to_edges(self, wanted: FloatArray) -> FloatArray:
        """Each candidate, moved to the edge at or below it; one that divides no bin stays."""
        assert self.edges is not None  # noqa: S101 - for the type checker
        if self.digits is None:
            return wanted
        printed_value = round_significant(wanted, self.digits)
        free = self.points.allowed(printed_value)
        at = np.searchsorted(self.edges, wanted[~free], side="right") - 1
        return np.union1d(printed_value[free], self.edges[np.maximum(at, 0)])


def from_rows(rows: Rows, options: Options) -> FitData:
    """Sorted points, or bins where the rows are many.

    Raises:
        InputError: x is outside the domain of fx.

    """
    options = _with_knot_places(rows, options)
    if not rows.needs_bins:
        points = rows.points()
        return FitData(points, options, _transforms(points.x[0], options), rows=rows)
    transforms = _transforms(rows.x_range[0], options)
    for fx in transforms:
        check_domain(np.array([rows.x_range[0]]), fx, "x")
    if rows.x_range[0] == rows.x_range[1]:
        return FitData(rows.points(), options, transforms)
    if options.rounds_x and options.knots_on != "whole" and options.significant is None:
        digits_of = changed(options, digits=_EDGE_DIGITS)
    else:
        digits_of = options
    rounded_options, edges, digits = _rounded_edges(rows.edges(), digits_of, transforms[-1])
    options = changed(rounded_options, digits=options.digits)
    return FitData(rows.binned(edges, transforms), options, transforms, edges, digits, rows)


_EDGE_DIGITS = 3
"""Significant digits of the bins' edges where knots are to be round numbers: only edges can be knots."""


def _with_knot_places(rows: Rows, options: Options) -> Options:
    """The options, ``knots_on="auto"`` decided: whole numbers where all x are."""
    if options.knots_on != "auto":
        return options
    whole = bool(np.all(np.rint(rows.x) == rows.x)) and max(map(abs, rows.x_range)) <= 2**53
    return changed(options, knots_on="whole" if whole else "round")


def _rounded_edges(fine: FloatArray, options: Options, fx: Transform) -> tuple[Options, FloatArray, int | None]:
    """The edges of the bins at the digits that will be printed, the options with theirs rounded too, and the digits."""
    own = np.empty(0) if options.candidates is None else options.candidates
    asked = np.union1d(own, options.required)
    edges, digits = round_candidates(fine, options, fx, 16 * (options.most_segments + 1))
    if digits is not None and len(own):
        _, digits = round_candidates(asked, changed(options, digits=digits), fx, 4 * (options.most_segments + 1))
    if digits is not None:
        edges, own, knots, asked = (round_significant(x, digits) for x in (fine, own, options.knots, asked))
        options = changed(options, knots=knots, candidates=None if options.candidates is None else np.unique(own))
    return options, np.union1d(np.union1d(edges, asked), options.through[:, 0]), digits


def _transforms(x: float, options: Options) -> tuple[Transform, ...]:
    """The transform asked for, or identity and the logarithm that fits the domain.

    The curve is asked about the least x of the data, and about candidates and required knots below it.
    """
    if options.transform is not None:
        return (transform(options.transform),)
    asked = (options.required,) if options.candidates is None else (options.required, options.candidates)
    least = float(min([x, *(some[0] for some in asked if len(some))]))
    return TRANSFORMS["identity"], logarithm_for(least)


def from_moments(points: Points, fx: str, edges: FloatArray, options: Options) -> FitData:
    """Moments that were made elsewhere.

    Raises:
        InputError: a required knot divides moments.

    """
    dividing = options.required[~points.allowed(options.required)]
    if dividing.size:
        asked = "knots" if dividing[0] in options.knots else "through"
        raise InputError(
            f"{asked} holds {float(dividing[0])!r}, between two of the moments' candidates that have rows between "
            "them; make it a candidate when the moments are made"
        )
    return FitData(points, options, (transform(fx),), edges)
