"""What a distillation lost, and where: the comparison with the teacher, and how each curve was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from curvec.distill.comparison import Comparison, CurveReport, curve_report
from curvec.distill.correspondence import Counterparts, features_in
from curvec.distill.distilled import DistilledTerm
from curvec.distill.front import Size
from curvec.distill.printing import share_text
from curvec.fields import changed

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


class DistillationReport(Comparison, frozen=True, kw_only=True):
    """What a distillation lost: a :class:`Comparison` with the teacher on the rows of the distillation.

    Attributes:
        intercept_shift: the change of the intercept that keeps the weighted mean raw score.
        separate: what the score lost (see ``unexplained``) with the values of the separate fits, before all were moved
            together; None where they were not moved.
        margin: the share of the score's variance that could be lost for a shorter model.
        seconds: the time of the whole distillation.
        unused: the teacher's columns that no term uses; the model does not have them.
        scored_gaps: the features whose missing values get a score, if those of others do not; None if all do.
        front: the loss of the best model of every size, smallest first, as the sum of what its functions lose, each
            fitted alone; beyond 40 numbers each size is a thirtieth larger than the one before.
        reading: what a user should know about how the teacher was read, such as its treatment of missing values, or
            what was sampled and with which error; () for a curve model.

    """

    intercept_shift: float
    margin: float
    seconds: float
    separate: float | None = None
    unused: tuple[str, ...] = ()
    scored_gaps: tuple[str, ...] | None = None
    front: tuple[Size, ...] = ()
    reading: tuple[str, ...] = ()

    def summary(self) -> str:
        """The whole in a sentence or two."""
        margin = f" A shorter text may cost {share_text(self.margin)} (margin)." if self.margin else ""
        alone = "" if self.separate is None else share_text(self.separate)
        moved = f" With each function fitted alone it would be {alone}." if alone else ""
        unused = f" No term uses {', '.join(self.unused)}." if self.unused else ""
        return f"{super().summary()}{moved}{margin}{unused} {self.seconds:.2f} s."

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the comparison, then which missing values get a score, and what models of other sizes would lose."""
        yield from super().__rich_console__(console, options)
        if self.scored_gaps is not None:
            scored = ", ".join(self.scored_gaps)
            yield (
                f"A missing value has a score in {scored}; in another feature it gives none, as no row has one there."
                if scored
                else "A missing value gives no score, as no row has one."
            )
        if sizes := self._sizes():
            yield sizes
        yield from (f"The teacher, as it was read: {note}" for note in self.reading)

    def _sizes(self) -> str:
        """What models of a few other sizes would lose."""
        if len(self.front) < 2:
            return ""
        wanted = [[size for size in self.front if size.numbers <= most] for most in _SHOWN]
        sizes = list(dict.fromkeys(size[-1] for size in wanted if size))
        numbers = ", ".join(str(size.numbers) for size in sizes)
        losses = ", ".join(share_text(size.unexplained) for size in sizes)
        return f"The best models of {numbers} numbers lose {losses}."


_SHOWN = (5, 8, 12, 20, 40, 100)
"""The sizes whose losses the summary shows; the front has all."""


def distillation_report(
    found: Comparison,
    pairs: Sequence[Counterparts],
    parts: Sequence[DistilledTerm],
    *,
    intercept_shift: float,
    separate: float | None,
    margin: float,
    unused: Sequence[str],
    scored_gaps: tuple[str, ...] | None,
    front: tuple[Size, ...],
) -> DistillationReport:
    """The comparison together with how each curve was made; the time is filled in later.

    Args:
        found: the comparison.
        pairs: the functions that it compares, in its order.
        parts: every term of the teacher with its replacement.
        intercept_shift: see :class:`DistillationReport`.
        separate: see there.
        margin: see there.
        unused: see there.
        scored_gaps: see there.
        front: see there.

    """
    by_features: dict[frozenset[str], list[DistilledTerm]] = {}
    for part in parts:
        by_features.setdefault(features_in(part.teacher), []).append(part)
    curves = []
    for curve, pair in zip(found.curves, pairs, strict=True):
        assert pair.teacher is not None  # noqa: S101  a distillation adds no term
        curves.append(_with_details(curve, by_features[features_in(pair.teacher)]))
    plain = msgspec.structs.asdict(found)
    plain["curves"] = tuple(curves)
    return DistillationReport(
        **plain,
        intercept_shift=intercept_shift,
        separate=separate,
        margin=margin,
        seconds=0.0,
        unused=tuple(unused),
        scored_gaps=scored_gaps,
        front=front,
    )


def _with_details(curve: CurveReport, parts: Sequence[DistilledTerm]) -> CurveReport:
    """The entry with how its parts were made."""
    fitted = [one for part in parts for one in part.curves]
    notes = tuple(note for part in parts for note in part.notes)
    seconds = sum(one.seconds for one in fitted)
    if len(fitted) == 1 and parts[0].term in (None, fitted[0].term):  # the term is one curve
        only = fitted[0]
        return changed(curve, seconds=seconds, notes=(*notes, *only.notes))
    inner = (
        curve_report(one.label, one.term, one.distance, kept=one.kept, seconds=one.seconds, notes=one.notes)
        for one in fitted
    )
    return changed(curve, seconds=seconds, notes=notes, inner=tuple(inner))
