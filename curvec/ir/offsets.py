"""Offsets: a column, or its logarithm, that is added to the score, and that no fit or distillation changes."""

from __future__ import annotations

import numpy as np

from curvec.checks import check
from curvec.ir.nodes import Line, PWLCurve, Term
from curvec.transforms import transform

_POINTS = {"log": (1e-300, 1.0, 1e300), "log1p": (-1 + 2.0**-52, 0.0, 1e300)}
"""Points of a logarithm, between which a curve in u = fx(x) is the logarithm itself."""


_NOTE = "offset"
"""What the note of a line begins with that is an offset; any other line may have the coefficient 1 as well as 0.9."""


def offset(feature: str, fx: str = "identity") -> Term:
    """The term that adds a feature to the score, or with fx "log" its logarithm.

    The logarithm is a curve on a logarithmic axis from 1e-300 to 1e300, right to 1e-12; a number of 0 or less counts
    as 1e-300.

    Raises:
        InputError: fx is neither.

    """
    rule = "an offset is a column as it is, fx='identity', or its logarithm, fx='log'"
    check("fx", fx, rule, holds=isinstance(fx, str) and fx in ("identity", "log"))
    return Line(feature, 1.0, note=_NOTE) if fx == "identity" else logarithm(feature, "log")


def logarithm(feature: str, fx: str) -> PWLCurve:
    """The curve that is fx(x), "log" or "log1p", to 1e-12 over all of its domain but the outermost."""
    xs = _POINTS[fx]
    ys = transform(fx).forward(np.array(xs)).tolist()
    return PWLCurve(feature, list(zip(xs, ys, strict=True)), fx)


def is_logarithm(node: Term) -> bool:
    """Whether a node is a multiple of what :func:`logarithm` makes: its points say nothing about the feature."""
    return isinstance(node, PWLCurve) and node.breaks == _POINTS.get(node.fx)


def is_offset(term: Term) -> bool:
    """Whether a term is what :func:`offset` makes: a line of coefficient 1 with that note, or a curve of log(x)."""
    if isinstance(term, Line):
        return term.coefficient == 1 and term.note.startswith(_NOTE)
    if not isinstance(term, PWLCurve) or term.fx != "log":
        return False
    xs, ys = zip(*term.points, strict=True)
    return bool((transform("log").forward(np.array(xs)) == np.array(ys)).all())
