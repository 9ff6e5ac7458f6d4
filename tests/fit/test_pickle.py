"""A fit travels: between processes, and into files of those who want that."""

from __future__ import annotations

import copy
import pickle

import numpy as np

from curvec import Fit, distill, fit_pwl
from curvec.ir import StepCurve
from curvec.model import CurveModel


def test_a_fit_and_a_distillation_are_pickled_whole() -> None:
    x = np.linspace(0, 9, 200)
    fit = fit_pwl(x, np.sin(x), num_segments=4)
    for again in (pickle.loads(pickle.dumps(fit)), copy.deepcopy(fit)):  # noqa: S301  made in this line
        assert isinstance(again, Fit)
        assert again.curve == fit.curve
        assert again.path == fit.path
        assert again.sse == fit.sse
    found = distill(CurveModel("t", [StepCurve("x", [2, 5], [0, 1, 3])]), {"x": x})
    assert pickle.loads(pickle.dumps(found)).model == found.model  # noqa: S301
