"""Options that several commands share, and their values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

import narwhals.stable.v1 as nw
import typer

from curvec.conversion import numbers
from curvec.errors import InputError
from curvec.transforms import FloatArray

ClassIndex: TypeAlias = Annotated[int | None, typer.Option(help="which class, of a teacher with several")]
FeatureNames: TypeAlias = Annotated[str | None, typer.Option(help="comma-separated, of a teacher that has none")]
Missing: TypeAlias = Annotated[float | None, typer.Option(help="a number that stands for missing (XGBoost)")]
Link: TypeAlias = Annotated[str | None, typer.Option(help="of a teacher that does not say it: identity, logit, log")]

MONO: dict[str, Any] = {
    "none": False,
    "auto": True,
    "increasing": "increasing",
    "decreasing": "decreasing",
    "peak": "peak",
    "valley": "valley",
    "bitonic": "bitonic",
}
"""Words of ``--mono`` and what they are to ``fit_pwl``."""


def names(text: str | None) -> list[str] | None:
    """The names of a comma-separated list; none of one that has commas only."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    return parts if any(parts) else []


def direction(word: str, what: str, words: Mapping[str, Any] = MONO) -> Any:
    """The value of ``mono``.

    Raises:
        InputError: there is no such word.

    """
    if word not in words:
        raise InputError(f"{what}: {word!r} is none of {', '.join(words)}")
    return words[word]


def directions(options: Sequence[str], words: Mapping[str, Any], of_all: Mapping[str, Any]) -> Any:
    """The value of ``mono`` from ``--mono FEATURE=increasing`` ...: a mapping, or one value for every curve.

    Args:
        options: what was given, at least one.
        words: the words of a feature's curves, and what they are to the function.
        of_all: those that may stand alone, for every curve.

    Raises:
        InputError: one is of neither form, or names a feature again.

    """
    if len(options) == 1 and options[0] in of_all:
        return of_all[options[0]]
    form = (
        f"FEATURE=increasing, or another word of {', '.join(words)}; for all curves "
        f"{'the word' if of_all is words else ' or '.join(of_all)} alone, once"
    )
    return {
        feature: direction(word, f"--mono {feature}={word}", words)
        for feature, word in by_feature(options, "--mono", form).items()
    }


def by_feature(options: Iterable[str], what: str, form: str) -> dict[str, str]:
    """The values of ``FEATURE=VALUE`` ..., each feature once; arguments as those of :func:`feature_and_value`.

    Raises:
        InputError: one is not of this form, or names a feature again.

    """
    result: dict[str, str] = {}
    for feature, value in (feature_and_value(option, what, form) for option in options):
        if feature in result:
            raise InputError(f"{what} names {feature!r} twice; once is enough")
        result[feature] = value
    return result


def feature_and_value(option: str, what: str, form: str) -> tuple[str, str]:
    """The two parts of ``FEATURE=VALUE``.

    Args:
        option: what to read.
        what: the option's name, for messages.
        form: what may be written there, for messages.

    Raises:
        InputError: it has no equals sign.

    """
    feature, equals, value = option.rpartition("=")
    if not equals:
        raise InputError(f"{what} {option}: write {form}")
    return feature, value


def check_model_file(path: Path | None) -> None:
    """Check, before the work is done, that a model can be saved there.

    Raises:
        InputError: the name is no model file's, or its folder is not there.

    """
    if path is None:
        return
    if path.suffix != ".json":
        raise InputError(f"{path}: a model file is JSON, so its name ends in .json; curvec emit makes code of it")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Check that the folder of a file that is to be written exists.

    Raises:
        InputError: it is not.

    """
    if not path.parent.is_dir():
        raise InputError(f"{path}: cannot be written: there is no folder {path.parent}")


def whole_or_word(option: str, text: str, what: str, words: Sequence[str] = ("auto",)) -> Any:
    """A whole number, or one of some words.

    Raises:
        InputError: it is neither.

    """
    if text in words:
        return text
    if not text.isascii() or not text.isdigit():
        raise InputError(f"{option} {text}: write {what}, or {' or '.join(words)}")
    return int(text)


def low_and_high(text: str, option: str, form: str) -> tuple[float | None, float | None]:
    """The two numbers of ``LOW:HIGH``, None for one that is left out.

    Args:
        text: what to read.
        option: the option as it was typed, for messages.
        form: what may be written there, for messages.

    Raises:
        InputError: it is not that, a number is not finite, or LOW is not below HIGH.

    """
    low, colon, high = text.partition(":")
    if not colon or not (low or high):
        raise InputError(f"{option}: write {form}, of which one may be left out")
    below, above = _finite(low, option), _finite(high, option)
    if below is not None and above is not None and below >= above:
        raise InputError(f"{option}: LOW must be below HIGH")
    return below, above


def _finite(text: str, option: str) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        value = math.nan
    if value is not None and not math.isfinite(value):
        raise InputError(f"{option}: {text!r} is no finite number")
    return value


def column_of(frame: nw.DataFrame[Any], name: str) -> nw.Series[Any]:
    """A column of a file's table.

    Raises:
        InputError: there is no such column.

    """
    if name not in frame.columns:
        raise InputError(f"column {name!r} is missing from the file (it has {', '.join(map(repr, frame.columns))})")
    return frame[name]


class Labelling(NamedTuple):
    """What goes with rows: arrays of rows in memory, names of columns of a stream; None where nothing is asked for."""

    labels: Any
    weights: Any
    query: Any


def labelling_of(rows: Any, target: str | None, weight: str | None, query: str | None) -> Labelling:
    """The columns of :func:`curvec.files.table_or_stream`'s rows; of a stream they are read by name.

    Raises:
        InputError: there is no such column, or labels or weights are not numbers.

    """
    if isinstance(rows, str):
        return Labelling(target, weight, query)
    frame = nw.from_native(rows, eager_only=True)
    labels, weights = (None if name is None else numbers_of(frame, name) for name in (target, weight))
    return Labelling(labels, weights, None if query is None else column_of(frame, query).to_numpy())


def numbers_of(frame: nw.DataFrame[Any], name: str) -> FloatArray:
    """A column of numbers, NaN where one is missing.

    Raises:
        InputError: there is no such column, or it is not of numbers.

    """
    return numbers(column_of(frame, name).to_numpy(), name)
