"""scikit-learn's encoders of categories: the columns that each makes of one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curvec.conversion import is_missing
from curvec.errors import UnsupportedError
from curvec.teachers.parts.adapter import TeacherOptions
from curvec.teachers.parts.basis_functions import Function, LevelValues, Polynomial


def encoded(
    step: Any, functions: Sequence[Function], names: Sequence[str], options: TeacherOptions, _: list[str]
) -> list[Function]:
    """OneHotEncoder, OrdinalEncoder and TargetEncoder."""
    result: list[Function] = []
    for j, function in enumerate(functions):
        if isinstance(function, LevelValues) or (isinstance(function, Polynomial) and not function.is_raw):
            raise UnsupportedError(f"{type(step).__name__} after a scaler, bins or an encoder is not supported")
        categories = step.categories_[j].tolist()
        present = [value for value in categories if not is_missing(value)]
        keys = options.keys(present, names, function.feature)
        rows = _encoded_categories(step, j, categories)
        of_present = (row for row, value in zip(rows, categories, strict=True) if not is_missing(value))
        known = dict(zip(keys, of_present, strict=True))
        unseen = _unseen(step, j, len(rows[0]))
        fill = function.missing
        if fill is not None:
            missing = known.get(options.keys([fill], names, function.feature)[0], unseen)
        else:
            missing = next((row for row, value in zip(rows, categories, strict=True) if is_missing(value)), unseen)
        for k in range(len(rows[0])):
            values = {key: row[k] for key, row in known.items()}
            default, at_missing = (None if row is None else row[k] for row in (unseen, missing))
            result.append(LevelValues(function.feature, values, default, at_missing))
    return result


def _encoded_categories(step: Any, index: int, categories: Sequence[Any]) -> list[list[float]]:
    """A table of one row for each category: the values of the columns that the encoder makes of it."""
    name = type(step).__name__
    if name == "TargetEncoder":
        if step.target_type_ == "multiclass":
            raise UnsupportedError("TargetEncoder of several classes has a column a class; encode before the pipeline")
        return [[value] for value in step.encodings_[index].tolist()]
    groups = _groups(step, index, len(categories))
    if name == "OrdinalEncoder":
        pairs = zip(groups, categories, strict=True)
        return [[float(step.encoded_missing_value if is_missing(value) else code)] for code, value in pairs]
    return [_one_hot(step, index, group, max(groups) + 1) for group in groups]


def _groups(step: Any, index: int, count: int) -> list[int]:
    """The place of each category; infrequent ones share the last."""
    pooled = getattr(step, "_default_to_infrequent_mappings", None)  # no public form says which share it
    if not getattr(step, "_infrequent_enabled", False) or pooled is None or pooled[index] is None:
        return list(range(count))
    groups = [int(group) for group in pooled[index]]
    return groups + [max(groups)] * (count - len(groups))  # OrdinalEncoder's leave out a missing category, at the end


def _one_hot(step: Any, index: int, group: int, width: int) -> list[float]:
    row = [float(place == group) for place in range(width)]
    dropped = getattr(step, "_drop_idx_after_grouping", step.drop_idx_)
    if dropped is not None and dropped[index] is not None:
        del row[int(dropped[index])]
    return row


def _unseen(step: Any, index: int, width: int) -> list[float] | None:
    """The columns of a category that the encoder has not seen; None where it raises an error."""
    name = type(step).__name__
    if name == "TargetEncoder":
        return [float(step.target_mean_)]
    if name == "OrdinalEncoder":
        known = step.handle_unknown == "use_encoded_value" and not is_missing(step.unknown_value)
        return [float(step.unknown_value)] if known else None
    if step.handle_unknown == "error":
        return None
    pooled = getattr(step, "infrequent_categories_", None)
    if step.handle_unknown == "ignore" or pooled is None or pooled[index] is None:
        return [0.0] * width
    shared = max(_groups(step, index, len(step.categories_[index])))
    return _one_hot(step, index, shared, shared + 1)
