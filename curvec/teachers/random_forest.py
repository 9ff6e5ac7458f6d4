"""scikit-learn's random forests and extra trees of one feature a tree (``max_depth=1``), and AdaBoost of such trees.

Left when float32(x) <= threshold, with the threshold in double; a missing x goes where the split says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.errors import UnsupportedError
from curvec.ir import Feature
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.curves import without_missing
from curvec.teachers.parts.forest import Forest, Tree, forest_terms
from curvec.teachers.parts.recognise import check_fitted, is_instance
from curvec.teachers.parts.sklearn_tree import sklearn_tree
from curvec.transforms import FloatArray

_REGRESSORS = ("RandomForestRegressor", "ExtraTreesRegressor")
_CLASSIFIERS = ("RandomForestClassifier", "ExtraTreesClassifier")
_BOOSTED = "AdaBoostClassifier"


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "sklearn", *_REGRESSORS, *_CLASSIFIERS, _BOOSTED)


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    check_fitted(teacher, fitted=hasattr(teacher, "estimators_"))
    boosted = is_instance(teacher, "sklearn", _BOOSTED)
    trees, note = _boosted_trees(teacher, options) if boosted else _averaged_trees(teacher, options)
    names = options.names(getattr(teacher, "feature_names_in_", None), teacher.n_features_in_, "x")
    terms, constant = forest_terms(Forest(names, trees, {}, "max_depth=1"))
    return AdditiveParts(
        features=[Feature(name) for name in names],
        terms=[without_missing(term) for term in terms] if boosted else terms,  # AdaBoost takes no missing x
        constant=constant,
        link="logit" if boosted else "identity",
        raw=lambda rows: _raw(teacher, rows, options),
        notes=[note] if note else [],
    )


def _raw(teacher: Any, rows: Any, options: TeacherOptions) -> FloatArray:
    if is_instance(teacher, "sklearn", _BOOSTED):
        return np.asarray(teacher.decision_function(rows), dtype=np.float64)
    if is_instance(teacher, "sklearn", *_REGRESSORS):
        return np.asarray(teacher.predict(rows), dtype=np.float64)
    return np.asarray(teacher.predict_proba(rows), dtype=np.float64)[:, _class(teacher, options)]


def _class(teacher: Any, options: TeacherOptions) -> int:
    """The class whose share is the score: of two the second, if nothing else is asked for."""
    if teacher.n_classes_ == 2 and options.class_index is None:
        return 1
    return options.chosen_class(int(teacher.n_classes_))


def _averaged_trees(teacher: Any, options: TeacherOptions) -> tuple[list[Tree], str]:
    if teacher.n_outputs_ > 1:
        raise UnsupportedError(f"the forest has {teacher.n_outputs_} outputs and a curve model has one score")
    share = 1.0 / len(teacher.estimators_)
    if is_instance(teacher, "sklearn", *_REGRESSORS):
        return [sklearn_tree(tree.tree_, tree.tree_.value[:, 0, 0] * share) for tree in teacher.estimators_], ""
    chosen = _class(teacher, options)
    trees = [sklearn_tree(tree.tree_, tree.tree_.value[:, 0, chosen] * share) for tree in teacher.estimators_]
    return trees, "the score is the trees' mean share of the class, a probability as it is: link identity"


def _boosted_trees(teacher: Any, options: TeacherOptions) -> tuple[list[Tree], str]:
    """Each tree's vote for one of two classes, by its weight: twice, as decision_function counts for and against."""
    if teacher.n_classes_ != 2:
        raise UnsupportedError(f"AdaBoost of {teacher.n_classes_} classes has a score for each; a curve model has one")
    options.chosen_class(1)
    weights = teacher.estimator_weights_[: len(teacher.estimators_)]
    trees = []
    for estimator, weight in zip(teacher.estimators_, (2.0 * weights / weights.sum()).tolist(), strict=True):
        if not is_instance(estimator, "sklearn", "DecisionTreeClassifier"):
            raise UnsupportedError(
                f"AdaBoost of {type(estimator).__name__}s is no sum of curves; boost trees of max_depth=1"
            )
        votes = estimator.classes_[estimator.tree_.value[:, 0, :].argmax(axis=1)]
        trees.append(sklearn_tree(estimator.tree_, np.where(votes == teacher.classes_[1], weight, -weight)))
    return trees, ""


ADAPTER = Adapter("scikit-learn random forest and AdaBoost", _matches, _take_apart)
