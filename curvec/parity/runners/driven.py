"""The emitted text of a language, run by a driver in that language: see :class:`curvec.emit.target.Driver`."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from curvec.emit import Driver, emit
from curvec.emit.environment import source_text
from curvec.errors import ParityError
from curvec.model import CurveModel
from curvec.parity.runners.base import Runner, Scores, StoredTable
from curvec.parity.runners.column_types import ColumnTypes, boolean, double, integer, text
from curvec.parity.runners.scratch import scratch_folder
from curvec.transforms import FloatArray

_NUMBER, _TRUTH = double("number"), boolean("boolean")
_TYPES: ColumnTypes = {
    "number": (_NUMBER, _TRUTH),
    "int": (integer("number", 53), _NUMBER),
    "str": (text("string"),),
    "bool": (_TRUTH, _NUMBER),
}
"""The types of JSON, by which the driver gets its columns."""


class DrivenRunner(Runner):
    """Scores through the functions of the emitted text for one row, which the target's driver calls row by row."""

    types = _TYPES

    def __init__(self, target: str, suffix: str, driver: Driver) -> None:
        self.name = target
        self.suffix = suffix
        self.driver = driver
        self.log_ulps = driver.log_ulps

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return None if shutil.which(self.driver.command) else self.driver.install

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        ran = _run([self.driver.command, "--version"], Path.cwd())
        found = re.search(r"\d+(\.\w+)+", ran.stdout)
        return found[0] if found else ""

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterator[Scores]:
        """See :meth:`Runner.run`."""
        for place, table in enumerate(tables):
            values = self._values(model, table)
            yield Scores(values[:, :-2], values[:, -2], values[:, -1], place)

    def _values(self, model: CurveModel, table: StoredTable) -> FloatArray:
        """(rows, terms + 2) the terms, the score and the prediction of each row."""
        columns = [
            {
                "feature": feature.name,
                "type": feature.type,
                "values": list(map(_json_value, table.column(feature.name).values)),
            }
            for feature in model.features
        ]
        driver = Path(self.driver.source).name
        with scratch_folder(self.name) as name:
            folder = Path(name)
            (folder / f"model{self.suffix}").write_text(emit(model, self.name), encoding="utf-8")
            (folder / driver).write_text(source_text(self.driver.source), encoding="utf-8")
            (folder / "data.json").write_text(json.dumps(columns), encoding="utf-8")
            ran = _run([self.driver.command, driver], folder)
            if ran.returncode:
                raise ParityError(f"the emitted {self.name} failed under {self.driver.command}: {_reason(ran.stderr)}")
            result = np.frombuffer((folder / "scores.bin").read_bytes(), dtype="<f8")
        return result.reshape(-1, len(model.terms) + 2)


def _json_value(value: Any) -> Any:
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    # S603: what runs is our own driver and the text just emitted, by the user's own interpreter.
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603


def _reason(stderr: str) -> str:
    lines = stderr.strip().splitlines()
    return next((line for line in lines if re.match(r"\w*Error: ", line)), lines[-1] if lines else "no message")
