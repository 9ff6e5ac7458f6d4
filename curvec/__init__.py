"""curvec: a compiler for curve models. Interpretable models become short code that people review and machines run."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

try:
    from curvec import _core as _core
except ImportError as error:
    if "main interpreter" in str(error):
        raise
    message = (
        f"curvec._core, the compiled core, cannot be imported ({error}). "
        "In a checkout run 'pip install -e .' first; else reinstall with 'pip install --force-reinstall curvec'."
    )
    raise ImportError(message) from error

from curvec.distill import Distillation, distill
from curvec.emit import emit
from curvec.errors import (
    CurvecError,
    FitError,
    InputError,
    MissingDependencyError,
    ParityError,
    UnsupportedError,
)
from curvec.fit import Fit, Moments, fit_pwl
from curvec.includes import get_include
from curvec.ir import EnumCurve, Feature, Line, Product, PWLCurve, StepCurve, Sum
from curvec.load import load
from curvec.model import CurveModel
from curvec.refine import Refinement, refine
from curvec.review.pictures import plot
from curvec.review.plot import plot_worst
from curvec.teachers import read_teacher

if TYPE_CHECKING:
    from curvec import duckdb as duckdb
    from curvec import parity as parity
    from curvec import review as review
    from curvec import sklearn as sklearn
    from curvec import spark as spark
    from curvec.sklearn import CurveClassifier as CurveClassifier
    from curvec.sklearn import CurveRegressor as CurveRegressor

    __version__: str

_LATER = {"duckdb", "parity", "review", "sklearn", "spark"}
_ESTIMATORS = {"CurveClassifier", "CurveRegressor"}  # they need an extra, so they are imported when first used

__all__ = [
    "CurveModel",
    "CurvecError",
    "Distillation",
    "EnumCurve",
    "Feature",
    "Fit",
    "FitError",
    "InputError",
    "Line",
    "MissingDependencyError",
    "Moments",
    "PWLCurve",
    "ParityError",
    "Product",
    "Refinement",
    "StepCurve",
    "Sum",
    "UnsupportedError",
    "distill",
    "emit",
    "fit_pwl",
    "get_include",
    "load",
    "plot",
    "plot_worst",
    "read_teacher",
    "refine",
]


if not TYPE_CHECKING:  # a checker would take any name for one that is there

    def __getattr__(name: str) -> object:
        if name in _ESTIMATORS:
            return getattr(import_module("curvec.sklearn"), name)
        if name == "__version__":
            return import_module("importlib.metadata").version("curvec")
        if name in _LATER:
            return import_module(f"curvec.{name}")
        raise AttributeError(f"module 'curvec' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_ESTIMATORS, *_LATER})
