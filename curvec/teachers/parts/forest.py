"""Trees on one feature each, summed exactly into one curve a feature.

A GAM forest is a sum of trees that split on one feature only. Every split is put in one form: numeric, left when
``x < cut`` in doubles (each adapter turns its library's comparison into that), or by category. A feature's curve
then changes only at the cuts of its splits, and the trees are evaluated once between each two of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.errors import UnsupportedError
from curvec.ir import EnumCurve, Feature, Key, Levels, StepCurve, Term
from curvec.teachers.parts.categories import key_type
from curvec.teachers.parts.curves import merged_steps
from curvec.transforms import FloatArray


class NumericSplit(msgspec.Struct, frozen=True):
    """Left when x < cut, every number when the cut is infinite; a missing x goes left when ``missing_left``.

    ``zero`` is LightGBM's zero_as_missing: |x| <= zero goes where a missing x goes.
    """

    cut: float
    missing_left: bool
    zero: float | None = None

    def goes_left(self, x: FloatArray) -> npt.NDArray[np.bool_]:
        """(n,) for numbers x, NaN for missing."""
        left = (x < self.cut) | (self.cut == np.inf)
        aside = np.isnan(x) if self.zero is None else np.isnan(x) | (np.abs(x) <= self.zero)
        left[aside] = self.missing_left
        return left

    def cuts(self) -> tuple[float, ...]:
        """The x where the decision can change: x == cut is on the right of the change."""
        if self.zero is None:
            return (self.cut,)
        return (self.cut, -self.zero, float(np.nextafter(self.zero, np.inf)))


class CategorySplit(msgspec.Struct, frozen=True):
    """Codes in ``left`` go left, those in ``right`` right, every other code left when ``other_left``."""

    left: frozenset[int]
    right: frozenset[int]
    other_left: bool
    missing_left: bool

    def goes_left(self, codes: FloatArray) -> npt.NDArray[np.bool_]:
        """(n,) for codes, NaN for missing, -1 for a code that no split and no category names."""
        return np.array([self._goes_left(code) for code in codes.tolist()], dtype=np.bool_)

    def _goes_left(self, code: float) -> bool:
        if code != code:  # noqa: PLR0124  NaN
            return self.missing_left
        if code in self.left or code in self.right:
            return code in self.left
        return self.other_left


class Branch(msgspec.Struct, frozen=True):
    """A split on a feature (by index) and what is on either side of it."""

    feature: int
    split: NumericSplit | CategorySplit
    left: Tree
    right: Tree


Tree: TypeAlias = Branch | float
"""A branch, or a leaf's value."""


class CategoryCodes(msgspec.Struct, frozen=True):
    """The levels of a categorical feature.

    Attributes:
        codes: level -> the code that the splits name.
        unseen: the code that the library gives to a level that is not listed: NaN if it counts as missing; None if the
            library refuses it or gives it another level's code, so that the model has no score for it.

    """

    codes: Mapping[Key, int]
    unseen: float | None = -1.0


def codes_in(words: Sequence[int]) -> frozenset[int]:
    """A set of codes that is stored as words of 32 bits: bit b of word w stands for the code 32 w + b."""
    return frozenset(32 * w + bit for w, word in enumerate(words) for bit in range(32) if word >> bit & 1)


class Forest(msgspec.Struct, frozen=True):
    """A sum of trees.

    Attributes:
        names: the features' names, by the trees' index.
        trees: the trees, in the order in which they are added, leaves already scaled.
        categories: feature index -> its levels, for the categorical features.
        advice: what would have made the trees additive, in the library's words.
        missing: numbers from the first to (not including) the second are taken for missing.

    """

    names: Sequence[str]
    trees: Sequence[Tree]
    categories: Mapping[int, CategoryCodes]
    advice: str
    missing: tuple[float, float] | None = None

    @property
    def features(self) -> list[Feature]:
        """The features of a model of the forest."""
        types = {index: key_type(known.codes) for index, known in self.categories.items() if known.codes}
        return [Feature(name, types.get(index, "number")) for index, name in enumerate(self.names)]


def forest_terms(forest: Forest) -> tuple[list[Term], float]:
    """One term for each feature that a tree splits on, in the order of the features, and the sum of constant trees.

    Raises:
        UnsupportedError: a tree splits on two features; the message names the tree and the features.

    """
    constant = 0.0
    of_feature: dict[int, list[Branch]] = {}
    for number, tree in enumerate(forest.trees):
        if not isinstance(tree, Branch):
            constant += tree
            continue
        used = sorted({branch.feature for branch in _branches(tree)})
        if len(used) > 1:
            names = " and ".join(repr(forest.names[feature]) for feature in used[:4])
            raise UnsupportedError(
                f"tree {number} splits on {names}: an interaction, so the forest is not a sum of curves; "
                f"train it with {forest.advice}"
            )
        of_feature.setdefault(used[0], []).append(tree)
    terms: list[Term] = []
    for feature, trees in sorted(of_feature.items()):
        if feature in forest.categories:
            terms.append(_enum(forest, feature, trees))
        else:
            terms.append(_steps(forest, feature, trees))
    return terms, constant


def _branches(tree: Tree) -> Iterator[Branch]:
    if isinstance(tree, Branch):
        yield tree
        yield from _branches(tree.left)
        yield from _branches(tree.right)


def _values(tree: Tree, x: FloatArray) -> FloatArray:
    """(n,) the leaf's value at each x."""
    if not isinstance(tree, Branch):
        return np.full(len(x), tree)
    left = tree.split.goes_left(x)
    result = np.empty(len(x))
    result[left] = _values(tree.left, x[left])
    result[~left] = _values(tree.right, x[~left])
    return result


def scaled_tree(tree: Tree, factor: float) -> Tree:
    """The tree with every leaf times ``factor``."""
    if factor == 1.0:
        return tree
    if not isinstance(tree, Branch):
        return tree * factor
    return Branch(tree.feature, tree.split, scaled_tree(tree.left, factor), scaled_tree(tree.right, factor))


def _total(trees: Sequence[Branch], x: FloatArray) -> FloatArray:
    total = np.zeros(len(x))
    for tree in trees:
        total += _values(tree, x)
    return total


def _steps(forest: Forest, feature: int, trees: Sequence[Branch]) -> StepCurve:
    name = forest.names[feature]
    cuts: set[float] = set(forest.missing or ())
    for tree in trees:
        for branch in _branches(tree):
            if isinstance(branch.split, CategorySplit):
                raise UnsupportedError(f"feature {name!r} is split both as a number and by category; train with one")
            cuts.update(branch.split.cuts())
    # A cut at +inf is "every number against missing": no number is on its right.
    finite = np.array(sorted(cut + 0.0 for cut in cuts if np.isfinite(cut)) or [0.0])
    left_ends = np.r_[-np.inf, finite]
    values, missing = _total(trees, left_ends), float(_total(trees, np.array([np.nan]))[0])
    if forest.missing is not None:
        values[(left_ends >= forest.missing[0]) & (left_ends < forest.missing[1])] = missing
    return merged_steps(name, finite, values, missing)


def _enum(forest: Forest, feature: int, trees: Sequence[Branch]) -> EnumCurve:
    known = forest.categories[feature]
    unseen = math.nan if known.unseen is None else known.unseen
    *values, other, missing = _total(
        trees, np.array([*known.codes.values(), unseen, np.nan], dtype=np.float64)
    ).tolist()
    return EnumCurve(
        forest.names[feature],
        Levels(zip(known.codes, values, strict=True)),
        default=None if known.unseen is None else other,
        missing=missing,
    )
