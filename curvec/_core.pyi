from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

_Array: TypeAlias = npt.NDArray[np.float64]

def fuse(x: _Array, y: _Array, w: _Array) -> _Array: ...
def gaps_between(knots_x: _Array, knots_u: _Array, points: _Array, points_u: _Array) -> _Array: ...
def coarsen(knots: _Array, gaps: _Array, kept: Sequence[int]) -> _Array: ...
def costs(knots: _Array, gaps: _Array, y: _Array) -> _Array: ...
def solve(
    knots: _Array,
    gaps: _Array,
    slopes: tuple[float, float],
    y_bounds: tuple[float, float],
    chosen: Sequence[int],
) -> tuple[_Array, float]: ...
def search(
    knots: _Array,
    gaps: _Array,
    most_segments: int,
    slopes: tuple[float, float],
    y_bounds: tuple[float, float],
    required: Sequence[int],
    starts: Sequence[Sequence[int]],
    seconds: float,
) -> list[tuple[list[int], _Array, float, float, bool]]: ...
