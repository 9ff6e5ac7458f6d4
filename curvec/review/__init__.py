"""For the people who review: pictures, reports, differences and policies."""

from __future__ import annotations

from importlib import import_module

__all__ = ["comparison", "diff", "plot", "plot_fit", "policy", "report", "values"]


def __getattr__(name: str) -> object:
    if name in __all__:  # loaded when first asked for: pictures and pages have dependencies of their own
        return import_module(f"curvec.review.{name}")
    raise AttributeError(f"module 'curvec.review' has no attribute {name!r}")
