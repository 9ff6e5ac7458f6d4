"""What an adapter reads from a teacher: the terms whose sum is its raw score, and facts about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy.typing as npt

from curvec.ir import Feature, Term
from curvec.teachers.parts.pairs import Pair
from curvec.transforms import FloatArray


class ShapePoints(msgspec.Struct, frozen=True, eq=False):
    """Points of one shape function, as a table teacher gives them: x sorted, equal x merged by weight."""

    feature: str
    x: npt.NDArray[Any]
    y: FloatArray
    w: FloatArray


class AdditiveParts(msgspec.Struct):
    """What an adapter makes of a teacher.

    Attributes:
        features: all of the teacher's inputs, in its order, used or not.
        terms: the terms in the teacher's order; ``constant`` holds what needs no curve.
        constant: where the sum starts.
        link: the model's link.
        raw: the teacher's own raw score of native data (None: a file has none).
        tolerance: how far apart raw scores may be, times (1 + the largest).
        start: the absolute value that the teacher's own sum starts at, if its trees subtract it again.
        reads_text: the teacher takes text for the number that it can be read as.
        cuts_off_fractions: the teacher reads the category 2.7 as 2, unlike a table.
        rounds_to_single: the teacher rounds what it reads to float32; the comparison does, too.
        centred: the curves already have mean 0 over the training rows.
        from_scores: the curves were found from the teacher's scores on the rows.
        name, note: the model's, where the teacher is one.
        spread: curves of the standard deviations of terms of one feature, where the teacher has them.
        pairs, samples, notes, exact: as in :class:`curvec.teachers.TeacherReading`.

    """

    features: list[Feature]
    terms: list[Term]
    constant: float = 0.0
    link: str = "identity"
    raw: Callable[[Any], npt.NDArray[Any]] | None = None
    tolerance: float = 1e-12
    start: float = 0.0
    reads_text: bool = False
    cuts_off_fractions: bool = False
    rounds_to_single: bool = False
    centred: bool = False
    from_scores: bool = False
    exact: bool = True
    name: str = "model"
    note: str = ""
    spread: list[Term] = msgspec.field(default_factory=list)
    pairs: list[Pair] = msgspec.field(default_factory=list)
    samples: list[ShapePoints] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)
