"""One library's adapter: how its teachers are recognised and taken apart, and what a caller may say about one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from curvec.checks import check, check_choice, is_number, is_whole
from curvec.errors import InputError, UnsupportedError, counted, shown
from curvec.ir import FeatureType, Key
from curvec.links import LINKS
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.categories import level_keys, retyped
from curvec.teachers.parts.user_rows import UserRows
from curvec.transforms import FloatArray

_MOST_FEATURES = 10**6
"""The most features of a teacher; a larger number is that of a damaged file."""


class TeacherOptions(msgspec.Struct, frozen=True):
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
    rows: UserRows | None = None

    def __post_init__(self) -> None:
        """Check what does not depend on the teacher.

        Raises:
            InputError: names the option and what it may be.

        """
        rule = "it must be a whole number, or None"
        check("class_index", self.class_index, rule, holds=self.class_index is None or is_whole(self.class_index))
        rule = "it must be a number, or None"
        check("missing", self.missing, rule, holds=self.missing is None or is_number(self.missing))
        if self.link is not None:
            check_choice("link", self.link, tuple(LINKS))

    def names(self, teacher_names: Sequence[str] | None, count: int, prefix: str) -> list[str]:
        """The names of ``count`` features: the caller's, else the teacher's own, else X's, else prefix0, prefix1, ...

        Where a library made the names up ("Column_3"), or keeps a blank as an underscore, X's are taken if there are
        as many.

        Raises:
            InputError: the caller's names, or the teacher's own, are not ``count``.

        """
        _check_names(teacher_names, count)
        if self.feature_names is None:
            given = None if self.rows is None or len(self.rows.names or ()) != count else self.rows.names
            if teacher_names is None:
                return given or [f"{prefix}{j}" for j in range(count)]
            known = [str(name) for name in teacher_names]
            spelt = given is not None and ["_".join(name.split()) for name in given] == known
            made_up = all(re.fullmatch(r"(Column_|feature_|f|x)?\d+", name) for name in known)
            return given if given and (spelt or (made_up and not set(known) & set(given))) else known
        if len(self.feature_names) != count:
            raise InputError(
                f"feature_names={shown(list(self.feature_names))}: {counted(len(self.feature_names), 'name')}, "
                f"and the teacher has {counted(count, 'feature')}"
            )
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
                raise InputError(f"class_index={shown(self.class_index)}; the teacher has one score, leave it out")
            return 0
        if self.class_index is None:
            raise UnsupportedError(
                f"the teacher has {count} classes and a curve model has one score; "
                f"choose one with class_index=0..{count - 1} (the raw score of that class)"
            )
        if not 0 <= self.class_index < count:
            raise InputError(f"class_index={shown(self.class_index)}; the teacher has the classes 0 to {count - 1}")
        return self.class_index


def _check_names(teacher_names: Sequence[str] | None, count: int) -> None:
    if count > _MOST_FEATURES or (teacher_names is not None and len(teacher_names) != count):
        names = "" if teacher_names is None else f" and {counted(len(teacher_names), 'name')}"
        raise InputError(f"the teacher has {shown(count)} features{names}; these must agree, and be a million at most")
    if wrong := [name for name in (() if teacher_names is None else teacher_names) if not isinstance(name, str)]:
        raise InputError(f"the teacher has a feature with the name {shown(wrong[0])}, which is not text")


def class_scores(scores: Any, chosen: int) -> FloatArray:
    """(rows,) the scores of one class, of scores (rows,) or (rows, classes)."""
    array = np.asarray(scores, dtype=np.float64)
    return np.asarray(array[:, chosen]) if array.ndim == 2 else array


def link_of(loss: str, links: Mapping[str, Collection[str]], what: str) -> str:
    """The link of a model that was trained on a loss.

    Args:
        loss: what the library calls it.
        links: by link the losses that have it.
        what: whose loss it is, for the message.

    Raises:
        UnsupportedError: no link that a curve model has makes its prediction of its raw score.

    """
    link = next((link for link, losses in links.items() if loss in losses), None)
    if link is None:
        raise UnsupportedError(
            f"{what} {shown(loss)} has no link that a curve model has ({', '.join(links)}); pass a function of rows "
            "that gives the raw score instead, with X"
        )
    return link


def known_link(link: str, what: str) -> str:
    """A link that a library names as curvec does, whatever its capitals.

    Raises:
        UnsupportedError: no curve model has it; ``what`` does.

    """
    if link.lower() not in LINKS:
        raise UnsupportedError(f"{what} has the link {shown(link)}; a curve model has {', '.join(LINKS)}")
    return link.lower()


class Adapter(msgspec.Struct, frozen=True):
    """One library.

    Attributes:
        name: what a user calls it.
        matches: recognises a teacher without importing the library.
        take_apart: reads it into its parts.
        takes: the options that mean something for it; another one is an error.

    """

    name: str
    matches: Callable[[Any], bool]
    take_apart: Callable[[Any, TeacherOptions], AdditiveParts]
    takes: frozenset[str] = frozenset({"class_index", "feature_names"})

    def check(self, options: TeacherOptions) -> None:
        """Refuse an option that would be ignored.

        Raises:
            InputError: the message names it.

        """
        for option in ("class_index", "feature_names", "missing", "link"):
            if getattr(options, option) is not None and option not in self.takes:
                raise InputError(
                    f"{option}={shown(getattr(options, option))} means nothing for {self.name}; leave it out"
                )
