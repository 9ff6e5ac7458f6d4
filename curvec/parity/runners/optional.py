"""Packages that only some runners need."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from typing import Any


def missing_packages(*packages: str) -> str | None:
    """What to install so that all of these can be imported; None if they can."""
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    return f"pip install {' '.join(package.replace('_', '-') for package in missing)}" if missing else None


def optional(package: str) -> Any:
    """The package, imported where it is used; ``needs`` has checked that it is installed."""
    return importlib.import_module(package)


def package_version(package: str) -> str:
    """The version of an installed package."""
    return importlib.metadata.version(package)
