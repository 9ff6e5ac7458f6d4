"""One self-contained HTML page for the people who review and sign a model.

Everything is inside the page, and its content security policy allows nothing from anywhere else: the one style sheet
and the one script are named by their hashes. Whatever comes from the model is escaped text, or a literal in which no
``<`` is left, so none of it can run.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from curvec.distill.comparison import COLUMNS, Comparison, compare_with_teacher
from curvec.distill.printing import metric_text, share_text, size_text
from curvec.emit import emit
from curvec.emit.javascript import node_text as javascript_text
from curvec.errors import InputError
from curvec.files import write_file
from curvec.ir import Key, Term, changed, label_of, names_of, walk
from curvec.model import CurveModel, check_model
from curvec.parity import ParityReport
from curvec.review import panels
from curvec.review.diff import diff
from curvec.review.highlight import highlighted
from curvec.review.panels import Panel
from curvec.review.policy import Finding
from curvec.review.ranges import value_range
from curvec.review.rules import numbers_of
from curvec.review.svg import Picture, html_environment, level_text, picture, svg

__all__ = ["Report", "report"]

MINUS = "\N{MINUS SIGN}"


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
            '<iframe sandbox="allow-scripts" srcdoc="{}" width="100%" height="800" title="{}"></iframe>'
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
) -> Report:
    """The review page of a model.

    Args:
        model: the model.
        data: (rows, features) data: the distributions in grey, the ranges and the starting values of the what-if.
        teacher: the teacher read exactly: dots on the curves, and with data the table of what each curve lost.
        target: (rows,) labels, for what each curve costs in the task's metric; needs data and a teacher.
        w: (rows,) weights of the rows in that table and metric.
        metric: the task's metric, as in :func:`curvec.distill.evaluate_folds`; None for the link's own.
        query: (rows,) query ids, for a metric over queries.
        parity: what :func:`curvec.parity.check` found.
        findings: what :func:`curvec.review.policy.check_policy` found; an empty sequence says that it found nothing.
        base: an earlier state of the model, drawn as dashed lines, and compared with the model (over the data too).

    Raises:
        InputError: the data lacks a column, or a target comes without data or teacher.

    """
    if target is not None and (data is None or teacher is None):
        raise InputError("a target says what each curve costs; pass data and a teacher with it")
    if w is not None and (data is None or teacher is None):
        raise InputError("weights are for the comparison with a teacher on data; pass data and a teacher with them")
    for given in (model, *(other for other in (teacher, base) if other is not None)):
        check_model(given)
    drawn = panels.panels(model)
    gone = panels.removed(model, [other for other in (base, teacher) if other is not None])
    pictures = [(panel, picture(panel, data, teacher=teacher, base=base)) for panel in (*drawn, *gone)]
    losses: Comparison | None = None
    if teacher is not None and data is not None:
        losses = compare_with_teacher(model, teacher, data, target, w, metric=metric, query=query)
    inputs = _inputs(model, drawn, data)
    script = _script(model, pictures[: len(drawn)], inputs)
    style = _asset("page.css")
    page = (
        html_environment()
        .get_template("report/page.html.jinja")
        .render(
            model=model,
            facts=_facts(model),
            figures=[_figure(panel, shown) for panel, shown in pictures],
            legend={
                "teacher": teacher is not None,
                "base": base is not None,
                "data": data is not None,
                "missing": any(shown.missing is not None for _, shown in pictures),
            },
            inputs=inputs,
            terms=[level_text(label_of(term)) for term in model.terms],
            listing=highlighted(emit(model, "python")),
            losses=losses,
            loss_table=None if losses is None else _loss_table(losses),
            parity=parity,
            findings=findings,
            difference=None if base is None else str(diff(base, model, data)) or "The models are equal.",
            style=Markup(style),  # noqa: S704  our own file
            script=Markup(script),  # noqa: S704  our own file, the emitted module and literals without a "<"
            policy=_policy(style, script),
            name=level_text(model.name),
            text=level_text,
            size=size_text,
            share=share_text,
            metric_text=metric_text,
        )
    )
    return Report(model.name, page)


def _policy(style: str, script: str) -> str:
    """The page's content security policy: its own style and script, by hash, and nothing else."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; style-src 'sha256-{digest(style)}'; script-src 'sha256-{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _asset(name: str) -> str:
    return (files("curvec") / "templates" / "report" / name).read_text(encoding="utf-8")


def _script(model: CurveModel, pictures: Sequence[tuple[Panel, Picture]], inputs: Sequence[Mapping[str, Any]]) -> str:
    """The page's one script: the emitted module, the panels as functions of a row, and the page's own code."""
    parts = []
    for panel, drawn in pictures:
        whole: Any = panel.node if panel.inner is None else changed(panel.node, input=panel.inner)
        place = "null" if panel.inner is None else javascript_text(panel.inner)
        settings = {
            "feature": panel.feature,
            "missing": drawn.missing is not None,
            "frame": {key: getattr(drawn.frame, key) for key in ("left", "right", "top", "bottom")},
            **drawn.axis,
        }
        if "bottom" in drawn.axis:
            settings |= {"low": drawn.axis["bottom"], "high": drawn.axis["top"]}
        parts.append(f"  {{ inner: {place}, value: {javascript_text(whole)}, ...{_json(settings)} }},")
    widest = _json(_widest(model, pictures))
    constants = ["const PANELS = [", *parts, "];", f"const INPUTS = {_json(inputs)};", f"const WIDEST = {widest};"]
    return "\n".join([emit(model, "javascript"), *constants, _asset("page.js")])


def _widest(model: CurveModel, pictures: Sequence[tuple[Panel, Picture]]) -> float:
    """The largest contribution of a term: of every input, or for a raw column of what its picture shows."""
    bounds = [bound for term in model.terms for bound in value_range(term) if math.isfinite(bound)]
    shown = [(drawn.axis["bottom"], drawn.axis["top"]) for panel, drawn in pictures if panel.role == "contribution"]
    if any(not math.isfinite(bound) for term in model.terms for bound in value_range(term)):
        bounds += [bound for ends in shown for bound in ends]
    return max(map(abs, bounds), default=0.0) or 1.0


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")


def _facts(model: CurveModel) -> list[tuple[str, str]]:
    used = set(names_of(*model.terms))
    return [
        ("terms", str(len(model.terms))),
        ("features", str(len(used))),
        ("numbers to read", str(1 + sum(map(_numbers, model.terms)))),
        ("link", model.link),
        ("intercept", f"{model.intercept:.6g}".replace("-", MINUS)),
    ]


def _numbers(term: Term) -> int:
    """How many numbers a reviewer reads in a term: coordinates, cuts, values of steps, levels, missing and unseen."""
    return sum(len(numbers_of(node)) for node in walk(term))


def _figure(panel: Panel, drawn: Picture) -> dict[str, Any]:
    terms = [panel.model.terms[index] for index in panel.terms]
    notes = [term.note for term in terms if term.note]
    text = ""
    if panel.removed:
        text = f"a {panel.role} of a term that the model does not have" if panel.path else "the model has no such term"
    elif panel.role != "contribution":
        text = f"a {panel.role} of the term {level_text(label_of(terms[0]))}"
    return {
        "title": drawn.title,
        "svg": svg(drawn),
        "code": list(map(str, terms)),
        "notes": notes,
        "part": text,
    }


def _inputs(model: CurveModel, drawn: Sequence[Panel], data: Any) -> list[dict[str, Any]]:
    """One control a used feature: its type, and its range or levels, and where it starts."""
    first = {panel.feature: panel for panel in reversed(drawn) if panel.inner is None}
    kinds = {feature.name: feature.type for feature in model.features}
    controls = []
    for name in (feature.name for feature in model.features if feature.name in first):
        control = _slider(first[name], data) if kinds[name] == "number" else _choice(name, model, drawn, data)
        controls.append({"feature": name, "label": level_text(name), "type": kinds[name], **control})
    return controls


_STEPS = 1000
"""Positions of a slider; one of whole numbers has one a number, if they are not many more."""

_MOST_STEPS = 10_000


def _slider(panel: Panel, data: Any) -> dict[str, Any]:
    """The slider of a number: its ends, how many positions it has, and where it starts."""
    column = None if data is None else panel.model.table(data).number(panel.feature)
    present = np.empty(0) if column is None else column[np.isfinite(column)]
    places = [*present.tolist(), *panels.breakpoints(panel.node)] or [0.0, 1.0]
    places = [place for place in places if panel.fx.contains(place)] or [1.0, 2.0]
    low, high = min(places), max(places)
    if not low < high:
        low, high = low - 1, high + 1
    middle = float(np.median(present)) if len(present) else _middle(panel, low, high)
    whole = bool(len(present)) and bool((present == np.round(present)).all()) and low == round(low)
    one_by_one = whole and high - low <= _MOST_STEPS
    return {
        "low": low,
        "high": high,
        "fx": "identity" if one_by_one else panel.fx.name,
        "steps": round(high - low) if one_by_one else _STEPS,
        "start": float(round(middle)) if whole else _rounded(middle, (high - low) / _STEPS),
        "whole": whole,
        "source": "the data and the points" if len(present) else "the points",
    }


def _rounded(value: float, step: float) -> float:
    """The value to the last decimal place that a step changes."""
    if not step > 0 or not math.isfinite(step):
        return value
    return round(value, -math.floor(math.log10(step)))


def _middle(panel: Panel, low: float, high: float) -> float:
    ends = panel.fx.forward(np.array([low, high]))
    return float(panel.fx.inverse(np.array([ends.mean()]))[0])


def _choice(name: str, model: CurveModel, drawn: Sequence[Panel], data: Any) -> dict[str, Any]:
    kind = next(feature.type for feature in model.features if feature.name == name)
    levels: dict[Key, int] = {}
    for panel in drawn:
        if panel.feature == name and panel.type != "number":
            levels |= dict.fromkeys(panel.levels, 0)
    if data is not None:
        for key in model.table(data).keys(name, kind):
            if key in levels:
                levels[key] += 1
    start = max(levels, key=lambda level: levels[level])
    listed = list(levels)
    return {"levels": listed, "texts": [level_text(level) for level in listed], "start": listed.index(start)}


def _loss_table(losses: Comparison) -> dict[str, Any]:
    """The table of what each curve lost: headers, and for each cell what is shown and what is sorted by."""
    headers = [(column.header, column.numeric) for column in COLUMNS]
    if losses.evaluation is not None:
        headers.append((f"change of {losses.evaluation.metric} alone", True))
    rows = []
    for curve in losses.worst():
        cells = [(column.text(curve), column.key(curve)) for column in COLUMNS]
        if losses.evaluation is not None:
            change = losses.metric_change(curve)
            cells.append((metric_text(change, change=True), change))
        rows.append([(_printed(text), "" if key is None else key) for text, key in cells])
    return {"headers": headers, "rows": rows}


def _printed(text: str) -> str:
    """A cell of a table in print: a real minus sign, a dash for nothing, and what cannot be seen escaped."""
    if text == "-":
        return "\N{EN DASH}"
    return level_text(re.sub(r"^-(?=\d)", MINUS, text))
