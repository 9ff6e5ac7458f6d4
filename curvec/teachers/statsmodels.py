"""statsmodels' linear, logistic and count regressions, GLM, and GLMGam with B-splines: the results of ``fit``.

The linear part's columns and the smoothers' are the features; a column "const" is the intercept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from curvec.errors import UnsupportedError, with_article
from curvec.ir import Feature
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, known_link
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.basis_functions import Function, add_up, column, spline
from curvec.teachers.parts.formula import formula_columns
from curvec.teachers.parts.recognise import is_instance
from curvec.teachers.statsmodels_formula import from_formula, linear_score

_LINKS_OF_MODELS = {
    **dict.fromkeys(("OLS", "WLS", "GLS", "GLSAR", "QuantReg", "RLM", "MixedLM"), "identity"),
    "Logit": "logit",
    **dict.fromkeys(("Poisson", "NegativeBinomial", "NegativeBinomialP", "GeneralizedPoisson"), "log"),
}
"""The links of models that have no family, by class."""
_OF_A_FAMILY = ("GLM", "GLMGam", "GEE")
_CONSTANTS = ("const", "Intercept")
_GLM = ("GLMResults", "GLMResultsWrapper", "GLMGamResults", "GLMGamResultsWrapper")
_UNFITTED = ("GLM", "OLS", "WLS", "GLS", "GLSAR", "RLM", "QuantReg", "DiscreteModel", "MixedLM")
_FITTED = ("RegressionResults", "RLMResults", "DiscreteResults", "RegularizedResults", "MixedLMResults", "GEEResults")
_REGRESSION = (*_FITTED, *(f"{name}Wrapper" for name in _FITTED))


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "statsmodels", *_GLM, *_REGRESSION, *_UNFITTED)


def _link(teacher: Any) -> str:
    model = teacher.model
    kind = type(model).__name__
    if is_instance(teacher, "statsmodels", *_GLM) or kind in _OF_A_FAMILY:
        return known_link(type(model.family.link).__name__, "the GLM")
    if kind not in _LINKS_OF_MODELS:
        raise UnsupportedError(
            f"statsmodels' {kind} is not known; known are {', '.join([*_OF_A_FAMILY, *_LINKS_OF_MODELS])}"
        )
    return _LINKS_OF_MODELS[kind]


def _check_whole(teacher: Any) -> None:
    if is_instance(teacher, "statsmodels", *_UNFITTED):
        raise UnsupportedError(f"statsmodels' {type(teacher).__name__} is not fitted; pass what its fit() gives")
    if teacher.model.exog is None:
        raise UnsupportedError(
            "the results have lost their data by remove_data(); read them before: "
            "read_teacher(results, X).save('model.json')"
        )


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    _check_whole(teacher)
    model, link = teacher.model, _link(teacher)
    smoothers = model.smoother.smoothers if hasattr(model, "smoother") else ()
    parameters = np.asarray(teacher.params, dtype=np.float64)[: model.exog.shape[1]]  # without a dispersion
    linear = list(model.exog_names[: len(parameters) - sum(smoother.dim_basis for smoother in smoothers)])
    if hasattr(model, "formula") or hasattr(model, "formula_linear"):  # the latter of a GLMGam
        known = None if options.rows is None else options.rows.names
        made = formula_columns([name for name in linear if name not in _CONSTANTS], known)
        derived = next((one for one in made if one.name != one.variable), None)
        if derived is not None:
            if smoothers:
                raise UnsupportedError(
                    f"the formula beside the splines makes the column {derived.name!r}; give it as a column of the data"
                )
            parts = from_formula(teacher, made, dict(zip(linear, parameters.tolist(), strict=True)), link, options)
            parts.notes += _notes(model)
            return parts
    smooth = [str(smoother.variable_name) for smoother in smoothers]
    if twice := [name for name in smooth if name in linear and re.fullmatch(r"x\d+", name)]:
        raise UnsupportedError(
            f"the linear part and the splines both call a column {twice[0]!r}, as statsmodels calls columns without a "
            "name: it cannot be told whether they are one column; fit on data frames, whose columns have names"
        )
    own = list(dict.fromkeys([name for name in linear if name not in _CONSTANTS] + smooth))
    names = options.names(own, len(own), "x")
    functions: list[Function] = []
    constant, at = 0.0, len(linear)
    for name, weight in zip(linear, parameters[: len(linear)].tolist(), strict=True):
        if name in _CONSTANTS:
            constant += weight
        else:
            functions.append(column(own.index(name)).times(weight))
    for smoother in smoothers:
        coefficients = parameters[at : at + smoother.dim_basis]
        at += smoother.dim_basis
        functions.append(_spline(smoother, coefficients, own.index(str(smoother.variable_name))))
    terms, rest = add_up(functions, names)

    def raw(rows: Any) -> Any:
        columns = np.asarray(rows, dtype=np.float64).T
        return _raw(teacher, dict(zip(own, columns, strict=True)), linear, smooth)

    return AdditiveParts(
        features=[Feature(name) for name in names],
        terms=terms,
        constant=constant + rest,
        link=link,
        raw=raw if own else None,  # a constant has no columns to be compared on
        notes=_notes(model),
    )


def _notes(model: Any) -> list[str]:
    notes = []
    if hasattr(model, "smoother"):
        notes.append("outside the splines' knots the teacher raises an error; the model stays constant there")
    if type(model).__name__ == "MixedLM":
        notes.append("the random effects of groups are left out, as the teacher's own predict leaves them out")
    if getattr(model, "exposure", None) is not None:
        notes.append(
            "trained with an exposure, which the model leaves out: it predicts per unit of exposure; "
            "model.with_offset('column', fx='log') multiplies its prediction by a column"
        )
    if getattr(model, "offset", None) is not None:
        notes.append(
            "trained with an offset, which the model leaves out; "
            "model.with_offset('column') adds a column to its raw score"
        )
    return notes


def _spline(smoother: Any, coefficients: Any, feature: int) -> Function:
    from scipy.interpolate import BSpline

    name = smoother.variable_name
    if not all(hasattr(smoother, known) for known in ("degree", "knots", "include_intercept")):
        raise UnsupportedError(
            f"the smoother of {name!r} is {with_article(type(smoother).__name__)}; only B-splines can be read"
        )
    if getattr(smoother, "ctransf", None) is not None:
        raise UnsupportedError(f"the smoother of {name!r} has constraints; fit it with constraints=None")
    full = coefficients if smoother.include_intercept else np.r_[0.0, coefficients]
    return spline(column(feature), BSpline(smoother.knots, full, smoother.degree), "constant", "constant")


def _raw(teacher: Any, columns: Mapping[str, Any], linear: list[str], smooth: list[str]) -> Any:
    ones = np.ones(len(next(iter(columns.values()))))
    parts = [ones if name in _CONSTANTS else columns[name] for name in linear]
    if smooth:
        parts.append(teacher.model.smoother.transform(np.column_stack([columns[name] for name in smooth])))
    # The design matrix itself: a formula would be looked for in a table.
    return linear_score(teacher, np.column_stack(parts), transform=False)


ADAPTER = Adapter("statsmodels regression, GLM and GLMGam", _matches, _take_apart, frozenset({"feature_names"}))
