"""The one list of teachers. A new one is a file with its ADAPTER, its name in the import and its place in the list."""

from __future__ import annotations

from typing import Any

from curvec.errors import UnsupportedError
from curvec.teachers import (
    catboost,
    curvec_model,
    ebm,
    function_of_rows,
    gradient_boosting,
    hist_gradient_boosting,
    isotonic,
    lightgbm,
    linear,
    optbinning,
    pygam,
    random_forest,
    relu_nets,
    scikit_learn,
    shape_table,
    statsmodels,
    structure,
    xgboost,
)
from curvec.teachers.parts.adapter import Adapter
from curvec.teachers.parts.files import Document
from curvec.teachers.parts.recognise import is_instance

ADAPTERS: tuple[Adapter, ...] = (
    ebm.ADAPTER,
    lightgbm.ADAPTER,
    xgboost.ADAPTER,
    gradient_boosting.ADAPTER,
    hist_gradient_boosting.ADAPTER,
    random_forest.ADAPTER,
    linear.ADAPTER,
    isotonic.ADAPTER,
    catboost.ADAPTER,
    pygam.ADAPTER,
    statsmodels.ADAPTER,
    optbinning.ADAPTER,
    relu_nets.ADAPTER,
    shape_table.ADAPTER,
    curvec_model.ADAPTER,
    structure.ADAPTER,
    scikit_learn.ADAPTER,
    function_of_rows.ADAPTER,
)
"""In order: the first that matches a teacher reads it."""


def adapter_of(teacher: Any) -> Adapter:
    """The adapter that knows this teacher.

    Raises:
        UnsupportedError: none does.

    """
    for adapter in ADAPTERS:
        if adapter.matches(teacher):
            return adapter
    if is_instance(teacher, "sklearn", "BaseSearchCV"):
        raise UnsupportedError(
            f"{type(teacher).__name__} has no best_estimator_; call fit, with refit=True, or where there are several "
            "metrics refit= one"
        )
    known = ", ".join(adapter.name for adapter in ADAPTERS)
    kind = type(teacher)
    what = teacher.origin if isinstance(teacher, Document) else f"{kind.__module__}.{kind.__qualname__}"
    raise UnsupportedError(
        f"no adapter knows {what}; known are {known}. "
        "Any other additive model can be passed as a function of rows that gives its raw score, with X and its link="
    )
