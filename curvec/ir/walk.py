"""Walks over a term: everything in it, and the features that it uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from curvec.features import Feature, Key
from curvec.ir.nodes import Curve, Product, Sum, Term


def features_of(term: Term) -> Iterator[Feature]:
    """Every use of a feature in a term, depth first, with the type that the use asks for."""
    for node in walk(term):
        if node.feature is not None:
            yield Feature(node.feature, node.reads)


def walk(*terms: Term) -> Iterator[Term]:
    """The terms and all that is inside them, depth first."""
    for term in terms:
        yield term
        yield from walk(*term.children)


class Uses(msgspec.Struct, frozen=True):
    """All nodes of some terms that read one feature, and the inputs at which they change.

    Attributes:
        nodes: lines, curves and tables, depth first.

    """

    nodes: tuple[Term, ...]

    @property
    def breaks(self) -> list[float]:
        """The inputs at which any of the curves begins, ends, bends or jumps, increasing."""
        return sorted({x for node in self.nodes for x in node.breaks})

    @property
    def special_codes(self) -> list[float]:
        """The special codes of any of the curves, increasing."""
        return sorted({code for node in self.nodes for code in node.special_codes})

    @property
    def levels(self) -> list[Key]:
        """The levels of any of the tables, in the order of their first use."""
        return list(dict.fromkeys(level for node in self.nodes for level in node.levels))


def uses_of(feature: str, *terms: Term) -> Uses:
    """The nodes in the terms that read a feature."""
    return Uses(tuple(node for node in walk(*terms) if node.feature == feature))


def uses_of_each(features: Sequence[Feature], *terms: Term) -> list[tuple[Feature, Uses]]:
    """Features, all different, each with what :func:`uses_of` gives, by going through the terms once for all."""
    found: dict[str, list[Term]] = {feature.name: [] for feature in features}
    for node in walk(*terms):
        if node.feature in found:
            found[node.feature].append(node)
    return [(feature, Uses(tuple(found[feature.name]))) for feature in features]


def curves_of(*terms: Term) -> Iterator[Term]:
    """The lines, curves and tables in the terms, in the order of the listing: all but sums and products."""
    return (node for node in walk(*terms) if not isinstance(node, (Sum, Product)))


def names_of(*terms: Term) -> list[str]:
    """The features that the terms use, each once, in the order of their first use."""
    return list(dict.fromkeys(use.name for term in terms for use in features_of(term)))


def label_of(term: Term) -> str:
    """What to call a term: its features, with the arithmetic between them."""
    if isinstance(term, Curve) and isinstance(term.input, Sum):
        return label_of(term.input)
    if not isinstance(term, (Sum, Product)):
        return names_of(term)[0]
    parts = list(dict.fromkeys(map(label_of, term.children)))
    if len(parts) == 1:
        return parts[0]
    if isinstance(term, Sum):
        return " + ".join(parts)
    return " * ".join(f"({part})" if " + " in part else part for part in parts)


def labels_of(terms: Sequence[Term]) -> list[str]:
    """What to call each of several terms, all different: a second one of ``age`` is ``age (2)``."""
    names: dict[str, None] = {}
    for label in map(label_of, terms):
        name, count = label, 1
        while name in names:
            count += 1
            name = f"{label} ({count})"
        names[name] = None
    return list(names)
