"""A model as a table of its values: a scorecard, or a rating table with one factor a line.

Each line is a point of a curve, a step, a level, or the value for a missing or unseen input. With a link "log" or
"logit", the exponential of a value is the factor by which it multiplies the prediction, or its odds.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

from curvec.ir import EnumCurve, Key, Term, curves_of, names_of
from curvec.model import CurveModel, check_model
from curvec.spelling import shortest

Row = Literal["intercept", "point", "step", "level", "coefficient", "special", "missing", "unseen"]


class Value(NamedTuple):
    """One line of the table.

    Attributes:
        term: the term's number, from 1; 0 for the intercept.
        part: "" for a term that is one curve; else the curve's number in the term, as the listing has them.
        feature: the feature; for a curve of a sum, the features of the sum, joined by " + ".
        row: "point" of a curve that is straight in fx between its points and constant outside, "step", "level",
            "coefficient" of a line, "special" for a special code, "missing", "unseen", or "intercept".
        fx: the curve's transform.
        low: the point's x, the special code, or where the step begins; None for the first step.
        high: the point's x, the special code, or where the next step begins; None for the last step.
        level: the category.
        value: in units of the raw score; None where the result is missing.
        factor: exp(value), with a link "log" or "logit", for the intercept and terms that are one curve; else None.

    """

    term: int
    part: str
    feature: str
    row: Row
    fx: str = ""
    low: float | None = None
    high: float | None = None
    level: Key | None = None
    value: float | None = None
    factor: float | None = None


def value_table(model: CurveModel) -> list[Value]:
    """Every value of a model, in the order of the listing; ``pandas.DataFrame(value_table(model))`` is a table."""
    check_model(model)
    ratios = model.link != "identity"
    result = [Value(0, "", "", "intercept", value=model.intercept, factor=_factor(model.intercept, ratios=ratios))]
    for number, term in enumerate(model.terms, start=1):
        curves = list(curves_of(term))
        for place, curve in enumerate(curves, start=1):
            alone = len(curves) == 1
            for row, fx, low, high, level, value in _rows(curve):
                factor = _factor(value, ratios=ratios and alone)
                part = "" if alone else str(place)
                result.append(
                    Value(number, part, " + ".join(names_of(curve)), row, fx, low, high, level, value, factor)
                )
    return result


def values_csv(model: CurveModel) -> str:
    """:func:`value_table` as CSV with a header; numbers in the fewest digits that read back as the same double."""
    file = io.StringIO()
    writer = csv.writer(file)  # lines end in CR LF, as RFC 4180 has it: so both are quoted where a name has them
    writer.writerow(Value._fields)
    for line in value_table(model):
        writer.writerow(["" if cell is None else shortest(cell) if isinstance(cell, float) else cell for cell in line])
    return file.getvalue()


_Line = tuple[Row, str, float | None, float | None, Key | None, float | None]


def _rows(curve: Term) -> Iterator[_Line]:
    # Points have a value at each break; steps have one more than there are breaks.
    if len(curve.ordinates) == len(curve.breaks) > 0:
        for x, y in zip(curve.breaks, curve.ordinates, strict=True):
            yield "point", curve.fx, x, x, None, y
    elif len(curve.ordinates) == len(curve.breaks) + 1 > 1:
        edges = itertools.pairwise([None, *curve.breaks, None])
        for (low, high), value in zip(edges, curve.ordinates, strict=True):
            yield "step", "", low, high, None, value
    elif isinstance(curve, EnumCurve):
        for level, value in curve.levels.items():
            yield "level", "", None, None, level, value
        if not curve.levels.complete:
            yield "unseen", "", None, None, None, curve.default
    else:
        for coefficient in curve.coefficients:
            yield "coefficient", "", None, None, None, coefficient
    for code, value in curve.special_codes.items():
        yield "special", "", code, code, None, value
    yield "missing", "", None, None, None, curve.missing


def _factor(value: float | None, *, ratios: bool) -> float | None:
    """exp(value); None if that is not a finite double, or has no meaning."""
    if value is None or not ratios or value > math.log(1e308):
        return None
    return math.exp(value)
