"""Ways over a term: everything in it, and the features that it uses."""

from __future__ import annotations

from collections.abc import Iterator

from curvec.ir.nodes import Feature, Product, Sum, Term

__all__ = ["curves_of", "features_of", "names_of", "walk"]


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


def curves_of(*terms: Term) -> Iterator[Term]:
    """The curves, tables and raw columns in the terms, in the order of the listing: all but sums and products."""
    return (node for node in walk(*terms) if not isinstance(node, (Sum, Product)))


def names_of(*terms: Term) -> list[str]:
    """The features that the terms use, each once, in the order of their first use."""
    return list(dict.fromkeys(use.name for term in terms for use in features_of(term)))
