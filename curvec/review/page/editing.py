"""What the page's editor has to know: where each curve stands in the model's file, and the listing term by term."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

from curvec.emit import emit
from curvec.ir import EnumCurve, Line, Product, PWLCurve, StepCurve, Sum, Term, features_of, walk
from curvec.model import CurveModel
from curvec.review.panels import Panel
from curvec.review.svg import level_text
from curvec.spelling import quoted

_EDITED = (EnumCurve, Line, PWLCurve, StepCurve)


def address(panel: Panel) -> list[str | int] | None:
    """The keys that lead through the JSON form of the panel's model to its node; None for several terms as one."""
    if len(panel.terms) > 1:
        return None
    found: list[str | int] = ["terms", panel.terms[0]]
    node = panel.model.terms[panel.terms[0]]
    for place in panel.path:
        if isinstance(node.input, Sum):  # a curve nested in a curve is drawn with the parts of the sum inside it
            found.append("input")
            node = node.input
        found += ["factors" if isinstance(node, Product) else "terms", place]
        node = node.children[place]
    return found


def why_not_edited(panel: Panel) -> str:
    """What the page says where a figure's curve is not edited; empty where it is."""
    if len(panel.terms) > 1:
        return f"{len(panel.terms)} terms of {level_text(panel.feature)} are drawn as one; edit them in the listing."
    if not isinstance(panel.node, _EDITED):
        kind = type(panel.node).__name__.lower()
        return f"This is a {kind} of curves of one feature; edit them in the listing."
    return ""


def quoted_texts(model: CurveModel) -> list[tuple[str, str]]:
    """The texts of a model whose Python literal is not just the text in double quotes, each with its literal."""
    texts = dict.fromkeys(_texts(model.terms))
    return [(text, quoted(text)) for text in texts if quoted(text) != f'"{text}"']


def _texts(terms: Sequence[Term]) -> Iterator[str]:
    for node in walk(*terms):
        yield from (feature.name for feature in features_of(node))
        yield from (level for level in node.levels if isinstance(level, str))
        yield getattr(node, "note", "")


def listing_by_terms(model: CurveModel) -> Markup:
    """The emitted Python, each term in an element of its own, which the editor fills anew."""
    source, done = emit(model, "python"), 0
    pieces: list[Markup] = []
    for number, (start, end) in enumerate(places_of_terms(source)):
        term = Markup('<span data-term="{}">{}</span>').format(number, source[start:end])
        pieces += [escape(source[done:start]), term]
        done = end
    return Markup("").join([*pieces, escape(source[done:])])


def places_of_terms(source: str) -> Iterator[tuple[int, int]]:
    """Where each term of the listing begins and ends, in characters."""
    starts = list(itertools.accumulate(map(len, source.splitlines(keepends=True)), initial=0))
    lines = source.splitlines(keepends=True)

    def at(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            terms = next(one.value for one in statement.value.keywords if one.arg == "terms")
            for term in terms.elts if isinstance(terms, ast.List) else ():
                assert term.end_lineno is not None and term.end_col_offset is not None  # noqa: S101, PT018  parsed
                yield at(term.lineno, term.col_offset), at(term.end_lineno, term.end_col_offset)
