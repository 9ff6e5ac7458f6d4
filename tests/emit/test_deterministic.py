"""The same model gives the same bytes: on every run, whatever the hash seed and the locale."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from curvec.emit import TARGETS

PROGRAM = """
import json, locale
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
import curvec
from curvec.emit import TARGETS
model = curvec.CurveModel(
    "m",
    [
        curvec.PWLCurve("a b", [(1.5, 1e-7), (1000000.25, 0.1)], "log1p", missing=1234.5),
        curvec.StepCurve("class", [0.5], [1, 2]),
        curvec.EnumCurve("select", {"x": 0.25, "y": 0.75, "z": 1.5}, default=0),
        curvec.Product([curvec.EnumCurve("flag", {True: 1.5}), curvec.Line("1x")]),
    ],
    0.5,
    "logit",
)
texts = {"json": model.to_json()}
for target in TARGETS:
    texts[target] = curvec.emit(model, target, **({"dialect": "duckdb"} if target == "sql" else {}))
print(json.dumps(texts))
"""


def with_a_comma() -> str:
    """A locale that writes a comma for the decimal point."""
    found = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    comma = [name for name in found if name.lower().startswith(("de_", "fr_", "nl_"))]
    if not comma:
        make = "apt-get install locales && localedef -i de_DE -f UTF-8 de_DE.UTF-8"
        pytest.skip(f"no locale with a decimal comma (Debian: {make})")
    return comma[0]


def test_the_same_bytes_every_time() -> None:
    comma = with_a_comma()
    runs = []
    for seed, language in [("0", "C"), ("1", comma)]:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": language}
        done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=True)
        runs.append(json.loads(done.stdout))
    assert runs[0] == runs[1]
    assert set(runs[0]) == {"json", *TARGETS}
    assert all("1e-7" in text.replace("1e-07", "1e-7") for text in runs[0].values())
