"""The golden SQL: one model with every node in every dialect, and every form of it in one."""

from __future__ import annotations

from pathlib import Path

import curvec
from curvec import Column, CurveModel, EnumCurve, Product, PWLCurve, StepCurve, Sum
from curvec.emit.dialects import DIALECTS

__all__ = ["FOLDER", "MODEL", "golden"]

FOLDER = Path(__file__).parent / "golden" / "sql"

_AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], "log", missing=1.5, note="approved")
_PRIORS = StepCurve("priors count", [1, 2.5, 10], [-0.4, 0.1, 0.75, 1.9])
_CHARGE = EnumCurve("charge", {"F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5}, default=0.25)

MODEL = CurveModel(
    "recidivism",
    [
        _AGE,
        _PRIORS,
        _CHARGE,
        EnumCurve("kind", {1: 0.5, 2: -0.5}, default=0.1, missing=0.2),
        EnumCurve("felony", {True: 0.3, False: -0.3}),
        PWLCurve("balance", [(-1000, 1), (0, 0), (1000, -2)], "symlog1p"),
        PWLCurve("balance", [(-0.5, 0), (1e-7, 0.1), (7, -2)], "log1p"),
        Product([Sum([_AGE, _CHARGE]), Column("balance")]),
        PWLCurve(Sum([_PRIORS, Column("balance")]), [(0, 0.1), (1, 0.3)]),
        StepCurve("score 2", [k / 8 for k in range(70)], [k % 7 / 10 for k in range(71)]),
        EnumCurve("post code", {f"{1000 + k}": k / 16 for k in range(200)}, default=0.0, missing=-1.0),
    ],
    intercept=-1.25,
    link="logit",
)


def golden() -> dict[str, str]:
    """What each file of FOLDER holds."""
    options = {"table": "cases", "key": ["id"], "per_term": True, "link": True}
    found = {f"{dialect}.sql": curvec.emit(MODEL, "sql", dialect, form="select", **options) for dialect in DIALECTS}
    found["duckdb.expression.sql"] = curvec.emit(MODEL, "sql", "duckdb")
    found["sqlite.expression.sql"] = curvec.emit(MODEL, "sql", "sqlite")
    found["duckdb.view.sql"] = curvec.emit(MODEL, "sql", "duckdb", form="view", **options)
    found["duckdb.dbt.sql"] = curvec.emit(MODEL, "sql", "duckdb", form="dbt", **options)
    return found
