"""LightGBM's text of a model (``save_model``), read as a whole: a file that is cut short or damaged is refused.

The text states its own size several times: the bytes of each tree, the number of its leaves, the line "end of trees",
and a last line after the parameters. All of these are checked.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from curvec.errors import InputError, UnsupportedError
from curvec.teachers.parts.forest import codes_in


class LightGBMTree(msgspec.Struct, frozen=True):
    """One tree: nodes 0 to n - 1, and leaf i as the child -i - 1.

    Attributes:
        leaf_value: (n + 1,) the leaves' values.
        feature: (n,) which feature each node splits on.
        threshold: (n,) the greatest x that goes left; of a split by category, which of its sets of categories.
        decision: (n,) LightGBM's bits: 1 by category, 2 missing goes left, 4 and 8 what counts as missing.
        left: (n,) the left child.
        right: (n,) the right child.
        categories: the sets of categories that go left.

    """

    leaf_value: Sequence[float]
    feature: Sequence[int]
    threshold: Sequence[float]
    decision: Sequence[int]
    left: Sequence[int]
    right: Sequence[int]
    categories: Sequence[frozenset[int]]


class LightGBMText(msgspec.Struct, frozen=True):
    """The content of a model's text.

    Attributes:
        trees_per_iteration: one tree a class and iteration, class by class.
        feature_names: the features' names, blanks as underscores.
        codes: for each feature the whole numbers that it was seen with, where it is categorical; else None.
        ranges: for each feature its least and greatest number, where it is numeric and was seen; else None.
        objective: the objective with its parameters; "" for one of the user's own.
        averaged: whether the trees' mean, and not their sum, is the score.
        trees: the trees.
        pandas_categories: the levels of the columns that were categorical in the frame, in the frame's order.

    """

    trees_per_iteration: int
    feature_names: Sequence[str]
    codes: Sequence[Sequence[int] | None]
    ranges: Sequence[tuple[float, float] | None]
    objective: str
    averaged: bool
    trees: Sequence[LightGBMTree]
    pandas_categories: Sequence[Sequence[Any]]

    def could_be_pandas(self, index: int, count: int | None = None) -> bool:
        """Whether the feature may have been a frame's categorical column of ``count`` levels (None: of any number).

        Such a column is stored as its codes 0 to count - 1, as a category or, if it is ordered, as a number.
        """
        codes, limits = self.codes[index], self.ranges[index]
        if codes is not None:
            return count is None or max(codes, default=0) < count
        if limits is None:
            return True  # it had one value only
        low, high = limits
        return low >= 0 and low.is_integer() and high.is_integer() and (count is None or high < count)


def is_lightgbm_text(text: str) -> bool:
    """Whether the text starts as LightGBM's does."""
    return text.startswith(("tree\n", "tree\r\n")) and "\nTree=" in text


def parse_lightgbm_text(text: str) -> LightGBMText:
    """The model that the text describes.

    Raises:
        InputError: the text is cut short, or its parts contradict each other; the message says which.

    """
    text = text.replace("\r\n", "\n")
    body, end, tail = text.partition("\nend of trees\n")
    if not end:
        raise InputError('the text has no line "end of trees": it is cut short')
    start = body.index("\nTree=") + 1
    header = _pairs(body[:start])
    names, infos = header["feature_names"].split(), header["feature_infos"].split()
    count = int(header["max_feature_idx"]) + 1
    _check_same("features", names=len(names), feature_infos=len(infos), max_feature_idx=count)
    blocks = [block for block in re.split(r"^(?=Tree=)", body[start:] + "\n", flags=re.MULTILINE) if block]
    if "tree_sizes" in header:
        sizes = _ints(header["tree_sizes"])
        found = [len(block.encode()) for block in blocks]
        if found != sizes:
            at = next((n for n, pair in enumerate(zip(found, sizes, strict=False)) if pair[0] != pair[1]), len(found))
            raise InputError(f"the trees are not as many and as long as tree_sizes says, from tree {at} on")
    parameters = _parameters(tail)
    objective = header.get("objective", "")
    if not objective and parameters.get("objective", "custom") not in ("custom", "none", "null", "na"):
        raise InputError(f'the line "objective" is missing, which the parameters say is {parameters["objective"]}')
    if "average_output" not in header and parameters.get("boosting") == "rf":
        raise InputError('the line "average_output" is missing, which boosting=rf has')
    result = LightGBMText(
        trees_per_iteration=int(header["num_tree_per_iteration"]),
        feature_names=names,
        codes=[_codes(info) for info in infos],
        ranges=[_range(info) for info in infos],
        objective=objective,
        averaged="average_output" in header,
        trees=[_tree(number, _pairs(block), count) for number, block in enumerate(blocks)],
        pandas_categories=_pandas_categories(tail) or [],
    )
    if result.trees_per_iteration < 1 or len(result.trees) % result.trees_per_iteration:
        raise InputError(f"{len(result.trees)} trees are no multiple of num_tree_per_iteration")
    _check_end(result, tail, parameters)
    return result


def _pairs(block: str) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition("=") for line in block.splitlines()) if key}


def _check_same(what: str, **counts: int) -> None:
    if len(set(counts.values())) > 1:
        said = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise InputError(f"the numbers of {what} differ: {said}")


def _ints(text: str) -> list[int]:
    return [int(value) for value in text.split()]


def _codes(info: str) -> list[int] | None:
    """The categories of "-1:0:4": -1 is a missing value."""
    return None if info == "none" or info.startswith("[") else [int(code) for code in info.split(":") if int(code) >= 0]


def _range(info: str) -> tuple[float, float] | None:
    if not info.startswith("["):
        return None
    low, _, high = info.strip("[]").partition(":")
    return float(low), float(high)


def _parameters(tail: str) -> dict[str, str]:
    """The lines "[name: value]" between "parameters:" and "end of parameters"; none where there is no such part."""
    _, start, rest = tail.partition("\nparameters:\n")
    if not start:
        return {}
    inside, end, _ = rest.partition("\nend of parameters\n")
    if not end:
        raise InputError('the text has no line "end of parameters": it is cut short')
    lines = (line[1:-1].partition(": ") for line in inside.splitlines() if line.startswith("["))
    return {name: value for name, _, value in lines}


def _pandas_categories(tail: str) -> list[list[Any]] | None:
    """The last line's lists; None where it says null or is not there."""
    lines = [line for line in tail.splitlines() if line.startswith("pandas_categorical:")]
    if not lines:
        return None
    try:
        value = json.loads(lines[-1].partition(":")[2])
    except (ValueError, RecursionError) as error:
        raise InputError(f"the model's pandas_categorical is not JSON: {error}") from None
    if value is not None and not (isinstance(value, list) and all(isinstance(levels, list) for levels in value)):
        raise InputError("the model's pandas_categorical is not a list of lists")
    return value


def _check_end(text: LightGBMText, tail: str, parameters: Mapping[str, str]) -> None:
    """Check the last line, which Python writes: without it, a file may be cut short, or written by another language."""
    if any(line.startswith("pandas_categorical:") for line in tail.splitlines()) or parameters.get("data"):
        return  # LightGBM's own program writes no such line, and says which data it read
    for index, name in enumerate(text.feature_names):
        if text.could_be_pandas(index):
            raise InputError(
                f"the text has no last line pandas_categorical:..., which would say whether {name!r} was a column of "
                "categories: it is cut short. If it was not written from Python (but from R or C), add the line "
                "pandas_categorical:null at its end"
            )


def _tree(number: int, block: Mapping[str, str], features: int) -> LightGBMTree:
    if block.get("is_linear", "0") != "0":
        raise UnsupportedError("the trees have linear leaves (linear_tree=True); train with linear_tree=False")
    leaf_value = _floats(block["leaf_value"], number)
    # A split of all numbers from the missing ones has a threshold of infinity.
    threshold = _floats(block["threshold"], number, infinity=math.inf)
    feature, decision, left, right = (
        _ints(block[name]) for name in ("split_feature", "decision_type", "left_child", "right_child")
    )
    nodes = int(block["num_leaves"]) - 1
    lengths = {"split_feature": len(feature), "threshold": len(threshold), "decision_type": len(decision)}
    _check_same(f"nodes of tree {number}", num_leaves=nodes, leaf_value=len(leaf_value) - 1, **lengths)
    if sorted(left + right) != [*range(-nodes - 1, 0), *range(1, nodes)] and nodes:
        raise InputError(f"tree {number}: its children are not each node and each leaf once")
    if not all(0 <= index < features for index in feature):
        raise InputError(f"tree {number} splits on a feature beyond max_feature_idx")
    return LightGBMTree(leaf_value, feature, threshold, decision, left, right, _sets(number, block))


def _floats(text: str, number: int, infinity: float = 0.0) -> list[float]:
    values = [float(value) for value in text.split()]
    if not all(math.isfinite(value) or value == infinity for value in values):
        raise InputError(f"tree {number} has a threshold or a leaf that is not finite")
    return values


def _sets(number: int, block: Mapping[str, str]) -> list[frozenset[int]]:
    """The sets of categories."""
    bounds, words = _ints(block.get("cat_boundaries", "0")), _ints(block.get("cat_threshold", ""))
    count = int(block["num_cat"])
    _check_same(f"sets of categories of tree {number}", num_cat=count, cat_boundaries=len(bounds) - 1)
    _check_same(f"words of categories of tree {number}", cat_boundaries=bounds[-1], cat_threshold=len(words))
    return [codes_in(words[start:end]) for start, end in itertools.pairwise(bounds)]
