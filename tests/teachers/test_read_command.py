"""``curvec read``: files and module:object, and what it says."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn.datasets import load_diabetes

import curvec
from curvec.cli import main

TABLE = "feature,x,y\nage,18,3.0\nage,21,0.5\nsex,f,0.2\nsex,m,-0.2\n"
MODULE = """
import numpy as np
class Box: pass
box = Box()
box.score = lambda rows: np.floor(np.asarray(rows["age"])) * 2.0
"""


@pytest.fixture
def table(tmp_path):
    (tmp_path / "shapes.csv").write_text(TABLE)
    return tmp_path / "shapes.csv"


def test_a_file_becomes_a_model_file(table, tmp_path, capsys):
    out = tmp_path / "m.json"
    assert main(["read", str(table), "-o", str(out), "--link", "logit", "--name", "shapes"]) == 0
    model = curvec.load(out)
    assert (model.name, model.link, len(model.terms)) == ("shapes", "logit", 2)
    told = capsys.readouterr()
    assert told.out == ""
    assert "read exactly: 2 terms, link logit" in told.err
    assert "not compared" in told.err


def test_without_an_output_the_model_is_on_stdout(table, capsys):
    assert main(["read", str(table)]) == 0
    assert '"age"' in capsys.readouterr().out


def test_a_parquet_table(tmp_path, capsys):
    pd.DataFrame({"feature": ["a", "a"], "x": [1.0, 2.0], "y": [0.0, 1.0]}).to_parquet(tmp_path / "t.parquet")
    assert main(["read", str(tmp_path / "t.parquet")]) == 0
    assert '"PWLCurve"' in capsys.readouterr().out


def test_an_object_of_a_module_is_compared_on_the_data(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "teacher_of_test.py").write_text(MODULE)
    pd.DataFrame({"age": [1.5, 2.5, 7.25]}).to_csv("rows.csv", index=False)
    assert main(["read", "teacher_of_test:box.score", "--data", "rows.csv", "-o", "m.json"]) == 0
    assert "at most 0 from the teacher's own raw scores" in capsys.readouterr().err
    assert curvec.load("m.json").terms[0].cuts == (2.0, 3.0, 4.0, 5.0, 6.0, 7.0)


PIPELINE = """
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer
data = load_diabetes(as_frame=True).data
teacher = make_pipeline(SplineTransformer(degree=2), Ridge()).fit(data[["bp", "bmi"]], data["s6"])
"""


def test_a_live_teacher_scores_the_columns_it_knows_of_a_file_with_more(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pipeline_of_test.py").write_text(PIPELINE)
    load_diabetes(as_frame=True).data.assign(name="a").to_csv("rows.csv", index=False)
    assert main(["read", "pipeline_of_test:teacher", "--data", "rows.csv", "-o", "m.json"]) == 0
    assert "in 442 rows" in capsys.readouterr().err
    assert [feature.name for feature in curvec.load("m.json").features] == ["bp", "bmi"]
    (tmp_path / "gap.csv").write_text("bp,bmi\n,0.1\n")
    assert main(["read", "pipeline_of_test:teacher", "--data", "gap.csv"]) == 2
    assert "does not score X: ValueError" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("teacher", "reason"),
    [
        ("none.json", "No such file"),
        ("nosuchmodule:x", "cannot be imported"),
        ("math:nothing", "no attribute 'nothing'"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(teacher, reason, capsys):
    assert main(["read", teacher]) == 2
    told = capsys.readouterr().err
    assert reason in told
    assert "Traceback" not in told
