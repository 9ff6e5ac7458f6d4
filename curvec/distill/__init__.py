"""Distilling: each function of a teacher replaced by a short curve (Ravina et al. 2021, section 4).

In the order of the work: ``api`` takes the teacher and the rows; ``term_distiller`` takes the teacher apart and
replaces its functions bottom-up, each by a curve or a table of ``fitted_curve``, a table over two features by the
products of ``pairs`` and ``products``; ``budget`` spends numbers over all functions, ``exchanges`` corrects that by the
whole score; ``joint`` moves the values of all curves together, on the rows of ``row_sample``; ``distilled`` pairs a
function with its replacement. What was lost: ``correspondence`` matches the functions of two models, ``fidelity``
measures how far two functions are apart, ``comparison`` tabulates that, ``failure_analysis`` measures what each
replacement costs in the task's metric, ``report`` adds how each curve was made. ``options`` and ``context`` hold what
every step reads, ``parallel`` runs the functions on threads, ``printing`` formats numbers for every report.
"""

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
