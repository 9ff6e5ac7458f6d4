"""pyGAM: splines, lines, factors, ``by=`` and two-feature tensor terms, all of them exactly.

A spline is piecewise polynomial and goes on in a straight line outside its edge knots; a tensor term is a sum of
products of two such splines.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.errors import UnsupportedError, with_article
from curvec.fields import changed
from curvec.ir import EnumCurve, Feature, Levels, Line, Product, StepCurve, Sum, Term
from curvec.teachers.parts.adapter import Adapter, TeacherOptions, known_link
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.basis_functions import Polynomial, add_up, column, preimage, spline
from curvec.teachers.parts.recognise import check_fitted, is_instance
from curvec.transforms import FloatArray


def _matches(teacher: Any) -> bool:
    return is_instance(teacher, "pygam", "GAM")


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    check_fitted(teacher, fitted=hasattr(teacher, "coef_"))
    link = known_link(getattr(teacher.link, "_name", str(teacher.link)), "the GAM")
    names = options.names(None, int(teacher.statistics_["m_features"]), "x")
    parts = AdditiveParts([Feature(name) for name in names], [], link=link)
    for index, term in enumerate(teacher.terms):
        coefficients = np.asarray(teacher.coef_[teacher.terms.get_coef_indices(index)], dtype=np.float64)
        _add_term(parts, names, teacher, index, term, coefficients)
    parts.raw = lambda rows: teacher._linear_predictor(np.asarray(rows, dtype=np.float64))  # noqa: SLF001
    return parts


def _add_term(
    parts: AdditiveParts, names: list[str], teacher: Any, index: int, term: Any, coefficients: FloatArray
) -> None:
    kind = type(term).__name__
    if kind == "Intercept":
        parts.constant += float(coefficients[0])
    elif kind == "FactorTerm":
        curve = _factor(teacher, index, term, names[term.feature])
        parts.terms.append(curve)
        parts.features[term.feature] = Feature(curve.input, "int")
    elif kind == "TensorTerm":
        parts.terms.append(_tensor(term, coefficients, names))
    else:
        terms, constant = add_up([_function(term, coefficients)], names)
        if _by(term) is None:
            parts.constant += constant
            parts.terms += terms
        else:
            parts.terms.append(Product((Line(names[term.by]), _as_one_term(terms, constant, names[term.feature]))))


def _function(term: Any, coefficients: FloatArray) -> Polynomial:
    """A spline or a line of one feature, without its ``by``."""
    from scipy.interpolate import BSpline

    kind = type(term).__name__
    if kind == "LinearTerm":
        return column(term.feature).times(float(coefficients[0]))
    if kind != "SplineTerm":
        raise UnsupportedError(f"the term {term!r} is {with_article(kind)}; terms of s, l, f and te can be read")
    if term.basis != "ps":
        raise UnsupportedError(f"the term {term!r} has basis {term.basis!r}, which repeats without end; use basis='ps'")
    # Edges of single precision are subtracted in single precision, as pyGAM does it.
    order, edges = term.spline_order, np.sort(np.asarray(term.edge_knots_))
    inner = np.linspace(0, 1, 1 + term.n_splines - order)
    beyond = np.arange(1, order + 1) * (inner[1] - inner[0])
    knots = np.r_[-beyond[::-1], inner, 1 + beyond]
    scale = float(edges[-1] - edges[0]) or 1.0
    low = float(edges[0])
    line = np.array([[-low / scale, 1 / scale]])
    rescaled = changed(column(term.feature), coefficients=line, exact=lambda x: (x - low) / scale)
    if order == 0:  # steps, nothing outside of the knots, and the last one a little wider
        cuts = np.array([preimage(rescaled, end) for end in [*inner[:-1].tolist(), 1 + 1e-9]])
        return Polynomial(term.feature, cuts, np.zeros(len(cuts) + 1), np.r_[0.0, coefficients, 0.0][:, np.newaxis])
    return spline(rescaled, BSpline(knots, coefficients, order), "linear", "linear")


def _tensor(term: Any, coefficients: FloatArray, names: list[str]) -> Term:
    """Sum over the first feature's basis functions of (that function) * (a spline of the second feature)."""
    marginals = list(term._terms)  # noqa: SLF001  no public form
    if len(marginals) != 2 or any(type(m).__name__ not in ("SplineTerm", "LinearTerm") for m in marginals):
        raise UnsupportedError(f"the tensor term {term!r} is not of two splines or lines")
    rows, columns = marginals
    table = coefficients.reshape(_coefficient_count(rows), _coefficient_count(columns))
    products: list[Term] = []
    for i, row in enumerate(table):
        factors = [_factor_of(rows, np.eye(len(table))[i], names), _factor_of(columns, row, names)]
        by = [Line(names[m.by]) for m in (*marginals, term) if _by(m) is not None]
        products.append(Product((*by, *factors)))
    return Sum(products)


def _coefficient_count(term: Any) -> int:
    return 1 if type(term).__name__ == "LinearTerm" else int(term.n_splines)


def _factor_of(term: Any, coefficients: FloatArray, names: list[str]) -> Term:
    return _as_one_term(*add_up([_function(term, coefficients)], names), names[term.feature])


def _as_one_term(terms: list[Term], constant: float, name: str) -> Term:
    """What :func:`add_up` took apart, as one term."""
    rest = [StepCurve(name, (0.0,), (constant, constant))] if constant or not terms else []
    return terms[0] if not rest and len(terms) == 1 else Sum([*terms, *rest])


def _by(term: Any) -> int | None:
    by: int | None = getattr(term, "by", None)
    return by


def _factor(teacher: Any, index: int, term: Any, name: str) -> EnumCurve:
    """The teacher's own contribution at each level: several codes may share a coefficient."""
    low, high = np.asarray(term.edge_knots_, dtype=np.float64)[[0, -1]]
    levels = np.arange(np.ceil(low), np.floor(high) + 1)
    grid = np.zeros((len(levels), int(teacher.statistics_["m_features"])))
    grid[:, term.feature] = levels
    values = np.asarray(teacher.partial_dependence(term=index, X=grid), dtype=np.float64)
    return EnumCurve(name, Levels(zip(map(int, levels), values.tolist(), strict=True)))


ADAPTER = Adapter("pyGAM", _matches, _take_apart, frozenset({"feature_names"}))
