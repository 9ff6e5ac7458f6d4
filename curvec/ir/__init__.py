"""The nodes of a curve model, and walks over them."""

from __future__ import annotations

from curvec.features import Feature, FeatureType, Key
from curvec.fields import changed, number, sequence, text
from curvec.ir.joining import joined_pairwise, merged_terms
from curvec.ir.levels import Levels, SpecialCodes
from curvec.ir.nodes import (
    NODES,
    Curve,
    EnumCurve,
    Line,
    Node,
    Product,
    PWLCurve,
    StepCurve,
    Sum,
    Term,
)
from curvec.ir.offsets import is_offset, logarithm, offset
from curvec.ir.rules import MAX_DEPTH, MAX_NODES, terms_tuple
from curvec.ir.walk import curves_of, features_of, label_of, labels_of, names_of, walk

__all__ = [
    "MAX_DEPTH",
    "MAX_NODES",
    "NODES",
    "Curve",
    "EnumCurve",
    "Feature",
    "FeatureType",
    "Key",
    "Levels",
    "Line",
    "Node",
    "PWLCurve",
    "Product",
    "SpecialCodes",
    "StepCurve",
    "Sum",
    "Term",
    "changed",
    "curves_of",
    "features_of",
    "is_offset",
    "joined_pairwise",
    "label_of",
    "labels_of",
    "logarithm",
    "merged_terms",
    "names_of",
    "number",
    "offset",
    "sequence",
    "terms_tuple",
    "text",
    "walk",
]
