"""Checks of a caller's options, made before any work, with one wording for a value that an option cannot have."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from curvec.errors import InputError, shown

T = TypeVar("T")


def check(name: str, value: Any, rule: str, *, holds: bool) -> None:
    """Refuse the value of an option for which the rule does not hold.

    Raises:
        InputError: names the option, its value and the rule.

    """
    if not holds:
        raise InputError(f"{name}={shown(value)}{rule if rule.startswith(' ') else '; ' + rule}")


def check_digits(value: Any, *, or_none: bool = True) -> None:
    """Refuse ``digits`` that are not a number of significant decimal digits, 1 to 17, or, if ``or_none``, None for all.

    Raises:
        InputError: names the value.

    """
    fits = (or_none and value is None) or (is_whole(value) and 1 <= value <= 17)
    rule = "use 1 to 17 significant digits" + (", or None for all of them" if or_none else "")
    check("digits", value, rule, holds=fits)


def check_flag(name: str, value: Any) -> None:
    """Refuse a value that is neither True nor False.

    Raises:
        InputError: names the option and its value.

    """
    check(name, value, "use True or False", holds=isinstance(value, (bool, np.bool_)))


def check_choice(name: str, value: Any, choices: Collection[Any]) -> None:
    """Refuse a value that is not one of the choices; 1 and 0 do not count as True and False.

    Raises:
        InputError: names the option, its value and the choices.

    """
    fits = any(value is choice or (isinstance(value, str) and value == choice) for choice in choices)
    check(name, value, f"use one of {', '.join(map(repr, choices))}", holds=fits)


def named_entry(option: str, name: Any, registry: Mapping[str, T], what: str, known: Iterable[str] = ()) -> T:
    """The entry of a registry by its name.

    Args:
        option: the option that holds the name, for the message.
        name: the name.
        registry: the entries.
        what: what the entries are, with an article.
        known: how the message lists the names; their own spelling without.

    Raises:
        InputError: there is no such entry.

    """
    if isinstance(name, str) and name in registry:
        return registry[name]
    raise InputError(f"{option}={shown(name)} is not {what}; use one of {', '.join(known or registry)}")


def is_whole(value: Any) -> bool:
    """Whether it is an integer, and no bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether it is a real number that a double can stand for, other than NaN, and no bool."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return False
    try:
        return not math.isnan(float(value))
    except OverflowError:
        return False


def threads() -> int:
    """How many threads to use: as many as the environment's ``CURVEC_THREADS`` says, or one for each core allowed.

    Raises:
        InputError: it says something that is no positive number.

    """
    said = os.environ.get("CURVEC_THREADS", "")
    if said:
        fits = said.isascii() and said.isdigit() and int(said) >= 1
        check("CURVEC_THREADS", said, "the environment must say a positive number of threads, or nothing", holds=fits)
        return int(said)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
