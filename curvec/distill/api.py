"""``curvec.distill``: a teacher and data in, a short model and a report out."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.checks import check, is_whole, string_list, threads
from curvec.columns import check_aligned, weights_or_ones
from curvec.condense.spread import Spread
from curvec.data import columns_of
from curvec.display import Displayed
from curvec.distill.automatic_margin import automatic_margin
from curvec.distill.budget import LeastLosses, shortest_within
from curvec.distill.choices import Choice, choices_of
from curvec.distill.comparison import Comparison, compare_columns, compare_views
from curvec.distill.context import Aim, Context
from curvec.distill.correspondence import Counterparts, counterparts
from curvec.distill.distilled import DistilledTerm, by_importance, without_noise
from curvec.distill.exchanges import exchange_forms
from curvec.distill.failure_analysis import Evaluation, Fold, evaluate_folds
from curvec.distill.fitted_curve import FINITE, InfiniteInputError
from curvec.distill.front import InMemory, Labels, Size, front_of, smallest_within_error, with_metric
from curvec.distill.joint import moved_together
from curvec.distill.options import DistillOptions, check_features
from curvec.distill.parallel import run_parallel
from curvec.distill.report import DistillationReport, distillation_report
from curvec.distill.row_source import RowSource, SummedUp, row_source, score_differences, summed_up
from curvec.distill.term_distiller import TeacherFunction, functions_of
from curvec.errors import InputError, counted, shown
from curvec.evaluate import SCORE_ROUNDING
from curvec.fields import changed
from curvec.ir import Feature, Sum, Term, features_of, is_offset, names_of, walk
from curvec.links import link as link_of
from curvec.metrics import metric as metric_of
from curvec.model import CurveModel
from curvec.parameters.precision import Digits, score_precision
from curvec.teachers import TeacherReading, read_and_check
from curvec.teachers.parts.user_rows import UserRows


class Distillation(Displayed, msgspec.Struct, frozen=True):
    """The result of :func:`distill`.

    Attributes:
        model: the distilled model.
        teacher: the teacher in exact form.
        report: what was lost, and where.
        parts: each function of the teacher with its replacement, in the order of the model.

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
            y: (rows,) labels, or the name of their column in ``X``; so are weights and query ids.
            metric: see :func:`evaluate_folds`; None for the link's own.
            w: (rows,) weights of the metric, or None.
            query: (rows,) query ids for a metric over queries.

        Raises:
            InputError: a column is missing, or the labels do not suit the metric.

        """
        return evaluate_folds([Fold(self.model, self.teacher, X, *columns_of(X, y, w, query))], metric)

    def worst(self, n: int) -> tuple[Counterparts, ...]:
        """The ``n`` functions that lost most, worst first, each with its replacement.

        By the metric on the labels given to :func:`distill`, each function distilled alone (Ravina et al. 2021, section
        5.2); without labels by the raw score.

        Raises:
            InputError: the teacher has fewer functions.

        """
        report = self.report
        order = [one.label for one in (report.worst() if report.evaluation is None else report.evaluation.curves)]
        rule = f"the teacher has {counted(len(order), 'function')}; use 0 to {len(order)}"
        check("n", n, rule, holds=is_whole(n) and 0 <= n <= len(order))
        pairs = {pair.label: pair for pair in counterparts(self.model, self.teacher)}
        return tuple(pairs[label] for label in order[:n])

    def keep_worst(self, n: int) -> CurveModel:
        """The model with the teacher's own functions in place of the ``n`` that lost most; see :meth:`worst`.

        By how much this model is better than the distilled one shows what a short curve cannot express of those
        functions (Ravina et al. 2021, section 5.2). The intercept keeps the mean raw score of the rows of the
        distillation.

        Raises:
            InputError: the teacher has fewer functions.

        """
        kept = {pair.label: pair.teacher for pair in self.worst(n) if pair.teacher is not None}
        if not kept:
            return self.model
        terms = [kept.get(pair.label) or pair.model for pair in counterparts(self.model, self.teacher)]
        intercept = self.teacher.intercept + sum(one.shift for one in self.report.curves if one.label not in kept)
        names = names_of(*kept.values())
        own = {feature.name: feature for feature in self.model.features}
        own |= {feature.name: feature for feature in self.teacher.features if feature.name in names}
        model = self.model
        return CurveModel(
            model.name,
            [term for term in terms if term is not None],
            intercept,
            model.link,
            list(own.values()),
            model.note,
        )


def distill(
    teacher: Any,
    X: Any,  # noqa: N803  the field's name for the data
    w: npt.ArrayLike | str | None = None,
    *,
    num_segments: int | Mapping[str, int] = 5,
    max_numbers: int | Literal["auto"] | None = None,
    margin: float | Literal["auto"] = "auto",
    digits: Digits = "auto",
    mono: Any = False,
    categorical: Collection[str] = (),
    unseen: Literal["null", "teacher"] = "null",
    pairs: Literal["products", "drop"] = "products",
    overrides: Mapping[str, Any] | None = None,
    order: Literal["importance", "teacher"] = "importance",
    y: npt.ArrayLike | None = None,
    metric: Any = None,
    query: npt.ArrayLike | None = None,
    class_index: int | None = None,
    feature_names: Sequence[str] | None = None,
    link: str | None = None,
) -> Distillation:
    """Replace every function of an additive teacher by a short curve (Ravina et al. 2021, section 4).

    Each function of one variable is first distilled in isolation, by weighted squared error on the rows of ``X``: a
    numeric one into a line, and into curves of 1, 2, ... segments (:func:`curvec.fit_pwl`); a categorical one into
    tables with its levels in 1, 2, ... groups. Of all these, and of leaving functions out, the model takes what
    loses least within ``max_numbers``, and of all models that lose no more than ``margin`` beyond that the one with
    the fewest characters: an exact knapsack. Within ``max_numbers``, functions then exchange their forms, one or
    two at a time, while the whole score gains more than the margin by it. At last each curve is fitted anew to what
    the others leave of the teacher's whole score, and the values of all curves and tables move together towards it,
    by least squares with a ridge, if the score gains a tenth of the margin by it: so they make up for each other's
    errors. Products, the teacher's own curves and curves that ``overrides`` shape stay as they are, and with margin 0
    all do. Terms of one feature become one curve. Sums, products and curves of curves are replaced bottom-up: a
    factor's rows weigh as the square of the other factors, and an outer curve is fitted from the new inner values to
    the teacher's outer values. The intercept takes the constants, and keeps the weighted mean raw score.
    Columns that no term uses are left out of the model, and the report names them.

    Args:
        teacher: a CurveModel, a reading of :func:`curvec.teachers.read_and_check`, or whatever that reads.
        X: the data, with the teacher's features: a mapping of arrays, a data frame, or a stream as
            :meth:`CurveModel.eval` takes it, which is read twice in bounded memory, with ``max_numbers`` once more; a
            reader that can be read but once goes to a temporary Parquet file first. The model is the same to the byte,
            whatever the form of the rows, their order and their parts.
        w: (rows,) non-negative weights, or the name of their column; None for equal ones.
        num_segments: the most linear pieces of a curve, or feature -> pieces (others have 5).
        max_numbers: the most numbers to read in the whole model, as :attr:`CurveModel.numbers_to_read` counts them;
            None for as many as ``num_segments`` allows. "auto": the fewest whose ``metric`` on the labels ``y`` is
            within one standard error of the best; for rows that the teacher was not trained on.
        margin: share of the raw score's variance (without offsets) that the model may lose to be shorter: fewer
            segments, rounder knots, fewer digits, levels in groups, functions left out. 0: nothing is lost that was
            not asked for. "auto": 0.001; without ``max_numbers``, of a model of probabilities or counts a seventh of
            what chance makes of a score that is learnt from so many rows, if that is more, and at most 0.0065: see
            docs/howto/size.md.
        digits: significant digits of points, tables and missing values; None for all. "auto": one decimal place for
            the whole model, as coarse as ``margin`` allows; a curve that would lose more has more. The intercept is
            rounded as finely as the score's standard deviation asks for.
        mono: as in ``fit_pwl`` for every numeric curve, or feature -> direction.
        categorical: numeric features whose integer values are categories.
        unseen: what the model gives for an input that no row has: a missing value in a column without gaps, a level
            that the teacher does not list either. "null": no score, as nobody knows; "teacher": the teacher's value.
        pairs: what becomes of a table over two features (an EBM's pair, a tensor term): "products" of curves, or
            "drop": the intercept takes up its mean, and the report says what it was worth.
        overrides: further options of ``fit_pwl`` for every curve (``{"fx": "identity"}``), feature -> such options
            for one (``{"age": {"knots": [18]}}``), or both. Beside them ``special``: the values of a feature that are
            codes, with a value each, () for none; without it they are the teacher's, or are found, as
            docs/howto/special_codes.md says.
        order: the terms' order: by "importance", the weighted standard deviation of what each adds to the raw score,
            largest first, or as the "teacher" has them.
        y: (rows,) labels, or the name of their column; with a metric, the report has the failure analysis on these
            rows.
        metric: see :meth:`Distillation.evaluate`.
        query: (rows,) query ids, or the name of their column, for a metric over queries.
        class_index: which class's raw score, of a teacher with several.
        feature_names: the features' names in order, for a teacher that keeps none.
        link: the link of a teacher that does not say its own: a callable, a table, a state_dict.

    It works on all cores that the process may use; the environment's ``CURVEC_THREADS=2`` says otherwise.

    Raises:
        InputError: an option, weight, column or value breaks a rule; the message names it. Of a stream also: labels
            are asked for, or a term of several features has too many combinations of values.
        UnsupportedError: the teacher cannot be read exactly.

    """
    start = time.perf_counter()
    options = DistillOptions(
        num_segments=num_segments,
        max_numbers=max_numbers,
        margin=margin,
        digits=digits,
        mono=mono,
        categorical=string_list([*categorical] if isinstance(categorical, AbstractSet) else categorical, "categorical"),
        unseen=unseen,
        pairs=pairs,
        overrides={} if overrides is None else overrides,
        order=order,
    )
    if (metric is None) != (y is None):
        raise InputError("the failure analysis needs both y and metric; pass both or neither")
    if query is not None and y is None:
        raise InputError("query is for a metric over queries; pass y= and metric= with it, or leave it out")
    if max_numbers == "auto" and y is None:
        raise InputError("max_numbers='auto' is chosen by labels; pass y= and metric=, or a number")
    check_aligned(X=X, w=w, y=y, query=query)
    given = {"class_index": class_index, "feature_names": feature_names, "link": link}
    with row_source(X, w, threads()) as as_given:
        exact, centred, notes = _read_teacher(
            teacher, as_given, {name: given[name] for name in given if given[name] is not None}
        )
        source = as_given
        if isinstance(X, np.ndarray) and X.dtype.names is None and not isinstance(teacher, CurveModel):
            # Columns without names are the teacher's features, in its order; a model's terms may have another.
            X = UserRows(X).columns([feature.name for feature in exact.features])  # noqa: N806
            source = changed(as_given, data=X)
        check_features(options, names_of(*exact.terms))
        options = _with_codes(options, exact)
        labels = _labels(source, y, metric, query, max_numbers)
        rows = summed_up(source, exact)
        if not centred:
            exact, rows = rows.centred()
        functions = functions_of(exact.terms)
        aim = _aim(functions, rows, options)
        try:
            choices = _choices(functions, rows, aim)
        except InfiniteInputError as error:
            cell = source.cell_of(exact, error.feature, error.value)
            raise InputError(f"{cell}: the value is {error.value}; {FINITE}") from None
        best = LeastLosses(choices)
        front = front_of(best.losses, aim.total)
        most = max_numbers
        if labels is not None:
            in_memory = InMemory(source.in_memory(exact), weights_or_ones(source.weights, len(labels.y)), exact.eval(X))
            front = with_metric(front, best, in_memory, link_of(exact.link).inverse, labels)
            if most == "auto":
                most = smallest_within_error(front, greater_is_better=labels.metric.greater_is_better)
        picked = _pick_within_margin(best, aim, None if most is None else int(most))
        if most is not None:
            picked = exchange_forms(best.choices, picked, source, exact, aim.margin * aim.total, int(most) - 1)
        parts = [choice.made() for choice in picked]
        result = _assemble(exact, parts, rows, source, aim, front)
    evaluation = None if y is None else result.evaluate(X, y, metric, source.weights, query)
    seconds = time.perf_counter() - start
    return changed(result, report=changed(result.report, seconds=seconds, evaluation=evaluation, reading=notes))


def _labels(source: RowSource, y: Any, metric: Any, query: Any, max_numbers: Any) -> Labels | None:
    if y is None:
        return None
    if source.stream is not None:
        what = "max_numbers='auto'" if max_numbers == "auto" else "the failure analysis"
        raise InputError(f"{what} needs labelled rows in memory, and X is {source.stream.what}; {_EVALUATE}")
    y, query = columns_of(source.data, y, query)
    return Labels.of(metric_of(metric), y, source.weights, query)


_EVALUATE = "leave y and metric out, and call evaluate(X, y) of the result with a frame of some of the rows"


def _read_teacher(
    teacher: Any, source: RowSource, given: Mapping[str, Any]
) -> tuple[CurveModel, bool, tuple[str, ...]]:
    """The teacher read exactly, whether its curves stay as they are and are not centred, and what to know of it.

    ``given``: what the caller says about a teacher that does not say it itself.
    """
    if isinstance(teacher, CurveModel) and not given:
        return teacher, True, ()
    if isinstance(teacher, TeacherReading):
        for option, value in given.items():
            told = f"{option}={shown(value)}"
            raise InputError(f"{told}: the teacher is read already; give it there: read_and_check(teacher, X, {told})")
        reading = teacher
    else:
        reading = read_and_check(teacher, source.sample(), centre=False, **given)
    if source.stream is not None and (reading.from_scores or not reading.exact):
        raise InputError(
            f"the {reading.teacher} teacher is read at the rows, which must be in memory for that, and X is "
            f"{source.stream.what}; write distill(read_teacher(teacher, frame), X), the frame being some of the rows"
        )
    return reading.model, reading.centred, reading.notes


def _with_codes(options: DistillOptions, exact: CurveModel) -> DistillOptions:
    """The options with the special codes of the teacher's own curves, where no option says which there are."""
    codes: dict[str, set[float]] = {}
    for node in walk(*exact.terms):
        if node.special_codes and isinstance(node.feature, str) and "special" not in options.fit_options(node.feature):
            codes.setdefault(node.feature, set()).update(node.special_codes)
    for feature, own in codes.items():
        options = options.with_option(feature, "special", tuple(sorted(own)))
    return options


def _aim(functions: Sequence[TeacherFunction], rows: SummedUp, options: DistillOptions) -> Aim:
    shortened = sum(not is_offset(function.term) for function in functions)
    margin = automatic_margin(rows, options) if isinstance(options.margin, str) else options.margin
    precision = score_precision(rows.learnt, margin, shortened)
    return Aim(options=options, precision=precision, margin=margin, total=rows.learnt.squares)


def _choices(functions: Sequence[TeacherFunction], rows: SummedUp, aim: Aim) -> list[tuple[Choice, ...]]:
    """Everything that each function may become."""
    contexts = [Context(**msgspec.structs.asdict(aim), table=view.table, weights=view.weights) for view in rows.views]

    def job(at: tuple[TeacherFunction, Context]) -> tuple[Choice, ...]:
        return choices_of(*at)

    jobs = list(zip(functions, contexts, strict=True))
    return run_parallel(job, jobs, threads=threads(), label="distilling")


def _pick_within_margin(best: LeastLosses, aim: Aim, most: int | None) -> list[Choice]:
    """The choices of the shortest model within the margin, of at most ``most`` numbers.

    All values end at one decimal place, if a model that does is within the margin.
    """
    margin, left = aim.margin * aim.total, None if most is None else most - 1
    sharing = [[choice for choice in own if choice.at_place] for own in best.choices]
    picked = shortest_within(sharing, best.losses, margin, left)
    if picked is None:
        picked = shortest_within(best.choices, best.losses, margin, left, nearest=True)
    assert picked is not None  # noqa: S101  the nearest is always there
    return picked


def _assemble(
    exact: CurveModel,
    parts: Sequence[DistilledTerm],
    rows: SummedUp,
    source: RowSource,
    aim: Aim,
    front: tuple[Size, ...],
) -> Distillation:
    options = aim.options
    parts, left, separate = _moved_parts(exact, parts, rows, source, aim)
    terms = _kept_terms(parts)
    intercept = _rounded_intercept(left.mean, aim, rows.learnt)
    features = _features(exact, terms, options)
    model = CurveModel(exact.name, terms, intercept, exact.link, features, exact.note)
    used = {feature.name for feature in features}
    report = distillation_report(
        _compare_rows(model, exact, source, rows, left),
        counterparts(model, exact),
        parts,
        intercept_shift=intercept - exact.intercept - sum(part.constant for part in parts),
        separate=separate,
        margin=aim.margin,
        unused=[feature.name for feature in exact.features if feature.name not in used],
        scored_gaps=_scored_gaps(terms),
        front=front,
    )
    return Distillation(model, exact, report, tuple(parts))


def _moved_parts(
    exact: CurveModel, parts: Sequence[DistilledTerm], rows: SummedUp, source: RowSource, aim: Aim
) -> tuple[list[DistilledTerm], Spread, float | None]:
    """The parts in order, moved together if the score of all rows gains enough by it.

    Also what they leave of the teacher's score, and the share of its variance that they lost before they were moved;
    None where they were not.
    """
    least_gain = _LEAST_GAIN * aim.margin * aim.total
    trials = [parts]
    if least_gain:
        moved = moved_together(parts, exact, rows.views, rows.sample, aim, least_gain, rows.learnt.weight)
        trials += [] if moved is None else [moved]
    ordered = [_ordered_parts(trial, rows, aim.options) for trial in trials]
    left = score_differences(source, exact, [_kept_terms(trial) for trial in ordered])
    if left[0].squares - left[-1].squares > least_gain:
        return ordered[-1], left[-1], left[0].squares / rows.score.squares
    return ordered[0], left[0], None


_LEAST_GAIN = 0.1
"""The share of the margin that moving all curves together has to gain."""


def _ordered_parts(parts: Sequence[DistilledTerm], rows: SummedUp, options: DistillOptions) -> list[DistilledTerm]:
    """The parts without terms that only show rounding, in the order asked for."""
    noise, null = rows.score.largest * SCORE_ROUNDING, options.unseen == "teacher"
    parts = [without_noise(part, noise, null=null) for part in parts]
    if options.order != "importance":
        return parts
    return by_importance(parts, [(view.table, view.weights) for view in rows.views])


def _kept_terms(parts: Sequence[DistilledTerm]) -> list[Term]:
    return [part.term for part in parts if part.term is not None]


def _compare_rows(model: CurveModel, exact: CurveModel, source: RowSource, rows: SummedUp, left: Spread) -> Comparison:
    """On all rows of a table in memory; of a stream on those that stand for all, and the score on all."""
    if source.stream is None:
        table = source.in_memory(exact)
        return compare_columns(model, exact, table, table, weights_or_ones(source.weights, table.rows))
    return compare_views(model, exact, rows.views_by_features(), rows.score, left, rows.rows)


def _scored_gaps(terms: Sequence[Term]) -> tuple[str, ...] | None:
    """The features of which a missing value has a score; None where all have one."""
    nodes = [node for node in walk(*terms) if node.feature is not None]
    silent = {node.feature for node in nodes if node.missing is None}
    scored = dict.fromkeys(str(node.feature) for node in nodes if node.feature not in silent)
    return tuple(scored) if silent else None


def _rounded_intercept(value: float, aim: Aim, score: Spread) -> float:
    """To ``digits`` digits of the score's standard deviation: finer ones are lost beside the curves' rounding."""
    digits = aim.options.digits
    if digits == "auto" or digits is None or score.sd == 0:
        return aim.precision.round(value, digits)
    return round(value, digits - 1 - math.floor(math.log10(score.sd))) + 0.0


def _features(exact: CurveModel, terms: Sequence[Term], options: DistillOptions) -> list[Feature]:
    """The features that the terms use: in the order of the terms, which needs no list, or of the teacher if asked.

    Those made categories have integer levels.
    """
    if options.order == "importance":
        return list(dict.fromkeys(features_of(Sum(terms)))) if terms else []
    used = set(names_of(*terms))
    return [
        Feature(feature.name, "int") if feature.name in options.categorical else feature
        for feature in exact.features
        if feature.name in used
    ]
