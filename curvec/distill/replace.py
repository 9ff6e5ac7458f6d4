"""A teacher's terms replaced bottom-up: sums, products and curves of curves, down to functions of one feature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from curvec.data import Table
from curvec.distill.leaf import Leaf, Sample, best_curve, compare, numeric_leaf, rounded, table_leaf, value_at_missing
from curvec.distill.options import Options
from curvec.distill.setting import Setting
from curvec.errors import InputError
from curvec.evaluate import term_values
from curvec.ir import (
    Column,
    EnumCurve,
    Feature,
    Key,
    Product,
    PWLCurve,
    StepCurve,
    Sum,
    Term,
    changed,
    features_of,
    names_of,
)
from curvec.transforms import FloatArray

__all__ = ["Piece", "Replacer", "check_free", "pieces", "single_feature"]


@dataclass(frozen=True)
class Piece:
    """What is distilled as one: a term of the teacher, or all its terms of one feature together.

    Attributes:
        label: the feature's name, or the names of the features it joins.
        source: the teacher's function.

    """

    label: str
    source: Term


def single_feature(term: Term) -> Feature | None:
    """The feature of a function of one variable; None if it has several, or one read in two ways."""
    features = set(features_of(term))
    return features.pop() if len(features) == 1 else None


def label_of(term: Term) -> str:
    """The names of a term's features in the order of their first use."""
    return " * ".join(names_of(term))


def pieces(terms: Sequence[Term]) -> tuple[Piece, ...]:
    """The terms, those of one feature joined where the first of them stands; every label is unique."""
    groups: dict[object, list[Term]] = {}
    for place, term in enumerate(terms):
        groups.setdefault(single_feature(term) or place, []).append(term)
    joined = [group[0] if len(group) == 1 else Sum(group) for group in groups.values()]
    labels: dict[str, int] = {}
    result = []
    for term in joined:
        label = label_of(term)
        labels[label] = labels.get(label, 0) + 1
        result.append(Piece(label if labels[label] == 1 else f"{label} #{labels[label]}", term))
    return tuple(result)


def check_free(term: Term, options: Options) -> None:
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


@dataclass
class Replacer:
    """Replaces one term; ``leaves`` collects the curves made on the way.

    Attributes:
        setting: the data and the options.
        leaves: every curve made so far, innermost first.

    """

    setting: Setting
    leaves: list[Leaf] = field(default_factory=list)

    def replace(self, term: Term) -> Term:
        """The distilled form of ``term``.

        Raises:
            InputError: an option does not fit, or no row can be used; the message names the feature.

        """
        check_free(term, self.setting.options)
        return self._replace(term, self.setting.weights)

    def _replace(self, term: Term, w: FloatArray) -> Term:
        feature = single_feature(term)
        if feature is not None:
            return self._leaf(term, feature, w)
        match term:
            case Sum(terms):
                return Sum([self._replace(child, w) for child in terms])
            case Product(factors):
                return self._product(factors, w)
            case PWLCurve() | StepCurve():
                return self._nested(term, w)
            case Column() | EnumCurve():
                raise AssertionError("a column and a table have one feature")

    def _leaf(self, term: Term, feature: Feature, w: FloatArray) -> Term:
        as_table = feature.type != "number" or feature.name in self.setting.options.categorical
        leaf = self._table(term, feature, w) if as_table else self._curve(term, feature.name, w)
        self.leaves.append(leaf)
        return leaf.term

    def _curve(self, term: Term, name: str, w: FloatArray) -> Leaf:
        return numeric_leaf(term, name, self.setting.sample(term, name, w), self.setting.options)

    def _table(self, term: Term, feature: Feature, w: FloatArray) -> Leaf:
        name = feature.name
        options = self.setting.options
        if isinstance(options.mono, Mapping) and options.mono.get(name):
            raise InputError(f"mono[{name!r}] cannot hold: {name!r} is a category, and its levels have no order")
        if feature.type == "number":
            return self._table_of_numbers(term, name, w)
        column = self.setting.table.keys(name, feature.type)
        listed = list(dict.fromkeys(_levels(term)))
        weight = dict.fromkeys(listed, 0.0)
        for key, row_weight in zip(column.tolist(), w.tolist(), strict=True):
            if key in weight:
                weight[key] += row_weight
        return table_leaf(term, feature, listed, np.array([weight[key] for key in listed], dtype=np.float64), options)

    def _table_of_numbers(self, term: Term, name: str, w: FloatArray) -> Leaf:
        x = self.setting.table.number(name)
        used = ~np.isnan(x)
        values, inverse = np.unique(x[used], return_inverse=True)
        if not len(values) or not np.all(np.mod(values, 1) == 0):
            raise InputError(
                f"feature {name!r} is to be a category, and its values {values[:4].tolist()!r} ... are not integers"
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
        return table_leaf(table, Feature(name, "int"), levels, counts, self.setting.options)

    def _product(self, factors: Sequence[Term], w: FloatArray) -> Product:
        """Each factor in isolation; a row counts as much as the other factors make of its error."""
        values = [term_values(factor, self.setting.table) for factor in factors]
        replaced = []
        for place, factor in enumerate(factors):
            others = np.ones(self.setting.table.rows)
            for other, value in enumerate(values):
                if other != place:
                    others = others * value
            weights = np.where(np.isfinite(others), w * np.square(np.nan_to_num(others)), 0.0)
            replaced.append(self._replace(factor, weights if weights.any() else w))
        return Product(replaced)

    def _nested(self, term: PWLCurve | StepCurve, w: FloatArray) -> Term:
        """The inner sum first; then the outer curve from the new inner values to the teacher's outer values."""
        assert isinstance(term.input, Sum)  # noqa: S101  a curve of a name has one feature
        inner = self._replace(term.input, w)
        inner = inner if isinstance(inner, Sum) else Sum([inner])
        sample = Sample(term_values(inner, self.setting.table), term_values(term, self.setting.table), w)
        label = f"curve of ({label_of(term.input)})"
        curve, fit = best_curve(label, sample, self.setting.options, rounded(term.missing, self.setting.options.digits))
        outer = changed(curve, input=inner)
        stats = compare(sample, term_values(outer, self.setting.table))
        self.leaves.append(Leaf(label, outer, stats, fit=fit, notes=fit.notes if fit else ()))
        return outer


def _levels(term: Term) -> Iterable[Key]:
    if isinstance(term, EnumCurve):
        yield from term.levels
    elif isinstance(term, (Sum, Product)):
        for child in term.terms if isinstance(term, Sum) else term.factors:
            yield from _levels(child)
