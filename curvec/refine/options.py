"""The options of ``refine``, checked before the work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from curvec.checks import check, check_choice, check_digits, check_flag, is_number, is_whole
from curvec.directions import WAYS
from curvec.distill import Distillation
from curvec.errors import InputError, shown, with_article
from curvec.model import CurveModel
from curvec.parameters.constraints import Bounds, Mono
from curvec.parameters.precision import Digits


class Options(msgspec.Struct, frozen=True):
    """The keywords of :func:`curvec.refine`, but for the loss and the queries."""

    ridge: float | None
    folds: int
    learned: bool
    mono: Mono
    y_bounds: Bounds | Literal["teacher"] | None
    digits: Digits
    max_seconds: float | None
    sample: float | None

    def __post_init__(self) -> None:
        """Check them.

        Raises:
            InputError: names the option and what it may be.

        """
        _check_numbers(self)
        check_flag("learned", self.learned)
        rule = "use 'keep', None, or a mapping of feature to direction"
        check("mono", self.mono, rule, holds=_is_mapping_or(self.mono, "keep"))
        rule = "use 'teacher', None, or a mapping of feature to (lowest, highest)"
        check("y_bounds", self.y_bounds, rule, holds=_is_mapping_or(self.y_bounds, "teacher"))
        check_digits(self.digits, or_auto=True)
        for feature, way in self.mono.items() if isinstance(self.mono, Mapping) else ():
            check_choice(f"mono[{shown(feature)}]", way, (*WAYS, None))
        for feature, bounds in self.bounds.items():
            if bounds is not None:
                _check_pair(f"y_bounds[{shown(feature)}]", bounds)

    @property
    def bounds(self) -> Bounds:
        """The bounds by feature; none where they are the teacher's."""
        return self.y_bounds if isinstance(self.y_bounds, Mapping) else {}


def check_model_or_distillation(model: Any) -> CurveModel | Distillation:
    """The model that was passed.

    Raises:
        InputError: it is neither a model nor what distill gave.

    """
    if not isinstance(model, (CurveModel, Distillation)):
        raise InputError(f"model is {with_article(type(model).__name__)}; pass a CurveModel, or what distill gave")
    return model


def _check_numbers(options: Options) -> None:
    ridge, sample, seconds = options.ridge, options.sample, options.max_seconds
    size = ridge is None or (is_number(ridge) and 0 <= ridge < math.inf)
    check("ridge", ridge, "a ridge is a finite number and not negative, or None", holds=size)
    check("folds", options.folds, "it must be a whole number", holds=is_whole(options.folds))
    share = sample is None or (is_number(sample) and 0 < sample <= 1)
    check("sample", sample, "it is a share of the rows above 0 and at most 1, or None", holds=share)
    allowed = seconds is None or (is_number(seconds) and seconds > 0)
    check("max_seconds", seconds, "it must be a number of seconds above zero, or None", holds=allowed)


def _check_pair(name: str, bounds: Any) -> None:
    rule = "use (lowest, highest), finite numbers of which either may be None"
    pair = isinstance(bounds, (tuple, list)) and len(bounds) == 2
    ends = [end for end in bounds if end is not None] if pair else []
    check(name, bounds, rule, holds=pair and all(is_number(end) and math.isfinite(end) for end in ends))
    check(name, bounds, "the lowest is above the highest", holds=ends == sorted(ends))


def _is_mapping_or(value: Any, word: str) -> bool:
    return value is None or isinstance(value, Mapping) or (isinstance(value, str) and value == word)
