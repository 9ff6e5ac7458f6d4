"""Teachers read exactly: one adapter a library, what they share in ``parts``, one registry.

:func:`read_teacher` gives a teacher as a model. :func:`read_and_check` gives a :class:`TeacherReading`: the model, how
far it is from the teacher's own raw score, and the pairs as tables. Which teachers there are, and what is refused:

- trees on one feature each (LightGBM, XGBoost, scikit-learn's GradientBoosting and HistGradientBoosting, CatBoost),
  EBMs, scorecards, bins: step curves and tables; EBM pairs: sums of products, and :class:`Pair`;
- linear models, splines, tensor terms (scikit-learn, pyGAM, statsmodels): exact polynomials of step curves;
- ReLU nets from a state_dict, isotonic regression, tables of points: piecewise-linear curves;
- any callable of rows, and any teacher that exposes its parts (:class:`Structure`): from its scores or values on X.

A term may be a Sum or a Product in which every node reads one feature: it is a function of that feature like any
other curve. What is not a sum of functions of one feature or two, or has a link that no model has, is refused with
the reason.
"""

from __future__ import annotations

from curvec.teachers.parts.additive_parts import ShapePoints
from curvec.teachers.parts.comparison import Check
from curvec.teachers.parts.pairs import Axis, Pair
from curvec.teachers.reading import TeacherReading, read_and_check, read_teacher
from curvec.teachers.registry import ADAPTERS
from curvec.teachers.structure import Add, Multiply, Outer, Part, Structure

__all__ = [
    "ADAPTERS",
    "Add",
    "Axis",
    "Check",
    "Multiply",
    "Outer",
    "Pair",
    "Part",
    "ShapePoints",
    "Structure",
    "TeacherReading",
    "read_and_check",
    "read_teacher",
]
