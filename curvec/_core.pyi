from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

_Array: TypeAlias = npt.NDArray[np.float64]

def fuse(x: _Array, y: _Array, w: _Array | None) -> tuple[_Array, float, float, float, float]: ...
def candidates(points: _Array, most: int, enough: float) -> _Array: ...
def survey(values: _Array) -> tuple[float, float, bool]: ...
def weighted_extent(values: _Array, weights: _Array) -> tuple[float, float]: ...
def use_level(level: int) -> int: ...
def find_edges(x: _Array, w: _Array | None, unit: float, low: float, high: float, most: int) -> list[float]: ...
def accumulate(
    bins: _Array,
    edges: _Array,
    u: _Array,
    v: _Array,
    x: _Array,
    y: _Array,
    w: _Array | None,
    unit: float,
    y_origin: float,
    transforms: tuple[int, int],
    normal: bool,
    compensated: bool,
) -> None: ...
def merge_bins(bins: _Array, other: _Array) -> None: ...
def bin_moments(bins: _Array, second: bool, y_origin: float) -> _Array: ...

BIN_DOUBLES: int

def round_significant(values: _Array, digits: int) -> _Array: ...

class Sample:
    def __init__(self, table: _Array, u: _Array, moments: _Array | None) -> None: ...

_Found: TypeAlias = tuple[list[int], _Array, float, float, bool]
_Starts: TypeAlias = Sequence[Sequence[int]]

class Problem:
    @property
    def x(self) -> _Array: ...
    @property
    def u(self) -> _Array: ...
    @property
    def required(self) -> list[int]: ...
    def search(
        self, most: int, fewest: int, starts: _Starts, ceiling: float, seconds: float, curvature: bool
    ) -> list[_Found]: ...
    def costs(self, chosen: Sequence[int], y: _Array) -> _Array: ...
    def gaps(self, chosen: Sequence[int]) -> _Array: ...

class SearchSpace:
    def __init__(
        self,
        sample: Sample,
        fx: int,
        lower: float,
        closest: float,
        digits: int,
        places: str,
        slopes: tuple[float, float],
        y_bounds: tuple[float, float],
        turn: str,
        knots: _Array,
        learn_ends: bool,
        last: _Array | None,
        curvature_search: Callable[[Problem, int, _Starts, float], list[_Found]] | None,
    ) -> None: ...
    def problem(self, candidates: _Array) -> Problem: ...
    def refined(self, base: Problem, best: _Found, wanted: int, seconds: float) -> tuple[Problem, _Found]: ...

def fit_best_transform(
    spaces: Sequence[SearchSpace],
    candidates: Sequence[_Array],
    wanted: int,
    refines: bool,
    floor: float,
    margin: float,
    seconds: float,
) -> tuple[int, int, Problem, _Found]: ...
def fit_fewest_segments(
    spaces: Sequence[SearchSpace],
    candidates: Sequence[_Array],
    most: int,
    enough: float,
    refines: bool,
    floor: float,
    margin: float,
    seconds: float,
) -> tuple[int, int, Problem, _Found]: ...

class PWLCurve:
    def __init__(self, points: Sequence[tuple[float, float]], fx: str, missing: float | None) -> None: ...
    def eval(self, x: float) -> float: ...
    def eval_array(self, x: _Array) -> _Array: ...
    @property
    def slopes(self) -> list[float]: ...

class IntEnumCurve:
    def __init__(self, levels: Sequence[tuple[int, float]], default: float | None, missing: float | None) -> None: ...
    def eval(self, key: int | None) -> float: ...

class TextEnumCurve:
    def __init__(self, levels: Sequence[tuple[str, float]], default: float | None, missing: float | None) -> None: ...
    def eval(self, key: str | None) -> float: ...

class Program:
    def __init__(self, json: bytes) -> None: ...
    @property
    def term_count(self) -> int: ...
    @property
    def slots(self) -> list[tuple[str, Sequence[Any] | None]]: ...
    def run(
        self, columns: Sequence[npt.NDArray[Any]], rows: int, per_term: bool, predict: bool, threads: int
    ) -> _Array: ...

class RowReader:
    def __init__(
        self, features: Sequence[tuple[str, dict[tuple[type, Any], int] | None]], convert: Callable[..., float]
    ) -> None: ...
    def score(self, program: Program, row: Mapping[str, Any], predict: bool) -> float: ...
