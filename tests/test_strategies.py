"""The strategies give valid models of every node, and rows that the reference takes."""

from __future__ import annotations

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from nightly import examples
from strategies import models, rows

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.model import from_json


@given(st.data())
@examples(15)
def test_rows_are_what_the_reference_takes(data: st.DataObject) -> None:
    model = data.draw(models())
    table = data.draw(rows(model, 20))
    assert model.eval(table).shape == (20,)
    assert from_json(model.to_json()) == model


@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # the model that is found may be a large one
@pytest.mark.parametrize("node", [Line, EnumCurve, PWLCurve, StepCurve, Sum, Product])
def test_every_node_can_be_drawn(node: type) -> None:
    first = settings(phases=[Phase.generate], database=None)  # the first found is enough, not the smallest
    found = find(models(), lambda model: any(isinstance(term, node) for term in model.terms), settings=first)
    assert isinstance(found, CurveModel)
