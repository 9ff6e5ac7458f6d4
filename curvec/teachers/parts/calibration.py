"""scikit-learn's CalibratedClassifierCV: log-odds that are a linear function of one classifier's raw score."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from curvec.errors import UnsupportedError, counted
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.recognise import check_fitted, is_instance
from curvec.transforms import FloatArray


class Calibrated(msgspec.Struct, frozen=True, eq=False):
    """Log-odds that are ``start + slope * raw score`` of the classifier inside."""

    whole: Any
    inside: Any
    start: float
    slope: float


def calibration_of(teacher: Any) -> Calibrated | None:
    """The calibration that a teacher is, or None.

    Raises:
        UnsupportedError: its probability is no such function of one classifier's raw score.

    """
    if not is_instance(teacher, "sklearn", "CalibratedClassifierCV"):
        return None
    check_fitted(teacher, fitted=hasattr(teacher, "calibrated_classifiers_"))
    members = teacher.calibrated_classifiers_
    if len(members) > 1:
        raise UnsupportedError(
            f"CalibratedClassifierCV averages the probabilities of {counted(len(members), 'classifier')}, which is no "
            "sum of curves; fit it with ensemble=False, or on a FrozenEstimator of the classifier"
        )
    inside, calibrators = members[0].estimator, members[0].calibrators
    sigmoid = len(calibrators) == 1 and all(hasattr(calibrators[0], name) for name in ("a_", "b_"))
    if not sigmoid or not hasattr(inside, "decision_function"):
        raise UnsupportedError(
            "CalibratedClassifierCV is read where its method is 'sigmoid', of two classes and of a classifier that has "
            "decision_function: another's log-odds are no line of a raw score; fit it with method='sigmoid'"
        )
    return Calibrated(teacher, inside, -float(calibrators[0].b_), -float(calibrators[0].a_))


def calibrated_parts(calibrated: Calibrated, parts: AdditiveParts) -> AdditiveParts:
    """The parts of the calibrated classifier: those of the classifier inside, which are changed in place."""
    parts.terms = [term.scaled(calibrated.slope) for term in parts.terms]
    parts.constant = calibrated.start + calibrated.slope * parts.constant
    parts.link = "logit"
    parts.pairs, parts.samples = [], []
    parts.tolerance = max(parts.tolerance, 1e-9)  # the log-odds are computed from rounded probabilities

    def raw(rows: Any) -> FloatArray:
        p = np.asarray(calibrated.whole.predict_proba(rows), dtype=np.float64)
        with np.errstate(divide="ignore"):
            return np.log(p[:, 1]) - np.log(p[:, 0])

    parts.raw = raw
    return parts
