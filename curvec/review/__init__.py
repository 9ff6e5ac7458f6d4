"""For the people who review: pictures, reports, differences and policies."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curvec.review import diff, pictures, plot, plot_fit, policy, report, values

__all__ = ["diff", "pictures", "plot", "plot_fit", "policy", "report", "values"]


if not TYPE_CHECKING:  # a checker would take any name for one that is there

    def __getattr__(name: str) -> ModuleType:
        if name in __all__:  # loaded when first asked for: pages and policies are not what every user needs
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module 'curvec.review' has no attribute {name!r}")
