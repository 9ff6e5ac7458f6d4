"""scikit-learn's linear models and GLMs, alone or at the end of a Pipeline (see ``parts/transformers.py``).

Every column that the model multiplies must be a function of one input.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.errors import UnsupportedError, counted
from curvec.ir import Feature
from curvec.teachers.function_of_rows import estimator_from_scores
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, class_scores
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.basis_functions import Function, LevelValues, add_up, column
from curvec.teachers.parts.categories import key_type
from curvec.teachers.parts.recognise import is_instance
from curvec.teachers.parts.transformers import transformed

_LOGIT = ("LogisticRegression", "LogisticRegressionCV")
_LOG = ("PoissonRegressor", "GammaRegressor")


def _matches(teacher: Any) -> bool:
    last = teacher.steps[-1][1] if is_instance(teacher, "sklearn", "Pipeline") else teacher
    return type(last).__module__.startswith(("sklearn.linear_model", "sklearn.svm"))


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    steps = [step for _, step in teacher.steps] if hasattr(teacher, "steps") else [teacher]
    model = steps[-1]
    if not hasattr(model, "coef_") or not hasattr(model, "intercept_"):
        raise UnsupportedError(f"{type(model).__name__} has no coefficients: it is not fitted, or not linear")
    dense = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
    coefficients = np.atleast_2d(np.asarray(dense, dtype=np.float64))
    outputs = coefficients.shape[0]
    chosen = options.chosen_class(outputs)
    link = _link(model) if outputs == 1 else "identity"
    try:
        names, functions, notes = _columns(teacher, steps[:-1], coefficients.shape[1], options)
    except UnsupportedError as error:
        return _from_scores(teacher, options, link, chosen, error)
    terms, constant = add_up(
        (function.times(weight) for function, weight in zip(functions, coefficients[chosen].tolist(), strict=True)),
        names,
    )
    types = {function.feature: key_type(function.values) for function in functions if isinstance(function, LevelValues)}
    return AdditiveParts(
        features=[Feature(name, types.get(j, "number")) for j, name in enumerate(names)],
        terms=terms,
        constant=float(np.atleast_1d(model.intercept_)[chosen if outputs > 1 else 0]) + constant,
        link=link,
        raw=lambda rows: _raw(teacher, rows, link, chosen),
        # A spline's transformer and its polynomials differ by more than the sum's own rounding.
        tolerance=1e-11,
        notes=notes,
    )


def _columns(
    teacher: Any, transformers: list[Any], count: int, options: TeacherOptions
) -> tuple[list[str], list[Function], list[str]]:
    """The inputs' names, and each column of the model as a function of one of them."""
    inputs = getattr(teacher, "n_features_in_", count)
    names = options.names(getattr(teacher, "feature_names_in_", None), inputs, "x")
    functions: list[Function] = [column(j) for j in range(inputs)]
    notes: list[str] = []
    for step in transformers:
        functions = transformed(step, functions, names, options, notes)
    if len(functions) != count:
        raise UnsupportedError(
            f"the pipeline gives {counted(len(functions), 'column')} and the model has {counted(count, 'coefficient')}"
        )
    return names, functions, notes


def _from_scores(teacher: Any, options: TeacherOptions, link: str, chosen: int, why: UnsupportedError) -> AdditiveParts:
    """The pipeline read from its scores: a transformer that is not known may still make functions of one column."""
    if options.rows is None:
        raise UnsupportedError(f"{why}; with X, such columns are read from the pipeline's scores") from None
    try:
        parts = estimator_from_scores(lambda rows: _raw(teacher, rows, link, chosen), teacher, options, link)
    except UnsupportedError as error:
        raise UnsupportedError(f"{why}; so it was read from its scores, and {error}") from None
    parts.notes.insert(0, str(why))
    return parts


def _link(model: Any) -> str:
    if is_instance(model, "sklearn", *_LOGIT) or getattr(model, "loss", None) == "log_loss":
        return "logit"
    if is_instance(model, "sklearn", *_LOG):
        return "log"
    if is_instance(model, "sklearn", "TweedieRegressor"):
        automatic = "identity" if model.power <= 0 else "log"
        return automatic if model.link == "auto" else str(model.link)
    return "identity"


def _raw(teacher: Any, rows: Any, link: str, chosen: int) -> Any:
    if hasattr(teacher, "decision_function"):
        return class_scores(teacher.decision_function(rows), chosen)
    scores = class_scores(teacher.predict(rows), chosen)
    return np.log(scores) if link == "log" else scores


ADAPTER = Adapter("scikit-learn linear model", _matches, _take_apart)
