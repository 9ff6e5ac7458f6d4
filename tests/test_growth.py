"""What is made of a model, and read, takes time that grows as the model does: counted in calls, for a model and for one
of four times its size. A step that goes through all terms for each term makes sixteen times as many calls."""

from __future__ import annotations

import cProfile
from collections.abc import Callable
from functools import partial
from typing import Any

from nightly import by_diagonal

import curvec
from curvec import CurveModel, EnumCurve, Product, PWLCurve, StepCurve, Sum
from curvec.model import from_json
from curvec.read import from_python

SMALL, TIMES, MOST = 25, 4, 6.0


def curve(feature: str) -> PWLCurve:
    return PWLCurve(feature, [(0.0, 0.25), (1.0, 0.5), (2.5, -1.0)], missing=0.125)


MODELS: dict[str, Callable[[int], CurveModel]] = {
    "terms": lambda n: CurveModel("m", [curve(f"x{k}") for k in range(n)]),
    "terms of one feature": lambda n: CurveModel("m", [curve("x") for _ in range(n)]),
    "points": lambda n: CurveModel("m", [PWLCurve("x", [(float(k), k / 7) for k in range(n)])]),
    "steps": lambda n: CurveModel("m", [StepCurve("x", [float(k) for k in range(n)], [k / 7 for k in range(n + 1)])]),
    "levels of text": lambda n: CurveModel("m", [EnumCurve("c", {f"level {k}": k / 7 for k in range(n)}, 0.5)]),
    "levels of integers": lambda n: CurveModel("m", [EnumCurve("c", {3 * k: k / 7 for k in range(n)}, 0.5)]),
    "products": lambda n: CurveModel("m", [Product([curve(f"x{k}"), curve("y")]) for k in range(n)]),
    "factors": lambda n: CurveModel("m", [Product([curve(f"x{k}") for k in range(n)])]),
    "summands": lambda n: CurveModel("m", [Sum([curve(f"x{k}") for k in range(n)])]),
    "nested curves": lambda n: CurveModel(
        "m", [StepCurve(Sum([curve(f"x{k}"), curve("y")]), [0.5], [k, 1.0]) for k in range(n)]
    ),
}


def of_sql(dialect: str, **options: Any) -> Callable[[CurveModel], Callable[[], Any]]:
    return lambda model: partial(curvec.emit, model, "sql", dialect, form="select", table="t", link=True, **options)


def listed(model: CurveModel) -> str:
    return "score = sum([\n" + "".join(f"    {term},\n" for term in model.terms) + "])\n"


TASKS: dict[str, Callable[[CurveModel], Callable[[], Any]]] = {
    "emit python": lambda model: partial(curvec.emit, model, "python"),
    "emit cpp": lambda model: partial(curvec.emit, model, "cpp"),
    "emit javascript": lambda model: partial(curvec.emit, model, "javascript"),
    "emit sqlite": of_sql("sqlite"),
    "emit duckdb": of_sql("duckdb"),
    "emit postgres": of_sql("postgres", per_term=True),
    "emit check": lambda model: partial(curvec.emit, model, "sql", "postgres", form="check", table="t"),
    "emit population": lambda model: partial(curvec.emit, model, "sql", "postgres", form="population", table="t"),
    "emit dbt's properties": lambda model: partial(
        curvec.emit, model, "sql", "postgres", form="dbt_schema", table="t", per_term=True
    ),
    "add": lambda model: partial(model.plus, model.rename({f.name: f"_{f.name}" for f in model.features})),
    "print": lambda model: partial(str, model),
    "read JSON": lambda model: partial(from_json, model.to_json()),
    "read Python": lambda model: partial(from_python, curvec.emit(model, "python")),
    "read a listing": lambda model: partial(from_python, listed(model)),
}


def calls(action: Callable[[], Any]) -> int:
    """How many calls, of Python and of C, an action makes."""
    profile = cProfile.Profile()
    profile.runcall(action)
    return sum(entry.callcount for entry in profile.getstats())


@by_diagonal(["size", "task"], list(MODELS), list(TASKS))
def test_four_times_the_model_takes_four_times_the_calls(size: str, task: str) -> None:
    TASKS[task](MODELS[size](2))()  # what is made once and kept
    small, large = (calls(TASKS[task](MODELS[size](n))) for n in (SMALL, SMALL * TIMES))
    assert large < MOST * small, f"{small:,} calls, then {large:,}"


def test_a_step_that_goes_through_all_for_each_is_found() -> None:
    def each_with_all(n: int) -> list[int]:
        return [k.bit_length() for _ in range(n) for k in range(n)]

    small, large = (calls(partial(each_with_all, n)) for n in (SMALL, SMALL * TIMES))
    assert large > 2 * MOST * small
