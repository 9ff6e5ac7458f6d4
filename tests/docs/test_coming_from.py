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
    fit = curvec.fit_pwl(x, y, num_segments=3)
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
        curvec.distill(names["exact"], ROWS, **options) if isinstance(options[option], dict) else curvec.fit_pwl(
            names["x"], names["y"], **options
        )
    elif code not in ("mono=", "distill") and not re.fullmatch(r'"\w+"', code):
        source = code.replace("...", '"x", [(0, 0), (1, 1)]')
        assert eval(source, dict(names)) is not None  # noqa: S307  our own page
