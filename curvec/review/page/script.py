"""The page's one script: the model as JavaScript, its panels and controls as constants, and the page's own modules."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from curvec.emit import emit
from curvec.emit.environment import source_text
from curvec.emit.javascript import node_text as javascript_text
from curvec.ir import changed, names_of
from curvec.model import CurveModel
from curvec.review.page.editing import address, quoted_texts
from curvec.review.panels import Panel
from curvec.review.svg import Frame, Picture, level_text
from curvec.spelling import shortest

MODULES = (
    "numbers",
    "spelling",
    "nodes",
    "edits",
    "dom",
    "listing",
    "sign_off",
    "sliders",
    "waterfall",
    "terms",
    "tables",
    "export",
    "permalink",
    "state",
    "examples",
    "metrics",
    "sample",
    "figures",
    "categories",
    "score",
    "versus",
    "controls",
    "order",
    "history",
    "editor",
    "page",
)
"""The page's own modules, in the order in which they import one another."""


def asset(name: str) -> str:
    """A file of the page."""
    return source_text(f"report/{name}")


def content_policy(style: str, code: str) -> str:
    """The page's content security policy: its own style and script, by hash, and pictures that it holds itself."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; style-src 'sha256-{digest(style)}'; script-src 'sha256-{digest(code)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def script(
    model: CurveModel,
    pictures: Sequence[tuple[Panel, Picture]],
    inputs: Sequence[Mapping[str, Any]],
    base: CurveModel | None = None,
    **values: Any,
) -> str:
    """The whole script: one module, so that one hash allows it.

    Args:
        model: the model.
        pictures: the panels that the what-if moves on, each with its picture, in the order of the page's figures.
        inputs: the controls.
        base: the earlier model, if the controls are all that it reads.
        values: further constants by name, as JSON.

    """
    modules = [_inlined(asset(f"script/{name}.js")) for name in MODULES]
    return "\n".join([emit(model, "javascript"), constants(model, pictures, inputs, base, **values), *modules])


def constants(
    model: CurveModel,
    pictures: Sequence[tuple[Panel, Picture]],
    inputs: Sequence[Mapping[str, Any]],
    base: CurveModel | None = None,
    **values: Any,
) -> str:
    """What the modules import of ``./model.js`` beside the emitted model itself."""
    frame = {key: getattr(Frame(), key) for key in ("left", "right", "top", "bottom")}
    panels = [f"  {_panel(panel, drawn)}," for panel, drawn in pictures]
    file = json.loads(model.to_json())
    named = {
        "MODEL": file,
        "QUOTED": quoted_texts(model),
        "TERM_NAMES": list(map(level_text, model.term_names)),
        "FRAME": frame,
    }
    named |= {"INPUTS": [{key: one[key] for key in one if key not in ("label", "texts")} for one in inputs], **values}
    lines = [f"const {name} = {_json(value)};" for name, value in named.items()]
    return "\n".join(["const PANELS = [", *panels, "];", *lines, f"const BASE = {_base(base)};"])


def _base(base: CurveModel | None) -> str:
    """The earlier model as its terms, functions of a row."""
    if base is None:
        return "null"
    terms = ",\n".join(f"  {javascript_text(term)}" for term in base.terms)
    return f"{{ intercept: {shortest(base.intercept)}, link: {_json(base.link)}, terms: [\n{terms}\n] }}"


def _panel(panel: Panel, drawn: Picture) -> str:
    """A panel: the functions of a row that give its place and its height, and its axes."""
    if panel.inner is None and not panel.path and len(panel.terms) == 1:
        value = f"TERMS[{panel.terms[0]}]"  # the model has it already
    else:
        whole: Any = panel.node if panel.inner is None else changed(panel.node, input=panel.inner)
        value = javascript_text(whole)
    place = "null" if panel.inner is None else javascript_text(panel.inner)
    features = [panel.feature] if panel.inner is None else names_of(panel.inner)
    axis = {key: setting for key, setting in drawn.axis.items() if key not in ("bottom", "top")}
    settings = {"features": features, "whole": panel.role == "contribution", "address": address(panel), **axis}
    settings |= {"low": drawn.axis["bottom"], "high": drawn.axis["top"]}
    return f"{{ inner: {place}, value: {value}, ...{_json(settings)} }}"


def _inlined(module: str) -> str:
    """A module without its imports and exports: all stand in one."""
    return re.sub(r"^export ", "", re.sub(r"^import .*\n", "", module, flags=re.MULTILINE), flags=re.MULTILINE)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
