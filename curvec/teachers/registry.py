"""The one list of teachers, and the one way through it: recognise, read, centre, check."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from curvec.errors import CurvecError, InputError, UnsupportedError, shown
from curvec.ir import EnumCurve, Feature, Levels, Term, names_of
from curvec.model import CurveModel
from curvec.teachers import (
    catboost,
    ebm,
    gradient_boosting,
    hist_gradient_boosting,
    isotonic,
    lightgbm,
    linear,
    optbinning,
    own,
    points,
    probing,
    pygam,
    random_forest,
    relu,
    statsmodels,
    structure,
    xgboost,
)
from curvec.teachers.bools import keep_bools
from curvec.teachers.curves import merged_steps, shifted
from curvec.teachers.files import Document, door, opened
from curvec.teachers.reading import Adapter, Check, Options, Parts, Reading
from curvec.teachers.recognise import as_function, is_instance, unwrapped
from curvec.teachers.rows import Rows, as_list
from curvec.transforms import FloatArray

__all__ = ["ADAPTERS", "read", "read_teacher"]

ADAPTERS: tuple[Adapter, ...] = (
    ebm.ADAPTER,
    lightgbm.ADAPTER,
    xgboost.ADAPTER,
    gradient_boosting.ADAPTER,
    hist_gradient_boosting.ADAPTER,
    random_forest.ADAPTER,
    linear.ADAPTER,
    isotonic.ADAPTER,
    catboost.ADAPTER,
    pygam.ADAPTER,
    statsmodels.ADAPTER,
    optbinning.ADAPTER,
    relu.ADAPTER,
    points.ADAPTER,
    own.ADAPTER,
    structure.ADAPTER,
    probing.ADAPTER,
)
"""In order: the first that claims a teacher reads it."""


def read_teacher(
    teacher: Any,
    X: Any = None,  # noqa: N803  the field's name
    *,
    class_index: int | None = None,
    feature_names: Sequence[str] | None = None,
    missing: float | None = None,
    link: str | None = None,
    name: str | None = None,
) -> CurveModel:
    """The exact form of an additive teacher; :func:`curvec.teachers.read` also says how far it is from the teacher.

    Args:
        teacher: a live model (recognised by its class's name; its library is not imported), a file of one, a table
            of (feature, x, y[, w]), a model that exposes its parts, or any function of rows that gives raw scores.
        X: (rows, features) data: what the exact form is compared on, and where each curve's mean is taken from, which
            goes to the intercept. A function needs it.
        class_index: which class's raw score, of a teacher with several.
        feature_names: the features' names in order, for a teacher that keeps none.
        missing: a number that stood for missing when the teacher was trained and is not in its file (XGBoost).
        link: the link of a teacher that does not say its own: a function, a table, a state_dict.
        name: the model's name; without one it is "model", or what a curve model is called.

    Raises:
        UnsupportedError: nobody knows the teacher, it is not a sum of functions of one feature or two, or its exact
            form is further from its own raw score than rounding explains; the message says which and what to do.
        InputError: X does not have the teacher's columns, or an option does not fit.

    """
    return read(
        teacher, X, class_index=class_index, feature_names=feature_names, missing=missing, link=link, name=name
    ).model


def read(
    teacher: Any,
    X: Any = None,  # noqa: N803
    *,
    class_index: int | None = None,
    feature_names: Sequence[str] | None = None,
    missing: float | None = None,
    link: str | None = None,
    name: str | None = None,
) -> Reading:
    """An additive teacher, read exactly and compared with its own raw score.

    Args:
        teacher: a live model (recognised by its class's name; its library is not imported), a file of one, a table
            of (feature, x, y[, w]), or any callable of rows that gives raw scores.
        X: (rows, features) data: what the comparison is made on, and where each curve's mean is taken from: curves
            are centred on X, and the means go to the intercept, unless the teacher has centred them. Without X
            nothing is compared or centred. A callable needs it.
        class_index: which class's raw score, of a teacher with several.
        feature_names: the features' names in order, for a teacher that keeps none.
        missing: a number that stood for missing when the teacher was trained and is not in its file.
        link: the link of a teacher that does not say its own: a callable, a table, a state_dict.
        name: the model's name; without one it is "model", or what a curve model is called.

    Raises:
        UnsupportedError: nobody knows the teacher, it is not a sum of functions of one feature, or its exact form
            is further from its own raw score than rounding explains; the message says which and what to do.
        InputError: X does not have the teacher's columns, or an option does not fit.

    """
    teacher = unwrapped(opened(teacher))
    rows = None if X is None else Rows(X)
    if rows is not None and not rows.count:
        raise InputError("X has no rows; pass the rows to compare on, or no X")
    options = Options(class_index, None if feature_names is None else tuple(feature_names), missing, link, rows)
    file = isinstance(teacher, Document)
    adapter, parts = _from_file(teacher, options) if file else _from_object(teacher, options)
    magnitude = 0.0
    if rows is not None:
        _check_categories(adapter, parts, rows)
        keep_bools(parts, rows)
        magnitude = _magnitude(parts, rows)
        if not parts.centred:
            _centre(parts, rows)
    reading = Reading(
        model=_model(parts, name),
        exact=parts.exact,
        check=None,
        pairs=tuple(parts.pairs),
        samples=tuple(parts.samples),
        notes=tuple(parts.notes),
        teacher=adapter.name,
    )
    return (
        reading
        if rows is None or parts.raw is None
        else replace(reading, check=_check(parts, reading, rows, magnitude))
    )


def _from_file(document: Document, options: Options) -> tuple[Adapter, Parts]:
    """Nothing but errors of ours: whatever a file holds, it is no defect of the library's."""
    with door(document.origin, "a teacher's file"):
        adapter = find(document)
        adapter.check(options)
    with door(document.origin, f"a file of {adapter.name}"):
        return adapter, adapter.read(document, options)


def _from_object(teacher: Any, options: Options) -> tuple[Adapter, Parts]:
    """Exceptions that are not ours are the teacher's library's, or a defect of ours: they keep their traceback."""
    adapter = find(teacher)
    adapter.check(options)
    try:
        return adapter, adapter.read(teacher, options)
    except RecursionError:
        raise UnsupportedError(
            f"the {adapter.name} teacher has trees too deep to follow; train with fewer leaves"
        ) from None


def find(teacher: Any) -> Adapter:
    """The adapter that knows this teacher.

    Raises:
        UnsupportedError: none does.

    """
    for adapter in ADAPTERS:
        if adapter.claims(teacher):
            return adapter
    if is_instance(teacher, "sklearn", "Pipeline"):
        last = type(teacher.steps[-1][1]).__name__
        raise UnsupportedError(
            f"a Pipeline is read where a linear model is at its end, not a {last}; read the {last} on the transformed "
            f"columns, or pass X and the pipeline as a function of rows: {as_function(teacher)}"
        )
    known = ", ".join(adapter.name for adapter in ADAPTERS)
    kind = type(teacher)
    what = teacher.origin if isinstance(teacher, Document) else f"{kind.__module__}.{kind.__qualname__}"
    raise UnsupportedError(
        f"no adapter knows {what}; known are {known}. "
        "Any other additive model can be passed as a function of rows that gives its raw score, with X and its link="
    )


_ASK_INSTEAD = (
    "read it as a function of rows that gives its raw score, read_teacher(function, X): any sum of functions of one "
    "column each is read by asking"
)


def _without_score(reading: Reading, columns: Mapping[str, Any], row: int, theirs: float) -> str:
    """Which term has no value for what stands in this row."""
    model = reading.model
    for term in model.terms:
        if np.isnan(CurveModel("term", [term], features=model.features).eval(columns)[row]):
            break
    inputs = " and ".join(f"{name!r} is {shown(as_list(columns[name])[row])}" for name in names_of(term))
    return (
        f"in row {row} of X {inputs}, for which the {reading.teacher} teacher's own parts have no value, though it "
        f"gives {theirs!r}; leave such rows out of X"
    )


def _model(parts: Parts, name: str | None) -> CurveModel:
    # A model has at least one term: a teacher that is a constant gets a curve of zeros.
    terms = parts.terms or [_zero(parts.features[0])]
    name = parts.name if name is None else name
    return CurveModel(name, terms, parts.constant, parts.link, parts.features, parts.note)


def _zero(feature: Feature) -> Term:
    if feature.type == "number":
        return merged_steps(feature.name, [], [0.0], 0.0)
    key = {"int": 0, "str": "", "bool": False}[feature.type]
    return EnumCurve(feature.name, Levels([(key, 0.0)]), default=0.0, missing=0.0)


def _check_categories(adapter: Adapter, parts: Parts, rows: Rows) -> None:
    """Refuse fractions in a column of categories that are whole numbers, where the teacher makes others of them.

    Raises:
        InputError: the message names the column and the row.

    """
    if not parts.cuts_off_fractions:
        return
    columns = rows.columns([feature.name for feature in parts.features])
    for feature in parts.features:
        if feature.type != "int":
            continue
        for row, value in enumerate(as_list(columns[feature.name])):
            if isinstance(value, float) and math.isfinite(value) and not value.is_integer():
                raise InputError(
                    f"column {feature.name!r}, row {row}: {value!r} is no whole number and the feature is a category, "
                    f"for which {adapter.name} cuts off the fraction and a model has no level; pass whole numbers"
                )


def _magnitude(parts: Parts, rows: Rows) -> float:
    """The most that the absolute values of the terms and the constant add up to: what rounding is relative to."""
    columns = rows.columns([feature.name for feature in parts.features])
    total = np.full(rows.count, max(parts.start, abs(parts.constant)))
    for term in parts.terms:
        values = np.abs(CurveModel("term", [term], features=parts.features).eval(columns))
        total += np.where(np.isfinite(values), values, 0.0)
    return float(total.max(initial=0.0))


def _centre(parts: Parts, rows: Rows) -> None:
    """Move each curve's mean over the rows to the constant."""
    columns = rows.columns([feature.name for feature in parts.features])
    for index, term in enumerate(parts.terms):
        values = CurveModel("term", [term], features=parts.features).eval(columns)
        finite = values[np.isfinite(values)]
        moved = shifted(term, -float(finite.mean())) if finite.size else None
        if moved is not None:
            parts.terms[index] = moved
            parts.constant += float(finite.mean())


def _their_scores(raw: Callable[[Any], Any], rows: Rows, names: Sequence[str], library: str) -> FloatArray:
    table = rows.matrix(names)
    try:
        with warnings.catch_warnings():
            # Columns are matched here, by name or position: scikit-learn's own worry about it is not the user's.
            warnings.filterwarnings("ignore", "X (does not have valid|has) feature names")
            return np.asarray(raw(table), dtype=np.float64).ravel()
    except CurvecError:
        raise
    except Exception as error:  # each library has errors of its own; what they say is what the user needs
        raise InputError(f"the {library} teacher does not score X: {type(error).__name__}: {error}") from error


def _check(parts: Parts, reading: Reading, rows: Rows, magnitude: float) -> Check:
    assert parts.raw is not None  # noqa: S101  the caller looked
    names = [feature.name for feature in parts.features]
    theirs = _their_scores(parts.raw, rows, names, reading.teacher)
    columns = rows.columns(names)
    if parts.rounds_to_single:
        columns = {name: np.asarray(column, dtype=np.float32) for name, column in columns.items()}
    ours = reading.model.eval(columns)
    both = np.isfinite(theirs) & np.isfinite(ours)
    if not np.array_equal(np.isnan(theirs), np.isnan(ours)):
        row = int(np.argmax(np.isnan(theirs) != np.isnan(ours)))
        if np.isnan(ours[row]):
            raise InputError(_without_score(reading, columns, row, float(theirs[row])))
        raise UnsupportedError(
            f"in row {row} of X the {reading.teacher} teacher gives no score and the exact form {float(ours[row])!r}; "
            f"{_ASK_INSTEAD}"
        )
    distance = float(np.abs(theirs[both] - ours[both]).max(initial=0.0))
    scale = max(magnitude, float(np.abs(theirs[both]).max(initial=0.0)))
    # An overflow of the teacher's own says nothing about the curves.
    check = Check(int((both | np.isnan(theirs)).sum()), distance, scale, parts.tolerance * (1 + scale))
    if distance > check.tolerance and reading.exact:
        row = int(np.argmax(np.where(both, np.abs(theirs - ours), -1.0)))
        raise UnsupportedError(
            f"in row {row} of X the exact form gives {float(ours[row])!r} and the {reading.teacher} teacher "
            f"{float(theirs[row])!r}; rounding explains {check.tolerance:.3g}. "
            f"This version of the library scores another way than its attributes say; {_ASK_INSTEAD}"
        )
    return check
