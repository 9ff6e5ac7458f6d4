"""Exact forms are models like any other: emitted, they score as the evaluator does, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from interpret import glassbox
from nightly import NIGHTLY
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer, StandardScaler

import curvec
from curvec.parity import check
from curvec.teachers import Add, Multiply, Part, Structure

TARGETS = ["python", "python_standalone", "sqlite", "duckdb"] if NIGHTLY else ["python", "sqlite"]


def imputed_lines(cancer):
    frame = cancer[0][["mean texture", "area error"]]
    return curvec.read_teacher(
        make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()).fit(frame, cancer[1]), frame
    )


def splines(cancer):
    frame = cancer[0][["mean texture", "area error"]]
    splined = make_pipeline(SimpleImputer(), SplineTransformer(extrapolation="linear", n_knots=4), Ridge())
    return curvec.read_teacher(splined.fit(frame, cancer[1]), frame)


def pairs(cancer):
    frame = cancer[0][["mean texture", "worst symmetry"]].assign(size=cancer[0]["size"].astype(object).fillna("none"))
    options = {"interactions": 2, "max_rounds": 30, "outer_bags": 1, "max_interaction_bins": 5, "n_jobs": 1}
    return curvec.read_teacher(glassbox.ExplainableBoostingClassifier(**options).fit(frame, cancer[1]), frame)


def parts(cancer):
    frame = cancer[0][["mean texture", "worst symmetry"]]
    gate = Add([Part("mean texture", lambda x: np.floor(x / 4)), Part("worst symmetry", lambda x: np.round(x * 20))])
    return curvec.read_teacher(Structure([Multiply([gate, Part("worst symmetry", lambda x: np.abs(x - 0.25))])]), frame)


@pytest.mark.parametrize("make", [imputed_lines, splines, pairs, parts], ids=lambda make: make.__name__)
def test_what_is_emitted_scores_as_the_model_does(cancer, make):
    model = make(cancer)
    rows = cancer[0].iloc[::5]  # besides the probes, which hold every cut
    report = check(model, rows.assign(size=rows["size"].astype(object)), TARGETS)
    assert report.ok, report
