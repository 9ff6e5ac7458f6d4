"""LightGBM: the live Booster or scikit-learn estimator, and the text file of ``save_model``.

Left when x <= threshold, in doubles. The intercept is in the first tree's leaves. A NaN is 0.0 unless the model was
trained with missing values; where ``zero_as_missing`` was set, |x| <= 1e-35 goes with the missing ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.errors import UnsupportedError
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, link_of
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.files import Document
from curvec.teachers.parts.forest import (
    Branch,
    CategoryCodes,
    CategorySplit,
    Forest,
    NumericSplit,
    Tree,
    forest_terms,
    scaled_tree,
)
from curvec.teachers.parts.lightgbm_text import LightGBMText, LightGBMTree, is_lightgbm_text, parse_lightgbm_text
from curvec.teachers.parts.recognise import check_fitted, is_instance

_ZERO = float(np.float32(1e-35))
_LINKS = {
    "logit": ("binary", "cross_entropy"),
    "log": ("poisson", "gamma", "tweedie"),
    "identity": (
        *("regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank", "rank_xendcg"),
        *("multiclass", "multiclassova"),
    ),
}
_ESTIMATORS = ("LGBMModel", "LGBMClassifier", "LGBMRegressor", "LGBMRanker")


def _matches(teacher: Any) -> bool:
    if isinstance(teacher, Document):
        return isinstance(teacher.content, str) and is_lightgbm_text(teacher.content)
    return is_instance(teacher, "lightgbm", "Booster", *_ESTIMATORS)


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    booster = None if isinstance(teacher, Document) else _booster(teacher)
    text = parse_lightgbm_text(teacher.content if booster is None else booster.model_to_string())
    classes = text.trees_per_iteration
    chosen = options.chosen_class(classes)
    link, scale = _objective(text.objective)
    names = options.names(text.feature_names, len(text.feature_names), "Column_")
    categories = _categories(text, names, options)
    trees = [_tree(tree, categories) for tree in text.trees[chosen::classes]]
    # boosting=rf averages its trees in the prediction, before the link; its raw score is their sum.
    factor = scale / len(trees) if text.averaged else scale
    scaled = [scaled_tree(tree, factor) for tree in trees]
    forest = Forest(names, scaled, categories, "interaction_constraints or num_leaves=2")
    terms, constant = forest_terms(forest)
    return AdditiveParts(
        features=forest.features,
        terms=terms,
        constant=constant,
        link=link,
        cuts_off_fractions=True,
        raw=None if booster is None else lambda rows: factor * _raw(booster, rows, classes, chosen),
        notes=_notes(text),
    )


def _booster(teacher: Any) -> Any:
    if not is_instance(teacher, "lightgbm", *_ESTIMATORS):
        return teacher
    check_fitted(teacher, fitted=teacher.__sklearn_is_fitted__())
    return teacher.booster_


def _raw(booster: Any, rows: Any, classes: int, chosen: int) -> npt.NDArray[np.float64]:
    scores = np.asarray(booster.predict(rows, raw_score=True), dtype=np.float64)
    return scores.reshape(-1, classes)[:, chosen]


def _objective(text: str) -> tuple[str, float]:
    """The link, and the factor of the raw score that the objective's own sigmoid has.

    Raises:
        UnsupportedError: the objective is not known, or its prediction is no link of the raw score.

    """
    name, *parameters = text.split() or [""]
    given = dict(parameter.partition(":")[::2] for parameter in parameters)
    if "sqrt" in given:
        raise UnsupportedError(
            "the model was trained with reg_sqrt: its prediction is a square of the sum of trees; train without it"
        )
    # Of a custom objective, without a name, LightGBM itself predicts the raw score.
    link = link_of(name, _LINKS, "LightGBM's objective") if name else "identity"
    return link, float(given.get("sigmoid", 1.0)) if name == "binary" else 1.0


def _notes(text: LightGBMText) -> list[str]:
    if any(not kind & 1 and kind >> 2 & 3 == 0 for tree in text.trees for kind in tree.decision):
        return [
            "a missing value is scored as 0.0 by some splits: LightGBM saw none of their features missing in training"
        ]
    return []


def _categories(text: LightGBMText, names: Sequence[str], options: TeacherOptions) -> dict[int, CategoryCodes]:
    """The levels of a frame's categorical columns, and the whole numbers of other categorical features.

    A level that is not the frame's becomes a missing code, another whole number is a code that no split names.
    """
    result = {
        j: CategoryCodes({code: code for code in sorted(set(codes))})
        for j, codes in enumerate(text.codes)
        if codes is not None
    }
    for j, levels in zip(_pandas_columns(text, names, options), text.pandas_categories, strict=True):
        keys = options.keys(levels, names, j)
        result[j] = CategoryCodes({key: code for code, key in enumerate(keys)}, unseen=math.nan)
    return result


def _pandas_columns(text: LightGBMText, names: Sequence[str], options: TeacherOptions) -> list[int]:
    """Which features were the frame's categorical columns: the text has their levels, but not their names.

    The text says of every feature which numbers it was seen with, and X what its columns hold. Where that leaves
    more than one way, nobody can know: a column may be categorical by ``categorical_feature`` and not in the frame,
    or in the frame and, being ordered, not marked.

    Raises:
        UnsupportedError: there are several ways, or none.

    """
    wanted, rows = text.pandas_categories, options.rows
    shown = [] if rows is None else [j for j, name in enumerate(names) if rows.is_categorical(name)]
    held = [None if rows is None or not wanted else rows.kind(names, j) for j in range(len(names))]

    def fits(index: int, levels: Sequence[Any]) -> bool:
        words = any(isinstance(level, str) for level in levels)
        alike = index in shown or (not shown and (held[index] is None or (held[index] == "str") == words))
        return alike and text.could_be_pandas(index, len(levels))

    needed = {*shown, *(j for j, kind in enumerate(held) if kind == "str")}
    ways = _assignments(len(names), needed, wanted, fits)
    if len(ways) == 1:
        return ways[0]
    seen = f"X shows {len(needed)}" if needed else f"{'they fit no columns' if not ways else 'several columns fit'}"
    raise UnsupportedError(
        f"the model was trained on a frame with {len(wanted)} categorical columns and its text does not name them; "
        f"{seen}. Pass the frame that the model scores as X, its categorical columns of a categorical type"
    )


def _assignments(
    count: int, needed: Collection[int], wanted: Sequence[Sequence[Any]], fits: Callable[[int, Sequence[Any]], bool]
) -> list[list[int]]:
    """At most two ways to give each list of levels a column of ``count``, in their order, with all that are needed."""
    # after[i]: the ways to place the levels from i on in the columns looked at so far, from the last to the first.
    after: list[list[list[int]]] = [[] for _ in wanted] + [[[]]]
    for column in reversed(range(count)):
        used = [[[column, *way] for way in after[i + 1]] if fits(column, wanted[i]) else [] for i in range(len(wanted))]
        left = [[] for _ in after] if column in needed else after
        after = [(taken + rest)[:2] for taken, rest in zip([*used, []], left, strict=True)]
    return after[0]


def _tree(tree: LightGBMTree, categories: Mapping[int, CategoryCodes]) -> Tree:
    def build(node: int) -> Tree:
        if node < 0:
            return tree.leaf_value[~node]
        column, split = tree.feature[node], _split(tree, node, categories)
        return Branch(column, split, build(tree.left[node]), build(tree.right[node]))

    return build(0) if tree.feature else tree.leaf_value[0]


def _split(tree: LightGBMTree, node: int, categories: Mapping[int, CategoryCodes]) -> NumericSplit | CategorySplit:
    if not tree.decision[node] & 1:
        return _numeric(tree.threshold[node], tree.decision[node])
    left = tree.categories[int(tree.threshold[node])]
    known = frozenset(categories[tree.feature[node]].codes.values())
    return CategorySplit(left, known - left, other_left=False, missing_left=False)


def _numeric(threshold: float, kind: int) -> NumericSplit:
    # LightGBM scores |x| <= 1e-35 as 0.0: a threshold in between is at the end of that interval.
    cut = (
        -_ZERO if -_ZERO <= threshold < 0 else math.nextafter(_ZERO if 0 <= threshold < _ZERO else threshold, math.inf)
    )
    default_left, missing_type = bool(kind & 2), kind >> 2 & 3
    if missing_type == 0:  # none was missing: NaN is 0.0
        return NumericSplit(cut, missing_left=cut > 0)
    return NumericSplit(cut, default_left, zero=_ZERO if missing_type == 1 else None)


ADAPTER = Adapter("LightGBM", _matches, _take_apart)
