"""What notebooks show: pictures and text as HTML that stands alone and is escaped throughout."""

from __future__ import annotations

from typing import Any

from curvec.distill import Distillation
from curvec.emit.python import node_text
from curvec.fit.result import Fit
from curvec.ir import Term
from curvec.model import CurveModel
from curvec.review.svg import gallery, html_environment, level_text

__all__ = ["curve_html", "distillation_html", "fit_html", "model_html", "text_html"]


def curve_html(curve: Term) -> str:
    """The pictures of one curve, and its code."""
    return _html("", gallery(CurveModel("curve", [curve])), [node_text(curve)])


def model_html(model: CurveModel) -> str:
    """The pictures of every curve, and the code of the terms."""
    head = f"{level_text(model.name)}: {len(model.terms)} terms, intercept {model.intercept:.6g}, link {model.link}"
    return _html(head, gallery(model), [node_text(term) for term in model.terms])


def fit_html(fit: Fit) -> str:
    """The picture of the fitted curve, and how good it is."""
    proof = "optimal on its candidates" if fit.optimal else f"at most {fit.sse - fit.lower_bound:.4g} above the optimum"
    head = f"{fit.num_segments} segments, squared error {fit.sse:.6g} (mean {fit.mse:.4g}), {proof}"
    return _html(head, gallery(CurveModel("fit", [fit.curve])), [node_text(fit.curve), *fit.notes])


def distillation_html(found: Distillation) -> str:
    """The pictures of the distilled model with the teacher as dots, and what was lost."""
    head = f"{level_text(found.model.name)}: {found.report.segments} segments"
    return _html(head, gallery(found.model, teacher=found.teacher), [str(found.report)])


def text_html(value: Any) -> str:
    """A report's own text, in its layout."""
    return _html("", "", [str(value)])


def _html(head: str, pictures: str, lines: list[str]) -> str:
    template = html_environment().get_template("report/notebook.html.jinja")
    return template.render(head=head, pictures=pictures, text="\n".join(lines))
