"""A curve model itself, or its file: it is its own exact form."""

from __future__ import annotations

import json
from typing import Any

from curvec.model import CurveModel, from_json
from curvec.teachers.files import Document
from curvec.teachers.reading import Adapter, Options, Parts

__all__ = ["ADAPTER"]


def _claims(teacher: Any) -> bool:
    return isinstance(teacher, CurveModel) or (isinstance(teacher, Document) and teacher.has("curvec", "model"))


def _read(teacher: Any, options: Options) -> Parts:
    del options  # a model says everything itself
    model = from_json(json.dumps(teacher.content), teacher.origin) if isinstance(teacher, Document) else teacher
    return Parts(
        list(model.features),
        list(model.terms),
        model.intercept,
        model.link,
        centred=True,
        name=model.name,
        note=model.note,
    )


ADAPTER = Adapter("curvec model", _claims, _read, frozenset())
