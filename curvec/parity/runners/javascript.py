"""The emitted JavaScript, run by Node.js."""

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

from curvec.emit import emit
from curvec.errors import ParityError
from curvec.model import CurveModel
from curvec.parity.runners.base import Runner, Scores, StoredTable
from curvec.parity.runners.column_types import ColumnTypes, boolean, double, integer, text
from curvec.parity.runners.scratch import scratch_folder
from curvec.transforms import FloatArray

__all__ = ["JavaScriptRunner"]

# Reads [[feature, values]...], where text stands for what JSON has no number for, and writes doubles:
# for each row its terms, score and prediction.
_DRIVER = """\
import { readFileSync, writeFileSync } from "node:fs";
import { contributions, predict, score } from "./model.mjs";

const special = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };
const columns = JSON.parse(readFileSync("data.json", "utf8"));
const rows = columns.length === 0 ? 0 : columns[0].values.length;
const results = [];
for (let k = 0; k < rows; k += 1) {
  const row = Object.create(null);
  for (const { feature, type, values } of columns) {
    const value = values[k];
    row[feature] = type !== "str" && typeof value === "string" ? special[value] : value;
  }
  results.push(...contributions(row), score(row), predict(row));
}
writeFileSync("scores.bin", new Uint8Array(Float64Array.from(results).buffer));
"""


class JavaScriptRunner(Runner):
    """Scores through the emitted module's ``contributions``, ``score`` and ``predict``, row by row."""

    name = "javascript"
    log_ulps = 16.0  # V8's own logarithm: 100,000 pairs of model and row had terms off by 2, and their sums by 8

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return None if shutil.which("node") else "Node.js 18 or newer (Debian: apt-get install nodejs)"

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        done = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)  # noqa: S607
        return done.stdout.strip().removeprefix("v")

    def column_types(self) -> ColumnTypes:
        """See :meth:`Runner.column_types`."""
        return _TYPES

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterator[Scores]:
        """See :meth:`Runner.run`."""
        for place, table in enumerate(tables):
            values = self._values(model, table)
            yield Scores(values[:, :-2], values[:, -2], values[:, -1], place)

    def _values(self, model: CurveModel, table: StoredTable) -> FloatArray:
        """(rows, terms + 2) the terms, the score and the prediction of each row."""
        columns = [
            {"feature": feature.name, "type": feature.type, "values": _json_values(table.column(feature.name).values)}
            for feature in model.features
        ]
        with scratch_folder("javascript") as name:
            folder = Path(name)
            (folder / "model.mjs").write_text(emit(model, "javascript"), encoding="utf-8")
            (folder / "driver.mjs").write_text(_DRIVER, encoding="utf-8")
            (folder / "data.json").write_text(json.dumps(columns), encoding="utf-8")
            _node(folder)
            result = np.frombuffer((folder / "scores.bin").read_bytes(), dtype="<f8")
        return result.reshape(-1, len(model.terms) + 2)


_NUMBER, _TRUTH = double("number"), boolean("boolean")
_TYPES: ColumnTypes = {
    "number": (_NUMBER, _TRUTH),
    "int": (integer("number", 53), _NUMBER),
    "str": (text("string"),),
    "bool": (_TRUTH, _NUMBER),
}


def _json_values(values: Sequence[Any]) -> list[Any]:
    return [_json_value(value) for value in values]


def _json_value(value: Any) -> Any:
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")


def _node(folder: Path) -> None:
    node = shutil.which("node")
    if node is None:
        raise ParityError("the JavaScript runner needs Node.js on the PATH (Debian: apt-get install nodejs)")
    # S603: what runs is our own driver and the module just emitted, by the Node.js that the user has.
    ran = subprocess.run([node, "driver.mjs"], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if ran.returncode:
        lines = ran.stderr.strip().splitlines()
        reason = next((line for line in lines if re.match(r"\w*Error: ", line)), lines[-1] if lines else "no message")
        raise ParityError(f"the emitted JavaScript failed under node: {reason}")
