"""The table of what other tools' users type here: every piece of code of its right column runs."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from interpret.glassbox import ExplainableBoostingRegressor
from optbinning import BinningProcess, Scorecard
from pages import ROOT
from sklearn.linear_model import LinearRegression
from statsmodels.formula import api as formulas

import curvec
from curvec.cli import main

PAGE = (ROOT / "docs/howto/coming_from.md").read_text(encoding="utf-8")
RNG = np.random.default_rng(0)
ROWS = pd.DataFrame({"age": RNG.uniform(20, 60, 300), "dose": RNG.uniform(0, 40, 300)})
Y = ROWS["age"] / 10 + np.minimum(ROWS["dose"], 15) / 10 + RNG.normal(0, 0.1, 300)


def pieces() -> list[str]:
    """The code of the last column of each line of the tables."""
    lines = [line for line in PAGE.splitlines() if line.startswith("|") and "---" not in line]
    return [code for line in lines for code in re.findall(r"`([^`]+)`", line.rsplit(" | ", 1)[1])]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    ebm = ExplainableBoostingRegressor(interactions=0, outer_bags=1, max_rounds=20, n_jobs=1).fit(ROWS, Y)
    exact = curvec.read_teacher(ebm, ROWS)
    process = BinningProcess(["age", "dose"])
    scorecard = Scorecard(process, LinearRegression()).fit(ROWS, Y)
    model = curvec.CurveModel(
        "m",
        [curvec.PWLCurve("age", [(20, 0), (30, 1), (60, 0.5)]), curvec.PWLCurve("dose", [(0, 0), (15, 1.5)])],
        link="log",
    )
    x, y = ROWS["dose"].to_numpy(), Y.to_numpy()
    fit, sd = curvec.fit_pwl(x, y, num_segments=3), np.full(300, 0.1)
    found = curvec.distill(exact, ROWS, num_segments=2)
    curve = fit.curve
    results = formulas.ols("y ~ age + np.log1p(dose)", ROWS.assign(y=Y)).fit()
    folder = tmp_path_factory.mktemp("files")
    ebm.to_json(folder / "m.json", detail="interpretable")
    model.save(folder / "model.json")
    return {"curvec": curvec, "X": ROWS, "rows": ROWS, "w": np.ones(300), "PWLCurve": curvec.PWLCurve, **locals()}


@pytest.mark.filterwarnings("ignore")  # optbinning's own and interpret's
@pytest.mark.parametrize("code", dict.fromkeys(pieces()))
def test_what_the_table_says_runs(code: str, names: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(names["folder"])
    if code.startswith("curvec "):
        assert main(code.split()[1:]) == 0
    elif re.fullmatch(r"\w+=.*", code):
        option, _, value = code.partition("=")
        options = {option: ast.literal_eval(value)}
        if option == "max_numbers":
            options |= {"y": Y, "metric": "rmse"}
        of_distill = isinstance(options[option], dict) or option == "max_numbers"
        curvec.distill(names["exact"], ROWS, **options) if of_distill else curvec.fit_pwl(
            names["x"], names["y"], **options
        )
    elif code not in ("mono=", "distill") and not re.fullmatch(r'"\w+"', code):
        source = code.replace("...", '"x", [(0, 0), (1, 1)]')
        assert eval(source, dict(names)) is not None or code.startswith("print")  # noqa: S307  our own page


def test_weights_of_pwlf_are_squared() -> None:
    """Its residuals are multiplied by them, as its own line between two breaks is that of least squares so weighted."""
    x, sd = np.arange(6.0), np.array([1.0, 2, 1, 3, 1, 2])
    y = np.array([0.0, 3, 1, 5, 4, 9])
    slope, start = np.polyfit(x, y, 1, w=1 / sd)  # numpy's multiply residuals, too
    fit = curvec.fit_pwl(x, y, w=1 / sd**2, num_segments=1, learn_ends=False, y_bounds=None, fx="identity")
    np.testing.assert_allclose(fit(x), start + slope * x)
