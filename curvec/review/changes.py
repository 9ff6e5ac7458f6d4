"""The changes between two models, part by part: terms, points, numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import msgspec

from curvec.ir import Product, PWLCurve, Sum, Term, changed, features_of, names_of
from curvec.model import CurveModel
from curvec.spelling import quoted, shortest

Status = Literal["changed", "added", "removed", "note"]


class TermChange(msgspec.Struct, frozen=True):
    """A term that is not the same on both sides.

    Attributes:
        status: "note" where nothing but a note changed.
        old: the term before, None if it was added.
        new: the term after, None if it was removed.
        details: one line for each changed point, level or number.

    """

    status: Status
    old: Term | None
    new: Term | None
    details: Sequence[str]


def title(term: Term) -> str:
    """What to call a term: its class and features."""
    names = dict.fromkeys(quoted(use.name) for use in features_of(term))
    return f"{type(term).__name__}({', '.join(names)})"


def field_entries(model: CurveModel, field: str) -> list[str]:
    """The entries, as text, of a field that is a list: "features", or "order of terms"."""
    if field == "features":
        return [f"{quoted(feature.name)}: {feature.type}" for feature in model.features]
    return [title(term) for term in model.terms] if field == "order of terms" else []


def field_changes(new: CurveModel, old: CurveModel) -> dict[str, tuple[str, str]]:
    """The changed fields of the models themselves, old and new, as text."""

    def of(model: CurveModel) -> dict[str, str]:
        return {
            "name": quoted(model.name),
            "note": quoted(model.note),
            "intercept": shortest(model.intercept),
            "link": quoted(model.link),
            "features": ", ".join(field_entries(model, "features")),
            "order of terms": "",
        }

    before, after = of(old), of(new)
    return {name: (before[name], after[name]) for name in before if before[name] != after[name]}


def term_changes(new: CurveModel, old: CurveModel) -> tuple[list[TermChange], bool]:
    """The changed terms, in the order of the new model, removed ones last; and whether kept terms changed places.

    Equal terms are paired first, then terms over the same features, in order.
    """
    pairs = dict(_pairs(new.terms, old.terms, _meaning))
    left_new = [k for k in range(len(new.terms)) if k not in pairs]
    left_old = [k for k in range(len(old.terms)) if k not in pairs.values()]
    same_features = _pairs([new.terms[k] for k in left_new], [old.terms[k] for k in left_old], _subject)
    pairs |= {left_new[a]: left_old[b] for a, b in same_features}
    changes = []
    for k, term in enumerate(new.terms):
        before = old.terms[pairs[k]] if k in pairs else None
        if before is None:
            changes.append(TermChange("added", None, term, [str(term)]))
        elif term != before:
            only_note = _meaning(term) == _meaning(before)
            changes.append(TermChange("note" if only_note else "changed", before, term, list(_details(term, before))))
    gone = [term for k, term in enumerate(old.terms) if k not in pairs.values()]
    changes += [TermChange("removed", term, None, [str(term)]) for term in gone]
    order = [pairs[k] for k in sorted(pairs)]
    return changes, order != sorted(order)


def _pairs(new: Sequence[Term], old: Sequence[Term], key: Callable[[Term], object]) -> Iterator[tuple[int, int]]:
    waiting: dict[object, list[int]] = {}
    for k, term in enumerate(old):
        waiting.setdefault(key(term), []).append(k)
    for k, term in enumerate(new):
        if found := waiting.get(key(term)):
            yield k, found.pop(0)


def _meaning(term: Term) -> Term:
    """The term without its notes."""
    return changed(term.map_children(_meaning), note="")


def _subject(term: Term) -> tuple[bool, tuple[str, ...]]:
    names = tuple(names_of(term))
    return isinstance(term, (Sum, Product)), names


def _details(new: Term, old: Term) -> Iterator[str]:
    if type(new) is not type(old) or not new.coefficients:
        yield f"{old!s} -> {new!s}"
        return
    yield from _option("fx", new.fx, old.fx)
    if isinstance(new, PWLCurve) and isinstance(old, PWLCurve) and len(new.points) == len(old.points):
        yield from _points(new, old)
    else:
        yield from _entries(_texts(new.entries), _texts(old.entries))
    if new.input != old.input:
        yield "the sum that is its input changed"
    yield from _entries(
        *({f"special {shortest(code)}": shortest(y) for code, y in side.special_codes.items()} for side in (new, old))
    )
    for name in ("default", "missing"):
        yield from _option(name, *(_text(getattr(side, name, None)) for side in (new, old)))
    yield from _option("note", quoted(new.note), quoted(old.note))


def _option(name: str, new: str, old: str) -> Iterator[str]:
    if new != old:
        yield f"{name}: {old} -> {new}"


def _points(new: PWLCurve, old: PWLCurve) -> Iterator[str]:
    after, before = ([f"({shortest(x)}, {shortest(y)})" for x, y in side.points] for side in (new, old))
    yield from (f"{b} -> {a}" for a, b in zip(after, before, strict=True) if a != b)


def _texts(entries: dict[str, float]) -> dict[str, str]:
    return {entry: shortest(value) for entry, value in entries.items()}


def _entries(new: dict[str, str], old: dict[str, str]) -> Iterator[str]:
    for entry in itertools.chain(old, (entry for entry in new if entry not in old)):
        if entry not in new:
            yield f"- {entry}: {old[entry]}"
        elif entry not in old:
            yield f"+ {entry}: {new[entry]}"
        elif new[entry] != old[entry]:
            yield f"{entry}: {old[entry]} -> {new[entry]}"


def _text(value: float | None) -> str:
    return "none" if value is None else shortest(value)
