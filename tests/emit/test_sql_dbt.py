# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""What dbt takes: the model, its macro and its properties; with dbt itself where it is installed."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import numpy as np
import pytest
import sql_engines as engines
from strategies import HARD_KEYS, HARD_NAMES

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum

MODEL = CurveModel(
    "risk",
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], missing=0.0),
        EnumCurve("sex", {"f": 1, "m": 2, "{{ x }}": 2.5, "O'Brien": 3}, default=3, missing=0.5),
        StepCurve("age", [30.0], [1e-7, 2e300], missing=-1.0),
        Product([PWLCurve("age", [(10, 0), (60, 1)], missing=0.0), EnumCurve("kind", {1: 1.0, 2: 2.0}, default=0.0)]),
        EnumCurve("kept", {True: 1.0, False: 2.0}),
        Line("income", 1.0),
    ],
    0.25,
    "logit",
    note="as of {% 2024 %}",
)
DATA: dict[str, list[Any]] = {
    "age": [17.0, 21.0, None, 46.0, 60.5],
    "sex": ["f", "m", "{{ x }}", None, "O'Brien"],
    "kind": [1, 2, 1, 2, 1],
    "kept": [True, False, None, True, True],
    "income": [0.0, 1.0, 2.0, 3.0, 4.0],
}


def schema(model: CurveModel = MODEL, **options: Any) -> Any:
    """The properties as dbt reads them: YAML, whose values are templates."""
    yaml = pytest.importorskip("yaml", reason="pip install pyyaml")
    text = curvec.emit(model, "sql", "duckdb", form="dbt_schema", **options)

    def rendered(value: Any) -> Any:
        if isinstance(value, str):
            return jinja2.Template(value, keep_trailing_newline=True).render()
        if isinstance(value, dict):
            return {key: rendered(held) for key, held in value.items()}
        return [rendered(held) for held in value] if isinstance(value, list) else value

    return rendered(yaml.safe_load(text))


def stated(entry: Any) -> dict[str, dict[str, Any]]:
    """Each column's tests, with their arguments."""
    found = {}
    for column in entry["columns"]:
        tests = [test if isinstance(test, dict) else {test: {}} for test in column.get("data_tests", [])]
        found[column["name"]] = {name: options for test in tests for name, options in test.items()}
    return found


def test_the_properties_are_the_query_s_columns_with_tests_that_hold() -> None:
    options: dict[str, Any] = {"table": "people", "key": ["id"], "per_term": True, "link": True, "reasons": 2}
    risk, people = schema(**options, version=True)["models"]
    assert (risk["name"], people["name"]) == ("risk", "people")
    assert risk["description"].endswith("as of {% 2024 %}")
    assert '"{{ x }}": 2.5' in risk["columns"][2]["description"]
    text = curvec.emit(MODEL, "sql", "duckdb", form="select", **options, version=True)
    types = {
        "age": "double",
        "sex": "varchar",
        "kind": "integer",
        "kept": "boolean",
        "income": "double",
        "id": "integer",
    }
    with engines.connected("duckdb") as connection:
        engines.fill(connection, "duckdb", types, list(zip(*DATA.values(), range(5), strict=True)), "people")
        cursor = connection.execute(text)
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
    assert names == [column["name"] for column in risk["columns"]]
    held = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    for name, tests in stated(risk).items():
        assert not ("not_null" in tests and None in held[name]), name
        if span := tests.get("dbt_utils.accepted_range"):
            there = [value for value in held[name] if value is not None]
            assert all(span["min_value"] <= value <= span["max_value"] for value in there), name
        if known := tests.get("accepted_values"):
            assert set(held[name]) <= {*known["values"], None}
    assert {name for name, tests in stated(risk).items() if "not_null" in tests} == {
        "term_age", "term_sex", "term_age_2", "model_name", "model_version",
    }  # fmt: skip
    assert stated(risk)["term_age_2"]["dbt_utils.accepted_range"] == {"min_value": -1.0, "max_value": 2e300}


def test_the_table_s_tests_are_what_the_model_was_made_for() -> None:
    warn = {"config": {"severity": "warn"}}
    document = schema(table="raw.people", columns={"kind": "KIND"})
    (source,) = document["sources"]
    assert (source["name"], source["tables"][0]["name"]) == ("raw", "people")
    assert stated(source["tables"][0]) == {
        "age": {"dbt_utils.accepted_range": {"min_value": 10.0, "max_value": 60.0, **warn}},
        "sex": {"accepted_values": {"values": ["'f'", "'m'", "'{{ x }}'", "'O''Brien'"], "quote": False, **warn}},
        "KIND": {"not_null": warn, "accepted_values": {"values": [1, 2], "quote": False, **warn}},
        "kept": {"not_null": warn, "accepted_values": {"values": [True, False], "quote": False, **warn}},
        "income": {"not_null": warn},
    }


def test_names_and_levels_of_any_kind_are_read_back_from_the_properties() -> None:
    levels = {key: float(k) for k, key in enumerate(HARD_KEYS)}
    model = CurveModel("{{ x }}", [EnumCurve(name, levels) for name in HARD_NAMES], note="{# no #}")
    _, people = schema(model, table="people")["models"]
    found = {name: tests["accepted_values"]["values"] for name, tests in stated(people).items()}
    assert list(found) == HARD_NAMES
    literals = ", ".join(found[HARD_NAMES[0]])
    assert list(duckdb.sql(f"SELECT {literals}").fetchall()[0]) == HARD_KEYS
    plain = [key for key in HARD_KEYS if "'" not in key and "\\" not in key]
    model = CurveModel("m", [EnumCurve("c", dict.fromkeys(plain, 1.0))])
    _, people = schema(model, table="people")["models"]
    assert stated(people)["c"]["accepted_values"]["values"] == plain


@pytest.mark.parametrize("dialect", engines.IN_PROCESS)
def test_the_macro_is_the_expression_with_columns_of_the_caller(dialect: str) -> None:
    names = ["age", "class", "a b", "{{x}}", "日本", 'x"y', "a'b", "a\\b", "not"]
    nested = StepCurve(Sum([PWLCurve("age", [(0, 0), (50, 5)]), Line("class", 1.0)]), [3.0], [0.5, 1.5])
    terms = [PWLCurve(name, [(0, 0), (50, k + 1.0)], missing=0.1) for k, name in enumerate(names)]
    model = CurveModel("50% {{ of }}", [*terms, nested], 0.125, note="{% x %} %}")
    macro = curvec.emit(model, "sql", dialect, form="dbt_macro", view="score now")
    rows = np.random.default_rng(0).uniform(-10, 60, (20, len(names))).tolist()
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, dict.fromkeys(names, "double precision"), rows)
        swapped = {"age": engines.quoted(dialect, "class"), "class": "rows.age"}
        for call in ("score_now()", f"score_now({', '.join(f'{name}={text!r}' for name, text in swapped.items())})"):
            query = jinja2.Template(macro + "SELECT {{ " + call + " }} FROM rows").render()
            data = dict(zip(names, np.array(rows).T, strict=True))
            if "rows.age" in call:
                data |= {"age": data["class"], "class": data["age"]}
            engines.assert_same(engines.fetch(connection, query)[:, 0], model.eval(data))


def test_what_a_macro_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="form='dbt_macro' is one column of numbers and takes no link, table"):
        curvec.emit(MODEL, "sql", "duckdb", form="dbt_macro", link=True, table="t")
    with pytest.raises(InputError, match="form='dbt_schema' needs table="):
        curvec.emit(MODEL, "sql", "duckdb", form="dbt_schema")
    with pytest.raises(InputError, match=r"has 3 names; a dbt model refers to model, or to source\.table"):
        curvec.emit(MODEL, "sql", "duckdb", form="dbt_schema", table="a.b.c")


PROJECT = {
    "dbt_project.yml": "name: shop\nversion: '1.0.0'\nprofile: shop\n",
    "profiles.yml": "shop:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: shop.duckdb, threads: 1}\n",
    "dbt_packages/dbt_utils/dbt_project.yml": "name: dbt_utils\nversion: '1.0.0'\n",
    # as https://github.com/dbt-labs/dbt-utils#accepted_range-source says what it tests
    "dbt_packages/dbt_utils/macros/accepted_range.sql": (
        "{% test accepted_range(model, column_name, min_value, max_value) %}\n"
        "SELECT * FROM {{ model }} WHERE {{ column_name }} < {{ min_value }} OR {{ column_name }} > {{ max_value }}\n"
        "{% endtest %}\n"
    ),
    "models/people.sql": (
        "SELECT * FROM (VALUES (0, 17.0::DOUBLE, 'f', 1, TRUE, 0.5::DOUBLE), (1, NULL, 'x', 2, NULL, 1.5::DOUBLE)) "
        "AS v(id, age, sex, kind, kept, income)\n"
    ),
    "models/by_macro.sql": "SELECT id, {{ score() }} AS score FROM {{ ref('people') }}\n",
}


def test_dbt_builds_the_model_and_runs_its_tests(tmp_path: Path) -> None:
    program = shutil.which("dbt")
    if program is None:
        pytest.skip("pip install 'curvec[dbt]'")
    options: dict[str, Any] = {"table": "people", "key": ["id"], "per_term": True, "link": True, "version": True}
    files = {
        **PROJECT,
        "models/risk.sql": curvec.emit(MODEL, "sql", "duckdb", form="dbt", **options),
        "models/risk.yml": curvec.emit(MODEL, "sql", "duckdb", form="dbt_schema", **options),
        "macros/score.sql": curvec.emit(MODEL, "sql", "duckdb", form="dbt_macro", view="score"),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [program, "--no-send-anonymous-usage-stats", "--no-use-colors", "build", "--profiles-dir", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert "ERROR=0" in done.stdout, done.stdout
    # Outside: an age of 17 is within 10 to 60; "x" is no level; kept and age are missing, of which age has a value.
    assert "WARN=2" in done.stdout, done.stdout
    with duckdb.connect(tmp_path / "shop.duckdb") as database:
        found = database.execute("SELECT score FROM risk ORDER BY id").fetchall()
        again = database.execute("SELECT score FROM by_macro ORDER BY id").fetchall()
    data = {"age": [17.0, None], "sex": ["f", "x"], "kind": [1, 2], "kept": [True, None], "income": [0.5, 1.5]}
    for rows in (found, again):
        engines.assert_same([math.nan if score is None else score for (score,) in rows], MODEL.eval(data))
