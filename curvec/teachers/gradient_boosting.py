"""scikit-learn's GradientBoostingClassifier and -Regressor with ``max_depth=1``.

Left when float32(x) <= threshold, with the threshold in double; a missing x is an error there, and missing here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.errors import UnsupportedError
from curvec.ir import Feature
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.curves import without_missing
from curvec.teachers.parts.float32 import first_double_rounding_above
from curvec.teachers.parts.forest import Branch, Forest, NumericSplit, Tree, forest_terms
from curvec.teachers.parts.recognise import is_instance


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "sklearn", "GradientBoostingClassifier", "GradientBoostingRegressor")


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    if not hasattr(teacher, "estimators_"):
        raise UnsupportedError(f"{type(teacher).__name__} is not fitted; call fit first")
    classes = teacher.estimators_.shape[1]
    chosen = options.chosen_class(classes)
    names = options.names(getattr(teacher, "feature_names_in_", None), teacher.n_features_in_, "x")
    # The exponential loss has half the log-odds as its score.
    scale = 2.0 if teacher.loss == "exponential" else 1.0
    trees = [_tree(stage[chosen].tree_, scale * teacher.learning_rate) for stage in teacher.estimators_]
    terms, constant = forest_terms(Forest(names, trees, {}, "max_depth=1"))
    logit = is_instance(teacher, "sklearn", "GradientBoostingClassifier") and classes == 1
    return AdditiveParts(
        features=[Feature(name) for name in names],
        terms=[without_missing(term) for term in terms],
        constant=scale * _start(teacher, chosen) + constant,
        link="logit" if logit else "identity",
        raw=lambda rows: scale * _raw(teacher, rows)[:, chosen],
    )


def _raw(teacher: Any, rows: Any) -> npt.NDArray[np.float64]:
    scores = teacher.decision_function(rows) if hasattr(teacher, "decision_function") else teacher.predict(rows)
    array = np.asarray(scores, dtype=np.float64)
    return array[:, np.newaxis] if array.ndim == 1 else array


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


def _tree(tree: Any, scale: float) -> Tree:
    def build(node: int) -> Tree:
        if tree.children_left[node] == -1:
            return float(scale * tree.value[node, 0, 0])
        cut = first_double_rounding_above(float(tree.threshold[node]))
        left, right = build(tree.children_left[node]), build(tree.children_right[node])
        return Branch(int(tree.feature[node]), NumericSplit(cut, missing_left=False), left, right)

    return build(0)


ADAPTER = Adapter("scikit-learn GradientBoosting", _matches, _take_apart)
