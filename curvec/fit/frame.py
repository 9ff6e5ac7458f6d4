"""One transform: problems on any candidates, made from the same data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from curvec._core import Frame as Core
from curvec.condense import CODES, Points
from curvec.errors import InputError
from curvec.fit.candidates import round_significant
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
        points, shape, options = self.points, self.shape, self.options
        knots = options.knots if self.digits is None else round_significant(options.knots, self.digits)
        # Closer than this no finite slope joins two knots.
        closest = (points.y_range[1] - points.y_range[0]) * 1e-300
        return Core(
            points.sample(self.fx), CODES.get(self.fx.name, self.fx.forward), self.fx.lower, closest, self.digits or 0,
            shape.slopes, shape.y_bounds, shape.turn or "", knots, options.learn_ends,
            None if points.parts is None else points.last,
            partial(search_bent, shape) if shape.curvature is not None else None,
        )  # fmt: skip

    def check(self) -> None:
        """Every required knot must fit.

        Raises:
            InputError: there are more than a curve of so many segments has.

        """
        options = self.options
        if options.learn_ends and not len(options.knots):
            return
        required = len(self.problem().core.required)
        if required > options.most + 1:
            raise InputError(
                f"{required} knots are required (ends that are not learnt count), but a curve of "
                f"{options.most} segments has {options.most + 1}; ask for more segments"
            )

    def problem(self) -> Problem:
        """The problem on the candidates that the options ask for."""
        return Problem(self.core.problem(self.x), self.fx, self.shape)

    def refined(self, base: Problem, best: Best, deadline: float) -> tuple[Problem, Best]:
        """The best curve on the candidates of ``base`` and finer ones around good knots.

        It is never worse than the best on the candidates of ``base``.
        """
        core, found = self.core.refined(base.core, best[1:], best.num_segments, seconds_left(deadline))
        return Problem(core, self.fx, self.shape), Best(best.num_segments, *found)
