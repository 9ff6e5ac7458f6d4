"""Reading a teacher: recognise it, take it apart, centre its curves, compare the result with its own raw score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from curvec.checks import string_list
from curvec.errors import InputError, UnsupportedError, counted
from curvec.fields import changed
from curvec.ir import EnumCurve, Feature, Levels, Term
from curvec.model import CurveModel
from curvec.teachers.parts.adapter import TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts, ShapePoints
from curvec.teachers.parts.average import Average, average_of, averaged_parts
from curvec.teachers.parts.calibration import calibrated_parts, calibration_of
from curvec.teachers.parts.column_types import keep_column_types
from curvec.teachers.parts.comparison import Check, check_categories, compared_on_rows, magnitude
from curvec.teachers.parts.curves import merged_steps, shifted
from curvec.teachers.parts.files import Document, as_document, errors_named
from curvec.teachers.parts.pairs import Pair
from curvec.teachers.parts.recognise import unwrapped
from curvec.teachers.parts.user_rows import UserRows
from curvec.teachers.registry import adapter_of


class TeacherReading(msgspec.Struct, frozen=True, eq=False):
    """A teacher, read.

    Attributes:
        model: the teacher as a model: terms in the teacher's order, link, features.
        exact: True: the same function up to the rounding of its additions. False: sampled (see ``notes``), meant to be
            distilled, not deployed as it is.
        check: the comparison with the teacher's own raw score; None where there was no data or no live teacher.
        pairs: the interactions, also as tables.
        samples: the points of a table teacher.
        notes: what a user should know of this teacher (how it treats missing values, where it was cut).
        teacher: what it was read from, e.g. "LightGBM".
        centred: whether the teacher has centred its curves itself.
        from_scores: whether the curves were found from the teacher's scores on X.
        spread: a curve of standard deviations for each of the teacher's functions of one feature that has them (an
            EBM's, over its bags); None where there are none.

    """

    model: CurveModel
    exact: bool
    check: Check | None
    pairs: tuple[Pair, ...]
    samples: tuple[ShapePoints, ...]
    notes: tuple[str, ...]
    teacher: str
    centred: bool
    from_scores: bool
    spread: CurveModel | None = None

    def __str__(self) -> str:
        """What was read, how near it comes to the teacher's own scores, and the notes."""
        model, check = self.model, self.check
        how = "exactly" if self.exact else "by sampling"
        lines = [f"{self.teacher}, read {how}: {counted(len(model.terms), 'term')}, link {model.link}"]
        if self.pairs:
            lines.append("pairs: " + ", ".join(" x ".join(pair.features) for pair in self.pairs))
        if check is None:
            lines.append("not compared with the teacher's own scores, which needs a live teacher and rows")
        else:
            lines.append(
                f"at most {check.distance:.3g} from the teacher's own raw scores, which are up to {check.scale:.6g}, "
                f"in {counted(check.rows, 'row')}"
            )
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def __repr__(self) -> str:
        return f"<TeacherReading of {self.teacher}: {counted(len(self.model.terms), 'term')}, link {self.model.link}>"

    @property
    def distance(self) -> float | None:
        """The largest absolute difference to the teacher's own raw score, or None where it was not compared."""
        return None if self.check is None else self.check.distance


def read_teacher(
    teacher: Any,
    X: Any = None,  # noqa: N803  the field's name
    *,
    class_index: int | None = None,
    feature_names: Sequence[str] | None = None,
    missing: float | None = None,
    link: str | None = None,
    name: str | None = None,
) -> CurveModel:
    """The exact form of an additive teacher; :func:`curvec.teachers.read_and_check` also compares it.

    Args:
        teacher: a live model (recognised by its class's name; its library is not imported), a file of one, a table
            of (feature, x, y[, w]), a model that exposes its parts, any function of rows that gives raw scores; or a
            list of teachers, for the mean of their raw scores.
        X: (rows, features) data: what the exact form is compared on, and where each curve's mean is taken from, which
            goes to the intercept. A function needs it.
        class_index: which class's raw score, of a teacher with several.
        feature_names: the features' names in order, for a teacher that keeps none.
        missing: a number that stood for missing when the teacher was trained and is not in its file (XGBoost).
        link: the link of a teacher that does not say its own: a function, a table, a state_dict.
        name: the model's name; without one it is "model", or what a curve model is called.

    Raises:
        UnsupportedError: no adapter knows the teacher, it is not a sum of functions of one feature or two, or its exact
            form is further from its own raw score than rounding explains; the message says which and what to do.
        InputError: X does not have the teacher's columns, or an option does not fit.

    """
    return read_and_check(
        teacher, X, class_index=class_index, feature_names=feature_names, missing=missing, link=link, name=name
    ).model


def read_and_check(
    teacher: Any,
    X: Any = None,  # noqa: N803
    *,
    class_index: int | None = None,
    feature_names: Sequence[str] | None = None,
    missing: float | None = None,
    link: str | None = None,
    name: str | None = None,
    centre: bool = True,
) -> TeacherReading:
    """An additive teacher, read exactly and compared with its own raw score.

    Arguments and errors as :func:`curvec.read_teacher`, and ``centre``: whether curves are centred on X, their means
    going to the intercept; a teacher that has centred them stays as it is. Without X nothing is compared or centred.
    """
    if isinstance(teacher, type):
        raise InputError(f"the teacher is the class {teacher.__name__}; pass a model of it that is fitted")
    teacher = unwrapped(as_document(teacher))
    rows = None if X is None else UserRows(X)
    if rows is not None and not rows.count:
        raise InputError("X has no rows; pass the rows to compare on, or no X")
    options = TeacherOptions(class_index, _names(feature_names), missing, link, rows)
    source, parts = _taken_apart(teacher, options)
    largest = 0.0
    if rows is not None:
        check_categories(source, parts, rows)
        keep_column_types(parts, rows)
        largest = magnitude(parts, rows)
        if centre and not parts.centred:
            _centre(parts, rows)
    model = _model(parts, name)
    return TeacherReading(
        model=model,
        exact=parts.exact,
        check=None if rows is None or parts.raw is None else compared_on_rows(model, parts, rows, source, largest),
        pairs=tuple(parts.pairs),
        samples=tuple(parts.samples),
        notes=tuple(parts.notes),
        teacher=source,
        centred=parts.centred,
        from_scores=parts.from_scores,
        spread=CurveModel("spread", parts.spread, features=parts.features) if parts.spread else None,
    )


def _taken_apart(teacher: Any, options: TeacherOptions) -> tuple[str, AdditiveParts]:
    """What kind of teacher it is, and its parts; an average and a calibration are made from their members' parts."""
    if isinstance(teacher, Document):
        return _from_file(teacher, options)
    if (calibrated := calibration_of(teacher)) is not None:
        kind, parts = _taken_apart(unwrapped(calibrated.inside), options)
        return f"calibrated {kind}", calibrated_parts(calibrated, parts)
    average = average_of(teacher)
    if average is None:
        return _from_object(teacher, options)
    names, whole = None, average.whole
    if whole is not None:
        names = options.names(getattr(whole, "feature_names_in_", None), whole.n_features_in_, "x")
    found = [
        _taken_apart(unwrapped(as_document(member)), _member_options(options, average, names, number))
        for number, member in enumerate(average.members)
    ]
    kinds = " and ".join(dict.fromkeys(kind for kind, _ in found))
    return f"average of {kinds}", averaged_parts(average, [parts for _, parts in found], names)


def _names(given: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(string_list(given, "feature_names"))


def _member_options(
    options: TeacherOptions, average: Average, names: Sequence[str] | None, number: int
) -> TeacherOptions:
    """The options with the names of the columns that the member reads."""
    if names is None:
        return options
    chosen = range(len(names)) if average.columns is None else average.columns[number]
    return changed(options, feature_names=tuple(names[index] for index in chosen))


def _from_file(document: Document, options: TeacherOptions) -> tuple[str, AdditiveParts]:
    """Read a file; whatever goes wrong is an error that names the file, as a damaged file is not a defect of curvec."""
    with errors_named(document.origin, "a teacher's file"):
        adapter = adapter_of(document)
        adapter.check(options)
    with errors_named(document.origin, f"a file of {adapter.name}"):
        return adapter.name, adapter.take_apart(document, options)


def _from_object(teacher: Any, options: TeacherOptions) -> tuple[str, AdditiveParts]:
    """Read a live object; exceptions other than curvec's are the library's, or a defect, and keep their traceback."""
    adapter = adapter_of(teacher)
    adapter.check(options)
    try:
        return adapter.name, adapter.take_apart(teacher, options)
    except RecursionError:
        raise UnsupportedError(
            f"the {adapter.name} teacher has trees too deep to follow; train with fewer leaves"
        ) from None


def _model(parts: AdditiveParts, name: str | None) -> CurveModel:
    # A teacher that is a constant gets a curve of zeros, of the first of its columns where it has any.
    terms = parts.terms or [_zero_term(feature) for feature in parts.features[:1]]
    name = parts.name if name is None else name
    return CurveModel(name, terms, parts.constant, parts.link, parts.features, parts.note)


def _zero_term(feature: Feature) -> Term:
    if feature.type == "number":
        return merged_steps(feature.name, [], [0.0], 0.0)
    key = {"int": 0, "str": "", "bool": False}[feature.type]
    return EnumCurve(feature.name, Levels([(key, 0.0)]), default=0.0, missing=0.0)


def _centre(parts: AdditiveParts, rows: UserRows) -> None:
    """Move each curve's mean over the rows to the constant."""
    columns = rows.columns([feature.name for feature in parts.features])
    for index, term in enumerate(parts.terms):
        values = CurveModel("term", [term], features=parts.features).eval(columns)
        finite = values[np.isfinite(values)]
        moved = shifted(term, -float(finite.mean())) if finite.size else None
        if moved is not None:
            parts.terms[index] = moved
            parts.constant += float(finite.mean())
