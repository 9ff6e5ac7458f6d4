"""Jobs on threads: Ctrl-C ends them, the searches within them too."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from curvec._core import stoppable
from curvec.distill.parallel import run_parallel
from curvec.parameters import quadratic

PROGRAM = """
import numpy as np, curvec
from curvec.distill.parallel import run_parallel
y = np.random.default_rng(0).normal(size=4000)
def search(seed):
    curvec.fit_pwl(np.arange(4000.0), y + seed, num_segments=12, num_samples=600)
    print('to the end', flush=True)
print('go', flush=True)
run_parallel(search, range(4), threads=2, label="searches of minutes")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child process")
def test_ctrl_c_ends_searches_on_threads() -> None:
    child = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "go\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    printed, errors = child.communicate(timeout=600)  # or it hangs
    assert "KeyboardInterrupt" in errors
    assert not printed  # no search, which takes minutes, came to its end
    assert child.returncode != 0


def test_an_error_of_one_job_ends_the_others() -> None:
    begun = []

    def job(number: int) -> None:
        begun.append(number)
        if number == 0:
            raise ValueError("the first")
        time.sleep(0.05)

    jobs = range(20_000)  # of minutes, so that even on a busy machine the error is seen before their end
    with pytest.raises(ValueError, match="the first"):
        run_parallel(job, jobs, threads=2, label="jobs")
    assert len(begun) < len(jobs)


def test_a_job_gives_what_it_returns() -> None:
    assert stoppable(lambda: True, lambda: 3) == 3
    assert run_parallel(lambda number: number**2, range(5), threads=3, label="squares") == [0, 1, 4, 9, 16]


def test_a_job_of_linear_algebra_asks_whether_it_is_to_end() -> None:
    with pytest.raises(KeyboardInterrupt):
        stoppable(lambda: True, lambda: quadratic.minimise(np.eye(3), np.ones(3), np.zeros((0, 3)), np.zeros(0)))


@pytest.mark.parametrize("size", [3, 4, 11])
def test_a_minimum_by_blocks_is_the_one_without(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(size)
    basis, gradient = dice.normal(size=(2 * size, size)), dice.normal(size=size)
    hessian, rules = basis.T @ basis, np.diff(np.eye(size), axis=0)
    free = quadratic.minimise(hessian, gradient, rules[:0], np.zeros(0))
    assert np.allclose(free, np.linalg.solve(hessian, -gradient))
    rising = quadratic.minimise(hessian, gradient, rules, np.zeros(size - 1))
    monkeypatch.setattr(quadratic, "_BLOCK", 4)
    assert np.allclose(quadratic.minimise(hessian, gradient, rules[:0], np.zeros(0)), free)
    assert np.allclose(quadratic.minimise(hessian, gradient, rules, np.zeros(size - 1)), rising)
