"""scikit-learn's HistGradientBoostingClassifier and -Regressor with ``interaction_cst="no_interactions"``.

Left when x <= threshold, in doubles; missing goes where the node says, and an unknown category goes with it. The
attributes are private: each reading is compared with the estimator's own raw score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvec.conversion import is_missing
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, known_link
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.forest import (
    Branch,
    CategoryCodes,
    CategorySplit,
    Forest,
    NumericSplit,
    Tree,
    codes_in,
    forest_terms,
)
from curvec.teachers.parts.recognise import check_fitted, is_instance


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "sklearn", "HistGradientBoostingClassifier", "HistGradientBoostingRegressor")


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    check_fitted(teacher, fitted=hasattr(teacher, "_predictors"))
    classes = teacher.n_trees_per_iteration_
    chosen = options.chosen_class(classes)
    names = options.names(getattr(teacher, "feature_names_in_", None), teacher.n_features_in_, "x")
    order = _column_order(teacher)
    categories = _categories(teacher, names, order, options)
    predictors = [iteration[chosen] for iteration in teacher._predictors]  # noqa: SLF001  no public form holds the trees
    trees = [_tree(predictor, order, categories) for predictor in predictors]
    forest = Forest(names, trees, categories, 'interaction_cst="no_interactions"')
    terms, constant = forest_terms(forest)
    link = type(teacher._loss.link).__name__  # noqa: SLF001
    return AdditiveParts(
        features=forest.features,
        terms=terms,
        constant=float(teacher._baseline_prediction[0, chosen]) + constant,  # noqa: SLF001
        link="identity" if classes > 1 else known_link(link.removesuffix("Link"), f"the loss {teacher.loss!r}"),
        raw=lambda rows: np.asarray(teacher._raw_predict(rows))[:, chosen],  # noqa: SLF001
    )


def _column_order(teacher: Any) -> list[int]:
    """The input's column behind each column of the trees: categorical ones are moved to the front."""
    categorical = teacher.is_categorical_
    if categorical is None:
        return list(range(teacher.n_features_in_))
    return [*np.flatnonzero(categorical).tolist(), *np.flatnonzero(~categorical).tolist()]


def _categories(
    teacher: Any, names: Sequence[str], order: Sequence[int], options: TeacherOptions
) -> dict[int, CategoryCodes]:
    """The ordinal encoder's categories, without the missing one; a level that it does not know becomes missing."""
    if teacher.is_categorical_ is None:
        return {}
    encoder = teacher._preprocessor.named_transformers_["encoder"]  # noqa: SLF001
    categorical = order[: int(np.count_nonzero(teacher.is_categorical_))]
    result = {}
    for column, categories in zip(categorical, encoder.categories_, strict=True):
        present = [value for value in categories.tolist() if not is_missing(value)]
        keys = options.keys(present, names, column)
        result[column] = CategoryCodes({key: code for code, key in enumerate(keys)}, unseen=math.nan)
    return result


def _tree(predictor: Any, order: Sequence[int], categories: Mapping[int, CategoryCodes]) -> Tree:
    nodes, bitsets = predictor.nodes, predictor.raw_left_cat_bitsets

    def build(index: int) -> Tree:
        node = nodes[index]
        if node["is_leaf"]:
            return float(node["value"])
        column, missing_left = order[node["feature_idx"]], bool(node["missing_go_to_left"])
        split: NumericSplit | CategorySplit
        if node["is_categorical"]:
            left = codes_in(bitsets[node["bitset_idx"]].tolist())
            split = CategorySplit(left, frozenset(categories[column].codes.values()) - left, missing_left, missing_left)
        else:
            split = NumericSplit(float(np.nextafter(node["num_threshold"], np.inf)), missing_left)
        return Branch(column, split, build(int(node["left"])), build(int(node["right"])))

    return build(0)


ADAPTER = Adapter("scikit-learn HistGradientBoosting", _matches, _take_apart)
