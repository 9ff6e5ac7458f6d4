"""Any function of rows that gives raw scores, read from these scores alone.

First a test that it is a sum: exchanging some columns between two rows must leave the sum of the two scores
alone. Then each column of one row is varied: where the score jumps, the cut is found to the last double; where it
bends, it is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec
import numpy as np

from curvec.conversion import is_missing, numbers
from curvec.errors import CurvecError, InputError, UnsupportedError, counted
from curvec.ir import EnumCurve, Feature, Levels, Term
from curvec.progress import counter
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.categories import key_type, level_keys
from curvec.teachers.parts.recognise import is_instance
from curvec.teachers.parts.sample_curve import CLOSE, Questions, SampledCurve, curves_of, questions_about
from curvec.teachers.parts.user_rows import UserRows
from curvec.transforms import FloatArray

Score: TypeAlias = Callable[[Any], FloatArray]
"""(rows,) the raw scores of a table."""

_TRIALS = 20
_ADDITIVE = 1e-5
"""A sum in float32 misses additivity by a few 1e-6 of its scale; an interaction worth modelling, by far more."""


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    rows = options.rows
    if rows is None:
        raise UnsupportedError("a function of rows is read from its scores: pass X, the rows to score")
    names = options.names(rows.names, rows.width, "x")
    return parts_from_scores(checked_scores(teacher, options), rows, names, options.link or "identity")


def estimator_from_scores(score: Score, teacher: Any, options: TeacherOptions, link: str) -> AdditiveParts:
    """A fitted estimator of scikit-learn taken apart by its raw scores of X, which must be there.

    Raises:
        UnsupportedError: it is no sum of functions of one column.

    """
    assert options.rows is not None  # noqa: S101  the caller looked
    names = options.names(getattr(teacher, "feature_names_in_", None), teacher.n_features_in_, "x")
    table = options.rows.matrix(names)
    rows = UserRows(table if hasattr(teacher, "feature_names_in_") else np.asarray(table))  # as it was fitted
    return parts_from_scores(checked_scores(score, TeacherOptions()), rows, names, link, tolerance=1e-9)


def parts_from_scores(
    score: Score,
    rows: UserRows,
    names: Sequence[str],
    link: str,
    *,
    known: Mapping[str, Sequence[Term]] = MappingProxyType({}),
    categories: Collection[str] = (),
    tolerance: float = _ADDITIVE,
) -> AdditiveParts:
    """A function of rows taken apart by its scores.

    Args:
        score: (rows,) raw scores of a table like ``rows``.
        rows: the rows to score, without missing values where the function has no score for these.
        names: what the columns are called.
        link: the model's link.
        known: columns whose terms are known already, up to a constant.
        categories: columns of numbers that are codes of categories.
        tolerance: as in :class:`AdditiveParts`, of what turns out exact.

    Raises:
        UnsupportedError: the function is no sum of functions of one column.
        InputError: it does not score the rows, or a column has nothing but missing values.

    """
    scale = float(np.abs(_of_all(score, rows)).max())
    gap = additivity_gap(score, rows)
    if gap > _ADDITIVE * (1 + scale):
        raise UnsupportedError(
            "the teacher is not a sum of functions of one column: exchanging columns between two rows changes the sum "
            f"of their scores by {gap:.3g} (scores are up to {scale:.3g}). Pass a model without interactions; of a "
            "function of rows, its raw score, not a probability"
        )
    parts = AdditiveParts([], [], float(score(rows.take([0]))[0]), link, score, tolerance=tolerance, from_scores=True)
    noise = max(4 * gap, 1e-12 * (1 + scale))
    probe = _Probe(score, rows, parts.constant, noise, CLOSE * (1 + scale), frozenset(categories))
    columns = [
        (Feature(name), None) if name in known else _read_column(probe, index, name) for index, name in enumerate(names)
    ]
    answers = _answered(probe, {index: made for index, (_, made) in enumerate(columns) if isinstance(made, Generator)})
    for index, (feature, made) in enumerate(columns):
        parts.features.append(feature)
        if feature.name in known:
            parts.terms += known[feature.name]
            parts.constant -= sum(term(rows.values(index)[0]) for term in known[feature.name])
        else:
            _add_curve(parts, feature.name, answers.get(index) or SampledCurve(made))
    of = f"{', '.join(name for name in names if name not in known)}: " if known else ""
    parts.notes.append(
        f"{of}read from scores: a sum of functions of one column to within {gap:.3g}; outside the range of X, and "
        "where two jumps between neighbouring values of X cancel out, the curves may differ from the teacher"
    )
    return parts


def _of_all(score: Score, rows: UserRows) -> FloatArray:
    """The scores of the rows as they were passed.

    Raises:
        InputError: the teacher's library gives an error of its own.

    """
    try:
        return score(rows.native)
    except CurvecError:
        raise
    except Exception as error:  # each library has errors of its own; what they say is what the user needs
        raise InputError(f"the teacher does not score X: {type(error).__name__}: {error}") from error


def _add_curve(parts: AdditiveParts, name: str, curve: SampledCurve) -> None:
    parts.constant += curve.constant
    parts.terms += [] if curve.term is None else [curve.term]
    if curve.error:
        parts.exact = False
        parts.notes.append(curve.note(name))


def additivity_gap(score: Score, rows: UserRows) -> float:
    """The most by which exchanging columns between two rows changes the sum of their scores; 0 for a sum.

    Some 20 random exchanges over up to 256 rows each; the random numbers are always the same.
    """
    random = np.random.default_rng(0)
    worst = 0.0
    for _ in range(_TRIALS):
        count = min(rows.count, 256)
        a, b = (random.permutation(rows.count)[:count].tolist() for _ in range(2))
        chosen = random.random(rows.width) < 0.5
        before = score(rows.take(a)) + score(rows.take(b))
        after = score(rows.exchanged(a, b, chosen)) + score(rows.exchanged(a, b, ~chosen))
        worst = max(worst, float(np.abs(before - after).max()))
    return worst


def checked_scores(teacher: Any, options: TeacherOptions) -> Score:
    """The function's scores, one finite number a row, of the class that the options choose."""

    def score(native: Any) -> FloatArray:
        try:
            result = np.asarray(teacher(native), dtype=np.float64)
        except CurvecError:
            raise
        except Exception as error:  # the user's own function; what it says is what the user needs
            torch = is_instance(teacher, "torch", "Module")
            hint = "; a torch module takes tensors: pass its state_dict(), or a function of rows" if torch else ""
            raise InputError(
                f"the callable does not score {type(native).__name__} X: {type(error).__name__}: {error}{hint}"
            ) from error
        asked = len(next(iter(native.values()), ())) if isinstance(native, Mapping) else len(native)
        if result.ndim in (1, 2) and len(result) != asked:
            raise InputError(
                f"the callable gave {counted(len(result), 'score')} for {counted(asked, 'row')}; it must give one a row"
            )
        if result.ndim in (1, 2):
            columns = result.reshape(len(result), -1)
            result = columns[:, options.chosen_class(columns.shape[1])]
        if result.ndim != 1:
            raise InputError(f"the callable gave an array of shape {result.shape}; it must give one number a row")
        if not np.isfinite(result).all():
            row = int(np.argmin(np.isfinite(result)))
            raise InputError(f"the callable gave {result[row]} for row {row}; a raw score is a finite number")
        return result

    return score


class _Probe(msgspec.Struct, frozen=True):
    """The first row of X, whose columns are varied one at a time.

    Attributes:
        base: the first row's score.
        noise: differences up to this are rounding.
        close: differences up to this are close enough for a sampled curve.
        categories: columns of numbers that are codes.

    """

    score: Score
    rows: UserRows
    base: float
    noise: float
    close: float
    categories: frozenset[str] = frozenset()

    def scores_of_values(self, questions: Mapping[int, FloatArray]) -> dict[int, FloatArray]:
        """The change of the score for values of columns, column by column, in one call."""
        try:
            answers = self.score(self.rows.varied(0, questions)) - self.base
        except InputError as error:
            raise InputError(
                f"{error}; X itself is scored, and so are values between those of a column, to find its curve: a "
                "column of codes of categories must be categorical (pandas: astype('category')), or text"
            ) from error
        ends = np.cumsum([len(values) for values in questions.values()])[:-1]
        return dict(zip(questions, np.split(answers, ends), strict=True))

    def scores_of_rows(self, index: int, rows: list[int]) -> FloatArray:
        """The change of the score for the column's value in each of these rows."""
        chosen = np.arange(self.rows.width) == index
        return self.score(self.rows.exchanged([0] * len(rows), rows, chosen)) - self.base


def _read_column(probe: _Probe, index: int, name: str) -> tuple[Feature, Any]:
    """A column's table (None where the teacher does not read it), or what to ask of its numbers."""
    column = probe.rows.values(index)
    present = [value for value in column if not is_missing(value)]
    gaps = [row for row, value in enumerate(column) if is_missing(value)]
    missing = float(probe.scores_of_rows(index, gaps[:1])[0]) if gaps else None
    if not present:
        raise InputError(f"column {name!r} of X has only missing values; leave it out or fill it")
    categorical = probe.rows.names is not None and probe.rows.is_categorical(probe.rows.names[index])
    if name in probe.categories or categorical or isinstance(present[0], (str, bool)):
        levels = list(dict.fromkeys(present))
        keys = level_keys(levels, name)
        values = probe.scores_of_rows(index, [column.index(level) for level in levels]).tolist()
        feature = Feature(name, key_type(keys))
        if max(map(abs, [*values, missing or 0.0])) <= probe.noise:
            return feature, None
        return feature, EnumCurve(name, Levels(zip(keys, values, strict=True)), missing=missing)
    x = np.unique(numbers(np.array(present, dtype=object), name))
    return Feature(name), questions_about(x[np.isfinite(x)], name, missing, noise=probe.noise, close=probe.close)


def _answered(probe: _Probe, open_questions: Mapping[int, Questions]) -> dict[int, SampledCurve]:
    """The answers to every column's questions.

    A slow teacher takes minutes: the terminal says how many scores it was asked for.
    """
    scores = 0
    with counter() as said:

        def ask(asked: Mapping[int, FloatArray]) -> dict[int, FloatArray]:
            nonlocal scores
            scores += sum(map(len, asked.values()))
            said(f"asking the teacher for scores: {scores:,}, {counted(len(asked), 'column')} not known yet")
            return probe.scores_of_values(asked)

        return curves_of(ask, open_questions)


ADAPTER = Adapter("callable", callable, _take_apart, frozenset({"class_index", "feature_names", "link"}))
