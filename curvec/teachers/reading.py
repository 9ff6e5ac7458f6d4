"""What a teacher is read into: the values that every adapter hands over, and those that a caller gets.

An adapter makes :class:`Parts`; the registry makes of them a :class:`Reading`, checked against the teacher.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, UnsupportedError, shown
from curvec.ir import EnumCurve, Feature, FeatureType, Key, Levels, Product, Sum, Term
from curvec.model import CurveModel
from curvec.teachers.categories import level_keys, retyped
from curvec.teachers.curves import merged_steps
from curvec.teachers.rows import Rows
from curvec.transforms import FloatArray

__all__ = ["Adapter", "Axis", "Check", "Options", "Pair", "Parts", "Reading", "Sample"]

_MOST_FEATURES = 10**6
"""More than that is a damaged file's number, not a teacher's."""


@dataclass(frozen=True, eq=False)
class Axis:
    """The cells of one side of a pair table.

    Cell 0 is the missing input; then come the cells of the values, in order; then, for categories, the cell of an
    unseen level.

    Attributes:
        feature: the feature's name.
        cuts: a numeric feature's cuts (x == cut belongs to the right): ``len(cuts) + 1`` cells; None for categories.
        levels: for categories, level -> its cell (several levels may share one); None for a numeric feature.

    """

    feature: str
    cuts: tuple[float, ...] | None = None
    levels: Mapping[Key, int] | None = None

    @property
    def size(self) -> int:
        """How many cells there are, those of missing and unseen included."""
        if self.cuts is not None:
            return len(self.cuts) + 2
        return max((self.levels or {}).values(), default=0) + 2

    def curve(self, values: FloatArray) -> Term:
        """The curve with ``values[i]`` in cell i; ``values`` has :attr:`size` finite entries."""
        value = np.asarray(values, dtype=np.float64)
        if self.cuts is not None:
            return merged_steps(self.feature, self.cuts, value[1:], float(value[0]))
        levels = Levels((key, float(value[cell])) for key, cell in (self.levels or {}).items())
        return EnumCurve(self.feature, levels, default=float(value[-1]), missing=float(value[0]))

    def cells(self, data: Any) -> npt.NDArray[np.intp]:
        """(rows,) the cell of every row of ``data`` (a mapping of arrays or a frame)."""
        numbers = self.curve(np.arange(self.size, dtype=np.float64))
        return CurveModel("cells", [numbers]).eval(data).astype(np.intp)


@dataclass(frozen=True, eq=False)
class Pair:
    """An interaction of two features, as the teacher's table.

    The table's exact form as a term is :meth:`term`, and stands in the model at ``index``. A factorisation
    ``table ~ sum_r u_r v_r`` becomes products of one-variable curves by
    ``Product((axes[0].curve(u_r), axes[1].curve(v_r)))``.

    Attributes:
        features: the two names.
        axes: the cells of the rows and of the columns.
        table: (axes[0].size, axes[1].size) the teacher's value in each cell.
        weights: the same shape, the training weight in each cell, or None where the teacher keeps none.
        index: which of ``model.terms`` is this pair; None once it is taken out.

    """

    features: tuple[str, str]
    axes: tuple[Axis, Axis]
    table: FloatArray
    weights: FloatArray | None = None
    index: int | None = None

    def term(self) -> Sum:
        """The same function exactly, as a sum of products.

        For each different row of the table (of the shorter side), a curve that is 1 there and 0 elsewhere, times the
        row as a curve: at any input one product is not zero, and it is 1 times the table's value.
        """
        short, long = self.axes if self.axes[0].size <= self.axes[1].size else self.axes[::-1]
        table = self.table if short is self.axes[0] else self.table.T
        products: dict[bytes, tuple[FloatArray, FloatArray]] = {}
        for cell, row in enumerate(table):
            indicator, _ = products.setdefault(row.tobytes(), (np.zeros(short.size), row))
            indicator[cell] = 1.0
        kept = [(indicator, row) for indicator, row in products.values() if row.any()] or list(products.values())
        return Sum([Product((short.curve(indicator), long.curve(row))) for indicator, row in kept])


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of one shape function, as a table teacher gives them: x sorted, equal x merged by weight."""

    feature: str
    x: npt.NDArray[Any]
    y: FloatArray
    w: FloatArray


@dataclass(frozen=True)
class Check:
    """How far the exact form is from the teacher's own raw score.

    Attributes:
        rows: how many rows were compared.
        distance: the largest absolute difference of the raw scores.
        scale: the largest sum of the absolute values that a raw score is made of.
        tolerance: what ``distance`` may be: the library's tolerance times (1 + scale).

    """

    rows: int
    distance: float
    scale: float
    tolerance: float


@dataclass(frozen=True, eq=False)
class Reading:
    """A teacher, read.

    Attributes:
        model: the teacher as a model: terms in the teacher's order, link, features.
        exact: True: the same function up to the rounding of its additions. False: sampled (see ``notes``), to be
            distilled rather than deployed as it is.
        check: the comparison with the teacher's own raw score; None where there was no data or no live teacher.
        pairs: the interactions, also as tables.
        samples: the points of a table teacher.
        notes: what a user should know of this teacher (how it treats missing values, where it was cut).
        teacher: what it was read from, e.g. "LightGBM".

    """

    model: CurveModel
    exact: bool
    check: Check | None
    pairs: tuple[Pair, ...]
    samples: tuple[Sample, ...]
    notes: tuple[str, ...]
    teacher: str

    @property
    def distance(self) -> float | None:
        """The largest absolute difference to the teacher's own raw score, or None where it was not compared."""
        return None if self.check is None else self.check.distance


@dataclass(frozen=True)
class Options:
    """What a caller may say about a teacher.

    Attributes:
        class_index: which class's score, of a teacher with several.
        feature_names: names of the columns in order, for a teacher that has none.
        missing: a number that stands for a missing value and is not in the teacher's file (XGBoost's ``missing``).
        link: the link of a teacher that does not say its own (a callable, a table, a state_dict).
        rows: the user's X.

    """

    class_index: int | None = None
    feature_names: tuple[str, ...] | None = None
    missing: float | None = None
    link: str | None = None
    rows: Rows | None = None

    def names(self, own: Sequence[str] | None, count: int, prefix: str) -> list[str]:
        """The names of ``count`` features: the caller's, else the teacher's own, else X's, else prefix0, prefix1, ...

        Where a library made the names up ("Column_3"), or keeps a blank as an underscore, X's are taken if there are
        as many.

        Raises:
            InputError: the caller's names, or the teacher's own, are of another number.

        """
        _check_names(own, count)
        if self.feature_names is None:
            given = None if self.rows is None or len(self.rows.names or ()) != count else self.rows.names
            if own is None:
                return given or [f"{prefix}{j}" for j in range(count)]
            known = [str(name) for name in own]
            spelt = given is not None and ["_".join(name.split()) for name in given] == known
            made_up = all(re.fullmatch(r"(Column_|feature_|f|x)?\d+", name) for name in known)
            return given if given and (spelt or (made_up and not set(known) & set(given))) else known
        if len(self.feature_names) != count:
            raise InputError(f"feature_names has {len(self.feature_names)} names and the teacher has {count} features")
        return list(self.feature_names)

    def keys(
        self, categories: Iterable[Any], names: Sequence[str], index: int, prefer: FeatureType | None = None
    ) -> list[Key]:
        """The keys of the categories of feature ``names[index]``, none of them missing.

        Some teachers keep True as 1.0, or 1 as "1"; where X is there, its column says what the categories are, else
        they are ``prefer`` where they can be.

        Raises:
            UnsupportedError: a category is not bool, int, str or an integral float, or they are of several types.

        """
        keys = level_keys(categories, names[index])
        wanted = prefer if self.rows is None else self.rows.kind(names, index)
        return retyped(keys, wanted) if wanted is not None else keys

    def chosen_class(self, count: int) -> int:
        """The class to read of ``count``.

        Raises:
            UnsupportedError: none was chosen: a model has one score.
            InputError: there is no such class, or there are none to choose from.

        """
        if count == 1:
            if self.class_index is not None:
                raise InputError(f"class_index={self.class_index}; the teacher has one score, leave class_index out")
            return 0
        if self.class_index is None:
            raise UnsupportedError(
                f"the teacher has {count} classes and a curve model has one score; "
                f"choose one with class_index=0..{count - 1} (the raw score of that class)"
            )
        if not 0 <= self.class_index < count:
            raise InputError(f"class_index={self.class_index}; the teacher has the classes 0 to {count - 1}")
        return self.class_index


def _check_names(own: Sequence[str] | None, count: int) -> None:
    if count > _MOST_FEATURES or (own is not None and len(own) != count):
        names = "" if own is None else f" and {len(own)} names"
        raise InputError(f"the teacher says that it has {shown(count)} features{names}")
    if wrong := [name for name in (() if own is None else own) if not isinstance(name, str)]:
        raise InputError(f"the teacher has a feature with the name {shown(wrong[0])}, which is not text")


@dataclass
class Parts:
    """What an adapter makes of a teacher.

    Attributes:
        features: all of the teacher's inputs, in its order, used or not.
        terms: the terms in the teacher's order; ``constant`` holds what needs no curve.
        constant: where the sum starts.
        link: the model's link.
        raw: the teacher's own raw score of native data (None: a file has none).
        tolerance: how far apart raw scores may be, times (1 + the largest).
        start: the absolute value that the teacher's own sum starts at, where trees take it off again.
        cuts_off_fractions: the teacher takes a category 2.7 for 2, which a table does not.
        rounds_to_single: the teacher rounds what it reads to float32; the comparison does, too.
        centred: the curves already have mean 0 over the training rows.
        name, note: the model's, where the teacher is one.
        pairs, samples, notes, exact: as in :class:`Reading`.

    """

    features: list[Feature]
    terms: list[Term]
    constant: float = 0.0
    link: str = "identity"
    raw: Callable[[Any], npt.NDArray[Any]] | None = None
    tolerance: float = 1e-12
    start: float = 0.0
    cuts_off_fractions: bool = False
    rounds_to_single: bool = False
    centred: bool = False
    exact: bool = True
    name: str = "model"
    note: str = ""
    pairs: list[Pair] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Adapter:
    """One library.

    Attributes:
        name: what a user calls it.
        claims: recognises a teacher without importing the library.
        read: takes it apart.
        takes: the options that mean something for it; another one is an error.

    """

    name: str
    claims: Callable[[Any], bool]
    read: Callable[[Any, Options], Parts]
    takes: frozenset[str] = frozenset({"class_index", "feature_names"})

    def check(self, options: Options) -> None:
        """Refuse an option that would be ignored.

        Raises:
            InputError: the message names it.

        """
        for option in ("class_index", "feature_names", "missing", "link"):
            if getattr(options, option) is not None and option not in self.takes:
                raise InputError(f"{option}={getattr(options, option)!r} means nothing for {self.name}; leave it out")
