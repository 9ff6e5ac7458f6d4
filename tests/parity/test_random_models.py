"""Random models against random rows in every type of column, each row at or beside the model's own edges."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nightly import NIGHTLY, examples
from real_engines import needed
from strategies import models, rows

from curvec import CurveModel
from curvec.parity.check import run
from curvec.parity.probes import Probes

ROWS = 30  # in each type of column


@pytest.mark.parametrize("name", ["sqlite", "duckdb", "postgres"])
@given(data=st.data())
@examples(5)
def test_every_row_of_every_model_agrees(name: str, data: st.DataObject) -> None:
    runner = needed(name)
    model = data.draw(models())
    if not NIGHTLY:  # 54 terms in every type of column and every form take DuckDB most of the time
        model = CurveModel(model.name, model.terms[:6], model.intercept, model.link)
    table = data.draw(rows(model, ROWS))
    result = run(runner, model, Probes(table, ["random row"] * ROWS))
    # Where an engine raises for what underflows, a model of tiny products may leave it nothing to score.
    raises = not (runner.limits.overflow and runner.limits.underflow)
    assume(not (raises and "no row is left" in result.notes))
    assert result.ok, f"{result.notes} {result.worst}"
    assert result.ran
