"""The errors of curvec: one base class and one class a reason."""

from __future__ import annotations

__all__ = [
    "CurvecError",
    "FitError",
    "InputError",
    "MissingDependencyError",
    "ParityError",
    "UnsupportedError",
]


class CurvecError(Exception):
    """Base of every error that curvec raises on purpose."""


class InputError(CurvecError, ValueError):
    """What was passed in breaks a rule; the message names the value, the rule and the way out."""


class FitError(CurvecError):
    """No curve satisfies what was asked of the fit."""


class UnsupportedError(CurvecError):
    """A model, teacher or option that cannot be carried over faithfully, so it is refused."""


class ParityError(CurvecError):
    """A target could not be run, or did not give the reference's numbers."""


class MissingDependencyError(CurvecError, ImportError):
    """An optional dependency is not installed; the message names the extra to install."""
