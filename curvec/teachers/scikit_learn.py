"""Any other classifier or regressor of scikit-learn, or pipeline with one at its end, read from its scores on X.

A pipeline of trees after encoders, naive Bayes or a stack of additive models is a sum of functions of one column, too;
what is not is refused by the test of :mod:`curvec.teachers.function_of_rows`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from curvec.errors import UnsupportedError, with_article
from curvec.teachers.function_of_rows import estimator_from_scores
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, class_scores
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.recognise import check_fitted, is_instance
from curvec.transforms import FloatArray

_LOG_LINK = ("PoissonRegressor", "GammaRegressor", "TweedieRegressor")


def _matches(teacher: Any) -> bool:
    predicts = hasattr(teacher, "predict") or hasattr(teacher, "predict_proba")
    return predicts and is_instance(teacher, "sklearn", "ClassifierMixin", "RegressorMixin", "Pipeline")


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    kind = type(teacher).__name__
    check_fitted(teacher, fitted=hasattr(teacher, "n_features_in_"))
    if options.rows is None:
        last = f" that ends in {with_article(type(teacher[-1]).__name__)}" if hasattr(teacher, "steps") else ""
        raise UnsupportedError(f"{with_article(kind)}{last} is read from its scores: pass X, the rows to score")
    score, link = _score(teacher, options)
    try:
        return estimator_from_scores(score, teacher, options, link)
    except UnsupportedError as error:
        raise UnsupportedError(f"{with_article(kind)} is read from its scores, and {error}") from None


def _score(teacher: Any, options: TeacherOptions) -> tuple[Callable[[Any], FloatArray], str]:
    """The raw score of rows, and its link."""
    last = teacher[-1] if hasattr(teacher, "steps") else teacher
    loss, classes = getattr(last, "loss", None), len(getattr(last, "classes_", ()))
    chosen = options.chosen_class(max(classes, 1) if classes != 2 else 1)
    if hasattr(teacher, "decision_function"):
        factor = 2.0 if loss == "exponential" else 1.0  # of this loss it is half of the log-odds
        link = "logit" if classes == 2 and hasattr(teacher, "predict_proba") else "identity"
        return lambda rows: factor * class_scores(teacher.decision_function(rows), chosen), link
    if type(last).__module__.startswith("sklearn.naive_bayes") and classes == 2:
        return lambda rows: np.diff(teacher.predict_log_proba(rows), axis=1)[:, 0], "logit"
    if hasattr(teacher, "predict_proba"):
        return lambda rows: class_scores(teacher.predict_proba(rows), 1 if classes == 2 else chosen), "identity"
    of_target = is_instance(last, "sklearn", "TransformedTargetRegressor") and last.inverse_func is np.exp
    if of_target or type(last).__name__ in _LOG_LINK or loss in ("poisson", "gamma"):
        return lambda rows: np.log(teacher.predict(rows)), "log"
    return teacher.predict, "identity"


ADAPTER = Adapter("other scikit-learn models, from their scores", _matches, _take_apart)
