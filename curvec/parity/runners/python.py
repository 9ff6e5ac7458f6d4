"""The emitted Python, imported as a module from a file: with curvec as its runtime, and standing alone."""

from __future__ import annotations

import importlib.util
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from curvec.emit import emit
from curvec.fields import changed
from curvec.model import CurveModel
from curvec.parity.runners.base import Runner, Scores, StoredTable, TableColumn
from curvec.parity.runners.column_types import ColumnTypes
from curvec.parity.runners.frames import frame, frame_types
from curvec.parity.runners.scratch import scratch_folder
from curvec.transforms import FloatArray

_ROW_BY_ROW, _ONE_TYPE = 256, 32
"""The most rows that are scored by the emitted one-row functions: of the first table, and of those with other column
types. The rest is scored by the table functions."""
_ROW_TERMS = 16_384
"""The most rows times terms that are scored so, as a model that is not standalone prepares its curves at each call."""


class PythonRunner(Runner):
    """Scores through ``score``, ``predict`` and ``contributions`` for the first rows, ``MODEL`` for the rest."""

    def __init__(self, name: str, *, standalone: bool) -> None:
        self.name = name
        self.standalone = standalone

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        return platform.python_version()

    def column_types(self) -> ColumnTypes:
        """See :meth:`Runner.column_types`."""
        return frame_types()

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterator[Scores]:
        """See :meth:`Runner.run`."""
        with _imported(emit(model, "python", standalone=self.standalone)) as module:
            for place, table in enumerate(tables):
                columns = table.columns(model.features)
                yield changed(_scores(module, model, columns, _ONE_TYPE if place else _ROW_BY_ROW), table=place)


def _scores(module: ModuleType, model: CurveModel, columns: Sequence[TableColumn], most: int) -> Scores:
    table = frame(columns)
    score = _floats(module.MODEL.eval(table))
    prediction = _floats(module.MODEL.predict(table))
    terms = np.array(module.MODEL.contributions(table), dtype=np.float64).reshape(len(score), len(model.terms))
    for row, values in enumerate(() if columns[0].type.library else _rows(model, columns, most)):
        score[row] = module.score(**values)
        prediction[row] = module.predict(**values)
        terms[row] = list(module.contributions(**values).values())
    return Scores(terms, score, prediction)


def _floats(values: Sequence[float]) -> FloatArray:
    return np.array(values, dtype=np.float64)


def _rows(model: CurveModel, columns: Sequence[TableColumn], most: int) -> Iterator[dict[str, Any]]:
    """The first rows, by feature."""
    names = [feature.name for feature in model.features]
    count = min(most, max(8, _ROW_TERMS // max(1, len(model.terms))))
    for values in zip(*(column.values[:count] for column in columns), strict=True):
        yield dict(zip(names, values, strict=True))


@contextmanager
def _imported(source: str) -> Iterator[ModuleType]:
    with scratch_folder("python") as folder:
        path = Path(folder) / f"curvec_emitted_{Path(folder).name}.py"
        path.write_text(source, encoding="utf-8", newline="\n")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None  # noqa: S101, PT018  a .py file always has both
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module  # where dataclasses look for the module of a class
        try:
            spec.loader.exec_module(module)
            yield module
        finally:
            del sys.modules[path.stem]
