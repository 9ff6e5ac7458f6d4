"""The rules for the fields of nodes: numbers in order, and lists of nodes small enough for every target."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from curvec.errors import InputError, counted, shown
from curvec.fields import number, sequence
from curvec.ir.base import NodeBase
from curvec.spelling import shortest

MAX_DEPTH = 32
"""How deep nodes may nest, so that no walk over a model, in any target, runs out of stack."""

MAX_NODES = 1_000_000
"""How many nodes a term may hold; a node that is used twice counts twice, as sums of shared nodes grow fast."""


def terms_tuple(terms: Any, what: str, *, least: int = 1) -> tuple[Any, ...]:
    """``terms`` as a tuple of nodes, at least ``least``.

    Raises:
        InputError: there are fewer, or it holds something else.

    """
    nodes = sequence(terms, f"the terms of {what}")
    if len(nodes) < least:
        raise InputError(f"{what} has no terms; give at least one")
    for node in nodes:
        if not isinstance(node, NodeBase):
            raise InputError(f"{what} holds {shown(node)}; its terms must be curves, lines, tables, sums or products")
    _check_size(nodes, what)
    return nodes


def _check_size(terms: Sequence[NodeBase], what: str) -> None:
    sizes: dict[int, tuple[int, int]] = {}  # a node that is there many times is measured once

    def size(node: NodeBase) -> tuple[int, int]:
        """The depth of a node, and the number of nodes with those inside it."""
        if id(node) not in sizes:
            inside = [size(child) for child in node.children]
            depth = 1 + max((depth for depth, _ in inside), default=0)
            sizes[id(node)] = depth, 1 + sum(count for _, count in inside)
        return sizes[id(node)]

    found = [size(term) for term in terms]
    if max((depth for depth, _ in found), default=0) >= MAX_DEPTH:
        raise InputError(f"{what} is nested more than {MAX_DEPTH} deep, which no target can express; flatten it")
    count = sum(count for _, count in found)
    if count > MAX_NODES:
        raise InputError(f"{what} holds {count:,} nodes, more than {MAX_NODES:,}; add up the terms of one feature")


def number_pairs(points: Any, what: str) -> tuple[tuple[float, float], ...]:
    """Points as pairs of finite numbers, at least two, x strictly increasing.

    Raises:
        InputError: a rule is broken; the message says of ``what``.

    """
    x_of, y_of = f"{what}: an x", f"{what}: a y"
    result: list[tuple[float, float]] = []
    try:
        for point in sequence(points, f"{what}: the points"):
            try:
                x, y = point
            except (TypeError, ValueError):
                raise InputError(f"{what}: the point {shown(point)} is not a pair (x, y)") from None
            result.append((number(x, x_of), number(y, y_of)))
    except InputError as error:
        raise error.at("points", len(result)) from None
    if len(result) < 2:
        raise InputError(
            f"{what} has {counted(len(result), 'point')}; it needs two (fold a constant into the intercept)"
        )
    check_increasing([x for x, _ in result], what, "points")
    return tuple(result)


def numbers(values: Any, what: str, argument: str) -> tuple[float, ...]:
    """The numbers of an argument of a node: its cuts, or its values.

    Raises:
        InputError: one is none, or is not finite.

    """
    result: list[float] = []
    try:
        for value in sequence(values, f"{what}: the {argument}"):
            result.append(number(value, f"{what}: a {argument.removesuffix('s')}"))  # noqa: PERF401  the place of an error
    except InputError as error:
        raise error.at(argument, len(result)) from None
    return tuple(result)


def check_increasing(values: Sequence[float], what: str, argument: str) -> None:
    """Refuse numbers, of an argument of a node, that do not increase strictly.

    Raises:
        InputError: two neighbours do not.

    """
    for place, (left, right) in enumerate(itertools.pairwise(values), start=1):
        if not left < right:
            message = f"{what}: {shortest(left)} is followed by {shortest(right)}; x must be strictly increasing"
            raise InputError(message).at(argument, place)
