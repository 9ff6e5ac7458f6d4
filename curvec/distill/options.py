"""The options of a distillation, checked, and the options that follow for one feature."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from curvec.checks import check, check_choice, check_digits, is_number, is_whole
from curvec.errors import InputError, shown
from curvec.fields import changed
from curvec.fit import fit_pwl
from curvec.fit.options import KNOTS_ON, MONO
from curvec.parameters.precision import Digits
from curvec.transforms import TRANSFORMS

_RESERVED = frozenset({"x", "y", "w", "feature", "missing", "through"})
"""Arguments of fit_pwl that distill sets itself; and `through`, as a term is known but for a constant."""


class DistillOptions(msgspec.Struct, frozen=True):
    """The options of :func:`curvec.distill`, resolved by feature through :meth:`fit_options`."""

    num_segments: Any = 5
    max_numbers: int | Literal["auto"] | None = None
    margin: float | Literal["auto"] = "auto"
    digits: Digits = "auto"
    mono: Any = False
    categorical: Collection[str] = ()
    unseen: str = "null"
    pairs: str = "products"
    overrides: Mapping[str, Any] = msgspec.field(default_factory=dict)
    order: str = "importance"

    def __post_init__(self) -> None:
        """Check what does not depend on the model."""
        check_digits(self.digits, or_auto=True)
        margin = self.margin
        share = margin == "auto" if isinstance(margin, str) else is_number(margin) and 0 <= margin < 1
        check("margin", margin, "it is a share of the score's variance; use 0 <= margin < 1, or 'auto'", holds=share)
        check_choice("unseen", self.unseen, ("null", "teacher"))
        check_choice("pairs", self.pairs, ("products", "drop"))
        check_choice("order", self.order, ("importance", "teacher"))
        most = self.max_numbers
        some = most is None or (isinstance(most, str) and most == "auto") or (is_whole(most) and most >= 1)
        rule = "it is how many numbers a reader has to take in: a whole number, at least 1 for the intercept, or 'auto'"
        check("max_numbers", most, rule, holds=some)
        self._check_fits()

    def _check_fits(self) -> None:
        for most in _values_of(self.num_segments):
            check("num_segments", most, "it must be a whole number >= 1", holds=is_whole(most) and most >= 1)
        for way in _values_of(self.mono):
            check_choice("mono", way, MONO)
        rule = "give {option of fit_pwl: value} for every curve, or {feature: {option: value}}"
        check("overrides", self.overrides, rule, holds=isinstance(self.overrides, Mapping))
        known = set(inspect.signature(fit_pwl).parameters) - _RESERVED
        for_all, own = self._overrides()
        for where, options in ((f"overrides[{shown(feature)}]", own[feature]) for feature in own):
            for name in set(options) - known:
                raise InputError(f"{where} has {shown(name)}; fit_pwl takes {', '.join(sorted(known))}")
        for name in set(for_all) - known:
            raise InputError(
                f"overrides has {shown(name)}: {shown(for_all[name])}; give an option of fit_pwl for every curve "
                f"({', '.join(sorted(known))}), or feature -> {{option: value}}"
            )
        for options in (for_all, *own.values()):
            if "num_segments" in options:
                most = options["num_segments"]
                check("num_segments", most, "it must be a whole number >= 1", holds=is_whole(most) and most >= 1)
            if "knots_on" in options:
                check_choice("knots_on", options["knots_on"], KNOTS_ON)
            function = options.get("fx")
            named = function is None or (isinstance(function, str) and function in TRANSFORMS)
            rule = f"a model's curves take a transform by its name: {', '.join(TRANSFORMS)}, or None"
            check("fx", function, rule, holds=named)

    def _overrides(self) -> tuple[dict[str, Any], dict[str, Mapping[str, Any]]]:
        """The options of ``fit_pwl`` for every curve, and those of single features."""
        own = {name: value for name, value in self.overrides.items() if isinstance(value, Mapping)}
        return {name: value for name, value in self.overrides.items() if name not in own}, own

    def names(self) -> Iterable[str]:
        """Every feature that an option names."""
        for option in (self.num_segments, self.mono, self._overrides()[1]):
            if isinstance(option, Mapping):
                yield from option
        yield from self.categorical

    def fit_options(self, feature: str) -> dict[str, Any]:
        """The keyword arguments of ``fit_pwl`` for the curves of one feature."""
        options: dict[str, Any] = {
            "num_segments": per_feature(self.num_segments, feature, default=5),
            "mono": per_feature(self.mono, feature, default=False),
            "fx": None,
            "knots_on": "auto",
            "digits": self.digits,
        }
        for_all, own = self._overrides()
        return {**options, **for_all, **own.get(feature, {})}

    def with_option(self, feature: str, name: str, value: Any) -> DistillOptions:
        """The same options with one argument of ``fit_pwl`` set for one feature."""
        own = {**self.overrides.get(feature, {}), name: value}
        return changed(self, overrides={**self.overrides, feature: own})


def _values_of(*options: Any) -> Iterator[Any]:
    """Every value of options that are one value for all or a mapping from feature to value."""
    for option in options:
        yield from option.values() if isinstance(option, Mapping) else [option]


def per_feature(option: Any, feature: str, default: Any) -> Any:
    """The value of an option that is one value for all, or a mapping from feature to value."""
    return option.get(feature, default) if isinstance(option, Mapping) else option


def check_features(options: DistillOptions, features: Collection[str]) -> None:
    """Refuse an option for a feature that the teacher does not use: a typo would go unnoticed.

    Raises:
        InputError: naming the feature and what there is.

    """
    for name in options.names():
        if name not in features:
            raise InputError(
                f"an option names feature {shown(name)}; the teacher uses {', '.join(map(repr, features))}"
            )
