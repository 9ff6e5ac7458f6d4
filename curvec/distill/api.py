"""``curvec.distill``: a teacher and data in, a short model and a report out."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy.typing as npt

from curvec import display
from curvec.columns import weights_or_ones
from curvec.distill.budget import within_budget
from curvec.distill.comparison import compared
from curvec.distill.context import Context
from curvec.distill.correspondence import counterparts
from curvec.distill.distilled import DistilledTerm, by_importance, without_noise
from curvec.distill.failure_analysis import Evaluation, Fold, evaluate_folds
from curvec.distill.fidelity import fidelity, mean_difference, rounding_of
from curvec.distill.options import DistillOptions, check_features, threads
from curvec.distill.parallel import run_parallel
from curvec.distill.precision import MARGIN, Digits, score_precision
from curvec.distill.report import DistillationReport, distillation_report
from curvec.distill.term_distiller import TeacherFunction, distil_function, functions_of
from curvec.errors import InputError
from curvec.evaluate import raw_score
from curvec.ir import Feature, Term, changed, names_of
from curvec.model import CurveModel
from curvec.teachers import read_teacher
from curvec.transforms import FloatArray

__all__ = ["Distillation", "distill"]


@dataclass(frozen=True, repr=False)
class Distillation:
    """The result of :func:`distill`.

    Attributes:
        model: the distilled model.
        teacher: the teacher in exact form.
        report: what was lost, and where.
        parts: each function of the teacher beside what stands for it, in the order of the model.

    """

    model: CurveModel
    teacher: CurveModel
    report: DistillationReport
    parts: tuple[DistilledTerm, ...]

    def __str__(self) -> str:
        """The table of what was lost; the model's listing is ``str(found.model)``."""
        return str(self.report)

    def __repr__(self) -> str:
        return f"<Distillation of {self.teacher.name!r}: {self.report.summary()}>"

    def _repr_html_(self) -> str:
        return display.html(self)

    def evaluate(
        self,
        X: Any,  # noqa: N803  the field's name for the data
        y: npt.ArrayLike,
        metric: Any = None,
        w: npt.ArrayLike | None = None,
        query: npt.ArrayLike | None = None,
    ) -> Evaluation:
        """Teacher, distilled model and failure analysis on labelled rows; :func:`evaluate_folds` is for several folds.

        Args:
            X: the rows, with the teacher's features.
            y: (rows,) labels.
            metric: see :func:`evaluate_folds`; None for the link's own.
            w: (rows,) weights of the metric, or None.
            query: (rows,) query ids for a metric over queries.

        Raises:
            InputError: a column is missing, or the labels do not suit the metric.

        """
        return evaluate_folds([Fold(self.model, self.teacher, X, y, w, query)], metric)


def distill(
    teacher: Any,
    X: Any,  # noqa: N803  the field's name for the data
    w: npt.ArrayLike | None = None,
    *,
    num_segments: int | Literal["auto"] | Mapping[str, int | Literal["auto"]] = 5,
    mono: Any = False,
    fx: Any = None,
    knots_on: Any = "auto",
    digits: Digits = "auto",
    margin: float = MARGIN,
    max_total_segments: int | None = None,
    categorical: Collection[str] = (),
    pool_below: float = 0.0,
    pairs: Literal["products", "drop"] = "products",
    pair_share: float = 0.9,
    max_products: int = 3,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    order: Literal["importance", "teacher"] = "importance",
    y: npt.ArrayLike | None = None,
    metric: Any = None,
    query: npt.ArrayLike | None = None,
    class_index: int | None = None,
    feature_names: Sequence[str] | None = None,
    missing: float | None = None,
    link: str | None = None,
    name: str | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Distillation:
    """Replace every function of an additive teacher by a short curve (Ravina et al. 2021, section 4).

    Each function of one variable is distilled in isolation, by weighted squared error on the rows of ``X``:
    a numeric one becomes a PWLCurve by :func:`curvec.fit_pwl`, a categorical one an EnumCurve of its mean at each
    level. Terms of one feature become one curve. Sums, products and curves of curves are replaced bottom-up: a
    factor's rows weigh as the square of the other factors, and an outer curve is fitted from the new inner values
    to the teacher's outer values. A missing input keeps the teacher's value. A constant function, and one
    that moves the raw score by no more than its rounding, goes into the intercept, which also keeps the weighted mean
    raw score. Columns that no term uses are left out of the model, and the report names them.

    Args:
        teacher: a CurveModel, or whatever :func:`curvec.read_teacher` reads.
        X: the data, with the teacher's features: a mapping of arrays or a data frame.
        w: (rows,) non-negative weights; None for equal ones.
        num_segments: the most linear pieces of a curve, as in ``fit_pwl``, or feature -> pieces (others have 5).
        mono: as in ``fit_pwl`` for every numeric curve, or feature -> direction.
        fx: as in ``fit_pwl``, or feature -> transform.
        knots_on: where knots may be, as in ``fit_pwl``, or feature -> place. "auto": whole numbers where all the
            feature's values are whole, else the roundest numbers that ``margin`` allows.
        digits: significant digits of points, tables and missing values; None for all. "auto": as few decimal places
            as ``margin`` allows. The intercept is rounded as finely as the score's standard deviation asks for.
        margin: share of the raw score's variance that each curve may lose to be shorter: fewer segments, rounder
            knots, fewer digits, or no curve at all where the mean does. 0: nothing is lost that was not asked for.
        max_total_segments: a budget for all curves, spent where it lowers the squared error of the raw score
            most; ``num_segments`` remains the most for one curve, and each curve keeps at least one.
        categorical: numeric features whose integer values are categories.
        pool_below: levels whose rows weigh less than this share their weighted mean.
        pairs: what becomes of a table over two features (an EBM's pair, a tensor term): "products" of curves, or
            "drop": the intercept takes up its mean, and the report says what it was worth.
        pair_share: of a pair's weighted variance that its products should explain, ...
        max_products: ... with at most so many of them.
        overrides: feature -> further options of ``fit_pwl``.
        order: the terms' order: by "importance", the weighted standard deviation of what each adds to the raw score,
            largest first, or as the "teacher" has them.
        y: (rows,) labels; with a metric, the report has the failure analysis on these rows.
        metric: see :meth:`Distillation.evaluate`.
        query: (rows,) query ids, for a metric over queries.
        class_index: which class's raw score, of a teacher with several.
        feature_names: the features' names in order, for a teacher that keeps none.
        missing: a number that stood for missing when the teacher was trained and is not in its file (XGBoost).
        link: the link of a teacher that does not say its own: a function, a table, a state_dict.
        name: the model's name, after which emitted code is called; None for the teacher's.
        n_jobs: threads; None for all cores.
        progress: a progress bar on stderr; None where it is a terminal.

    Raises:
        InputError: an option, weight, column or value breaks a rule; the message names it.
        UnsupportedError: the teacher cannot be read exactly.

    """
    start = time.perf_counter()
    options = DistillOptions(
        num_segments=num_segments,
        mono=mono,
        fx=fx,
        knots_on=knots_on,
        digits=digits,
        margin=margin,
        max_total_segments=max_total_segments,
        categorical=tuple(categorical),
        pool_below=pool_below,
        pairs=pairs,
        pair_share=pair_share,
        max_products=max_products,
        overrides=overrides or {},
        order=order,
    )
    if (metric is None) != (y is None):
        raise InputError("the failure analysis needs both y and metric; pass both or neither")
    of_teacher = {"class_index": class_index, "feature_names": feature_names, "missing": missing, "link": link}
    exact = _as_model(teacher, X, name, of_teacher)
    names = names_of(*exact.terms)
    check_features(options, names)
    table = exact.table(X)
    if not table.rows:
        raise InputError("X has no rows; distilling needs the rows on which the teacher's functions are compared")
    weights = weights_or_ones(w, table.rows)
    precision = score_precision(raw_score(exact.terms, exact.intercept, table), weights, options.margin)
    context = Context(table, weights, options, precision)

    def job(function: TeacherFunction) -> DistilledTerm:
        return distil_function(function, context)

    functions = functions_of(exact.terms)
    parts = run_parallel(job, functions, threads=threads(n_jobs), label="distilling", progress=progress)
    if max_total_segments is not None:
        parts = within_budget(parts, context, threads(n_jobs))
    result = _assemble(exact, parts, context)
    evaluation = None if y is None else result.evaluate(X, y, metric, w, query)
    seconds = time.perf_counter() - start
    return replace(result, report=replace(result.report, seconds=seconds, evaluation=evaluation))


def _as_model(teacher: Any, data: Any, name: str | None, options: Mapping[str, Any]) -> CurveModel:
    if not isinstance(teacher, CurveModel) or any(value is not None for value in options.values()):
        return read_teacher(teacher, data, name=name, **options)
    return teacher if name is None else changed(teacher, name=name)


def _assemble(exact: CurveModel, parts: Sequence[DistilledTerm], context: Context) -> Distillation:
    table, w, options = context.table, context.weights, context.options
    teacher_score = raw_score(exact.terms, exact.intercept, table)
    parts = [without_noise(part, rounding_of(teacher_score)) for part in parts]
    if options.order == "importance":
        parts = by_importance(parts, table, w)
    terms = [part.term for part in parts if part.term is not None]
    without = raw_score(terms, 0.0, table)
    intercept = _rounded_intercept(mean_difference(teacher_score, without, w), teacher_score, context)
    features = _features(exact, terms, options)
    model = CurveModel(exact.name, terms, intercept, exact.link, features, exact.note)
    used = {feature.name for feature in features}
    report = distillation_report(
        compared(model, exact, table, table, w),
        counterparts(model, exact),
        parts,
        intercept_shift=intercept - exact.intercept - sum(part.constant for part in parts),
        unused=[feature.name for feature in exact.features if feature.name not in used],
    )
    return Distillation(model, exact, report, tuple(parts))


def _rounded_intercept(value: float, score: FloatArray, context: Context) -> float:
    """To ``digits`` digits of the score's standard deviation: finer ones are lost beside the curves' rounding."""
    digits = context.options.digits
    if digits == "auto":
        return context.precision.round(value, digits)
    spread = fidelity(score, score, context.weights).sd
    if digits is None or spread == 0:
        return context.precision.round(value, digits)
    return round(value, digits - 1 - math.floor(math.log10(spread))) + 0.0


def _features(exact: CurveModel, terms: Sequence[Term], options: DistillOptions) -> list[Feature]:
    """The features that the terms use, in the teacher's order; those made categories have integer levels."""
    used = set(names_of(*terms))
    return [
        Feature(feature.name, "int") if feature.name in options.categorical else feature
        for feature in exact.features
        if feature.name in used
    ]
