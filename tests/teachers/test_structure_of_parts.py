"""Teachers that expose their parts: products of curves, curves of curves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import curvec
from curvec import EnumCurve, InputError, Product, PWLCurve, StepCurve, Sum, UnsupportedError
from curvec.teachers import Add, Multiply, Outer, Part, Structure, read_and_check


class Gated:
    """(g1(size) + g2(texture)) * f1(area error) + g(f2(symmetry) + f3(texture)), of its own making."""

    def curve_structure(self) -> Structure:
        sizes = {"tiny": 0.5, "small": 0.75, "mid": 1.0, "large": 2.0}
        gate = Add([
            Part("size", lambda x: np.array([sizes.get(v, 0.1) for v in x])),
            Part("mean texture", lambda x: np.where(x < 18.5, 0.25, 0.5)),
        ])  # fmt: skip
        steps = Part("area error", lambda x: np.digitize(np.nan_to_num(x, nan=-1.0), [15.0, 40.5, 99.0]) * 1.5)
        inner = Add([Part("worst symmetry", lambda x: x * 4), Part("mean texture", lambda x: np.maximum(x, 20) / 10)])
        return Structure([Multiply([gate, steps]), Outer(np.tanh, inner)], intercept=-1.0, link="logit")


@pytest.fixture(scope="module")
def frame(cancer) -> pd.DataFrame:
    frame = cancer[0][["size", "mean texture", "area error", "worst symmetry"]]
    return frame.assign(size=frame["size"].astype(object).where(frame["size"].notna(), None))


def test_the_paper_s_forms_are_read_and_compared(frame):
    reading = read_and_check(Gated(), frame)
    product, outer = reading.model.terms
    assert isinstance(product, Product)
    gate, steps = product.factors
    assert isinstance(gate, Sum)
    assert [type(term) for term in gate.terms] == [EnumCurve, StepCurve]
    assert gate.terms[0].missing == 0.1
    assert steps.cuts == (15.0, 40.5, 99.0)
    assert isinstance(outer, PWLCurve)
    assert isinstance(outer.input, Sum)
    assert reading.model.link == "logit"
    assert not reading.exact  # tanh bends
    assert reading.distance < 1e-5
    assert curvec.read_teacher(Gated(), pl.DataFrame(frame.to_dict("list"))) == reading.model


def test_functions_in_float32_are_read_as_closely_as_they_are(frame):
    def relu(x):
        x = np.float32(x)
        return np.maximum(x - np.float32(18.7), 0) - np.maximum(x - np.float32(24.1), 0)

    reading = read_and_check(Structure([Part("mean texture", relu)]), frame)
    assert reading.distance < 2e-5
    assert curvec.read_teacher(reading.model) is not None


def test_a_mistake_in_the_parts_is_named(frame):
    with pytest.raises(UnsupportedError, match="pass X"):
        read_and_check(Gated())
    with pytest.raises(InputError, match="no column 'age'"):
        read_and_check(Structure([Part("age", np.sin)]), frame)
    with pytest.raises(InputError, match="shape"):
        read_and_check(Structure([Part("mean texture", np.sum)]), frame)
    part = Part("mean texture", np.sin)
    for structure, message in (
        (Structure([]), "a Structure has no parts"),
        (Structure(part), "the parts of a Structure are Part.*pass a list"),
        (Structure([np.sin]), "holds a ufunc; its parts are Part, Add, Multiply and Outer"),
        (Structure([Multiply([part, 2.0])]), "Multiply holds a float"),
        (Structure([Outer(np.exp, part)]), "an Outer is a function of an Add, and here of a Part"),
        (Structure([part], "1"), "the intercept of a Structure is '1'"),
        (Structure([Part("mean texture", lambda x: ["?"] * len(x))]), "'mean texture' must give numbers"),
        (type("Model", (), {"curve_structure": lambda _: [part]})(), r"curve_structure\(\) gave a list"),
    ):
        with pytest.raises(InputError, match=message):
            read_and_check(structure, frame)
    with pytest.raises(InputError, match="not finite at"), np.errstate(all="ignore"):
        read_and_check(Structure([Part("mean texture", lambda x: x / 0)]), frame)
