"""scikit-learn's trees: left when float32(x) <= threshold, with the threshold in double."""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.teachers.parts.float32 import first_double_rounding_above
from curvec.teachers.parts.forest import Branch, NumericSplit, Tree
from curvec.transforms import FloatArray


def sklearn_tree(tree: Any, values: FloatArray) -> Tree:
    """The estimator's ``tree_``, with the value (nodes,) of each node; a missing x goes where the split says."""

    def build(node: int) -> Tree:
        if tree.children_left[node] == -1:
            return float(values[node])
        threshold = float(tree.threshold[node])
        # An infinite threshold parts the missing from all that is there.
        cut = first_double_rounding_above(threshold) if np.isfinite(threshold) else threshold
        split = NumericSplit(cut, missing_left=bool(tree.missing_go_to_left[node]))
        return Branch(int(tree.feature[node]), split, build(tree.children_left[node]), build(tree.children_right[node]))

    return build(0)
