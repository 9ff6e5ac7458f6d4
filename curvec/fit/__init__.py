"""One curve: candidates, transform, exact search, constraints, rounding."""

from __future__ import annotations

from curvec.fit.api import fit_pwl
from curvec.fit.ends import End
from curvec.fit.moments import Moments
from curvec.fit.result import Fit, PathEntry

__all__ = ["End", "Fit", "Moments", "PathEntry", "fit_pwl"]
