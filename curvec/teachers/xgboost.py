"""XGBoost: the live Booster or scikit-learn estimator, and the JSON or UBJSON file of ``save_model``.

Left when float32(x) < threshold: the cut is the double where that changes. XGBoost adds the trees in float32, a curve
model in double, so raw scores agree to float32.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, UnsupportedError, counted, shown
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, link_of
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.files import Document
from curvec.teachers.parts.float32 import first_double_rounding_above, first_double_rounding_to
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
from curvec.teachers.parts.recognise import check_fitted, is_instance

_LINKS = {
    "logit": ("binary:logistic", "reg:logistic"),
    "log": ("count:poisson", "reg:gamma", "reg:tweedie"),
    "identity": (
        *("reg:squarederror", "reg:squaredlogerror", "reg:absoluteerror", "reg:pseudohubererror", "reg:quantileerror"),
        *("binary:logitraw", "multi:softmax", "multi:softprob", "rank:pairwise", "rank:ndcg", "rank:map"),
    ),
}
_MOST_CODES = 2**24
"""Codes are stored as float32, which is exact up to there."""
_ESTIMATORS = ("XGBModel", "XGBClassifier", "XGBRegressor", "XGBRanker")


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "xgboost", "Booster", *_ESTIMATORS) or (
        isinstance(teacher, Document) and teacher.has("learner", "version")
    )


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    live = not isinstance(teacher, Document)
    wrapped = live and is_instance(teacher, "xgboost", *_ESTIMATORS)
    content = _content(teacher, wrapped=wrapped) if live else teacher.content
    learner = content["learner"]
    link = link_of(learner["objective"]["name"], _LINKS, "XGBoost's objective")
    classes = max(1, int(learner["learner_model_param"]["num_class"]))
    if int(learner["learner_model_param"].get("num_target", "1")) > 1:
        raise UnsupportedError(
            "the model has several targets and a curve model has one; train one model for each target"
        )
    chosen = options.chosen_class(classes)
    count = int(learner["learner_model_param"]["num_feature"])
    names = options.names(learner.get("feature_names") or None, count, "f")
    categories = _category_codes(learner, names, options)
    notes: list[str] = []
    cut_off = wrapped or "scikit_learn" in learner.get("attributes", {})
    trees = _trees(learner, chosen, categories, notes, cut_off=cut_off)
    missing = _missing_number(teacher, options) if wrapped else options.missing
    forest = Forest(names, trees, categories, "interaction_constraints or max_depth=1", missing=_missing(missing))
    terms, constant = forest_terms(forest)
    start = _intercept(content, link, chosen)
    return AdditiveParts(
        features=forest.features,
        terms=terms,
        constant=start + constant,
        start=abs(start),
        link=link,
        cuts_off_fractions=True,
        raw=(lambda rows: _raw(teacher, rows, missing, classes, chosen)) if live else None,
        tolerance=4e-6,
        notes=notes,
    )


def _content(teacher: Any, *, wrapped: bool) -> Any:
    check_fitted(teacher, fitted=not wrapped or teacher.__sklearn_is_fitted__())
    booster = teacher.get_booster() if wrapped else teacher
    return json.loads(booster.save_raw("json"))


def _missing_number(teacher: Any, options: TeacherOptions) -> float:
    own = float(teacher.missing)
    if options.missing not in (None, own):
        raise InputError(f"missing={options.missing:g}; the estimator was trained with missing={own:g}, leave it out")
    return own


def _missing(value: float | None) -> tuple[float, float] | None:
    """The interval of doubles that are taken for missing because they round to this float32."""
    if value is None or value != value:  # noqa: PLR0124  NaN is missing anyhow
        return None
    nearest = float(np.float32(value))
    return first_double_rounding_to(nearest), first_double_rounding_above(nearest)


def _raw(teacher: Any, rows: Any, missing: float | None, classes: int, chosen: int) -> npt.NDArray[Any]:
    if is_instance(teacher, "xgboost", "Booster"):
        # The library of a live Booster is loaded already; a DMatrix is the only thing that a Booster scores.
        make = sys.modules["xgboost"].DMatrix
        data = make(rows, missing=np.nan if missing is None else missing, enable_categorical=True)
        scores = teacher.predict(data, output_margin=True)
    else:
        scores = teacher.predict(rows, output_margin=True)
    return np.asarray(scores).reshape(-1, classes)[:, chosen]


def _intercept(content: Mapping[str, Any], link: str, chosen: int) -> float:
    """base_score, which is kept as a mean: a list since 3.1, and one number before.

    Since 3.2 a probability is taken for at least 1e-6 and at most 1 - 1e-6, as it is 0 or 1 where all labels are one.

    Raises:
        UnsupportedError: the mean has no finite margin, so that the teacher has no finite score.

    """
    text = content["learner"]["learner_model_param"]["base_score"]
    values = np.asarray(json.loads(text) if text.startswith("[") else [float(text)], dtype=np.float32)
    mean = values[chosen if values.size > 1 else 0]
    if link == "identity":
        return float(mean)
    one, least = np.float32(1), np.float32(1e-6)
    if link == "logit" and list(content["version"]) >= [3, 2]:
        mean = min(max(mean, least), one - least)
    if not 0 < mean < (1 if link == "logit" else np.inf):
        raise UnsupportedError(
            f"the base_score is {float(mean):g}, whose {link} is not finite, as where all labels were one value; train "
            "on labels that differ, or give XGBoost another base_score"
        )
    return float(np.log(mean)) if link == "log" else float(-np.log(one / mean - one))


def _booster(learner: Mapping[str, Any]) -> Mapping[str, Any]:
    booster = learner["gradient_booster"]
    if booster["name"] == "gblinear":
        raise UnsupportedError("booster=gblinear is a linear model without trees; use scikit-learn's linear models")
    model: Mapping[str, Any] = booster.get("gbtree", booster)["model"]
    return model


def _trees(
    learner: Mapping[str, Any], chosen: int, categories: Mapping[int, CategoryCodes], notes: list[str], *, cut_off: bool
) -> list[Tree]:
    model = _booster(learner)
    trees, groups = model["trees"], model["tree_info"]
    drop = learner["gradient_booster"].get("weight_drop") or [1.0] * len(trees)
    count = int(model["gbtree_model_param"]["num_trees"])
    classes = max(1, int(learner["learner_model_param"]["num_class"]))
    if {len(trees), len(groups), len(drop)} != {count}:
        raise InputError(
            f"num_trees is {count}, and the file holds {counted(len(trees), 'tree')}, {len(groups)} with a class"
        )
    if wrong := [group for group in groups if group not in range(classes)]:
        raise InputError(f"a tree belongs to class {shown(wrong[0])}, and the classes are 0 to {classes - 1}")
    end = len(trees)
    if "best_iteration" in learner.get("attributes", {}):
        best = int(learner["attributes"]["best_iteration"])
        if cut_off:
            end = _trees_until(model, best, learner)
        notes.append(
            f"training stopped early at iteration {best}; "
            + (
                f"{end} trees are used, as the scikit-learn estimator does"
                if cut_off
                else "all trees are used, as a Booster does"
            )
        )
    features = int(learner["learner_model_param"]["num_feature"])
    return [
        scaled_tree(_tree(number, tree, features, categories), float(np.float32(weight)))
        for number, (tree, group, weight) in enumerate(zip(trees[:end], groups[:end], drop[:end], strict=True))
        if group == chosen
    ]


def _trees_until(model: Mapping[str, Any], iteration: int, learner: Mapping[str, Any]) -> int:
    """How many trees there are up to and with this iteration (files before 2.0 have no index of them)."""
    if "iteration_indptr" in model:
        return int(model["iteration_indptr"][iteration + 1])
    parallel = max(1, int(model["gbtree_model_param"]["num_parallel_tree"]))
    return (iteration + 1) * parallel * max(1, int(learner["learner_model_param"]["num_class"]))


def _tree(number: int, tree: Mapping[str, Any], count: int, categories: Mapping[int, CategoryCodes]) -> Tree:
    if int(tree["tree_param"].get("size_leaf_vector", "1") or 1) > 1:
        raise UnsupportedError("the trees have vector leaves (multi_output_tree); train with one_output_per_tree")
    _check_tree(number, tree, count)
    left, right, features = tree["left_children"], tree["right_children"], tree["split_indices"]
    # A float32 written in decimal: rounding it to float32 gives the library's own number back.
    values = [float(np.float32(value)) for value in tree["split_conditions"]]
    named = {node: frozenset(codes) for node, codes in _sets(tree)}

    def build(node: int) -> Tree:
        if left[node] == -1:
            return values[node]
        missing_left = bool(tree["default_left"][node])
        split: NumericSplit | CategorySplit
        if node in named:
            known = frozenset(categories[features[node]].codes.values())
            split = CategorySplit(known - named[node], named[node], other_left=True, missing_left=missing_left)
        else:
            split = NumericSplit(first_double_rounding_to(values[node]), missing_left)
        return Branch(features[node], split, build(left[node]), build(right[node]))

    return build(0)


def _check_tree(number: int, tree: Mapping[str, Any], features: int) -> None:
    """Refuse a tree whose lists do not go together.

    Raises:
        InputError: the message says what is wrong with which tree.

    """
    nodes = int(tree["tree_param"]["num_nodes"])
    lists = ("left_children", "right_children", "split_indices", "split_conditions", "default_left")
    if wrong := [name for name in lists if len(tree[name]) != nodes]:
        raise InputError(f"tree {number} has {counted(nodes, 'node')} and in {wrong[0]} {len(tree[wrong[0]])}")
    inner = [node for node in range(nodes) if tree["left_children"][node] != -1]
    children = sorted(tree[side][node] for node in inner for side in ("left_children", "right_children"))
    if children != list(range(1, nodes)):
        raise InputError(f"tree {number}: its children are not each node but the first once")
    if not all(0 <= tree["split_indices"][node] < features for node in inner):
        raise InputError(f"tree {number} splits on a feature beyond num_feature")
    if not all(flag in (0, 1) for flag in tree["default_left"]):
        raise InputError(f"tree {number} has an entry in default_left that is neither 0 nor 1")
    if not all(math.isfinite(value) for value in tree["split_conditions"]):
        raise InputError(f"tree {number} has a threshold or a leaf that is not finite")
    if tree.get("split_type"):
        by_category = [node for node in inner if tree["split_type"][node] == 1]
        if by_category != sorted(node for node, _ in _sets(tree)):
            raise InputError(f"tree {number}: its splits by category and its sets of categories differ")


def _sets(tree: Mapping[str, Any]) -> list[tuple[int, list[int]]]:
    """The nodes that split by category, and the codes that go right there."""
    places = (tree.get(f"categories_{part}") or () for part in ("nodes", "segments", "sizes"))
    result = [(node, tree["categories"][start : start + size]) for node, start, size in zip(*places, strict=True)]
    if sum(len(codes) for _, codes in result) != sum(tree.get("categories_sizes") or ()):
        raise InputError("a tree's sets of categories are not as long as it says")
    if wrong := [
        code for _, codes in result for code in codes if not isinstance(code, int) or not 0 <= code < _MOST_CODES
    ]:
        raise InputError(f"a tree splits on the category {shown(wrong[0])}; a code is a whole number from 0 to 2^24")
    return result


def _category_codes(
    learner: Mapping[str, Any], names: Sequence[str], options: TeacherOptions
) -> dict[int, CategoryCodes]:
    """The frame's categories that the file keeps, else the codes that splits name.

    XGBoost refuses a category that is not the frame's, or (XGBoost 3, where it sorts before the last) takes it for the
    next one: such a score is missing. A code that no split names is as good as any.
    """
    kinds = learner.get("feature_types") or []
    columns = [j for j, kind in enumerate(kinds) if kind == "c"]
    model = _booster(learner)
    kept, sizes = _kept_categories(model, len(names))
    named: dict[int, set[int]] = {j: set() for j in columns}
    for tree in model["trees"]:
        for node, chosen in _sets(tree):
            named.setdefault(tree["split_indices"][node], set()).update(chosen)
    result: dict[int, CategoryCodes] = {}
    for j, codes in named.items():
        categories = _categories(kept[j], names[j], options) if kept else None
        if categories:
            if len(categories) != sizes[j]:
                raise InputError(
                    f"{names[j]!r} has {counted(len(categories), 'category', 'categories')}, "
                    f"and by feature_segments {sizes[j]}"
                )
            if codes and max(codes) >= len(categories):
                raise InputError(f"a tree splits on category {max(codes)} of {names[j]!r}, which has {len(categories)}")
            keys = options.keys(categories, names, j)
            result[j] = CategoryCodes({key: code for code, key in enumerate(keys)}, unseen=None)
        elif codes:
            result[j] = CategoryCodes({code: code for code in sorted(codes)})
    return result


def _kept_categories(model: Mapping[str, Any], features: int) -> tuple[list[Any], list[int]]:
    """The categories of each feature as the file keeps them (none before version 3.1), and how many they are."""
    if "cats" not in model:
        return [], []
    kept, starts = list(model["cats"]["enc"]), [int(start) for start in model["cats"]["feature_segments"]]
    if (len(kept), len(starts)) not in ((0, 0), (features, features + 1)):
        raise InputError(
            f"the categories are kept of {counted(len(kept), 'feature')}, "
            f"and the model has {counted(features, 'feature')}"
        )
    return kept, [end - start for start, end in itertools.pairwise(starts)]


def _categories(kept: Mapping[str, Any], name: str, options: TeacherOptions) -> list[Any]:
    """One column of ``cats.enc``: UTF-8 strings end to end with their offsets, or a plain list of numbers.

    XGBoost (3.2) counts characters where it should count bytes, and cuts the text short: categories that are not
    ASCII can only be recognised in the frame's own.
    """
    if "offsets" not in kept:
        return list(kept["values"])
    text, ends = np.array(kept["values"], dtype=np.int8).tobytes(), [int(end) for end in kept["offsets"]]
    if ends[:1] != [0] or ends != sorted(ends):
        raise InputError(f"the categories of {shown(name)} have offsets that do not ascend")
    if text.isascii() and len(text) == ends[-1]:
        return [text[start:end].decode() for start, end in itertools.pairwise(ends)]
    own = [] if options.rows is None else options.rows.categories(name)
    lengths = [len(category) for category in own if isinstance(category, str)]
    joined = "".join(map(str, own)).encode()
    if [0, *itertools.accumulate(lengths)] != list(ends) or joined[: len(text)] != text:
        raise UnsupportedError(
            f"XGBoost has cut short the categories of {shown(name)}, which are not ASCII; pass the frame that it was "
            "trained on as X, or train on codes"
        )
    return own


ADAPTER = Adapter("XGBoost", _matches, _take_apart, frozenset({"class_index", "feature_names", "missing"}))
