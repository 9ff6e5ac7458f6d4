"""Rows to mergeable moments.

A curve on given knots is linear between neighbours, so the squared error of all rows in a gap depends on six
numbers only (Ravina et al. 2021, appendix B, in its most useful form). The compiled core does the reductions.
"""

from __future__ import annotations

from curvec.condense.points import Points
from curvec.condense.rows import Rows, points_of, read_rows

__all__ = ["Points", "Rows", "points_of", "read_rows"]
