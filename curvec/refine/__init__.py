"""Optional, after distilling: all y values of a model are fitted together to the task's own loss; knots stay."""

from __future__ import annotations

from curvec.refine.api import Refinement, refine
from curvec.refine.losses import LOSSES
from curvec.refine.quantiles import quantile_model
from curvec.refine.ridge_choice import Tried

__all__ = ["LOSSES", "Refinement", "Tried", "quantile_model", "refine"]
