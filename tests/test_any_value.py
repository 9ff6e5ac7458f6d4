"""A value of any kind is taken by an option, or refused in a short message."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

import curvec
from curvec import CurvecError, CurveModel, EnumCurve, Feature, Line, PWLCurve, StepCurve
from curvec.distill import distill
from curvec.parity import check
from curvec.review.diff import diff
from curvec.review.report import report
from curvec.review.values import value_table

CURVE = CurveModel("m", [PWLCurve("age", [(0, 0), (1, 1)])])


HUGE = 10**5000
"""Python refuses to write it."""


class Unwritten:
    """What is neither written nor compared."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]  # as that of an array


WRONG: dict[str, Any] = {
    "integer": HUGE, "negative": -HUGE, "list": [HUGE], "dict": {"a": HUGE}, "text": "n" * 65_536, "half": "\ud800",
    "one": 1, "word": "no", "array": np.array([1.0, 2.0]), "NA": pd.NA, "by name": {"age": 3}, "words": {"age": "no"},
    "lists": {"age": [1]}, "unwritten": Unwritten(), "type": int, "empty": {}, "not": False,
}  # fmt: skip


FIT = curvec.fit_pwl([0.0, 1.0, 2.0], [0.0, 1.0, 0.5], num_segments=1)


RISK = CurveModel("m", [EnumCurve("b", {"x": 0.0, "y": 1.0}), *CURVE.terms])


LABELLED = {"age": [0.0, 0.5, 1.0], "b": ["x", "y", "x"]}


def emitting(target: str) -> Callable[..., str]:
    """``emit`` of a target with its options as keywords."""

    def emit(**options: Any) -> str:
        return curvec.emit(RISK, target, **options)

    names = ("dialect", *curvec.emit.__globals__["TARGETS"][target].options)
    keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in dict.fromkeys(names)]
    emit.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    return emit


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "distill": (distill, {"teacher": RISK, "X": LABELLED}),
    "read_teacher": (curvec.read_teacher, {"teacher": RISK}),
    "read_teacher of scikit-learn": (curvec.read_teacher, {"teacher": LinearRegression().fit([[0.0], [1.0]], [0, 1])}),
    "refine": (curvec.refine, {"model": RISK, "X": LABELLED, "y": [0, 1, 2], "ridge": 1.0}),
    "fit_pwl": (curvec.fit_pwl, {"x": [0, 1, 2], "y": [0, 1, 2]}),
    "python": (emitting("python"), {}),
    "cpp": (emitting("cpp"), {}),
    "javascript": (emitting("javascript"), {}),
    **{
        form: (emitting("sql"), {"dialect": "duckdb", "form": form, "table": "t"}) for form in ("select", "view", "dbt")
    },
    **{form: (emitting("sql"), {"dialect": "postgres", "form": form}) for form in ("expression", "function")},
    "CurveModel": (CurveModel, {"name": "m", "terms": CURVE.terms}),
    "PWLCurve": (PWLCurve, {"input": "a", "points": [(0, 0), (1, 1)]}),
    "StepCurve": (StepCurve, {"input": "a", "cuts": [1], "values": [0, 1]}),
    "EnumCurve": (EnumCurve, {"input": "a", "mapping": {"x": 1}}),
    "Line": (Line, {"input": "a"}),
    "Feature": (Feature, {"name": "a"}),
    "load": (curvec.load, {"path": "none.json"}),
    "parity.check": (check, {"model": RISK, "targets": ["python"]}),
    "plot": (curvec.plot, {"value": CURVE}),
    "diff": (diff, {"old": RISK, "new": CURVE, "data": LABELLED}),
    "report": (report, {"model": RISK, "data": LABELLED, "target": [0, 1, 2]}),
    "value_table": (value_table, {"model": RISK}),
    "band": (FIT.band, {"x": 1.0}),
    "inverse": (CURVE["age"].inverse, {"y": 0.5}),
    "slope_at": (CURVE["age"].slope_at, {"x": 0.5}),
    "curve.capped": (CURVE["age"].capped, {"low": 0, "high": 1}),
    "steps.capped": (StepCurve("a", [1], [0, 1]).capped, {"low": 0, "high": 1}),
    "line.capped": (Line("a").capped, {"low": 0, "high": 1}),
    "monotone": (CURVE["age"].monotone, {}),
    "to_identity": (CURVE["age"].to_identity, {"tolerance": 0.1}),
    "cap": (RISK.cap, {"feature": "age", "above": 0.5}),
    "drop": (RISK.drop, {"feature": "age", "recentre": LABELLED}),
    "evaluate": (RISK.evaluate, {"X": LABELLED, "y": [0, 1, 2]}),
    "plus": (RISK.plus, {"other": CURVE}),
    "rename": (RISK.rename, {"features": {"age": "years"}}),
    "replace": (RISK.replace, {"what": "age", "term": Line("age")}),
    "round": (RISK.round, {"digits": 2}),
    "save": (RISK.save, {"path": ""}),
    "score": (RISK.score, {"data": LABELLED}),
    "with_offset": (RISK.with_offset, {"feature": "exposure"}),
    "eval": (RISK.eval, {"data": LABELLED}),
    "predict_row": (RISK.predict_row, {"row": {"age": 1.0, "b": "x"}}),
    "the term of a name": (RISK.__getitem__, {"name": "age"}),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_value_of_any_kind_is_taken_or_refused_in_a_short_message(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is passed for any argument: no other error than ours, and none that fills a screen."""
    monkeypatch.chdir(tmp_path)
    called, given = CALLS[name]
    for option, kind in itertools.product(inspect.signature(called).parameters, WRONG):
        try:
            called(**given | {option: WRONG[kind]})
        except CurvecError as error:
            assert len(str(error)) <= 2000, (option, kind)  # noqa: PT017  some of these are good
        except Exception as error:  # noqa: BLE001
            pytest.fail(f"{option} that is {kind}: {type(error).__name__}: {error}")
