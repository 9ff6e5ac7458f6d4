"""What an object is, by the names of its classes: no library is imported to find out."""

from __future__ import annotations

from typing import Any

__all__ = ["is_instance"]


def is_instance(value: Any, package: str, *classes: str) -> bool:
    """Whether ``value`` is of one of the named classes of that package, or of a subclass of one."""
    return any(
        kind.__name__ in classes and kind.__module__.partition(".")[0] == package for kind in type(value).__mro__
    )
