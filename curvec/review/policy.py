"""Checking a model against a policy file: which rules the model breaks, and where.

A policy is TOML: ``[model]`` for the whole, ``[curves]`` for every curve, ``[features.NAME]`` for one feature, whose
rules go before those of ``[curves]``. :func:`rules_table` lists them all. The file is strict: what is not a rule is
refused, with the nearest name that is.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from curvec.errors import InputError, shown
from curvec.files import read_text
from curvec.ir import curves_of, names_of
from curvec.model import CurveModel
from curvec.review.rules import CURVE_RULES, MODEL_RULES, TERM_RULES, Rule, Use

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_FEATURE_RULES = {**CURVE_RULES, **TERM_RULES}
_TABLES = {"model": MODEL_RULES, "curves": _FEATURE_RULES}
_MAX_BYTES = 2**20


class Finding(msgspec.Struct, frozen=True):
    """One way in which a model breaks a policy.

    Attributes:
        feature: the feature; several of an interaction joined by " x "; empty for the model itself.
        rule: the rule's name.
        value: what was found: a number, a name, or None where something is not declared.
        message: what was found and what is allowed.

    """

    feature: str
    rule: str
    value: float | str | None
    message: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.feature or 'model'}: {self.rule}: {self.message}"


class Policy(msgspec.Struct, frozen=True):
    """Rules by name, already checked: of the model, of every curve, and of single features."""

    model: Mapping[str, Any] = msgspec.field(default_factory=dict)
    curves: Mapping[str, Any] = msgspec.field(default_factory=dict)
    features: Mapping[str, Mapping[str, Any]] = msgspec.field(default_factory=dict)

    def of(self, feature: str) -> dict[str, Any]:
        """The rules for one feature."""
        return {**self.curves, **self.features.get(feature, {})}


def load_policy(path: str | Path) -> Policy:
    """The policy of a TOML file.

    Raises:
        InputError: the file is not there, not TOML, or not a policy; the message says where.

    """
    return read_policy(read_text(path, _MAX_BYTES, "policy"), str(path))


def read_policy(source: str, origin: str = "policy") -> Policy:
    """The policy of a TOML text.

    Raises:
        InputError: not TOML, an unknown table or rule (the nearest one is named), or a value that the rule does not
            take.

    """
    try:
        wire = tomllib.loads(source)
    except (ValueError, RecursionError) as error:  # a ValueError for integers of many digits
        raise InputError(f"{origin}: not TOML: {error}") from None
    for name in wire:
        _known(name, [*_TABLES, "features"], f"{origin}: the table")
    tables = {name: _rules(_table(wire, name, origin), rules, f"{origin}: [{name}]") for name, rules in _TABLES.items()}
    features = _table(wire, "features", origin)
    of_features = {
        name: _rules(_table(features, name, f"{origin}: features"), _FEATURE_RULES, f"{origin}: [features.{name}]")
        for name in features
    }
    return Policy(tables["model"], tables["curves"], of_features)


def _table(wire: Mapping[str, Any], name: str, origin: str) -> dict[str, Any]:
    table = wire.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{origin}: {name} is {shown(table)}; it must be a table")
    return table


def _rules(table: Mapping[str, Any], rules: Mapping[str, Rule], where: str) -> dict[str, Any]:
    result = {}
    for name, value in table.items():
        _known(name, rules, f"{where}: the rule")
        try:
            result[name] = rules[name].value.parse(value)
        except ValueError:
            raise InputError(f"{where}: {name} = {shown(value)}; it takes {rules[name].value.takes}") from None
    return result


def _known(name: str, known: Any, what: str) -> None:
    if name not in known:
        near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
        raise InputError(f"{what} {shown(name)} is unknown; {hint}")


def check_policy(model: CurveModel, policy: Policy) -> list[Finding]:
    """Every violation of a policy: of the rules for the whole model, then term by term; empty if there is none."""
    findings = [Finding("", name, *found) for name, found in _broken(policy.model, MODEL_RULES, model)]
    findings += _unknown_features(model, policy)
    findings += _without_order(model, policy)
    for term in model.terms:
        features = names_of(term)
        name_of_term = " x ".join(features)
        for feature in features:
            broken = _broken(policy.of(feature), TERM_RULES, Use(term, feature))
            findings += [Finding(name_of_term, name, *found) for name, found in broken]
        for curve in curves_of(term):  # a curve of a sum has the features of the sum
            feature = " x ".join(names_of(curve))
            broken = _broken(policy.of(feature), CURVE_RULES, curve)
            findings += [Finding(feature, name, *found) for name, found in broken]
    return list(dict.fromkeys(findings))


def _broken(
    values: Mapping[str, Any], rules: Mapping[str, Rule], subject: Any
) -> Iterator[tuple[str, tuple[Any, str]]]:
    for name, rule in rules.items():
        if name in values:
            for found in rule.check(values[name], subject):
                yield name, found


def _unknown_features(model: CurveModel, policy: Policy) -> Iterator[Finding]:
    """A finding for each feature that has rules but is not in the model, as a typo would leave rules unchecked."""
    names = [feature.name for feature in model.features]
    for name in policy.features:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            yield Finding(
                name, "features", name, f"the policy has rules for {shown(name)}, which the model does not have{hint}"
            )


def _without_order(model: CurveModel, policy: Policy) -> Iterator[Finding]:
    """A finding for each rule about the order or slope of a feature without any, as no model could break that rule."""
    for feature in model.features:
        if feature.type == "number":
            continue
        without = _OF_NUMBERS if feature.type == "str" else _OF_NUMBERS - {"monotone", "range"}
        for name in policy.features.get(feature.name, {}):
            if name in without:
                what = "text has no order" if feature.type == "str" else "levels have no slope"
                yield Finding(feature.name, name, feature.type, f"{what}: the rule says nothing of a category")


_OF_NUMBERS = {"monotone", "min_slope", "max_slope", "range", "knots", "max_characters"}


def rules_table() -> str:
    """All rules as a Markdown table."""
    lines = ["| table | rule | takes | what must hold |", "|---|---|---|---|"]
    tables = {"[model]": MODEL_RULES, "[curves], [features.NAME]": _FEATURE_RULES}
    for table, rules in tables.items():
        lines += [f"| {table} | {rule.name} | {rule.value.takes} | {rule.says} |" for rule in rules.values()]
    return "\n".join(lines) + "\n"
