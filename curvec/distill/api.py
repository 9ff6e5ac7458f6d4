"""``curvec.distill``: a teacher and data in, a short model and a report out."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from curvec import display
from curvec.columns import row_weights
from curvec.distill.budget import within_budget
from curvec.distill.failure import Evaluation, Fold, evaluate_folds
from curvec.distill.jobs import run
from curvec.distill.leaf import Leaf, Sample, compare, round_digits
from curvec.distill.options import Options, check_features, threads
from curvec.distill.pairs import factored, pair_of
from curvec.distill.parts import Replaced, Replacement, mean_difference, part_of
from curvec.distill.products import distilled_products
from curvec.distill.replace import Piece, Replacer, check_free, pieces
from curvec.distill.report import DistillationReport, curve_report
from curvec.distill.setting import Setting
from curvec.errors import InputError
from curvec.evaluate import raw_score, term_values
from curvec.ir import EnumCurve, Feature, PWLCurve, Term, changed, names_of
from curvec.model import CurveModel
from curvec.teachers import read_teacher
from curvec.transforms import FloatArray

__all__ = ["Distillation", "distill"]


@dataclass(frozen=True)
class Distillation:
    """The result of :func:`distill`.

    Attributes:
        model: the distilled model.
        teacher: the teacher in exact form.
        report: what was lost, and where.
        parts: the parts of the teacher beside their replacements, in the order of the model.

    """

    model: CurveModel
    teacher: CurveModel
    report: DistillationReport
    parts: tuple[Replaced, ...]

    def _repr_html_(self) -> str:
        return display.html(self)

    def evaluate(
        self,
        X: Any,  # noqa: N803  the field's name for the data
        y: npt.ArrayLike,
        metric: Any,
        w: npt.ArrayLike | None = None,
        query: npt.ArrayLike | None = None,
    ) -> Evaluation:
        """Teacher, distilled model and failure analysis on labelled rows; :func:`evaluate_folds` is for several folds.

        Args:
            X: the rows, with the teacher's features.
            y: (rows,) labels.
            metric: "roc_auc", "log_loss", "rmse", "poisson_deviance", "gamma_deviance", "ndcg@k", a Metric, or a
                function (y, prediction) -> float, of which more is better.
            w: (rows,) weights of the metric, or None.
            query: (rows,) query ids for a metric over queries.

        Raises:
            InputError: a column is missing, or the labels do not suit the metric.

        """
        return evaluate_folds([Fold(self, X, y, w, query)], metric)


def distill(
    teacher: Any,
    X: Any,  # noqa: N803  the field's name for the data
    w: npt.ArrayLike | None = None,
    *,
    num_segments: int | Literal["auto"] | Mapping[str, int | Literal["auto"]] = 5,
    mono: Any = False,
    fx: Any = None,
    digits: int | None = 4,
    max_total_segments: int | None = None,
    tolerance: float | None = None,
    categorical: Collection[str] = (),
    pool_below: float = 0.0,
    pairs: Literal["products", "drop"] = "products",
    pair_share: float = 0.9,
    max_products: int = 3,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    y: npt.ArrayLike | None = None,
    metric: Any = None,
    query: npt.ArrayLike | None = None,
    name: str | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Distillation:
    """Replace every function of an additive teacher by a short curve (Ravina et al. 2021, section 4).

    Each function of one variable is distilled in isolation, by weighted squared error on the rows of ``X``:
    a numeric one becomes a PWLCurve by :func:`curvec.fit_pwl`, a categorical one an EnumCurve of its mean at each
    level. Terms of one feature become one curve. Sums, products and curves of curves are replaced bottom-up: a
    factor's rows weigh as the square of the other factors, and an outer curve is fitted from the new inner values
    to the teacher's outer values. A missing input keeps the teacher's value. A constant function goes into the
    intercept, which also keeps the weighted mean raw score.

    Args:
        teacher: a CurveModel, or whatever :func:`curvec.read_teacher` reads.
        X: the data, with the teacher's features: a mapping of arrays or a data frame.
        w: (rows,) non-negative weights; None for equal ones.
        num_segments: the most linear pieces of a curve, as in ``fit_pwl``, or feature -> pieces (others have 5).
        mono: as in ``fit_pwl`` for every numeric curve, or feature -> direction.
        fx: as in ``fit_pwl``, or feature -> transform.
        digits: significant digits of points, tables and missing values; None for all. The intercept is rounded to
            that many digits of the raw score's standard deviation.
        max_total_segments: a budget for all curves, spent where it lowers the squared error of the raw score
            most; ``num_segments`` remains the most for one curve, and each curve keeps at least one.
        tolerance: the fewest segments, up to ``num_segments``, that leave at most this share of a curve's variance
            unexplained.
        categorical: numeric features whose integer values are categories.
        pool_below: levels whose rows weigh less than this share their weighted mean.
        pairs: what becomes of a table over two features (an EBM's pair, a tensor term): "products" of curves, or
            "drop": the intercept takes up its mean, and the report says what it was worth.
        pair_share: of a pair's weighted variance that its products should explain, ...
        max_products: ... with at most so many of them.
        overrides: feature -> further options of ``fit_pwl``.
        y: (rows,) labels; with a metric, the report has the failure analysis on these rows.
        metric: see :meth:`Distillation.evaluate`.
        query: (rows,) query ids, for a metric over queries.
        name: the model's name, after which emitted code is called; None for the teacher's.
        n_jobs: threads; None for all cores.
        progress: a progress bar on stderr; None where it is a terminal.

    Raises:
        InputError: an option, weight, column or value breaks a rule; the message names it.
        UnsupportedError: the teacher cannot be read exactly.

    """
    start = time.perf_counter()
    options = Options(
        num_segments=num_segments,
        mono=mono,
        fx=fx,
        digits=digits,
        tolerance=tolerance,
        max_total_segments=max_total_segments,
        categorical=tuple(categorical),
        pool_below=pool_below,
        pairs=pairs,
        pair_share=pair_share,
        max_products=max_products,
        overrides=overrides or {},
    )
    if (metric is None) != (y is None):
        raise InputError("the failure analysis needs both y and metric; pass both or neither")
    exact = _as_model(teacher, X, name)
    names = names_of(*exact.terms)
    check_features(options, names)
    table = exact.table(X)
    setting = Setting(table, _weights(w, table.rows), options)

    def job(piece: Piece) -> Replaced:
        return _replaced(piece, setting)

    parts = run(job, pieces(exact.terms), threads=threads(n_jobs), label="distilling", progress=progress)
    if max_total_segments is not None:
        parts = within_budget(parts, setting, threads(n_jobs))
    result = _assemble(exact, parts, setting)
    evaluation = None if y is None else result.evaluate(X, y, metric, w, query)
    seconds = time.perf_counter() - start
    return replace(result, report=replace(result.report, seconds=seconds, evaluation=evaluation))


def _as_model(teacher: Any, data: Any, name: str | None) -> CurveModel:
    if not isinstance(teacher, CurveModel):
        return read_teacher(teacher, data, name=name)
    return teacher if name is None else changed(teacher, name=name)


def _weights(w: npt.ArrayLike | None, rows: int) -> FloatArray:
    if not rows:
        raise InputError("X has no rows; distilling needs the rows on which the teacher's functions are compared")
    weights = row_weights(w, rows)
    return np.ones(rows) if weights is None else weights


def _replaced(piece: Piece, setting: Setting) -> Replaced:
    if pair_of(piece.source) is not None:
        return part_of(piece.label, piece.source, _pair(piece, setting), setting)
    replacer = Replacer(setting)
    term = replacer.replace(piece.source)
    return part_of(piece.label, piece.source, _folded(term, tuple(replacer.leaves)), setting)


def _folded(term: Term, leaves: tuple[Leaf, ...], pair: tuple[int, float] | None = None) -> Replacement:
    constant = _constant(term)
    return Replacement(term, 0.0, leaves, pair) if constant is None else Replacement(None, constant, leaves, pair)


def _pair(piece: Piece, setting: Setting) -> Replacement:
    options = setting.options
    if options.pairs == "drop":
        return _dropped(piece.source, setting)
    check_free(piece.source, options)
    share, most = options.pair_share, options.max_products
    found = factored(piece.source, setting.table, setting.weights, share=share, most=most)
    term, leaves = distilled_products(found.term, setting)
    return _folded(term, leaves, (found.products, found.share))


def _dropped(pair: Term, setting: Setting) -> Replacement:
    """The weighted mean, for the intercept."""
    values = term_values(pair, setting.table)
    return Replacement(None, mean_difference(values, np.zeros(len(values)), setting.weights), (), (0, 0.0))


def _constant(term: Term) -> float | None:
    """The value of a term that is the same number for every input, missing and unseen ones included."""
    values: set[float | None]
    if isinstance(term, PWLCurve):
        values = {*(y for _, y in term.points), term.missing}
    elif isinstance(term, EnumCurve):
        values = {*term.levels.values(), term.missing, *(() if term.levels.complete else (term.default,))}
    else:
        return None
    return next(iter(values)) if len(values) == 1 else None


def _assemble(exact: CurveModel, parts: Sequence[Replaced], setting: Setting) -> Distillation:
    table, w, options = setting.table, setting.weights, setting.options
    terms = [part.term for part in parts if part.term is not None]
    if not terms:
        raise InputError(
            f"every function of teacher {exact.name!r} is constant on these rows; there is no curve to keep"
        )
    teacher_score = raw_score(exact.terms, exact.intercept, table)
    without = raw_score(terms, 0.0, table)
    intercept = _rounded_intercept(mean_difference(teacher_score, without, w), teacher_score, w, options.digits)
    model = CurveModel(exact.name, terms, intercept, exact.link, _features(exact, terms, options), exact.note)
    whole = compare(Sample(np.arange(table.rows), teacher_score, w), raw_score(terms, intercept, table))
    report = DistillationReport(
        curves=tuple(_reports(parts)),
        pairs=tuple(part.pair for part in parts if part.pair is not None),
        rows=table.rows,
        rows_without_score=int(np.isnan(teacher_score).sum()),
        rmse=whole.sd * math.sqrt(whole.unexplained),
        unexplained=whole.unexplained,
        max_error=whole.max_error,
        intercept_shift=intercept - exact.intercept - sum(part.constant for part in parts),
        seconds=0.0,
    )
    return Distillation(model, exact, report, tuple(parts))


def _rounded_intercept(value: float, score: FloatArray, w: FloatArray, digits: int | None) -> float:
    """To ``digits`` digits of the score's standard deviation: finer ones are lost beside the curves' rounding."""
    spread = compare(Sample(np.arange(len(score)), score, w), score).sd
    if digits is None or spread == 0:
        return value if digits is None else round_digits(value, digits)
    return round(value, digits - 1 - math.floor(math.log10(spread))) + 0.0


def _features(exact: CurveModel, terms: Sequence[Term], options: Options) -> list[Feature]:
    """The teacher's features in their order; those made categories have integer levels."""
    used = set(names_of(*terms))
    return [
        Feature(feature.name, "int") if feature.name in options.categorical and feature.name in used else feature
        for feature in exact.features
    ]


def _reports(parts: Sequence[Replaced]) -> Any:
    for part in parts:
        for leaf in part.leaves:
            label = part.label if len(part.leaves) == 1 else f"{part.label}: {leaf.label}"
            yield curve_report(leaf, label, constant=part.term is None)
