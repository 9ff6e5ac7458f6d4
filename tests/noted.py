"""Models with notes anywhere, and with the names that the other strategies leave to the targets."""

from __future__ import annotations

from hypothesis import strategies as st
from strategies import HARD_NAMES, models

from curvec import CurveModel, Product, PWLCurve, StepCurve, Sum
from curvec.ir import Term, changed

NOTES = st.one_of(
    st.just(""),
    st.sampled_from(
        [*HARD_NAMES, "# hash", "two\nlines", "tab\tand\r\n", "\\", '"""', "'''", "\u2028\u202e\x85", "nul \0"]
    ),
    st.text(st.characters(codec="utf-8"), max_size=8),
)


@st.composite
def noted_models(draw: st.DrawFn) -> CurveModel:
    """Any model, with notes at some of its nodes."""
    model = draw(models())
    terms = [_noted(term, draw) for term in model.terms]
    name = draw(st.one_of(st.just(model.name), st.text(st.characters(codec="utf-8"), min_size=1, max_size=5)))
    return changed(model, name=name, terms=terms, note=draw(NOTES))


def _noted(term: Term, draw: st.DrawFn) -> Term:
    if isinstance(term, Sum):
        term = Sum([_noted(child, draw) for child in term.terms])
    elif isinstance(term, Product):
        term = Product([_noted(child, draw) for child in term.factors])
    elif isinstance(term, (PWLCurve, StepCurve)) and isinstance(term.input, Sum):
        term = changed(term, input=_noted(term.input, draw))
    return changed(term, note=draw(NOTES))
