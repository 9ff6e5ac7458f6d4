"""Explainable boosting machines (interpret): the live object, and the JSON of ``to_json``.

Bins are closed on the left, as a StepCurve's are. A score table holds the missing bin first and the unknown one last.
Terms are added in their order, starting at the intercept: up to 25 terms the raw score is the teacher's bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, UnsupportedError, counted
from curvec.ir import Feature
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, class_scores, known_link
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.categories import key_type
from curvec.teachers.parts.files import Document
from curvec.teachers.parts.pairs import Axis, Pair
from curvec.teachers.parts.recognise import check_fitted, is_instance
from curvec.transforms import FloatArray

_OBJECTS = ("EBMModel", "ExplainableBoostingClassifier", "ExplainableBoostingRegressor")


class _Machine(msgspec.Struct, frozen=True):
    """What is read of an EBM, from the live object and from a file alike.

    Attributes:
        names: the features' names.
        bins: for each feature its resolutions: cuts, or category -> index.
        terms: for each term the features' indices and the scores, (bins, ...[, classes]).
        weights: for each term the training weights of the bins, or None.
        spread: for each term the standard deviations of the scores over the bags, or None.

    """

    names: Sequence[str]
    bins: Sequence[Sequence[Any]]
    terms: Sequence[tuple[Sequence[int], npt.NDArray[np.float64]]]
    weights: Sequence[FloatArray | None]
    spread: Sequence[FloatArray | None]
    intercept: FloatArray
    link: str
    raw: Any = None


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "interpret", *_OBJECTS) or (isinstance(teacher, Document) and teacher.has("ebm"))


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    machine = _of_file(teacher) if isinstance(teacher, Document) else _of_object(teacher)
    classes = machine.intercept.size
    chosen = options.chosen_class(classes)
    names = options.names(machine.names, len(machine.names), "feature_")
    axes = [[_axis(names, j, level, options) for level in levels] for j, levels in enumerate(machine.bins)]
    parts = AdditiveParts(
        features=[_feature(names[j], levels) for j, levels in enumerate(axes)],
        terms=[],
        constant=float(machine.intercept[chosen]),
        link="identity" if classes > 1 else _link(machine.link),
        raw=None if machine.raw is None else lambda rows: class_scores(machine.raw(rows), chosen),
        tolerance=1e-13,
        centred=True,
        reads_text=True,
    )
    for (indices, scores), weights, spread in zip(machine.terms, machine.weights, machine.spread, strict=True):
        of_class = (..., chosen) if classes > 1 else ...
        _add_term(parts, [axes[j] for j in indices], scores[of_class], weights)
        if len(indices) == 1 and spread is not None:
            _add_spread(parts, axes[indices[0]][0], spread[of_class])
    return parts


def _add_spread(parts: AdditiveParts, axis: Axis, deviations: FloatArray) -> None:
    """Add the standard deviations of a curve; those of one bag alone are zeros, or not finite."""
    if deviations.shape != (axis.size + _has_unknown(axis),):
        return
    kept = _without_unknown_bins(deviations, [axis])
    if np.isfinite(kept).all() and kept.any():
        parts.spread.append(axis.curve(kept))


def _add_term(
    parts: AdditiveParts, axes: Sequence[Sequence[Axis]], table: FloatArray, weights: FloatArray | None
) -> None:
    """Add a curve or a pair; a table of one value only is added to the constant."""
    if len(axes) > 2:
        names = ", ".join(repr(levels[0].feature) for levels in axes)
        raise UnsupportedError(
            f"the term of {names} has {counted(len(axes), 'feature')}; terms of one or two can be read"
        )
    # The last resolutions of a feature serve its terms of higher order.
    chosen = [levels[min(len(levels), len(axes)) - 1] for levels in axes]
    sizes = tuple(axis.size + _has_unknown(axis) for axis in chosen)
    for values in (table, weights):
        if values is not None and values.shape != sizes:
            names = " and ".join(repr(axis.feature) for axis in chosen)
            raise InputError(f"the term of {names} has {sizes} bins and a table of the shape {values.shape}")
    if (table == table.flat[0]).all():
        parts.constant += float(table.flat[0])
    elif len(chosen) == 1:
        parts.terms.append(chosen[0].curve(_without_unknown_bins(table, chosen)))
    else:
        a, b = chosen
        weights = None if weights is None else _without_unknown_bins(weights, chosen)
        pair = Pair((a.feature, b.feature), (a, b), _without_unknown_bins(table, chosen), weights, len(parts.terms))
        parts.pairs.append(pair)
        parts.terms.append(pair.term())


def _has_unknown(axis: Axis) -> bool:
    """Whether the table has a bin for unknown values: that of a number has one, into which no number falls."""
    return axis.cuts is not None and axis.places is None


def _without_unknown_bins(table: FloatArray, axes: Sequence[Axis]) -> FloatArray:
    """The table without the unknown bin of numeric features: a number is never unknown."""
    keep = tuple(slice(0, axis.size) for axis in axes)
    return table[keep]


def _axis(names: Sequence[str], index: int, level: Any, options: TeacherOptions) -> Axis:
    if not isinstance(level, Mapping):
        return Axis(names[index], cuts=tuple(np.asarray(level, dtype=np.float64).tolist()))
    keys = options.keys(level, names, index, prefer="int")
    held = None if options.rows is None else options.rows.kind(names, index)
    numbers = [_written_number(text) for text in level]
    if held in (None, "int") and isinstance(keys[0] if keys else None, str) and None not in numbers:
        return _axis_of_points(names[index], dict(zip(numbers, map(int, level.values()), strict=True)))
    return Axis(names[index], levels=dict(zip(keys, map(int, level.values()), strict=True)))


def _written_number(text: str) -> float | None:
    """The double that interpret writes as this text, if there is one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if repr(number + 0.0).removesuffix(".0") == text and math.isfinite(number) else None


def _axis_of_points(name: str, cells: Mapping[float | None, int]) -> Axis:
    """Categories that are numbers, some of them fractions: each a step one double wide; others are unknown."""
    unknown = max(cells.values()) + 1
    cuts: list[float] = []
    places = [unknown]
    for number in sorted(number for number in cells if number is not None):
        if cuts and cuts[-1] == number:  # the double just below is a category, too
            places[-1] = cells[number]
        else:
            cuts.append(number)
            places.append(cells[number])
        cuts.append(math.nextafter(number, math.inf))
        places.append(unknown)
    return Axis(name, cuts=tuple(cuts), places=tuple(places))


def _feature(name: str, levels: Sequence[Axis]) -> Feature:
    known = levels[0].levels if levels else None
    return Feature(name, key_type(known) if known else "number")


def _link(name: str) -> str:
    if name == "monoclassification":
        raise UnsupportedError("the EBM was trained on one class only (link monoclassification): it has no score")
    return known_link(name, "the EBM")


def _of_object(teacher: Any) -> _Machine:
    if not hasattr(teacher, "term_scores_"):
        if hasattr(teacher, "additive_terms_"):
            raise UnsupportedError(
                "this EBM was made by interpret before 0.3, whose form is not read; fit it again with a newer one"
            )
        check_fitted(teacher, fitted=False)
    scores = [np.asarray(table, dtype=np.float64) for table in teacher.term_scores_]
    return _Machine(
        list(teacher.feature_names_in_),
        teacher.bins_,
        list(zip(teacher.term_features_, scores, strict=True)),
        _tables(teacher, "bin_weights_", len(scores)),
        _tables(teacher, "standard_deviations_", len(scores)),
        np.atleast_1d(np.asarray(teacher.intercept_, dtype=np.float64)),
        teacher.link_,
        teacher.decision_function if hasattr(teacher, "decision_function") else lambda rows: _raw_score(teacher, rows),
    )


def _tables(teacher: Any, name: str, terms: int) -> list[FloatArray | None]:
    """A table a term, where the teacher keeps them."""
    tables = getattr(teacher, name, None) or [None] * terms
    return [None if table is None else np.asarray(table, dtype=np.float64) for table in tables]


def _raw_score(teacher: Any, rows: Any) -> FloatArray:
    """A regressor's raw score: only its prediction is public."""
    prediction = np.asarray(teacher.predict(rows), dtype=np.float64)
    return np.log(prediction) if teacher.link_ == "log" else prediction


def _of_file(document: Document) -> _Machine:
    assert isinstance(document.content, Mapping)  # noqa: S101  what _matches looked at
    content = document.content["ebm"]
    if len(content["outputs"]) != 1:
        raise UnsupportedError(f"{document.origin}: {len(content['outputs'])} outputs; a curve model has one")
    names = [feature["name"] for feature in content["features"]]
    index = {name: j for j, name in enumerate(names)}
    terms = [([index[name] for name in term["term_features"]], _array_of(term["scores"])) for term in content["terms"]]
    weights, spread = (
        [_array_of(term[key]) if key in term else None for term in content["terms"]]
        for key in ("bin_weights", "standard_deviations")
    )
    intercept = np.atleast_1d(_array_of(content["intercept"]))
    return _Machine(
        names,
        list(map(_levels_of_feature, content["features"])),
        terms,
        weights,
        spread,
        intercept,
        content["outputs"][0]["link"],
    )


def _levels_of_feature(feature: Mapping[str, Any]) -> list[Any]:
    if "cuts" in feature:
        return [_array_of(cuts) for cuts in feature["cuts"]]
    if any(entry == [] for names in feature["categories"] for entry in names):
        raise InputError("a bin of categories is empty")
    return [
        # Categories that share a bin are nested in a list of their own.
        {name: n + 1 for n, entry in enumerate(names) for name in (entry if isinstance(entry, list) else [entry])}
        for names in feature["categories"]
    ]


def _array_of(value: Any) -> FloatArray:
    """Nested lists of numbers, where "nan", "+inf" and "-inf" are strings."""
    return np.asarray(value, dtype=np.str_).astype(np.float64) if _has_text(value) else np.asarray(value, np.float64)


def _has_text(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and any(map(_has_text, value)))


ADAPTER = Adapter("EBM", _matches, _take_apart)
