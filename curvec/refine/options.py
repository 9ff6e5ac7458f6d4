"""What a caller of ``refine`` passes, checked before the work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from curvec.distill import Distillation
from curvec.errors import InputError
from curvec.model import CurveModel

__all__ = ["check"]


def check(
    model: Any, *, ridge: Any, folds: Any, learned: Any, mono: Any, y_bounds: Any, digits: Any
) -> CurveModel | Distillation:
    """Refuse what is none of an option's values; the model is given back.

    Raises:
        InputError: names the option and what it may be.

    """
    if not isinstance(model, (CurveModel, Distillation)):
        raise InputError(f"model is a {type(model).__name__}; pass a CurveModel, or what distill gave")
    if ridge is not None and not (_is_number(ridge) and 0 <= ridge < math.inf):
        raise InputError(f"ridge={ridge!r}; a ridge is a finite number and not negative, or None")
    if not _is_whole(folds):
        raise InputError(f"folds={folds!r}; it must be a whole number")
    if not isinstance(learned, (bool, np.bool_)):
        raise InputError(f"learned={learned!r}; use True or False")
    if not (mono is None or isinstance(mono, Mapping) or (isinstance(mono, str) and mono == "keep")):
        raise InputError(f"mono={mono!r}; use 'keep', None, or a mapping of feature to direction")
    if not (y_bounds is None or isinstance(y_bounds, Mapping) or (isinstance(y_bounds, str) and y_bounds == "teacher")):
        raise InputError(f"y_bounds={y_bounds!r}; use 'teacher', None, or a mapping of feature to (lowest, highest)")
    if digits is not None and not (_is_whole(digits) and 1 <= digits <= 17):
        raise InputError(f"digits={digits!r}; use 1 to 17 significant digits, or None for all of them")
    return model


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
