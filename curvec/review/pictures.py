"""Pictures of values: :func:`curvec.plot`, and what notebooks show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from curvec import display
from curvec.data import rows_of
from curvec.distill import Distillation, DistillationReport
from curvec.errors import InputError, counted, with_article
from curvec.fit import Fit
from curvec.ir import Node, Term
from curvec.model import CurveModel, inside
from curvec.review.diff import ModelDiff
from curvec.review.plot import plot_model
from curvec.review.plot_fit import plot_fit
from curvec.review.plot_front import plot_front
from curvec.review.svg import gallery, html_environment, level_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(
    value: CurveModel | Distillation | ModelDiff | Term | Fit | DistillationReport,
    X: Any = None,  # noqa: N803  the field's name for a table of features
    *,
    teacher: CurveModel | Term | None = None,
    others: Mapping[str, CurveModel] | None = None,
    columns: int = 3,
    same_scale: bool = False,
    path: str | Path | None = None,
) -> Figure:
    """Draw a value with matplotlib.

    Args:
        value: a model: every curve of it (Ravina et al. 2021, figures 1, 2 and 4); a distillation: its model, with the
            teacher as dots; a distillation's report: what the best model of every size loses; a difference: the new
            model over the old; a curve; or a fit: its candidates, condensed points and curve, and the loss against
            segments (figure 3).
        X: (rows, features) data, a mapping of arrays or a data frame, of a curve also (rows,) its feature; gives
            the distributions in grey, and the values at which the teacher is drawn.
        teacher: of a model or a curve, the function that it stands for, read exactly (`curvec.read_teacher`); dots.
        others: further models by name, drawn over the first, for instance a monotone one.
        columns: panels side by side.
        same_scale: one vertical scale for all whole terms, so that a flat curve means a term of little weight.
        path: where to save: a file (.png, .svg, .pdf), or for several curves a folder, which then gets one PNG a panel.

    Raises:
        InputError: the value is none of these or takes no such option, the data lacks a feature, another model shares
            none, or the curve depends on several features (draw its model instead).
        MissingDependencyError: matplotlib is not installed.

    """
    drawn: Any = value
    exact: Any = teacher
    if isinstance(value, Distillation):
        _refuse(value, teacher=teacher)
        drawn, exact = value.model, value.teacher
    elif isinstance(value, ModelDiff):
        _refuse(value, teacher=teacher)
        drawn, others = value.new, {"before": value.old, **(others or {})}
    elif isinstance(value, Fit):
        _refuse(value, X=X, teacher=teacher, others=others)
        return plot_fit(value, path=path)
    elif isinstance(value, DistillationReport):
        _refuse(value, X=X, teacher=teacher, others=others)
        return plot_front(value, path=path)
    elif isinstance(value, Node):
        _refuse(value, others=others)
        drawn = CurveModel("curve", [value])
        if len(drawn.features) > 1:
            names = ", ".join(feature.name for feature in drawn.features)
            raise InputError(f"the curve depends on {names}; draw a CurveModel of it, a panel a part")
        exact = None if exact is None else CurveModel("teacher", [exact])
        X = None if X is None else rows_of(X, drawn.features)[0]  # noqa: N806
    if isinstance(drawn, CurveModel):
        return plot_model(drawn, X, teacher=exact, others=others, columns=columns, same_scale=same_scale, path=path)
    kinds = "a CurveModel, a Distillation, its report, a ModelDiff, a Fit or a curve"
    where = inside(drawn)
    raise InputError(f"{with_article(type(drawn).__name__)} cannot be drawn; pass {f'its {where}' if where else kinds}")


def _refuse(value: Any, **options: Any) -> None:
    for name, option in options.items():
        if option is not None:
            raise InputError(f"{name}= says nothing about {with_article(type(value).__name__)}; leave it out")


@display.html.register(Node)
def _curve(curve: Term) -> str:
    return _page("", gallery(CurveModel("curve", [curve])), [str(curve)])


@display.html.register(CurveModel)
def _model(model: CurveModel) -> str:
    head = (
        f"{level_text(model.name)}: {counted(len(model.terms), 'term')}, "
        f"intercept {model.intercept:.6g}, link {model.link}"
    )
    return _page(head, gallery(model), map(str, model.terms))


@display.html.register(Fit)
def _fit(fit: Fit) -> str:
    proof = "optimal on its candidates" if fit.optimal else f"at most {fit.sse - fit.lower_bound:.4g} above the optimum"
    head = f"{counted(fit.num_segments, 'segment')}, squared error {fit.sse:.6g} (mean {fit.mse:.4g}), {proof}"
    return _page(head, gallery(CurveModel("fit", [fit.curve])), [str(fit.curve), *fit.notes])


@display.html.register(Distillation)
def _distillation(found: Distillation) -> str:
    head = f"{level_text(found.model.name)}: {counted(found.report.segments, 'segment')}"
    return _page(head, gallery(found.model, teacher=found.teacher), [str(found.report)])


def _page(head: str, pictures: str, lines: Iterable[str]) -> str:
    template = html_environment().get_template("report/notebook.html.jinja")
    text = Markup(display.html("\n".join(lines)))  # noqa: S704  it is escaped
    return template.render(head=head, pictures=pictures, text=text)
