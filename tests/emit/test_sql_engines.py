"""Emitted SQL on the engines that are always here: the reference's bits."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
import sql_engines as engines
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from strategies import models, rows

from curvec import CurveModel, UnsupportedError

ENGINES = ["sqlite", "duckdb"]


@pytest.mark.parametrize("dialect", ENGINES)
@settings(max_examples=25, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(data=st.data())
def test_any_model_scores_as_the_reference(dialect: str, data: Any) -> None:
    model: CurveModel = data.draw(models())
    table = data.draw(rows(model))
    found = engines.score(dialect, model, table)
    terms = [column for name, column in found.items() if name.startswith("term_")]
    engines.assert_same(np.column_stack(terms), model.contributions(table))
    engines.assert_same(found["score"], model.eval(table))
    engines.assert_same(found["prediction"], model.predict(table))
    with contextlib.suppress(UnsupportedError):  # a curve nested in a curve that is too long to repeat
        engines.assert_same(engines.expression(dialect, model, table), model.eval(table))
