"""One self-contained HTML page for the people who review and sign a model.

Everything is inside the page, and its content security policy allows nothing from anywhere else: the one style sheet
and the one script are named by their hashes. Whatever comes from the model is escaped text, or a literal in which no
``<`` is left, so none of it can run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy.typing as npt
from markupsafe import Markup

from curvec.data import columns_of
from curvec.distill.printing import metric_text, share_text, size_text
from curvec.errors import InputError
from curvec.files import write_file
from curvec.model import CurveModel
from curvec.parity import ParityReport
from curvec.review.page.content import content
from curvec.review.page.subject import Subject
from curvec.review.policy import Finding
from curvec.review.rows import EvaluationRows
from curvec.review.svg import html_environment, level_text


class Report(msgspec.Struct, frozen=True):
    """A finished page; :meth:`save` writes it, and a notebook shows it."""

    name: str
    html: str

    def save(self, path: str | Path) -> None:
        """Write the page to a file.

        Raises:
            InputError: the file cannot be written.

        """
        write_file(path, self.html)

    def __repr__(self) -> str:
        return f"<Report of {self.name!r}: {len(self.html):,} characters>"

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
    spread: CurveModel | None = None,
    points: Sequence[float] | None = None,
    examples: int = 0,
    ids: npt.ArrayLike | None = None,
) -> Report:
    """The review page of a model.

    Args:
        model: the model.
        data: (rows, features) data, for the importance of the terms, the distributions, and the ranges and starting
            values of the what-if.
        teacher: the teacher read exactly: dots on the curves, and with data the table of what each curve lost.
        target: (rows,) labels, or the name of their column, as of weights and query ids, for how good the model is,
            and with a teacher what each curve costs in the task's metric; needs data.
        w: (rows,) weights of the rows in the importance of the terms, in that table and metric; needs data.
        metric: the task's metric, as in :func:`curvec.distill.evaluate_folds`; None for the link's own.
        query: (rows,) query ids, for a metric over queries.
        parity: what :func:`curvec.parity.check` found.
        findings: what :func:`curvec.review.policy.check_policy` found; an empty sequence says that it found nothing.
        base: an earlier state of the model, drawn as dashed lines and compared with the model, on the data, too.
        held_out: rows on which nothing was trained, with their labels; ``data`` are then the rows that the model was
            trained on, and the losses are shown for both.
        origin: lines of text by name for the page's list of what it was made from, such as the source of the data, or
            the date, which the page leaves out by itself so that the same input gives the same bytes.

        groups: columns of the labelled rows, features or not; the quality is shown for each of their values.
        threshold: rows with at least this prediction are selected: the page shows the share of each group, and with a
            base model the rows that cross it.
        spread: the standard deviations of the teacher's functions, as :func:`curvec.teachers.read_and_check` gives
            them for an EBM: a band on the curves.
        points: for a model with the link logit, the points that double the odds, and the points at some odds:
            (20, 600, 50) for 600 points at odds of 50 to 1; the what-if then shows points beside the raw score. The
            first is negative if more points mean lower odds.
        examples: how many rows of the data the page carries, from the lowest score to the highest. A reader can load a
            row into the what-if, or compare with it, and with labels see how an edit changes the metrics on these rows.
            0 by default, as rows may be about people.
        ids: (rows,) the ids by which a reader finds those rows; None for a row's number, from 0.

    Raises:
        InputError: the data lacks a column, or an option comes without what it needs.

    """
    if data is None and (target is not None or w is not None):
        raise InputError("a target and weights are of the rows of data; pass data with them")
    subject = Subject(
        model=model,
        teacher=teacher,
        base=base,
        given=None if data is None else EvaluationRows(data, *columns_of(data, target, w, query)),
        held_out=held_out,
        metric=metric,
        groups=groups,
        threshold=threshold,
        spread=spread,
        points=points,
        examples=examples,
        ids=ids,
        parity=parity,
        findings=findings,
        origin={} if origin is None else origin,
    )
    template = html_environment().get_template("report/page.html.jinja")
    formats = {"text": level_text, "size": size_text, "share": share_text, "metric_text": metric_text}
    html = template.render(**content(subject.read()), **formats)
    return Report(model.name, html)
