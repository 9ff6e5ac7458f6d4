"""The options of ``refine``, checked before the work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from curvec.checks import check, check_digits, check_flag, is_number, is_whole
from curvec.distill import Distillation
from curvec.errors import InputError, with_article
from curvec.model import CurveModel

__all__ = ["check_options"]


def check_options(
    model: Any,
    *,
    ridge: Any,
    folds: Any,
    learned: Any,
    mono: Any,
    y_bounds: Any,
    digits: Any,
    max_seconds: Any,
    sample: Any,
) -> CurveModel | Distillation:
    """Check the options, and return the model that was passed.

    Raises:
        InputError: names the option and what it may be.

    """
    if not isinstance(model, (CurveModel, Distillation)):
        raise InputError(f"model is {with_article(type(model).__name__)}; pass a CurveModel, or what distill gave")
    size = ridge is None or (is_number(ridge) and 0 <= ridge < math.inf)
    check("ridge", ridge, "a ridge is a finite number and not negative, or None", holds=size)
    check("folds", folds, "it must be a whole number", holds=is_whole(folds))
    share = sample is None or (is_number(sample) and 0 < sample <= 1)
    check("sample", sample, "it is a share of the rows above 0 and at most 1, or None", holds=share)
    check_flag("learned", learned)
    rule = "use 'keep', None, or a mapping of feature to direction"
    check("mono", mono, rule, holds=_is_mapping_or(mono, "keep"))
    rule = "use 'teacher', None, or a mapping of feature to (lowest, highest)"
    check("y_bounds", y_bounds, rule, holds=_is_mapping_or(y_bounds, "teacher"))
    allowed = max_seconds is None or (is_number(max_seconds) and max_seconds > 0)
    check("max_seconds", max_seconds, "it must be a number of seconds above zero, or None", holds=allowed)
    if digits != "auto":
        check_digits(digits)
    return model


def _is_mapping_or(value: Any, word: str) -> bool:
    return value is None or isinstance(value, Mapping) or (isinstance(value, str) and value == word)
