"""scikit-learn's IsotonicRegression: a piecewise-linear curve of one feature."""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.errors import UnsupportedError
from curvec.ir import Feature, PWLCurve, Term
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.recognise import check_fitted, is_instance


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "sklearn", "IsotonicRegression")


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    check_fitted(teacher, fitted=hasattr(teacher, "X_thresholds_"))
    if teacher.out_of_bounds == "nan":
        raise UnsupportedError(
            "out_of_bounds='nan' gives NaN outside the training range, where a curve stays constant; use 'clip'"
        )
    (name,) = options.names(getattr(teacher, "feature_names_in_", None), 1, "x")
    x, y = teacher.X_thresholds_.tolist(), teacher.y_thresholds_.tolist()
    constant = len(set(y)) == 1
    terms: list[Term] = [] if constant else [PWLCurve(name, list(zip(x, y, strict=True)))]
    notes = []
    if teacher.out_of_bounds == "raise":
        notes.append("outside the training range the teacher raises an error; the model stays constant there")
    single = teacher.X_thresholds_.dtype == np.float32
    if single:
        notes.append("the teacher was fitted in single precision: it rounds x and its scores to float32")
    return AdditiveParts(
        features=[Feature(name)],
        terms=terms,
        constant=y[0] if constant else 0.0,
        raw=teacher.predict,
        tolerance=4e-6 if single else 1e-12,
        rounds_to_single=single,
        notes=notes,
    )


ADAPTER = Adapter("scikit-learn IsotonicRegression", _matches, _take_apart, frozenset({"feature_names"}))
