"""The search as a guest in a process: budgets, interrupts, threads, and what it says about itself."""

from __future__ import annotations

import math
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import curvec

RNG = np.random.default_rng(11)
X = np.sort(RNG.uniform(0, 1, 3000))
Y = np.cumsum(RNG.normal(size=3000))


def test_a_time_budget_gives_the_best_so_far_and_its_bound():
    options = {"num_segments": 8, "mono": "increasing", "num_samples": 400, "fx": "identity", "refine_knots": False}
    short = curvec.fit_pwl(X, Y, max_seconds=1e-3, **options)
    assert not short.optimal
    assert 0 < short.lower_bound <= short.sse
    whole = curvec.fit_pwl(X, Y, max_seconds=600, **options | {"num_samples": 80})
    assert whole.optimal
    assert whole.lower_bound == pytest.approx(whole.sse)


def test_the_bound_of_a_search_cut_short_is_below_the_optimum():
    options = {"num_segments": 4, "candidates": X[::60], "fx": "identity"}
    for mono in (False, "decreasing", "peak"):
        best = curvec.fit_pwl(X, Y, mono=mono, **options)
        cut = curvec.fit_pwl(X, Y, mono=mono, max_seconds=1e-9, **options)
        assert cut.lower_bound <= best.sse * (1 + 1e-9) <= cut.sse * (1 + 2e-9)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child process")
def test_ctrl_c_ends_a_long_search():
    program = (
        "import numpy as np, curvec\n"
        "y = np.random.default_rng(0).normal(size=4000)\n"
        "print('go', flush=True)\n"
        "curvec.fit_pwl(np.arange(4000.0), y, num_segments=12, num_samples=600)\n"
        "print('to the end')\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "go\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    printed, errors = child.communicate(timeout=600)  # or it hangs
    assert "KeyboardInterrupt" in errors
    assert not printed  # the search, which takes minutes, did not come to its end
    assert child.returncode != 0


def test_threads_get_the_same_curves():
    shapes = [(X, Y + k * X, k) for k in range(8)]
    alone = [curvec.fit_pwl(x, y, digits=4, mono=bool(k % 2)) for x, y, k in shapes]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda s: curvec.fit_pwl(s[0], s[1], digits=4, mono=bool(s[2] % 2)), shapes))
    assert together == alone


def test_auto_takes_the_fewest_segments_that_reach_the_tolerance():
    x = np.linspace(0, 6, 500)
    y = np.interp(x, [0, 2, 3, 6], [0, 4, -1, 0])
    fit = curvec.fit_pwl(x, y, num_segments="auto", candidates=[0, 1, 2, 3, 4, 6])
    assert fit.num_segments == 3
    assert len(fit.path) == 10
    loose = curvec.fit_pwl(x, np.sin(x), num_segments="auto", tolerance=0.1)
    tight = curvec.fit_pwl(x, np.sin(x), num_segments="auto", tolerance=0.001)
    assert loose.num_segments < tight.num_segments
    assert loose.unexplained <= 0.1
    assert tight.unexplained <= 0.001
    assert curvec.fit_pwl(X, Y, num_segments="auto", tolerance=0, max_segments=3).num_segments == 3


def test_refinement_never_makes_a_fit_worse():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        x = rng.gamma(1, 5, 400)
        y = np.floor(x) % 3 + rng.normal(size=400) * 0.1
        for options in ({}, {"mono": True}, {"digits": 3}):
            plain = curvec.fit_pwl(x, y, refine_knots=False, fx="identity", **options)
            fine = curvec.fit_pwl(x, y, fx="identity", **options)
            assert fine.lower_bound <= plain.lower_bound * (1 + 1e-12)


def test_a_function_as_the_transform_is_refused_and_the_way_out_is_the_curve_over_its_values():
    x = np.linspace(0.5, 9, 300)
    for function in (np.sqrt, math.sqrt, lambda x: x**0.5):
        with pytest.raises(
            curvec.InputError, match=r"No code carries a function: .*fit_pwl\(f\(x\), y, feature='f of x'"
        ):
            curvec.fit_pwl(x, np.sqrt(x), fx=function)
    fit = curvec.fit_pwl(np.sqrt(x), np.sqrt(x), num_segments=1, feature="root of x")
    assert fit.sse == pytest.approx(0, abs=1e-20)
    assert fit(np.sqrt(x)) == pytest.approx(np.sqrt(x))


def test_slope_bounds_and_curvature_are_in_the_units_of_x_unless_fx_is_given():
    x = np.linspace(1, 50, 300)
    assert curvec.fit_pwl(x, np.log(x), max_slope=0.5).curve.fx == "identity"
    assert curvec.fit_pwl(x, np.log(x), curvature="concave").curve.fx == "identity"
    assert curvec.fit_pwl(x, np.log(x), max_slope=1.5, fx="log").curve.fx == "log"


def test_digits_are_kept_or_the_fit_says_so():
    rng = np.random.default_rng(4)
    for digits in (1, 2, 3, 5):
        x = rng.lognormal(size=500)
        fit = curvec.fit_pwl(x, np.sin(x), digits=digits)
        if not fit.notes:
            numbers = [v for point in fit.curve.points for v in point]
            assert numbers == [float(f"{v:.{digits - 1}e}") for v in numbers]
    clumped = curvec.fit_pwl(1000 + np.arange(10.0), np.arange(10.0) ** 2, digits=2)
    assert clumped.notes
    assert len({p[0] for p in clumped.curve.points}) == len(clumped.curve.points)


def test_rounding_y_costs_little():
    rng = np.random.default_rng(6)
    x = rng.uniform(0, 10, 2000)
    y = np.sin(x) + rng.normal(size=2000) * 0.2
    exact = curvec.fit_pwl(x, y, digits=4)
    assert exact.sse <= exact.lower_bound * (1 + 1e-5)


def test_what_a_fit_shows():
    fit = curvec.fit_pwl(X, Y, num_segments=3)
    assert fit.candidates.ndim == 1
    assert {p[0] for p in fit.curve.points} <= set(fit.candidates)
    assert fit.condensed.shape[1] == 3
    assert fit.condensed[:, 1].sum() == pytest.approx(3000)
    assert np.average(fit.condensed[:, 2], weights=fit.condensed[:, 1]) == pytest.approx(Y.mean())
    assert "candidates" not in repr(fit)


def test_a_fit_pickles():
    for x, y in ((X, Y), ([1.0, 2.0], [3.0, 3.0])):
        fit = curvec.fit_pwl(x, y, num_segments=2, digits=3)
        again = pickle.loads(pickle.dumps(fit))  # noqa: S301 - our own bytes
        assert again == fit
        assert again.path == fit.path


def test_many_plateaus_are_no_more_work_than_few():
    """On a plateau two pieces of a cost said the same, and each further segment doubled them: gigabytes, and no end."""
    x = np.arange(600.0)
    y = np.round(np.sqrt(x / 599), 1)
    fit = curvec.fit_pwl(x, y, num_segments=24, num_samples=10, mono="increasing", refine_knots=False, fx="identity")
    assert fit.optimal
    assert fit.sse == pytest.approx(0, abs=1e-20)


@pytest.mark.parametrize("learn_ends", [True, False])
def test_a_curve_against_the_data_is_flat_at_once(learn_ends):
    """Where all curves are one plateau, pieces of a single point were kept again and again."""
    x = np.r_[np.arange(19.0), 1e12]
    y = np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1])
    fit = curvec.fit_pwl(
        x, y, num_segments=24, num_samples=40, mono="increasing", learn_ends=learn_ends, refine_knots=False,
        fx="identity",
    )  # fmt: skip
    assert fit.optimal
    assert fit.sse == pytest.approx(curvec.fit_pwl(x, y, num_segments=6, mono="increasing", fx="identity").sse)
