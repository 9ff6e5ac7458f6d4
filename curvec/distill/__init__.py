"""Distilling: each function of a teacher replaced, in isolation, by a short curve (Ravina et al. 2021, section 4)."""

from __future__ import annotations

from curvec.distill.api import Distillation, distill
from curvec.distill.comparison import Comparison, CurveReport, compare_with_teacher
from curvec.distill.failure_analysis import CurveLoss, Evaluation, Fold, evaluate_folds
from curvec.distill.report import DistillationReport

__all__ = [
    "Comparison",
    "CurveLoss",
    "CurveReport",
    "Distillation",
    "DistillationReport",
    "Evaluation",
    "Fold",
    "compare_with_teacher",
    "distill",
    "evaluate_folds",
]
