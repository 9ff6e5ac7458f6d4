"""Edits of terms: nothing is changed in place, and every result is checked like a new term.

The methods of :class:`curvec.CurveModel` apply them to whole models.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from curvec.errors import InputError, shown
from curvec.ir import Sum, Term, changed, names_of, number, uses_of
from curvec.spelling import shortest


class Bounds(msgspec.Struct, frozen=True):
    """A range of a feature; values outside count as its ends.

    Raises:
        InputError: it is open at both ends, empty or not of numbers.

    """

    feature: str
    below: float | None = None
    above: float | None = None

    def __post_init__(self) -> None:
        """Check the order."""
        if not self.low < self.high or (self.below is None and self.above is None):
            raise InputError(
                f"above={shown(self.above)}, below={shown(self.below)}: give one bound, or two with below < above"
            )

    @property
    def low(self) -> float:
        """The lower end; -inf without one."""
        return -math.inf if self.below is None else number(self.below, "below")

    @property
    def high(self) -> float:
        """The upper end; inf without one."""
        return math.inf if self.above is None else number(self.above, "above")


def capped(terms: Sequence[Term], bounds: Bounds) -> list[Term]:
    """The terms in which values of a numeric feature outside the bounds count as the bound.

    Raises:
        InputError: the feature is one of categories, a line is capped on one side only, or a bound lies where
            every curve of the feature is constant already.

    """
    uses = uses_of(bounds.feature, *terms)
    ends = all(use.breaks for use in uses.nodes)  # a line has none, and any bound changes it
    breaks = uses.breaks if ends else []
    for name in ("below", "above") if breaks else ():
        bound = getattr(bounds, name)
        if bound is not None:
            alone = Bounds(bounds.feature, **{name: bound})
            if [_capped(term, alone) for term in terms] == list(terms):
                raise InputError(
                    f"{name}={shown(bound)} changes nothing: the score depends on {bounds.feature!r} from "
                    f"{shortest(min(breaks))} to {shortest(max(breaks))} only; give a bound between these"
                )
    return [_capped(term, bounds) for term in terms]


def _capped(term: Term, bounds: Bounds) -> Term:
    if term.feature == bounds.feature:
        return term.capped(bounds.low, bounds.high)
    return term.map_children(lambda child: _capped(child, bounds))


def without(term: Term, feature: str) -> Term | None:
    """The term without a feature; None where nothing is left.

    A sum loses the parts that use it; anything else that uses it goes as a whole.
    """
    if feature not in names_of(term):
        return term
    left = [without(child, feature) for child in term.children]
    if isinstance(term, Sum):
        kept = [child for child in left if child is not None]
        return changed(term, terms=kept) if kept else None
    if not left or None in left:
        return None
    rest = iter(left)
    return term.map_children(lambda _: next(rest))


def renamed(term: Term, features: Mapping[str, str]) -> Term:
    """The term with other names for its features: old name -> new name."""
    if term.feature is not None and term.feature in features:
        term = changed(term, input=features[term.feature])
    return term.map_children(lambda child: renamed(child, features))
