"""Distilling: each function of a teacher replaced, in isolation, by a short curve (Ravina et al. 2021, section 4)."""

from __future__ import annotations

from curvec.distill.api import Distillation, distill
from curvec.distill.failure import CurveLoss, Evaluation, Fold, evaluate_folds
from curvec.distill.report import CurveReport, DistillationReport

__all__ = [
    "CurveLoss",
    "CurveReport",
    "Distillation",
    "DistillationReport",
    "Evaluation",
    "Fold",
    "distill",
    "evaluate_folds",
]
