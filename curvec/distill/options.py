"""What is asked of a distillation, checked, and what that means for one feature."""

from __future__ import annotations

import inspect
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from curvec.checks import check, check_choice, check_digits, is_number, is_whole
from curvec.distill.precision import MARGIN, Digits
from curvec.errors import InputError
from curvec.fit import fit_pwl
from curvec.fit.options import KNOTS_ON
from curvec.transforms import TRANSFORMS

__all__ = ["DistillOptions", "check_features", "per_feature", "threads"]

_RESERVED = frozenset({"x", "y", "w", "feature", "missing"})


@dataclass(frozen=True)
class DistillOptions:
    """The options of :func:`curvec.distill`, resolved by feature through :meth:`fit_options`."""

    num_segments: Any = 5
    mono: Any = False
    fx: Any = None
    knots_on: Any = "auto"
    digits: Digits = "auto"
    margin: float = MARGIN
    max_total_segments: int | None = None
    categorical: Collection[str] = ()
    pool_below: float = 0.0
    pairs: str = "products"
    pair_share: float = 0.9
    max_products: int = 3
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    order: str = "importance"

    def __post_init__(self) -> None:
        """Check what does not depend on the model."""
        if self.digits != "auto":
            check_digits(self.digits)
        share = is_number(self.margin) and 0 <= self.margin < 1
        check("margin", self.margin, " is a share of the score's variance; use 0 <= margin < 1", holds=share)
        positive = is_number(self.pool_below) and self.pool_below >= 0
        check("pool_below", self.pool_below, " is a weight; it cannot be negative", holds=positive)
        check("pairs", self.pairs, "use 'products' or 'drop'", holds=self.pairs in ("products", "drop"))
        check("order", self.order, "use 'importance' or 'teacher'", holds=self.order in ("importance", "teacher"))
        share = is_number(self.pair_share) and 0 < self.pair_share <= 1
        check("pair_share", self.pair_share, " is a share of a pair's variance; use 0 < share <= 1", holds=share)
        some = is_whole(self.max_products) and self.max_products >= 1
        check("max_products", self.max_products, "a pair needs one product, or pairs='drop'", holds=some)
        budget = self.max_total_segments
        some = budget is None or (is_whole(budget) and budget >= 1)
        check("max_total_segments", budget, "a budget is a whole number, at least 1", holds=some)
        self._check_fits()

    def _check_fits(self) -> None:
        for most in _each(self.num_segments):
            some = (is_whole(most) and most >= 1) or (isinstance(most, str) and most == "auto")
            check("num_segments", most, "it must be a whole number >= 1, or 'auto'", holds=some)
        for place in _each(self.knots_on):
            check_choice("knots_on", place, KNOTS_ON)
        for function in _each(self.fx, *(own.get("fx") for own in self.overrides.values())):
            named = function is None or (isinstance(function, str) and function in TRANSFORMS)
            rule = f"a model's curves take a transform by its name: {', '.join(TRANSFORMS)}, or None"
            check("fx", function, rule, holds=named)
        known = set(inspect.signature(fit_pwl).parameters) - _RESERVED
        for feature, options in self.overrides.items():
            for name in set(options) - known:
                raise InputError(f"overrides[{feature!r}] has {name!r}; fit_pwl takes {', '.join(sorted(known))}")

    def names(self) -> Iterable[str]:
        """Every feature that an option names."""
        for option in (self.num_segments, self.mono, self.fx, self.knots_on, self.overrides):
            if isinstance(option, Mapping):
                yield from option
        yield from self.categorical

    def fit_options(self, feature: str) -> dict[str, Any]:
        """The keyword arguments of ``fit_pwl`` for the curves of one feature."""
        options: dict[str, Any] = {
            "num_segments": per_feature(self.num_segments, feature, default=5),
            "mono": per_feature(self.mono, feature, default=False),
            "fx": per_feature(self.fx, feature, default=None),
            "knots_on": per_feature(self.knots_on, feature, default="auto"),
            "digits": self.digits,
        }
        return {**options, **self.overrides.get(feature, {})}

    def with_segments(self, feature: str, most: int) -> DistillOptions:
        """The same options with at most ``most`` segments for one feature, whatever its tolerance."""
        return self.with_option(feature, "num_segments", most)

    def with_option(self, feature: str, name: str, value: Any) -> DistillOptions:
        """The same options with one argument of ``fit_pwl`` set for one feature."""
        own = {**self.overrides.get(feature, {}), name: value}
        return replace(self, overrides={**self.overrides, feature: own})


def _each(*options: Any) -> Iterator[Any]:
    """Every value of options that are one value for all or a mapping from feature to value."""
    for option in options:
        yield from option.values() if isinstance(option, Mapping) else [option]


def per_feature(option: Any, feature: str, default: Any) -> Any:
    """The value of an option that is one value for all, or a mapping from feature to value."""
    return option.get(feature, default) if isinstance(option, Mapping) else option


def check_features(options: DistillOptions, features: Collection[str]) -> None:
    """Refuse an option for a feature that the teacher does not use: a typo would pass in silence.

    Raises:
        InputError: naming the feature and what there is.

    """
    for name in options.names():
        if name not in features:
            raise InputError(f"an option names feature {name!r}; the teacher uses {', '.join(map(repr, features))}")


def threads(n_jobs: int | None) -> int:
    """How many threads ``n_jobs`` asks for; None and -1 are all the cores this process may use.

    Raises:
        InputError: it is 0 or less than -1.

    """
    if n_jobs is None or n_jobs == -1:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    rule = "use a positive number of threads, or None for all cores"
    check("n_jobs", n_jobs, rule, holds=is_whole(n_jobs) and n_jobs >= 1)
    return n_jobs
