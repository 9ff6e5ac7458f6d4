"""One self-contained HTML page for the people who review and sign a model.

Everything is inside the page, and its content security policy allows nothing from anywhere else: the one style sheet
and the one script are named by their hashes. Whatever comes from the model is escaped text, or a literal in which no
``<`` is left, so none of it can run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt
from markupsafe import Markup

from curvec.distill.comparison import Comparison, compare_with_teacher
from curvec.distill.correspondence import features_in
from curvec.distill.printing import metric_text, share_text, size_text
from curvec.errors import InputError
from curvec.files import write_file
from curvec.ir import names_of
from curvec.model import CurveModel, check_model
from curvec.parity import ParityReport
from curvec.review import panels
from curvec.review.diff import diff
from curvec.review.heat_map import HeatMap, heat_maps
from curvec.review.importance import importances
from curvec.review.page.controls import controls
from curvec.review.page.editing import listing_by_terms
from curvec.review.page.examples import examples as chosen_rows
from curvec.review.page.figures import common_scale, figure, heat_figures
from curvec.review.page.head import conclusion, facts, made_of, verdicts
from curvec.review.page.moved import rows_that_move
from curvec.review.page.quality import quality
from curvec.review.page.script import asset, content_policy, script
from curvec.review.page.tables import changes_of_terms, importance_lines, loss_table
from curvec.review.panels import Panel
from curvec.review.policy import Finding
from curvec.review.rows import EvaluationRows
from curvec.review.svg import Picture, html_environment, level_text, picture

__all__ = ["Report", "report"]


@dataclass(frozen=True, slots=True)
class Report:
    """A finished page; :meth:`save` writes it, and a notebook shows it."""

    name: str
    html: str = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the page to a file.

        Raises:
            InputError: the file cannot be written.

        """
        write_file(path, self.html)

    def _repr_html_(self) -> str:
        # In a frame of its own, with its own style, script and policy, and apart from the notebook's.
        return Markup(
            '<iframe sandbox="allow-scripts allow-downloads" srcdoc="{}" width="100%" height="800" title="{}"></iframe>'
        ).format(self.html, self.name)


def report(
    model: CurveModel,
    data: Any = None,
    *,
    teacher: CurveModel | None = None,
    target: npt.ArrayLike | None = None,
    w: npt.ArrayLike | None = None,
    metric: Any = None,
    query: npt.ArrayLike | None = None,
    parity: ParityReport | None = None,
    findings: Sequence[Finding] | None = None,
    base: CurveModel | None = None,
    held_out: EvaluationRows | None = None,
    origin: Mapping[str, str] | None = None,
    groups: Sequence[str] = (),
    threshold: float | None = None,
    examples: int = 0,
    ids: npt.ArrayLike | None = None,
) -> Report:
    """The review page of a model.

    Args:
        model: the model.
        data: (rows, features) data: how far each term moves the score over them, where the rows are, and the ranges
            and starting values of the what-if.
        teacher: the teacher read exactly: dots on the curves, and with data the table of what each curve lost.
        target: (rows,) labels, for how good the model is, and with a teacher what each curve costs in the task's
            metric; needs data.
        w: (rows,) weights of the rows in the importance of the terms, in that table and metric; needs data.
        metric: the task's metric, as in :func:`curvec.distill.evaluate_folds`; None for the link's own.
        query: (rows,) query ids, for a metric over queries.
        parity: what :func:`curvec.parity.check` found.
        findings: what :func:`curvec.review.policy.check_policy` found; an empty sequence says that it found nothing.
        base: an earlier state of the model, drawn as dashed lines, and compared with the model (over the data too).
        held_out: rows on which nothing was trained, with their labels; where there are any, ``data`` are the rows that
            the model was trained on, and what is lost is said of both.
        origin: lines of text by name for the page's account of what it was made from: where the data are from, say, or
            the date, which the page does not have by itself, so that the same input gives the same bytes.

        groups: columns of the labelled rows by whose values the quality is told apart, features or not.
        threshold: on the prediction, from which on a row is selected: the share of each group, and with a base model
            the rows that change sides.
        examples: how many rows of the data the page carries, from the lowest score to the highest: a reader loads one
            into the what-if, or compares with it. None by default, as they may be people's.
        ids: (rows,) what a reader finds those rows by; None for a row's number, from 0.

    Raises:
        InputError: the data lacks a column, or an option comes without what it needs.

    """
    if data is None and (target is not None or w is not None):
        raise InputError("a target and weights are of the rows of data; pass data with them")
    labelled = target is not None or (held_out is not None and held_out.y is not None)
    if groups and not labelled:
        raise InputError("groups tell the quality on labelled rows apart; pass a target, or held_out rows with labels")
    for given in (model, *(other for other in (teacher, base) if other is not None)):
        check_model(given)
    drawn = panels.panels(model)
    gone = panels.removed(model, [other for other in (base, teacher) if other is not None])
    pictures = [(panel, picture(panel, data, teacher=teacher, base=base)) for panel in (*drawn, *gone)]
    rows = {} if data is None else {"data": EvaluationRows(data, target, w, query)}
    if held_out is not None:
        rows = {"training rows" if name == "data" else name: given for name, given in rows.items()}
        rows["held-out rows"] = held_out
    compared = {} if teacher is None else {name: _compared(model, teacher, one, metric) for name, one in rows.items()}
    losses = next(iter(compared.values()), None)
    found = verdicts(findings, parity, compared)
    inputs = controls(model, drawn, data)
    own = pictures[: len(drawn)]
    difference = None if base is None else diff(base, model, data, threshold=None if data is None else threshold)
    moved = {} if difference is None else changes_of_terms(difference)
    lines = importance_lines(model, importances(model, data, w), losses, findings or (), moved)
    # What changed comes first where there is an earlier model, else what counts most.
    lines.sort(key=lambda line: (-(line["changed"] or 0.0), line["rank"]))
    rows_to_load = chosen_rows(model, data, examples, ids)
    without_control = [] if base is None else _without_control(base, inputs)
    earlier = None if without_control else base
    good = quality(model, teacher, rows, metric, groups, threshold)
    others = {"teacher": teacher, "base model": base}
    given_others = {name: other for name, other in others.items() if other is not None}
    maps = {line["place"]: heat_maps(model, line["terms"], given_others, data) for line in lines}
    code = script(model, own, inputs, earlier, COMMON=common_scale(own), EXAMPLES=rows_to_load)
    style = asset("page.css")
    page = (
        html_environment()
        .get_template("report/page.html.jinja")
        .render(
            model=model,
            facts=facts(model),
            conclusion=conclusion(found),
            verdicts=found,
            made_of=made_of(model, rows, teacher, base, origin or {}),
            sections=_sections(good, losses, parity, findings, base),
            importance=lines,
            ranked_by_rows=data is not None,
            figures=_figures(pictures, lines, moved, maps),
            legend={
                "teacher": teacher is not None,
                "base": base is not None,
                "data": data is not None,
                "missing": any(shown.missing is not None for _, shown in pictures),
            },
            inputs=inputs,
            examples=rows_to_load,
            base_scored=earlier is not None,
            without_control=list(map(level_text, without_control)),
            terms=list(map(level_text, model.term_names)),
            listing=listing_by_terms(model),
            quality=good,
            losses=losses,
            compared=compared,
            loss_table=None if losses is None else loss_table(losses),
            parity=parity,
            findings=findings,
            moved_rows=[] if base is None or data is None else rows_that_move(model, base, data, ids),
            difference=None if difference is None else str(difference) or "The models are equal.",
            style=Markup(style),  # noqa: S704  our own file
            script=Markup(code),  # noqa: S704  our own files, the emitted module and literals without a "<"
            policy=content_policy(style, code),
            name=level_text(model.name),
            text=level_text,
            size=size_text,
            share=share_text,
            metric_text=metric_text,
        )
    )
    return Report(model.name, page)


def _without_control(base: CurveModel, inputs: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the earlier model reads and the what-if has no control for, or one of another type."""
    there = {(control["feature"], control["type"]) for control in inputs}
    used = set(names_of(*base.terms))
    return [one.name for one in base.features if one.name in used and (one.name, one.type) not in there]


def _compared(model: CurveModel, teacher: CurveModel, rows: EvaluationRows, metric: Any) -> Comparison:
    return compare_with_teacher(model, teacher, rows.X, rows.y, rows.w, metric=metric, query=rows.query)


def _sections(good: Any, losses: Any, parity: Any, findings: Any, base: Any) -> list[tuple[str, str]]:
    """The page's table of contents: the id and the title of each section that there is."""
    asked_for = [
        ("quality", good),
        ("distillation", losses),
        ("parity", parity),
        ("policy", findings),
        ("difference", base),
    ]
    return [
        ("terms", "Terms"),
        ("what-if", "What if"),
        ("curves", "Curves"),
        *((name, name.capitalize()) for name, part in asked_for if part is not None),
        ("listing", "Listing"),
    ]


def _figures(
    pictures: Sequence[tuple[Panel, Picture]],
    lines: Sequence[dict[str, Any]],
    moved: Mapping[frozenset[str], float],
    maps: Mapping[int, Sequence[HeatMap]],
) -> list[dict[str, Any]]:
    """The figures in the order of the lines, the parts of a term together."""
    line_of = {index: line for line in lines for index in line["terms"]}
    place_of = {line["place"]: place for place, line in enumerate(lines)}
    nowhere = {"importance": None, "loss": None, "findings": 0, "rank": len(lines) + 1, "place": len(lines)}
    found = [one for line in lines for one in heat_figures(maps[line["place"]], line)]  # before the term's parts
    for number, (panel, drawn) in enumerate(pictures):
        if panel.removed:
            change = moved.get(features_in(panel.model.terms[panel.terms[0]]))
            line = {**nowhere, "name": drawn.title, "changed": change}
        else:
            line = line_of[panel.terms[0]]
        found.append(figure(number, panel, drawn, line))
    return sorted(
        found, key=lambda one: (-(one["line"]["changed"] or 0.0), place_of.get(one["line"]["place"], len(lines)))
    )
