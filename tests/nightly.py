"""What `make test` tries a part of, and `make nightly` the whole of."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import settings

__all__ = ["NIGHTLY", "by_diagonal", "examples"]

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"


def examples(count: int) -> settings:
    """So many examples of a property; at night four times as many."""
    return settings(max_examples=4 * count if NIGHTLY else count)


def by_diagonal(
    names: Sequence[str], *axes: Sequence[Any], ids: Callable[[Any], str] | None = None
) -> pytest.MarkDecorator:
    """Parameters that are a product: each value of each axis is tried, and at night each of them with all others.

    The diagonal goes on from the start of an axis that is shorter than the longest.
    """
    steps = range(max(map(len, axes)))
    diagonal = {tuple(step % len(axis) for axis in axes) for step in steps}
    return pytest.mark.parametrize(
        names,
        [
            pytest.param(
                *(axis[place] for axis, place in zip(axes, places, strict=True)),
                marks=[] if places in diagonal else pytest.mark.nightly,
            )
            for places in itertools.product(*(range(len(axis)) for axis in axes))
        ],
        ids=ids,
    )
