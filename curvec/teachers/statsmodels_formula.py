"""A statsmodels formula whose columns are functions of one column of the data each.

Powers and logarithms are exact; tables are asked for at the levels of X; whatever else a formula calls (splines, any
function) is asked for over the range of X, and sampled where it bends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvec.errors import InputError, UnsupportedError
from curvec.ir import Feature, Term, logarithm
from curvec.teachers.function_of_rows import parts_from_scores
from curvec.teachers.parts.adapter import TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.basis_functions import add_up
from curvec.teachers.parts.formula import FormulaColumn
from curvec.teachers.parts.user_rows import UserRows
from curvec.transforms import FloatArray


def from_formula(
    teacher: Any,
    columns: Sequence[FormulaColumn],
    weights: Mapping[str, float],
    link: str,
    options: TeacherOptions,
) -> AdditiveParts:
    """The parts of a fitted model of statsmodels.

    Args:
        teacher: the results of its fit.
        columns: what its design matrix is made of, constants left out.
        weights: the coefficient of each column by name, those of constants among them.
        link: its link.
        options: what the caller says.

    Raises:
        UnsupportedError: a column must be asked for, and there is no X.
        InputError: the formula gives an error on X, of a level that it does not know for instance.

    """
    names = list(dict.fromkeys(column.variable for column in columns))
    of = {name: [column for column in columns if column.variable == name] for name in names}
    open_columns = [column for column in columns if column.kind in ("levels", "other")]
    open_variables = {column.variable for column in open_columns}
    known: dict[str, list[Term]] = {}
    own = {column.name for column in columns}
    constant = sum(weight for name, weight in weights.items() if name not in own)
    for name in [name for name in names if name not in open_variables]:
        known[name], rest = _terms(name, of[name], weights)
        constant += rest
    features = [Feature(name) for name in names]
    terms = [term for name in names for term in known.get(name, [])]
    rows = options.rows
    if rows is None:
        if open_columns:
            raise UnsupportedError(
                f"the formula's column {open_columns[0].name!r} is read from the model's scores: pass X, a data frame "
                f"with the columns {names!r}"
            )
        return AdditiveParts(features, terms, constant, link)
    table = _as_pandas(rows, names)

    def score(frame: Any) -> FloatArray:
        try:
            return linear_score(teacher, frame)
        except Exception as error:
            # statsmodels puts advice about data frames before what the formula's reader says.
            cause = error.__context__ or error
            reason = str(cause).strip().split("\n", 1)[0]
            raise InputError(f"the formula does not score X: {type(cause).__name__}: {reason}") from error

    if not open_columns:
        return AdditiveParts(features, terms, constant, link, lambda _: score(table))
    categories = {column.variable for column in open_columns if column.kind == "levels"}
    parts = parts_from_scores(
        score, UserRows(table.dropna()), names, link, known=known, categories=categories, tolerance=1e-9
    )
    parts.raw = lambda _: score(table)
    return parts


def _terms(name: str, columns: Sequence[FormulaColumn], weights: Mapping[str, float]) -> tuple[list[Term], float]:
    """Powers and logarithms of one column, and the constant among them."""
    powers = [column.polynomial(0, weights[column.name]) for column in columns if column.kind == "power"]
    terms, constant = add_up(powers, [name])
    logarithms = [logarithm(name, column.fx).scaled(weights[column.name]) for column in columns if column.kind == "log"]
    return [*terms, *logarithms], constant


def _as_pandas(rows: UserRows, names: Sequence[str]) -> Any:
    """The columns of the formula, in the kind of table that it takes."""
    import narwhals.stable.v1 as nw

    rows.columns(names)  # an error where one is not there
    if isinstance(rows.native, Mapping):
        return nw.from_dict({name: np.asarray(rows.native[name]) for name in names}, backend="pandas").to_native()
    if isinstance(rows.native, np.ndarray):
        return nw.from_dict(rows.columns(names), backend="pandas").to_native()
    return nw.from_native(rows.native, eager_only=True).select(list(names)).to_pandas()


def linear_score(teacher: Any, rows: Any, **options: Any) -> FloatArray:
    """(rows,) the raw scores of fitted results; NaN where a value is missing."""
    if hasattr(teacher.model, "family") or hasattr(teacher, "llnull"):  # before the link; others have none
        options["which"] = "linear"
    return np.asarray(teacher.predict(rows, **options), dtype=np.float64)
