"""Checks of a caller's options, made before any work, with one wording for a value that an option cannot have."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
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


def check_digits(value: Any, *, or_none: bool = True, or_auto: bool = False) -> None:
    """Refuse ``digits`` that are not a number of significant decimal digits, 1 to 17.

    Args:
        value: what was passed.
        or_none: whether it may be None, for all digits.
        or_auto: whether it may be "auto", for the fewest that do.

    Raises:
        InputError: names the value.

    """
    allowed = (or_none and value is None) or (or_auto and isinstance(value, str) and value == "auto")
    fits = allowed or (is_whole(value) and 1 <= value <= 17)
    auto, none = "'auto' for the fewest that do" if or_auto else "", "None for all of them" if or_none else ""
    words = " or ".join(filter(None, (auto, none)))
    rule = "use 1 to 17 significant digits" + (f", {words}" if words else "")
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


def string_list(values: Any, option: str) -> list[str]:
    """A list of names, of any kind of sequence.

    Raises:
        InputError: it is one string, nothing that has names in order, or has another thing among them.

    """
    if isinstance(values, str):
        raise InputError(f"{option}={shown(values)} is one string; pass a list of names: {option}=[{shown(values)}]")
    ordered = not isinstance(values, (Mapping, AbstractSet, bytes))
    try:
        listed = list(values) if ordered else []
    except TypeError:
        ordered = False
    check(option, values, "pass a list of names", holds=ordered)
    for value in listed:
        if not isinstance(value, str):
            raise InputError(f"{option} holds {shown(value)}; names are strings")
    return listed


def as_path(value: Any) -> Path:
    """The path of a file that is to be read or written.

    Raises:
        InputError: it is no path, nor the text of one.

    """
    named = isinstance(value, (str, os.PathLike)) and isinstance(os.fspath(value), str)  # not a PathLike of bytes
    check("path", value, "a file is named by a string or a Path", holds=named)
    return Path(value)


def is_whole(value: Any) -> bool:
    """Whether it is an integer, and no bool, nor a duration, which numpy counts among its integers."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def plain(value: Any) -> Any:
    """A scalar of numpy as Python's; a date or a duration, which could become a number of nanoseconds, as it is."""
    return value.item() if isinstance(value, np.generic) and value.dtype.kind not in "mM" else value


def is_real(value: Any) -> bool:
    """Whether it is an integer or a float, and no bool."""
    return isinstance(value, (float, np.floating)) or is_whole(value)


def is_number(value: Any) -> bool:
    """Whether it is a real number that a double can stand for, other than NaN, and no bool."""
    if not is_real(value):
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
