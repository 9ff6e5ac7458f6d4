"""A teacher's terms replaced bottom-up: sums, products and curves of curves, down to functions of one feature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from curvec.data import Table
from curvec.distill.context import Context
from curvec.distill.correspondence import joined
from curvec.distill.distilled import DistilledTerm, distilled_term
from curvec.distill.fidelity import mean_difference
from curvec.distill.fitted_curve import (
    Examples,
    FittedCurve,
    LevelCounts,
    best_curve,
    distance_of,
    fit_curve,
    fit_table,
    value_at_missing,
)
from curvec.distill.options import DistillOptions
from curvec.distill.pairs import factored, pair_of
from curvec.distill.printing import share_text
from curvec.distill.products import distilled_products, with_gates
from curvec.errors import InputError, counted, shown
from curvec.evaluate import term_values
from curvec.ir import (
    Curve,
    EnumCurve,
    Feature,
    Key,
    Line,
    Product,
    StepCurve,
    Sum,
    Term,
    changed,
    curves_of,
    features_of,
    label_of,
    uses_of,
)
from curvec.parameters.precision import Precision
from curvec.transforms import FloatArray


class TeacherFunction(msgspec.Struct, frozen=True):
    """What is distilled as one: a term of the teacher, or all its terms of one feature together.

    Attributes:
        label: the feature, or what the function does with several; unique in the teacher.
        term: the function.

    """

    label: str
    term: Term


def functions_of(terms: Sequence[Term]) -> tuple[TeacherFunction, ...]:
    """The teacher's functions in the order of its terms, those of one feature joined where the first of them stands."""
    groups: dict[object, list[Term]] = {}
    for place, term in enumerate(terms):
        groups.setdefault(single_feature(term) or place, []).append(term)
    labels: dict[str, int] = {}
    result = []
    for term in map(joined, groups.values()):
        label = label_of(term)
        labels[label] = labels.get(label, 0) + 1
        result.append(TeacherFunction(label if labels[label] == 1 else f"{label} #{labels[label]}", term))
    return tuple(result)


def distilled_forms(function: TeacherFunction, context: Context) -> list[DistilledTerm]:
    """A function of several features beside its short form; a table over two features as 1, 2, ... products.

    Raises:
        InputError: an option does not fit, or no row can be used; the message names the feature.

    """
    if pair_of(function.term) is not None:
        return _interaction(function, context)
    _check_unconstrained(function.term, context.options)
    found = _distilled(function.term, context.weights, context, context.precision)
    return [distilled_term(function.label, function.term, found.term, found.curves, null=_null_unseen(context))]


def _interaction(function: TeacherFunction, context: Context) -> list[DistilledTerm]:
    """A table over two features as products of curves, or as its weighted mean, for the intercept."""
    options = context.options
    if options.pairs == "drop":
        values = term_values(function.term, context.table)
        mean = mean_difference(values, np.zeros(len(values)), context.weights)
        return [DistilledTerm(function.label, function.term, None, mean, (), ("dropped, as pairs='drop' asks",))]
    _check_unconstrained(function.term, options)
    forms = []
    for most in range(1, _MOST_PRODUCTS + 1):
        found = factored(function.term, context.table, context.weights, share=_PAIR_SHARE, most=most)
        if found.products < most:
            break
        term, curves = distilled_products(found.term, context)
        note = f"{counted(found.products, 'product')}, with {share_text(found.share)} of its variance before fitting"
        forms.append(distilled_term(function.label, function.term, term, curves, (note,), null=_null_unseen(context)))
    return forms


def _null_unseen(context: Context) -> bool:
    return context.options.unseen == "teacher"


_PAIR_SHARE = 0.9
"""The share of a table's weighted variance at which no further product is added."""
_MOST_PRODUCTS = 3


class _Distilled(NamedTuple):
    """A short term, and every curve that was made for it, innermost first."""

    term: Term
    curves: tuple[FittedCurve, ...]


def _distilled(term: Term, w: FloatArray, context: Context, precision: Precision) -> _Distilled:
    feature = single_feature(term)
    if feature is not None:
        curve = _curve(term, feature, w, context, precision)
        return _Distilled(curve.term, (curve,))
    match term:
        case Sum(terms):
            children = [_distilled(child, w, context, precision) for child in terms]
            return _Distilled(Sum([child.term for child in children]), _curves_of(children))
        case Product(factors):
            return _product(factors, w, context, precision.of_factor)
        case Curve():
            return _curve_of_sum(term, w, context, precision)
        case Line() | EnumCurve():
            raise AssertionError("a line and a table have one feature")


def _curves_of(parts: Iterable[_Distilled]) -> tuple[FittedCurve, ...]:
    return tuple(curve for part in parts for curve in part.curves)


def _curve(term: Term, feature: Feature, w: FloatArray, context: Context, precision: Precision) -> FittedCurve:
    """A function of one feature as a curve, or as a table for a category."""
    if feature.type == "number" and feature.name not in context.options.categorical:
        return fit_curve(term, feature.name, context.examples(term, feature.name, w), context.options, precision)
    table, levels = level_counts(term, w, context)
    return fit_table(table, levels, context.options, precision)


def level_counts(term: Term, w: FloatArray, context: Context) -> tuple[Term, LevelCounts]:
    """A function of one category, and the rows' weights at its levels.

    Of a number whose integer values are to be categories it is a table of them.

    Raises:
        InputError: a direction was asked for, or the values are no integers; the message names the feature.

    """
    feature = single_feature(term)
    assert feature is not None  # noqa: S101  the caller has looked
    if isinstance(context.options.mono, Mapping) and context.options.mono.get(feature.name):
        raise InputError(
            f"mono[{feature.name!r}] cannot hold: {feature.name!r} is a category, and its levels have no order"
        )
    if feature.type == "number":
        return _table_of_numbers(term, feature.name, w, context)
    column = context.table.keys(feature.name, feature.type)
    levels = uses_of(feature.name, term).levels
    weight: dict[Key | None, float] = dict.fromkeys(levels, 0.0)
    missing = unseen = False
    for key, row_weight in zip(column.tolist(), w.tolist(), strict=True):
        if key in weight:
            weight[key] += row_weight
        elif row_weight > 0:
            missing, unseen = missing or key is None, unseen or key is not None
    counts = np.array(list(weight.values()), dtype=np.float64)
    return term, LevelCounts(feature, levels, counts, missing, unseen)


def _table_of_numbers(term: Term, name: str, w: FloatArray, context: Context) -> tuple[Term, LevelCounts]:
    x = context.table.number(name)
    used = ~np.isnan(x)
    values, inverse = np.unique(x[used], return_inverse=True)
    if not len(values) or not np.all(np.mod(values, 1) == 0):
        raise InputError(
            f"feature {name!r} is to be a category, and its values {shown(values[:4].tolist())} ... are not integers"
        )
    # The levels are integers from here on; the teacher reads the same column as a number.
    counts = np.bincount(inverse, weights=w[used], minlength=len(values)).astype(np.float64)
    levels = [int(value) for value in values]
    as_numbers = Table({name: values}, [Feature(name)])
    table = EnumCurve(
        name,
        dict(zip(levels, term_values(term, as_numbers).tolist(), strict=True)),
        missing=value_at_missing(term, Feature(name)),
    )
    return table, LevelCounts(Feature(name, "int"), levels, counts, bool(w[~used].any()), unseen=False)


def _product(factors: Sequence[Term], w: FloatArray, context: Context, precision: Precision) -> _Distilled:
    """Each factor fitted alone, each row weighted by the square of the other factors, which multiply its error."""
    if not all(_is_short(node, context.options) for factor in factors for node in curves_of(factor)):
        factors = with_gates(factors, context)
    values = [term_values(factor, context.table) for factor in factors]
    replaced = []
    for place, factor in enumerate(factors):
        others = np.ones(context.table.rows)
        for other, value in enumerate(values):
            if other != place:
                others = others * value
        weights = np.where(np.isfinite(others), w * np.square(np.nan_to_num(others)), 0.0)
        replaced.append(_distilled(factor, weights if weights.any() else w, context, precision))
    return _Distilled(Product([factor.term for factor in replaced]), _curves_of(replaced))


def _is_short(node: Term, options: DistillOptions) -> bool:
    """Whether a curve of the teacher may have been written by a person: it has no more segments than asked for."""
    most = options.fit_options(label_of(node))["num_segments"]
    return not isinstance(node, StepCurve) and most != "auto" and node.pieces <= most


def _curve_of_sum(term: Curve, w: FloatArray, context: Context, precision: Precision) -> _Distilled:
    """The inner sum first; then the outer curve from the new inner values to the teacher's outer values."""
    assert isinstance(term.input, Sum)  # noqa: S101  a curve of a name has one feature
    inside = _distilled(term.input, w, context, precision.of_inner)
    inner = inside.term if isinstance(inside.term, Sum) else Sum([inside.term])
    examples = Examples(term_values(inner, context.table), term_values(term, context.table), w)
    label = f"curve of ({label_of(term.input)})"
    missing = precision.round(term.missing, context.options.digits)
    options = context.options.with_option(label, "special", ())  # a sum has none
    curve, fit = best_curve(label, examples, options, missing, precision)
    outer = changed(curve, input=inner)
    distance = distance_of(examples, term_values(outer, context.table))
    fitted = FittedCurve(label, outer, distance, fit=fit, notes=fit.notes if fit else ())
    return _Distilled(outer, (*inside.curves, fitted))


def single_feature(term: Term) -> Feature | None:
    """The feature of a function of one variable; None if it has several, or one read in two ways."""
    features = set(features_of(term))
    return features.pop() if len(features) == 1 else None


def _check_unconstrained(term: Term, options: DistillOptions) -> None:
    """Refuse a direction that was asked for a feature by name, in a term of several features.

    Raises:
        InputError: naming the feature and the term.

    """
    if single_feature(term) is not None or not isinstance(options.mono, Mapping):
        return
    for feature in features_of(term):
        if options.mono.get(feature.name):
            raise InputError(
                f"mono[{feature.name!r}] cannot hold: {feature.name!r} is also in a term with other features "
                f"({label_of(term)}), where its direction depends on them; drop that term, or the constraint"
            )
