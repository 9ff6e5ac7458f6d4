"""scikit-learn's transformers, by what each makes of a function of one feature."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.conversion import is_missing
from curvec.errors import UnsupportedError
from curvec.fields import changed
from curvec.teachers.parts.adapter import TeacherOptions
from curvec.teachers.parts.basis_functions import Filled, Function, LevelValues, Polynomial, preimage, spline
from curvec.teachers.parts.encoders import encoded


def transformed(
    step: Any, functions: Sequence[Function], names: Sequence[str], options: TeacherOptions, notes: list[str]
) -> list[Function]:
    """The columns that a fitted transformer makes of these columns, in its order.

    Raises:
        UnsupportedError: the transformer mixes columns, or is not supported; the message names it.

    """
    if step is None or step == "passthrough":
        return list(functions)
    kind = next((kind.__name__ for kind in type(step).__mro__ if kind.__name__ in _KINDS), None)
    if kind is None and hasattr(step, "get_support"):
        return [functions[j] for j in step.get_support(indices=True)]
    if kind is None or not type(step).__module__.startswith("sklearn."):
        raise UnsupportedError(
            f"the pipeline's {type(step).__name__} is not known to make functions of one feature "
            f"(known are {', '.join(_KINDS)} and feature selection)"
        )
    return _KINDS[kind](step, functions, names, options, notes)


_Step = Callable[[Any, Sequence[Function], Sequence[str], TeacherOptions, list[str]], list[Function]]


def _pipeline(
    step: Any, functions: Sequence[Function], names: Sequence[str], options: TeacherOptions, notes: list[str]
) -> list[Function]:
    current = list(functions)
    for _, inner in step.steps:
        current = transformed(inner, current, names, options, notes)
    return current


def _union(
    step: Any, functions: Sequence[Function], names: Sequence[str], options: TeacherOptions, notes: list[str]
) -> list[Function]:
    if step.transformer_weights:
        raise UnsupportedError("FeatureUnion with transformer_weights is not supported; scale the columns inside")
    made = (
        transformed(inner, functions, names, options, notes) for _, inner in step.transformer_list if inner != "drop"
    )
    return [function for functions_of_one in made for function in functions_of_one]


def _column_transformer(
    step: Any, functions: Sequence[Function], names: Sequence[str], options: TeacherOptions, notes: list[str]
) -> list[Function]:
    if step.transformer_weights:
        raise UnsupportedError("ColumnTransformer with transformer_weights is not supported; scale the columns inside")
    result: list[Function] = []
    own = list(getattr(step, "feature_names_in_", names))
    for _, inner, columns in step.transformers_:
        chosen = _positions(columns, own)
        if (isinstance(inner, str) and inner == "drop") or not chosen:
            continue
        result += transformed(inner, [functions[j] for j in chosen], names, options, notes)
    return result


def _positions(columns: Any, names: Sequence[str]) -> list[int]:
    """The positions that a ColumnTransformer's columns stand for."""
    if isinstance(columns, slice):
        if isinstance(columns.start, str) or isinstance(columns.stop, str):
            start = 0 if columns.start is None else names.index(columns.start)
            stop = len(names) if columns.stop is None else names.index(columns.stop) + 1
            return list(range(start, stop))
        return list(range(*columns.indices(len(names))))
    array = np.atleast_1d(np.asarray(columns))
    if array.dtype == bool:
        return np.flatnonzero(array).tolist()
    return [list(names).index(entry) if isinstance(entry, str) else int(entry) for entry in array.tolist()]


def _scaler(subtract: str) -> _Step:
    """For StandardScaler and its like, which compute (x - centre) / scale; ``subtract`` names their centres."""

    def make(step: Any, functions: Sequence[Function], *_: Any) -> list[Function]:
        if getattr(step, "clip", False):
            raise UnsupportedError(f"{type(step).__name__}(clip=True) bends the line at its ends; use clip=False")
        # StandardScaler keeps its means where it does not take them off.
        centres = getattr(step, subtract, None) if getattr(step, "with_mean", True) else None
        result = []
        for j, function in enumerate(functions):
            centre, scale = _entry(centres, j, 0.0), _entry(getattr(step, "scale_", None), j, 1.0)
            result.append(_straight(function, partial(_centred, centre, scale), -centre / scale, 1.0 / scale))
        return result

    return make


def _centred(centre: float, scale: float, x: float) -> float:
    return (x - centre) / scale


def _min_max(step: Any, functions: Sequence[Function], *_: Any) -> list[Function]:
    if step.clip:
        raise UnsupportedError("MinMaxScaler(clip=True) bends the line at its ends; use clip=False")
    pairs = zip(step.min_.tolist(), step.scale_.tolist(), strict=True)
    return [
        _straight(function, partial(_stretched, start, slope), start, slope)
        for function, (start, slope) in zip(functions, pairs, strict=True)
    ]


def _stretched(start: float, slope: float, x: float) -> float:
    return x * slope + start


def _unchanged(step: Any, functions: Sequence[Function], *_: Any) -> list[Function]:
    if step.func is not None:
        raise UnsupportedError("FunctionTransformer with a function is not supported")
    return list(functions)


def _entry(values: Any, index: int, default: float) -> float:
    return default if values is None else float(values[index])


def _straight(function: Function, exact: Callable[[float], float], start: float, slope: float) -> Function:
    """``start + slope * function``, with the library's own arithmetic carried along."""
    if isinstance(function, Filled):
        raise UnsupportedError("a column of strings is scaled; encode it first")
    if isinstance(function, LevelValues):
        return function.mapped(exact)
    scaled = function.times(slope)
    coefficients = scaled.coefficients.copy()
    coefficients[:, 0] += start
    missing = None if function.missing is None else exact(function.missing)
    inner = function.exact
    chain = None if inner is None else lambda x: exact(inner(x))
    return changed(scaled, coefficients=coefficients, missing=missing, exact=chain)


def _imputer(step: Any, functions: Sequence[Function], *_: Any) -> list[Function]:
    if not is_missing(step.missing_values):
        raise UnsupportedError(
            f"SimpleImputer(missing_values={step.missing_values!r}) fills values that are not missing"
        )
    result: list[Function] = []
    for function, fill in zip(functions, step.statistics_.tolist(), strict=True):
        if is_missing(fill):
            continue  # a column without values is dropped
        if not isinstance(function, Polynomial):
            raise UnsupportedError("SimpleImputer after an encoder is not supported; fill before the encoder")
        if function.missing is None:
            filled = Filled(function.feature, fill) if isinstance(fill, str) else changed(function, missing=float(fill))
            result.append(filled)
        else:
            result.append(function)
    if step.add_indicator:
        result += [_is_missing(functions[j]) for j in step.indicator_.features_.tolist()]
    return result


def _is_missing(function: Function) -> Polynomial:
    """1 where the column is missing, else 0."""
    filled = getattr(function, "missing", None) is not None
    return Polynomial(function.feature, np.empty(0), np.zeros(1), np.zeros((1, 1)), 0.0 if filled else 1.0)


def _binarised(step: Any, functions: Sequence[Function], *_: Any) -> list[Function]:
    result: list[Function] = []
    for line in _lines(step, functions):
        cut = preimage(line, math.nextafter(float(step.threshold), math.inf))  # 1 where x > threshold
        missing = None if line.missing is None else float(line.missing > step.threshold)
        result.append(Polynomial(line.feature, np.array([cut]), np.zeros(2), np.array([[0.0], [1.0]]), missing))
    return result


def _powers(step: Any, functions: Sequence[Function], *_: Any) -> list[Function]:
    lines = _lines(step, functions)
    result: list[Function] = []
    for exponents in step.powers_.tolist():
        of = [j for j, exponent in enumerate(exponents) if exponent]
        if len(of) > 1:
            raise UnsupportedError("PolynomialFeatures of several columns multiplies them; give it a column at a time")
        line, exponent = (lines[of[0]], exponents[of[0]]) if of else (lines[0], 0)
        missing = None if line.missing is None else line.missing**exponent
        coefficients = np.polynomial.polynomial.polypow(line.coefficients[0], exponent)[np.newaxis]
        result.append(Polynomial(line.feature, np.empty(0), np.zeros(1), coefficients, missing))
    return result


def _lines(step: Any, functions: Sequence[Function]) -> list[Polynomial]:
    """The functions, all of them straight lines.

    Raises:
        UnsupportedError: one is not; the message names the transformer.

    """
    lines = [function for function in functions if isinstance(function, Polynomial) and function.is_line]
    if len(lines) < len(functions):
        raise UnsupportedError(f"{type(step).__name__} after an encoder, bins or splines is not supported")
    return lines


def _bins(step: Any, functions: Sequence[Function], *_: Any) -> list[Function]:
    result: list[Function] = []
    for line, edges in zip(_lines(step, functions), step.bin_edges_, strict=True):
        cuts = np.array([preimage(line, float(edge)) for edge in edges[1:-1]])
        count = len(edges) - 1
        missing = None
        codes = np.arange(count, dtype=np.float64)
        columns = [codes] if step.encode == "ordinal" else list(np.eye(count))
        if line.missing is not None:
            place = int(np.searchsorted(edges[1:-1], line.missing, side="right"))
            missing = [float(column[place]) for column in columns]
        for index, values in enumerate(columns):
            at_missing = None if missing is None else missing[index]
            result.append(Polynomial(line.feature, cuts, np.zeros(count), values[:, np.newaxis], at_missing))
    return result


def _splines(
    step: Any, functions: Sequence[Function], names: Sequence[str], _: TeacherOptions, notes: list[str]
) -> list[Function]:
    kind = step.extrapolation
    if step.degree == 0:
        raise UnsupportedError("SplineTransformer(degree=0) makes steps; use KBinsDiscretizer")
    if kind == "periodic":
        raise UnsupportedError(
            "SplineTransformer(extrapolation='periodic') repeats without end; use another extrapolation"
        )
    if kind == "error":
        notes.append("outside the splines' knots the teacher raises an error; the model stays constant")
    beyond = "constant" if kind == "error" else kind
    zeros = getattr(step, "handle_missing", "error") == "zeros"
    result: list[Function] = []
    for line, basis in zip(_lines(step, functions), step.bsplines_, strict=True):
        count = basis.c.shape[1]
        for index in range(count if step.include_bias else count - 1):
            one = type(basis)(basis.t, basis.c[:, index], basis.k)
            made = spline(line, one, beyond, beyond)
            at_missing = 0.0 if zeros else None if line.missing is None else _base_value(made, line)
            result.append(changed(made, missing=at_missing))
    _check_splines(step, functions, result, names)
    return result


def _base_value(made: Polynomial, line: Polynomial) -> float:
    """A spline's value where its line has the value of a filled gap."""
    assert line.missing is not None  # noqa: S101  the caller looked
    start, slope = line.coefficients[0].tolist()
    return made.value_at((line.missing - start) / slope)


def _check_splines(step: Any, functions: Sequence[Function], made: Sequence[Function], names: Sequence[str]) -> None:
    """Compare the polynomials with the transformer itself, inside and outside of its knots."""
    lines = _lines(step, functions)
    grids = []
    for line, basis in zip(lines, step.bsplines_, strict=True):
        first, last = basis.t[basis.k], basis.t[-basis.k - 1]
        outside = 0.0 if step.extrapolation == "error" else 0.5 * (last - first)
        start, slope = line.coefficients[0].tolist()
        grids.append((np.linspace(first - outside, last + outside, 41) - start) / slope)
    values = np.array(
        [[(line.exact or line.value_at)(x) for x in grid.tolist()] for line, grid in zip(lines, grids, strict=True)]
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")  # nor does it need any here
        theirs = _dense(step.transform(values.T))
    per_feature = theirs.shape[1] // len(lines)
    for index, function in enumerate(made):
        assert isinstance(function, Polynomial)  # noqa: S101  what _splines makes
        ours = np.array([function.value_at(x) for x in grids[index // per_feature].tolist()])
        if np.abs(ours - theirs[:, index]).max() > 1e-9 * (1 + np.abs(ours).max()):
            raise UnsupportedError(
                f"SplineTransformer(degree={step.degree}, extrapolation={step.extrapolation!r}) gives for "
                f"{names[function.feature]!r} something else than its splines say (scikit-learn 1.9 does so for "
                "degree 1 and 'linear' on several features); use extrapolation='continue', the same for degree 1"
            )


def _dense(matrix: Any) -> npt.NDArray[np.float64]:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, dtype=np.float64)


_KINDS: Mapping[str, _Step] = {
    "Pipeline": _pipeline,
    "ColumnTransformer": _column_transformer,
    "FeatureUnion": _union,
    "StandardScaler": _scaler("mean_"),
    "MaxAbsScaler": _scaler(""),
    "RobustScaler": _scaler("center_"),
    "MinMaxScaler": _min_max,
    "FunctionTransformer": _unchanged,
    "SimpleImputer": _imputer,
    "Binarizer": _binarised,
    "PolynomialFeatures": _powers,
    "KBinsDiscretizer": _bins,
    "SplineTransformer": _splines,
    "OneHotEncoder": encoded,
    "OrdinalEncoder": encoded,
    "TargetEncoder": encoded,
}
