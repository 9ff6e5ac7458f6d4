"""Two models compared: what was edited, and how far that changes the score, at most and on data."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import msgspec
import numpy as np

from curvec import display
from curvec.errors import InputError, counted, shown
from curvec.fields import plain
from curvec.ir import Term, features_of
from curvec.model import CurveModel, check_model
from curvec.review.changes import TermChange, field_changes, field_entries, term_changes, title
from curvec.review.extremes import Extremes, extremes
from curvec.review.rows import check_threshold
from curvec.spelling import quoted

_MARKS = {"changed": "~", "added": "+", "removed": "-", "note": "#"}
_SHOWN = 12


class DataChange(msgspec.Struct, frozen=True):
    """The change of the score and the prediction on rows.

    Attributes:
        rows: how many rows there are.
        changed: rows whose raw score differs.
        mean: mean size of the change of the raw score over the rows where both are defined.
        quantiles: the 50%, 90%, 99% and 100% quantiles of the size of the change on those rows.
        largest: the row of the largest change, from 0; None without a change.
        lost: rows that had a score and have none (NaN).
        gained: rows that had none and have one.
        threshold: on the prediction, if one is given.
        up: rows whose prediction was below the threshold and is not.
        down: rows whose prediction is below the threshold and was not.

    """

    rows: int
    changed: int
    mean: float
    quantiles: Mapping[str, float]
    largest: int | None
    lost: int
    gained: int
    threshold: float | None = None
    up: int = 0
    down: int = 0


class ModelDiff(msgspec.Struct, frozen=True):
    """The difference of two models.

    Attributes:
        old: the model before.
        new: the model after.
        fields: changed fields of the model itself: name -> (old, new).
        terms: changed terms, and how far each moves the score.
        score: how far all changes together move the raw score, over every input; None if the score cannot have changed.
        data: the change on rows, if rows are given.

    """

    old: CurveModel
    new: CurveModel
    fields: Mapping[str, tuple[str, str]]
    terms: Sequence[tuple[TermChange, Extremes]]
    score: Extremes | None
    data: DataChange | None = None

    @property
    def identical(self) -> bool:
        """Whether the models are equal, notes and names included."""
        return not self.fields and not self.terms

    def __str__(self) -> str:
        """The text that ``curvec diff`` prints; empty for equal models."""
        return "\n".join(_lines(self))

    def _repr_html_(self) -> str:
        return display.html(str(self) or "The models are equal.")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is infinite or undefined is None."""
        return {
            "identical": self.identical,
            "fields": {name: {"old": old, "new": new} for name, (old, new) in self.fields.items()},
            "terms": [
                {
                    "status": change.status,
                    "term": _title(change),
                    "details": list(change.details),
                    "change": _plain(extent),
                }
                for change, extent in self.terms
            ],
            "score": None if self.score is None else _plain(self.score),
            "data": None if self.data is None else _data_dict(self.data),
        }

    def to_json(self) -> str:
        """:meth:`to_dict` as strict JSON."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def diff(old: CurveModel, new: CurveModel, data: Any = None, *, threshold: float | None = None) -> ModelDiff:
    """Compare two models.

    Args:
        old: the model before.
        new: the model after.
        data: rows to score with both, as :meth:`CurveModel.eval` takes them.
        threshold: on the prediction; rows that cross it are counted.

    Raises:
        InputError: a column is missing or wrong, or a threshold comes without data or is not finite.

    """
    if threshold is not None and data is None:
        raise InputError(f"threshold={shown(threshold)}: pass data whose rows may cross it")
    check_model(old)
    check_model(new)
    check_threshold(threshold, new.link)
    changes, reordered = term_changes(new, old)
    fields = field_changes(new, old)
    if reordered:
        before, after = (", ".join(field_entries(side, "order of terms")) for side in (old, new))
        fields["order of terms"] = before, after
    moved = [change for change in changes if change.status != "note"]
    extent = {id(change): extremes(_side(change.new), _side(change.old)) for change in moved}
    nothing = Extremes(0.0, 0.0, {}, {}, 0.0, 0.0)
    score = _score(moved, new.intercept - old.intercept) if moved or "intercept" in fields else None
    with np.errstate(over="ignore", invalid="ignore"):  # rows may hold infinities
        rows = None if data is None else _on_rows(old, new, data, threshold)
    return ModelDiff(old, new, fields, [(change, extent.get(id(change), nothing)) for change in changes], score, rows)


def _side(term: Term | None) -> list[Term]:
    return [] if term is None else [term]


def _score(changes: Sequence[TermChange], shift: float) -> Extremes:
    """All changes together: groups of changes that share no feature are independent, so their extremes add up."""
    total = Extremes(shift, shift, {}, {}, shift, shift)
    for part in _components(changes):
        new = [change.new for change in part if change.new is not None]
        old = [change.old for change in part if change.old is not None]
        one = extremes(new, old)
        total = Extremes(
            total.low + one.low,
            total.high + one.high,
            {**total.at_low, **one.at_low},
            {**total.at_high, **one.at_high},
            total.least + one.least,
            total.greatest + one.greatest,
            total.undefined if total.undefined is not None else one.undefined,
        )
    return total


def _components(changes: Sequence[TermChange]) -> list[list[TermChange]]:
    """Changes in groups that share no feature."""
    groups: list[tuple[set[str], list[TermChange]]] = []
    for change in changes:
        names = {use.name for term in (*_side(change.new), *_side(change.old)) for use in features_of(term)}
        joined = [group for group in groups if group[0] & names]
        groups = [group for group in groups if not group[0] & names]
        members = [member for _, group in joined for member in group]
        groups.append((names.union(*(group[0] for group in joined)), [*members, change]))
    return [members for _, members in groups]


def _on_rows(old: CurveModel, new: CurveModel, data: Any, threshold: float | None) -> DataChange:
    before, after = old.eval(data), new.eval(data)
    gone, here = np.isnan(after), np.isnan(before)
    both = ~gone & ~here
    size = np.where(both & (before != after), np.abs(after - before), 0.0)
    known = size[both]
    shares = (50, 90, 99, 100) if known.size else ()
    quantiles = {f"{share}%": float(np.quantile(known, share / 100, method="higher")) for share in shares}
    up = down = 0
    if threshold is not None:
        was, is_now = old.predict(data) >= threshold, new.predict(data) >= threshold
        up, down = int((both & ~was & is_now).sum()), int((both & was & ~is_now).sum())
    return DataChange(
        rows=len(before),
        changed=int((size > 0).sum() + (gone != here).sum()),
        mean=float(known.mean()) if known.size else 0.0,
        quantiles=quantiles,
        largest=int(np.argmax(size)) if size.any() else None,
        lost=int((gone & ~here).sum()),
        gained=int((here & ~gone).sum()),
        threshold=threshold,
        up=up,
        down=down,
    )


def _lines(result: ModelDiff) -> Iterator[str]:
    for name, (old, new) in result.fields.items():
        lists = field_entries(result.old, name), field_entries(result.new, name)
        yield f"{name}: {_of_lists(*lists) if any(lists) else f'{old} -> {new}'}"
    for change, extent in result.terms:
        yield f"{_MARKS[change.status]} {_title(change)}"
        yield from (f"    {line}" for line in change.details[:_SHOWN])
        if len(change.details) > _SHOWN:
            yield f"    ... and {len(change.details) - _SHOWN} more"
        if change.status != "note":
            yield from (f"    {line}" for line in _extent_lines(extent, "the term changes by"))
    if result.score is not None:
        yield from _extent_lines(result.score, "the score changes by")
    if result.data is not None:
        yield from _data_lines(result.data)


def _of_lists(old: Sequence[str], new: Sequence[str]) -> str:
    """What is only in one of two lists, or else what stands at another place: never the whole of long lists."""
    gone, come = (
        [f"{sign} {one}" for one in ours if one not in theirs]
        for sign, ours, theirs in (("-", old, new), ("+", new, old))
    )
    if gone or come:
        return ", ".join([*gone, *come])
    kept = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    still = {block.b + k for block in kept for k in range(block.size)}
    return ", ".join(f"{one} moved to place {k + 1}" for k, one in enumerate(new) if k not in still)


def _title(change: TermChange) -> str:
    old, new = (None if side is None else title(side) for side in (change.old, change.new))
    return f"{old} -> {new}" if old is not None and new is not None and old != new else str(new or old)


def _extent_lines(extent: Extremes, subject: str) -> Iterator[str]:
    if math.isinf(extent.low) or math.isinf(extent.high):
        yield f"{subject} any amount: a line has no bound"
    elif extent.low == extent.high:
        yield f"{subject} {extent.low:+.6g} everywhere"
    else:
        low, high = (f" ({_place(at)})" if at else "" for at in (extent.at_low, extent.at_high))
        yield f"{subject} {extent.low:+.6g}{low} to {extent.high:+.6g}{high}"
    if not extent.exact:
        yield f"    between these points it may reach {extent.least:+.6g} and {extent.greatest:+.6g}, not beyond"
    if extent.undefined is not None:
        yield f"    only one side has a value at {_place(extent.undefined)}"


def _place(at: Mapping[str, Any]) -> str:
    def text(value: Any) -> str:
        if value is None:
            return "missing"
        return quoted(value) if isinstance(value, str) else f"{value:.15g}" if type(value) is float else str(value)

    return ", ".join(f"{name}={text(value)}" for name, value in at.items())


def _data_lines(data: DataChange) -> Iterator[str]:
    share = f" ({data.changed / data.rows:.1%})" if data.rows else ""
    yield f"data: {data.changed:,} of {counted(data.rows, 'row')} changed{share}"
    if data.largest is not None:
        sizes = ", ".join(f"{name} {value:.6g}" for name, value in data.quantiles.items())
        yield f"    change of the score: mean {data.mean:.6g}; at most, by share of rows: {sizes} (row {data.largest})"
    if data.lost or data.gained:
        yield f"    without a score now {counted(data.lost, 'row')}, with one now {data.gained:,}"
    if data.threshold is not None:
        yield (
            f"    threshold {data.threshold:g} on the prediction: "
            f"{counted(data.up, 'row')} now above it, {data.down:,} below"
        )


def _plain(extent: Extremes) -> dict[str, Any]:
    numbers = {name: getattr(extent, name) for name in ("low", "high", "least", "greatest")}
    finite = {name: _finite(value) for name, value in numbers.items()}
    places = {"at_low": dict(extent.at_low), "at_high": dict(extent.at_high), "exact": extent.exact}
    return {**finite, **places, "undefined": None if extent.undefined is None else dict(extent.undefined)}


def _data_dict(data: DataChange) -> dict[str, Any]:
    quantiles = {name: _finite(value) for name, value in data.quantiles.items()}
    return {**plain(data), "mean": _finite(data.mean), "quantiles": quantiles}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
