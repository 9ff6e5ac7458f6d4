"""The vectors that C++ reads too: curves whose values come from rational arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from curve_vectors import FILE, lines

from curvec import CurveModel, PWLCurve, evaluate, runtime

LINES = FILE.read_text(encoding="utf-8").splitlines()


def parsed(line: str) -> tuple[str, list[tuple[float, float]], np.ndarray, np.ndarray]:
    fx, *words = line.split()
    points = [float.fromhex(word) for word in words[:8]]
    pairs = np.array([float.fromhex(word) for word in words[9:]]).reshape(int(words[8]), 2)
    return fx, list(zip(points[::2], points[1::2], strict=True)), pairs[:, 0], pairs[:, 1]


def test_the_file_is_what_its_source_writes() -> None:
    identity = [line for line in lines() if line.startswith("identity")]
    assert [line for line in LINES if line.startswith("identity")] == identity


@pytest.mark.parametrize("number", range(len(LINES)))
def test_python_and_the_compiled_core_give_the_vectors(number: int) -> None:
    fx, points, x, wanted = parsed(LINES[number])
    model = CurveModel("m", [PWLCurve("x", points, fx)])
    table = model.table({"x": x})
    bound = 0.0 if fx == "identity" else 4 * np.spacing(16.0)  # of another C library's logarithm
    for got in (
        evaluate.contributions(model.terms, table)[:, 0],
        model.contributions({"x": x})[:, 0],
        runtime.PWLCurve(points, fx).Eval(x),
    ):
        assert np.abs(got - wanted).max() <= bound
