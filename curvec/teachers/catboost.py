"""CatBoost with trees of one feature each (``depth=1``): the live model, and its JSON file.

Right when float32(x) > border. The trees are oblivious: the leaf's number is made of one bit a split.
"""

from __future__ import annotations

import importlib
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, UnsupportedError, counted, shown
from curvec.ir import Feature, Term
from curvec.teachers.function_of_rows import parts_from_scores
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, class_scores, link_of
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.files import Document
from curvec.teachers.parts.float32 import first_double_rounding_above
from curvec.teachers.parts.forest import Branch, Forest, NumericSplit, Tree, forest_terms
from curvec.teachers.parts.recognise import check_fitted, is_instance
from curvec.teachers.parts.user_rows import UserRows

_LINKS = {
    "logit": ("Logloss", "CrossEntropy"),
    "log": ("Poisson", "Tweedie"),
    "identity": (
        *("RMSE", "MAE", "Quantile", "MultiQuantile", "Huber", "MAPE", "LogCosh", "LogLinQuantile", "Expectile", "Lq"),
        *("MultiClass", "MultiClassOneVsAll"),
        *("PairLogit", "PairLogitPairwise", "QueryRMSE", "QuerySoftMax", "YetiRank", "YetiRankPairwise"),
        *("StochasticFilter", "StochasticRank", "LambdaMart"),
    ),
}
_OBJECTS = ("CatBoost", "CatBoostClassifier", "CatBoostRegressor", "CatBoostRanker")


def _matches(teacher: Any) -> bool:
    if isinstance(teacher, Document):
        return teacher.has("features_info") and (teacher.has("oblivious_trees") or teacher.has("trees"))
    return is_instance(teacher, "catboost", *_OBJECTS)


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    live = not isinstance(teacher, Document)
    content = _as_json(teacher) if live else teacher.content
    if "oblivious_trees" not in content:
        raise UnsupportedError(
            "the trees are not oblivious (grow_policy Lossguide or Depthwise); train with grow_policy='SymmetricTree'"
        )
    link = _link(content)
    scale, biases = content["scale_and_bias"]
    chosen = options.chosen_class(len(biases))
    info = content["features_info"]
    columns = [*info.get("float_features", []), *info.get("categorical_features", [])]
    ordered = sorted(columns, key=lambda column: int(column["flat_feature_index"]))
    if [int(column["flat_feature_index"]) for column in ordered] != list(range(len(ordered))):
        raise UnsupportedError("the model has features of text or embeddings; train on numbers")
    if wrong := [column["feature_id"] for column in ordered if not isinstance(column["feature_id"], str)]:
        raise InputError(f"a feature has the name {shown(wrong[0])}, which is not text")
    own = [column["feature_id"] or f"x{column['flat_feature_index']}" for column in ordered]
    names = options.names(own, len(own), "x")
    floats = {column["feature_index"]: column for column in info.get("float_features", [])}
    on_numbers = [tree for tree in content["oblivious_trees"] if not _splits_on_levels(tree)]
    trees = [_tree(tree, floats, float(scale), chosen, len(biases)) for tree in on_numbers]
    terms, constant = forest_terms(Forest(names, trees, {}, "depth=1"))
    if len(on_numbers) < len(content["oblivious_trees"]):
        numeric = [names[int(column["flat_feature_index"])] for column in floats.values()]
        known = {name: [term for term in terms if term.feature == name] for name in numeric}
        return _read_from_scores(teacher, options, names, known, link, chosen)
    return AdditiveParts(
        features=[Feature(name) for name in names],
        terms=terms,
        constant=float(biases[chosen]) + constant,
        link="identity" if len(biases) > 1 else link,
        raw=(lambda rows: _raw(teacher, rows, chosen)) if live else None,
    )


def _splits_on_levels(tree: Mapping[str, Any]) -> bool:
    """Whether a tree splits on categories."""
    return any(split["split_type"] != "FloatFeature" for split in tree["splits"] or [])


def _read_from_scores(
    teacher: Any, options: TeacherOptions, names: list[str], known: Mapping[str, Sequence[Term]], link: str, chosen: int
) -> AdditiveParts:
    """The functions of numbers from the trees; those of categories, which are stored as hashes, from the live model."""
    if isinstance(teacher, Document) or options.rows is None:
        raise UnsupportedError(
            "the trees split on categories, which CatBoost keeps as hashes; pass the live model, and with it X, whose "
            "levels it is asked about"
        )
    rows = UserRows(options.rows.matrix(names))
    categories = [name for name in names if name not in known]

    def score(table: Any) -> npt.NDArray[Any]:
        return _raw(teacher, table, chosen)

    return parts_from_scores(score, rows, names, link, known=known, categories=categories, tolerance=1e-9)


def _as_json(teacher: Any) -> Any:
    check_fitted(teacher, fitted=teacher.is_fitted())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        try:
            teacher.save_model(str(path), format="json")
        except importlib.import_module("catboost").CatBoostError as error:
            raise InputError(
                f"CatBoost cannot write the model as JSON: {error}; where that is an infinite border, train on finite "
                "numbers"
            ) from error
        return json.loads(path.read_text(encoding="utf-8"))


def _raw(teacher: Any, rows: Any, chosen: int) -> npt.NDArray[Any]:
    ranker = is_instance(teacher, "catboost", "CatBoostRanker")  # its predict gives raw scores and takes no type
    kind = {} if ranker else {"prediction_type": "RawFormulaVal"}
    return class_scores(teacher.predict(rows, **kind), chosen)


def _link(content: Mapping[str, Any]) -> str:
    if "params" not in content["model_info"]:
        raise UnsupportedError(
            "the model does not name its loss, as a sum of models (sum_models) does not; read the models one by one"
        )
    parameters = content["model_info"]["params"]
    parameters = json.loads(parameters) if isinstance(parameters, str) else parameters
    return link_of(parameters["loss_function"]["type"], _LINKS, "CatBoost's loss")


def _tree(tree: Mapping[str, Any], floats: Mapping[int, Any], scale: float, chosen: int, classes: int) -> Tree:
    splits: Sequence[Mapping[str, Any]] = tree["splits"] or []
    if len(tree["leaf_values"]) != classes << len(splits):
        raise InputError(
            f"a tree has {counted(len(splits), 'split')} and {counted(len(tree['leaf_values']), 'leaf', 'leaves')}; "
            f"it must have {classes << len(splits)}"
        )
    leaves = [scale * float(value) for value in tree["leaf_values"][chosen::classes]]

    def build(level: int, leaf: int) -> Tree:
        if level == len(splits):
            return leaves[leaf]
        border = float(splits[level]["border"])
        if not math.isfinite(border):
            raise InputError("a tree has a border that is not finite")
        column = floats[splits[level]["float_feature_index"]]
        cut = first_double_rounding_above(float(np.float32(border)))
        split = NumericSplit(cut, missing_left=column["nan_value_treatment"] != "AsTrue")
        left, right = build(level + 1, leaf), build(level + 1, leaf + (1 << level))
        return Branch(int(column["flat_feature_index"]), split, left, right)

    return build(0, 0)


ADAPTER = Adapter("CatBoost", _matches, _take_apart)
