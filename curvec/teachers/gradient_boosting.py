"""scikit-learn's GradientBoostingClassifier and -Regressor with ``max_depth=1``.

Left when float32(x) <= threshold, with the threshold in double; a missing x is an error there, and missing here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.errors import UnsupportedError
from curvec.ir import Feature
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, class_scores
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.curves import without_missing
from curvec.teachers.parts.forest import Forest, forest_terms
from curvec.teachers.parts.recognise import check_fitted, is_instance
from curvec.teachers.parts.sklearn_tree import sklearn_tree
from curvec.transforms import FloatArray


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "sklearn", "GradientBoostingClassifier", "GradientBoostingRegressor")


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    check_fitted(teacher, fitted=hasattr(teacher, "estimators_"))
    classes = teacher.estimators_.shape[1]
    chosen = options.chosen_class(classes)
    names = options.names(getattr(teacher, "feature_names_in_", None), teacher.n_features_in_, "x")
    # The exponential loss has half the log-odds as its score.
    scale = 2.0 if teacher.loss == "exponential" else 1.0
    rate = scale * teacher.learning_rate
    trees = [sklearn_tree(one.tree_, rate * one.tree_.value[:, 0, 0]) for one in teacher.estimators_[:, chosen]]
    terms, constant = forest_terms(Forest(names, trees, {}, "max_depth=1"))
    logit = is_instance(teacher, "sklearn", "GradientBoostingClassifier") and classes == 1
    return AdditiveParts(
        features=[Feature(name) for name in names],
        terms=[without_missing(term) for term in terms],
        constant=scale * _start(teacher, chosen) + constant,
        link="logit" if logit else "identity",
        raw=lambda rows: scale * _raw(teacher, rows, chosen),
    )


def _raw(teacher: Any, rows: Any, chosen: int) -> FloatArray:
    scores = teacher.decision_function(rows) if hasattr(teacher, "decision_function") else teacher.predict(rows)
    return class_scores(scores, chosen)


def _start(teacher: Any, chosen: int) -> float:
    """Where the sum of trees starts: the same for every row, or the model is not a sum of curves."""
    init = teacher.init_
    if init != "zero" and not is_instance(init, "sklearn", "DummyClassifier", "DummyRegressor"):
        raise UnsupportedError(f"init={type(init).__name__} is a model of its own; train with init=None or 'zero'")
    if getattr(init, "strategy", None) in ("stratified", "uniform"):
        raise UnsupportedError(
            f"init=DummyClassifier(strategy={init.strategy!r}) starts each row at random, so that the teacher has no "
            "score of its own; train with init=None"
        )
    row = np.zeros((1, teacher.n_features_in_), dtype=np.float32)
    return float(teacher._raw_predict_init(row)[0, chosen])  # noqa: SLF001  no public form


ADAPTER = Adapter("scikit-learn GradientBoosting", _matches, _take_apart)
