"""A curve model itself, or its file: it is its own exact form."""

from __future__ import annotations

import json
from typing import Any

from curvec.model import CurveModel, from_json
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.files import Document


def _matches(teacher: Any) -> bool:
    return isinstance(teacher, CurveModel) or (isinstance(teacher, Document) and teacher.has("curvec", "model"))


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    del options  # a model says everything itself
    model = from_json(json.dumps(teacher.content), teacher.origin) if isinstance(teacher, Document) else teacher
    return AdditiveParts(
        list(model.features),
        list(model.terms),
        model.intercept,
        model.link,
        centred=True,
        name=model.name,
        note=model.note,
    )


ADAPTER = Adapter("curvec model", _matches, _take_apart, frozenset())
