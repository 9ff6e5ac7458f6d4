"""The nodes of a curve model, and walks over them."""

from __future__ import annotations

from curvec.features import Feature, FeatureType, Key
from curvec.fields import changed, number, sequence, text
from curvec.ir import nodes
from curvec.ir.joining import joined_pairwise, merged_terms
from curvec.ir.levels import Levels, SpecialCodes, unlisted_level
from curvec.ir.nodes import *  # noqa: F403  what nodes.py lists, so that a node is named in one file of this folder
from curvec.ir.offsets import is_logarithm, is_offset, logarithm, offset
from curvec.ir.rules import MAX_DEPTH, MAX_NODES, terms_tuple
from curvec.ir.walk import Uses, curves_of, features_of, label_of, labels_of, names_of, uses_of, uses_of_each, walk

__all__ = [
    "MAX_DEPTH",
    "MAX_NODES",
    "Feature",
    "FeatureType",
    "Key",
    "Levels",
    "SpecialCodes",
    "Uses",
    "changed",
    "curves_of",
    "features_of",
    "is_logarithm",
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
    "unlisted_level",
    "uses_of",
    "uses_of_each",
    "walk",
]
__all__ += nodes.__all__
