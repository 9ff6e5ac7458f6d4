"""LightGBM: the live Booster or scikit-learn estimator, and the text file of ``save_model``.

Left when x <= threshold, in doubles. The intercept is in the first tree's leaves. A NaN is 0.0 unless the model was
trained with missing values; where ``zero_as_missing`` was set, |x| <= 1e-35 goes with the missing ones.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, UnsupportedError
from curvec.ir import Feature, Key
from curvec.teachers.categories import key_type
from curvec.teachers.files import Document
from curvec.teachers.forest import Branch, CategorySplit, Forest, NumericSplit, Tree, forest_terms, scaled_tree
from curvec.teachers.reading import Adapter, Options, Parts
from curvec.teachers.recognise import is_instance

__all__ = ["ADAPTER"]

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


@dataclass(frozen=True)
class _File:
    """The text of a model: its header, its trees, and pandas' categories."""

    header: Mapping[str, str]
    trees: Sequence[Mapping[str, str]]
    pandas_categories: Sequence[Sequence[Any]]


def _claims(teacher: Any) -> bool:
    if isinstance(teacher, Document):
        return (
            isinstance(teacher.content, str)
            and teacher.content.startswith(("tree\n", "tree\r\n"))
            and "\nTree=" in teacher.content
        )
    return is_instance(teacher, "lightgbm", "Booster", *_ESTIMATORS)


def _read(teacher: Any, options: Options) -> Parts:
    booster = None if isinstance(teacher, Document) else _booster(teacher)
    file = _parse(teacher.content if booster is None else booster.model_to_string())
    header = file.header
    classes = int(header["num_tree_per_iteration"])
    chosen = options.chosen_class(classes)
    link, scale = _objective(header.get("objective", ""))
    names = options.names(header["feature_names"].split(), int(header["max_feature_idx"]) + 1, "Column_")
    levels = _levels(file, names, options)
    trees = [_tree(tree, levels) for tree in file.trees[chosen::classes]]
    # The average that boosting=rf takes is not in its raw score, but in its prediction before the link.
    factor = scale / len(trees) if "average_output" in header else scale
    forest = Forest(
        names,
        [scaled_tree(tree, factor) for tree in trees],
        levels,
        "interaction_constraints or num_leaves=2",
        unseen=math.nan if file.pandas_categories else -1.0,
    )
    terms, constant = forest_terms(forest)
    return Parts(
        features=[Feature(name, key_type(levels[j]) if j in levels else "number") for j, name in enumerate(names)],
        terms=terms,
        constant=constant,
        link=link,
        raw=None if booster is None else lambda rows: factor * _raw(booster, rows, classes, chosen),
        notes=_notes(file),
    )


def _booster(teacher: Any) -> Any:
    if not is_instance(teacher, "lightgbm", *_ESTIMATORS):
        return teacher
    if not teacher.__sklearn_is_fitted__():
        raise UnsupportedError(f"{type(teacher).__name__} is not fitted; call fit first")
    return teacher.booster_


def _raw(booster: Any, rows: Any, classes: int, chosen: int) -> npt.NDArray[np.float64]:
    scores = np.asarray(booster.predict(rows, raw_score=True), dtype=np.float64)
    return scores.reshape(-1, classes)[:, chosen]


def _parse(text: str) -> _File:
    blocks = text.split("\nTree=")
    last, _, tail = blocks[-1].partition("end of trees")
    blocks[-1] = last
    pandas = [line.partition(":")[2] for line in tail.splitlines() if line.startswith("pandas_categorical:")]
    try:
        categories = json.loads(pandas[0]) if pandas else None
        return _File(_pairs(blocks[0]), [_pairs(block) for block in blocks[1:]], categories or [])
    except json.JSONDecodeError as error:
        raise InputError(f"the model's pandas_categorical is not JSON: {error}") from None


def _pairs(block: str) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition("=") for line in block.splitlines()) if key}


def _objective(text: str) -> tuple[str, float]:
    """The link, and the factor of the raw score that the objective's own sigmoid has.

    Raises:
        UnsupportedError: the objective is not known, or its prediction is no link of the raw score.

    """
    name, *parameters = text.split() or [""]
    given = dict(parameter.partition(":")[::2] for parameter in parameters)
    if "sqrt" in given:
        raise UnsupportedError("the model was trained with reg_sqrt: its prediction is a square of the sum of trees")
    link = next((link for link, objectives in _LINKS.items() if name in objectives), None)
    if link is None:
        if name:
            raise UnsupportedError(f"LightGBM's objective {name!r} has no link that a curve model has")
        link = "identity"  # a custom objective: LightGBM itself predicts the raw score
    return link, float(given.get("sigmoid", 1.0)) if name == "binary" else 1.0


def _notes(file: _File) -> list[str]:
    kinds = {int(kind) for tree in file.trees for kind in tree.get("decision_type", "").split()}
    if any(not kind & 1 and kind >> 2 & 3 == 0 for kind in kinds):
        return [
            "a missing value is scored as 0.0 by some splits: LightGBM saw none of their features missing in training"
        ]
    return []


def _levels(file: _File, names: Sequence[str], options: Options) -> dict[int, dict[Key, int]]:
    """Feature -> (level -> code): pandas' categories in their order; else the integers that were seen.

    Ordered categoricals are split as numbers, on their codes.
    """
    seen = file.header["feature_infos"].split()
    coded = {j: [int(code) for code in info.split(":")] for j, info in enumerate(seen) if info[0] not in "[n"}
    if not file.pandas_categories:
        return {j: {code: code for code in sorted(set(codes)) if code >= 0} for j, codes in coded.items()}
    columns = list(coded) if options.rows is None else options.rows.categorical(names)
    if len(columns) != len(file.pandas_categories):
        # A categorical column that is ordered, or has one value only, is not marked as one in the file.
        raise UnsupportedError(
            f"the model was trained on {len(file.pandas_categories)} pandas categoricals and the "
            f"{'file' if options.rows is None else 'data'} shows {len(columns)}; pass the frame that it scores as X"
        )
    return {
        j: {key: code for code, key in enumerate(options.keys(categories, names, j))}
        for j, categories in zip(columns, file.pandas_categories, strict=True)
    }


def _tree(tree: Mapping[str, str], levels: Mapping[int, Mapping[Key, int]]) -> Tree:
    if tree.get("is_linear", "0") != "0":
        raise UnsupportedError("the trees have linear leaves (linear_tree=True); train with linear_tree=False")
    leaves = [float(value) for value in tree["leaf_value"].split()]
    if tree["num_leaves"] == "1":
        return leaves[0]
    features, kinds = _ints(tree["split_feature"]), _ints(tree["decision_type"])
    thresholds = [float(value) for value in tree["threshold"].split()]
    left, right = _ints(tree["left_child"]), _ints(tree["right_child"])
    bounds, words = _ints(tree.get("cat_boundaries", "")), _ints(tree.get("cat_threshold", ""))

    def build(node: int) -> Tree:
        if node < 0:
            return leaves[~node]
        split: NumericSplit | CategorySplit
        if kinds[node] & 1:
            which = int(thresholds[node])
            codes = frozenset(_bits(words[bounds[which] : bounds[which + 1]]))
            split = CategorySplit(codes, frozenset(levels[features[node]].values()) - codes, False, False)  # noqa: FBT003
        else:
            split = _numeric(thresholds[node], kinds[node])
        return Branch(features[node], split, build(left[node]), build(right[node]))

    return build(0)


def _numeric(threshold: float, kind: int) -> NumericSplit:
    # LightGBM scores |x| <= 1e-35 as 0.0: a threshold in between is at the end of that interval.
    cut = (
        -_ZERO if -_ZERO <= threshold < 0 else math.nextafter(_ZERO if 0 <= threshold < _ZERO else threshold, math.inf)
    )
    default_left, missing_type = bool(kind & 2), kind >> 2 & 3
    if missing_type == 0:  # none was missing: NaN is 0.0
        return NumericSplit(cut, missing_left=cut > 0)
    return NumericSplit(cut, default_left, zero=_ZERO if missing_type == 1 else None)


def _ints(text: str) -> list[int]:
    return [int(value) for value in text.split()]


def _bits(words: Sequence[int]) -> list[int]:
    return [32 * i + bit for i, word in enumerate(words) for bit in range(32) if word >> bit & 1]


ADAPTER = Adapter("LightGBM", _claims, _read)
