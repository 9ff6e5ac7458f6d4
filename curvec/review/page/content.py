"""The content of the review page: one value for the template, made section by section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from curvec.distill.comparison import Comparison, compare_with_teacher
from curvec.distill.correspondence import features_in
from curvec.ir import names_of
from curvec.model import CurveModel
from curvec.review import panels
from curvec.review.diff import ModelDiff, diff
from curvec.review.heat_map import heat_maps
from curvec.review.importance import importances
from curvec.review.page.controls import controls
from curvec.review.page.editing import listing_by_terms
from curvec.review.page.examples import examples, rows_that_move
from curvec.review.page.figures import common_scale, figure, heat_figures
from curvec.review.page.head import conclusion, facts, made_of, verdicts
from curvec.review.page.points import points_scale
from curvec.review.page.quality import quality
from curvec.review.page.script import asset, content_policy, script
from curvec.review.page.subject import Subject
from curvec.review.page.tables import changes_of_terms, importance_lines, loss_table
from curvec.review.page.words import words
from curvec.review.panels import Panel
from curvec.review.svg import Picture, level_text, picture

Drawn = tuple[Panel, Picture]


class _Results(msgspec.Struct, frozen=True):
    """Results that several sections show, computed once.

    Attributes:
        drawn: the model's panels, each with its picture.
        gone: the panels of terms that only the other models have.
        compared: by the name of the rows, what the model lost of its teacher; empty without one.
        difference: from the earlier model; None without one.
        moved: by the features of a changed term, how far the change moves the score at most.

    """

    drawn: Sequence[Drawn]
    gone: Sequence[Drawn]
    compared: Mapping[str, Comparison]
    difference: ModelDiff | None
    moved: Mapping[frozenset[str], float]

    @property
    def losses(self) -> Comparison | None:
        """The comparison on the first rows: what each curve lost."""
        return next(iter(self.compared.values()), None)


def content(subject: Subject) -> dict[str, Any]:
    """What ``page.html.jinja`` is rendered with, by name.

    Raises:
        InputError: data, labels, metric or the rows' ids do not suit the models.

    """
    results = _results(subject)
    lines = _lines(subject, results)
    return {
        **_head(subject, results),
        **_terms(subject, results, lines),
        **_what_if(subject, results),
        **_checks(subject, results),
        **_difference(subject, results),
    }


def _results(subject: Subject) -> _Results:
    model, base = subject.model, subject.base
    drawn, gone = panels.panels(model), panels.removed(model, [one for one in (base, subject.teacher) if one])
    difference = None
    if base is not None:
        difference = diff(base, model, subject.data, threshold=None if subject.data is None else subject.threshold)
    return _Results(
        drawn=[(panel, _picture(subject, panel)) for panel in drawn],
        gone=[(panel, _picture(subject, panel)) for panel in gone],
        compared=_compared(subject),
        difference=difference,
        moved={} if difference is None else changes_of_terms(difference),
    )


def _picture(subject: Subject, panel: Panel) -> Picture:
    return picture(panel, subject.data, teacher=subject.teacher, base=subject.base, spread=subject.spread)


def _compared(subject: Subject) -> dict[str, Comparison]:
    if subject.teacher is None:
        return {}
    return {
        name: compare_with_teacher(
            subject.model, subject.teacher, rows.X, rows.y, rows.w, metric=subject.metric, query=rows.query
        )
        for name, rows in subject.rows.items()
    }


def _lines(subject: Subject, results: _Results) -> list[dict[str, Any]]:
    """The lines of the table of importance: first the terms that an earlier model has otherwise, then by weight."""
    found = importances(subject.model, subject.data, None if subject.given is None else subject.given.w)
    lines = importance_lines(subject.model, found, results.losses, subject.findings or (), results.moved)
    return sorted(lines, key=lambda line: (-(line["changed"] or 0.0), line["rank"]))


def _head(subject: Subject, results: _Results) -> dict[str, Any]:
    found = verdicts(subject.findings, subject.parity, results.compared)
    return {
        "model": subject.model,
        "name": level_text(subject.model.name),
        "facts": facts(subject.model),
        "conclusion": conclusion(found),
        "verdicts": found,
        "made_of": made_of(subject.model, subject.rows, subject.teacher, subject.base, subject.origin),
    }


def _terms(subject: Subject, results: _Results, lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Importance, figures and listing."""
    pictures = [shown for _, shown in (*results.drawn, *results.gone)]
    return {
        "importance": lines,
        "ranked_by_rows": subject.data is not None,
        "figures": _figures(subject, results, lines),
        "legend": {
            "teacher": subject.teacher is not None,
            "base": subject.base is not None,
            "data": subject.data is not None,
            "missing": any(shown.missing is not None for shown in pictures),
            "spread": any(shown.band for shown in pictures),
            "categories": any("levels" in shown.axis for _, shown in results.drawn),
        },
        "terms": list(map(level_text, subject.model.term_names)),
        "listing": listing_by_terms(subject.model),
    }


def _figures(subject: Subject, results: _Results, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The figures in the order of the lines, the parts of a term together."""
    line_of = {index: line for line in lines for index in line["terms"]}
    place_of = {line["place"]: place for place, line in enumerate(lines)}
    nowhere = {"importance": None, "loss": None, "findings": 0, "rank": len(lines) + 1, "place": len(lines)}
    found = []
    for line in lines:  # the maps of a term stand before its parts
        found += heat_figures(heat_maps(subject.model, line["terms"], subject.others, subject.data), line)
    for number, (panel, drawn) in enumerate((*results.drawn, *results.gone)):
        if panel.removed:
            change = results.moved.get(features_in(panel.model.terms[panel.terms[0]]))
            line = {**nowhere, "name": drawn.title, "changed": change}
        else:
            line = line_of[panel.terms[0]]
        found.append(figure(number, panel, drawn, line))
    return sorted(
        found, key=lambda one: (-(one["line"]["changed"] or 0.0), place_of.get(one["line"]["place"], len(lines)))
    )


def _what_if(subject: Subject, results: _Results) -> dict[str, Any]:
    """The controls, the rows to load, and the script and the style that move them."""
    inputs = controls(subject.model, [panel for panel, _ in results.drawn], subject.data)
    of = "rows of the data" if subject.held_out is None else "training rows"
    to_load = examples(subject.model, subject.given, subject.examples, subject.ids, subject.metric, of)
    without_control = [] if subject.base is None else _without_control(subject.base, inputs)
    base = None if without_control else subject.base
    points = points_scale(subject.model, subject.points)
    named = {"COMMON": common_scale(results.drawn), "EXAMPLES": to_load, "POINTS": points}
    code, style = script(subject.model, results.drawn, inputs, base, **named), asset("page.css")
    return {
        "inputs": inputs,
        "examples": to_load,
        "points": points,
        "base_scored": base is not None,
        "without_control": list(map(level_text, without_control)),
        "script": Markup(code),  # noqa: S704  our own files, the emitted module and literals without a "<"
        "style": Markup(style),  # noqa: S704  our own file
        "policy": content_policy(style, code),
    }


def _without_control(base: CurveModel, inputs: Sequence[Mapping[str, Any]]) -> list[str]:
    """The features of the earlier model for which the what-if has no control, or one of another type."""
    there = {(control["feature"], control["type"]) for control in inputs}
    used = set(names_of(*base.terms))
    return [one.name for one in base.features if one.name in used and (one.name, one.type) not in there]


def _checks(subject: Subject, results: _Results) -> dict[str, Any]:
    """How good the model is, what it lost of its teacher, parity and policy."""
    good = quality(subject.model, subject.teacher, subject.rows, subject.metric, subject.groups, subject.threshold)
    losses = results.losses
    return {
        "sections": _sections(subject, good, losses),
        "quality": good,
        "losses": losses,
        "compared": results.compared,
        "loss_table": None if losses is None else loss_table(losses),
        "parity": subject.parity,
        "findings": subject.findings,
        "words": words(subject.model, teacher=losses is not None, parity=subject.parity is not None),
    }


def _sections(subject: Subject, good: Any, losses: Any) -> list[tuple[str, str]]:
    """The page's table of contents: the id and the title of each section that there is."""
    asked_for = [
        ("quality", good),
        ("distillation", losses),
        ("parity", subject.parity),
        ("policy", subject.findings),
        ("difference", subject.base),
    ]
    return [
        ("terms", "Terms"),
        ("what-if", "What if"),
        ("curves", "Curves"),
        *((name, name.capitalize()) for name, part in asked_for if part is not None),
        ("words", "Words"),
        ("listing", "Listing"),
    ]


def _difference(subject: Subject, results: _Results) -> dict[str, Any]:
    moved, difference = [], results.difference
    if subject.base is not None and subject.data is not None:
        moved = rows_that_move(subject.model, subject.base, subject.data, subject.ids)
    return {
        "moved_rows": moved,
        "difference": None if difference is None else str(difference) or "The models are equal.",
    }
