"""Averages of teachers: a list of them, and scikit-learn's bagging and voting regressors.

The mean of sums of curves is a sum of curves. The mean of probabilities is not, where each is a function of a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from curvec.errors import InputError, UnsupportedError, shown
from curvec.ir import Feature
from curvec.model import CurveModel
from curvec.passes import merge_curves
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.recognise import check_fitted, is_instance


class Average(msgspec.Struct, frozen=True, eq=False):
    """What is averaged.

    Attributes:
        members: the teachers.
        weights: (members,) adding up to 1.
        whole: the teacher that they are members of; None for a list.
        columns: for each member the columns of the whole that it reads; None where each reads all.

    """

    members: Sequence[Any]
    weights: Sequence[float]
    whole: Any = None
    columns: Sequence[Sequence[int]] | None = None


def average_of(teacher: Any) -> Average | None:
    """The average that a teacher is, or None.

    Raises:
        InputError: a list of no teachers.
        UnsupportedError: the members' probabilities are averaged, or the teacher is not fitted.

    """
    if isinstance(teacher, (list, tuple)):
        if not teacher:
            raise InputError("the list of teachers is empty; pass at least one")
        return Average(teacher, [1.0 / len(teacher)] * len(teacher))
    if is_instance(teacher, "sklearn", "BaggingClassifier", "VotingClassifier"):
        raise UnsupportedError(
            f"{type(teacher).__name__} averages probabilities or votes, which is no sum of curves; the mean of its "
            "members' raw scores, another model, is read_teacher(list(teacher.estimators_), X)"
        )
    if not is_instance(teacher, "sklearn", "BaggingRegressor", "VotingRegressor"):
        return None
    check_fitted(teacher, fitted=hasattr(teacher, "estimators_"))
    given = getattr(teacher, "_weights_not_none", None)  # those of members that were not dropped
    weights = np.ones(len(teacher.estimators_)) if given is None else np.asarray(given, dtype=np.float64)
    shares = (weights / weights.sum()).tolist()
    columns = getattr(teacher, "estimators_features_", None)
    return Average(teacher.estimators_, shares, teacher, columns)


def averaged_parts(average: Average, parts: Sequence[AdditiveParts], names: Sequence[str] | None) -> AdditiveParts:
    """The parts of an average, made of its members' parts.

    Args:
        average: what is averaged.
        parts: each member's parts.
        names: the whole's features; None: those of each member, which must be the same.

    Raises:
        UnsupportedError: the members have other features, links or classes, or their predictions are averaged behind
            a link.

    """
    first = parts[0]
    names = [feature.name for feature in first.features] if names is None else names
    for one in parts:
        if average.whole is None and [feature.name for feature in one.features] != names:
            raise UnsupportedError(
                f"the teachers' columns differ: {shown(names)} and {shown([each.name for each in one.features])}; "
                "train all on the same, in one order"
            )
        if one.link != first.link:
            raise UnsupportedError(f"the teachers have the links {first.link} and {one.link}; their mean has none")
    if average.whole is None:
        _check_classes(average.members)
    if average.whole is not None and first.link != "identity":
        raise UnsupportedError(
            f"{type(average.whole).__name__} averages predictions with the link {first.link}, which is no sum of "
            "curves; the mean of its members' raw scores, another model, is read_teacher(list(teacher.estimators_), X)"
        )
    known = {feature.name: feature for one in reversed(parts) for feature in one.features}
    features = [known.get(name, Feature(name)) for name in names]
    terms = [term.scaled(weight) for one, weight in zip(parts, average.weights, strict=True) for term in one.terms]
    joined = merge_curves(CurveModel("average", terms, features=features)).terms if terms else []
    return AdditiveParts(
        features=features,
        terms=list(joined),
        constant=sum(weight * one.constant for one, weight in zip(parts, average.weights, strict=True)),
        link=first.link,
        raw=_raw(average, parts),
        tolerance=max(one.tolerance for one in parts),
        start=max(one.start for one in parts),
        reads_text=any(one.reads_text for one in parts),
        cuts_off_fractions=any(one.cuts_off_fractions for one in parts),
        rounds_to_single=any(one.rounds_to_single for one in parts),
        centred=all(one.centred for one in parts),
        from_scores=any(one.from_scores for one in parts),
        exact=all(one.exact for one in parts),
        notes=list(dict.fromkeys(note for one in parts for note in one.notes)),
    )


def _raw(average: Average, parts: Sequence[AdditiveParts]) -> Callable[[Any], Any] | None:
    if average.whole is not None:
        return lambda rows: np.asarray(average.whole.predict(rows), dtype=np.float64)
    raws = [one.raw for one in parts if one.raw is not None]
    if len(raws) < len(parts):
        return None
    return lambda rows: np.mean([np.asarray(raw(rows), dtype=np.float64).ravel() for raw in raws], axis=0)


def _check_classes(members: Sequence[Any]) -> None:
    """The members' raw scores are log-odds of the same class, as far as live models say which."""
    classes = [np.asarray(member.classes_).tolist() for member in members if hasattr(member, "classes_")]
    for other in classes:
        if other != classes[0]:
            raise UnsupportedError(
                f"the teachers have the classes {shown(classes[0])} and {shown(other)}; the mean is of log-odds of one "
                "class: train all on the same labels"
            )
