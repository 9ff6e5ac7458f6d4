"""Neural additive models of ReLU units, from a state_dict (a mapping of arrays, or an .npz file of one).

A ReLU net of one input is piecewise linear: its corners are found layer by layer, where a unit crosses zero, over
the whole line. The weights are taken as doubles; a net that is evaluated in float32 differs by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec
import numpy as np

from curvec.errors import UnsupportedError, shown
from curvec.ir import Feature
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.basis_functions import Function, Polynomial, add_up
from curvec.teachers.parts.files import Document
from curvec.transforms import FloatArray

Layers: TypeAlias = list[tuple[FloatArray, FloatArray]]
"""(outputs, inputs) weights and (outputs,) biases, with a ReLU between each two."""


class _Lines(msgspec.Struct):
    """Units over the line: values (points, units) at the points, and slopes (units,) to the left and the right."""

    points: FloatArray
    values: FloatArray
    left: FloatArray
    right: FloatArray


def _matches(teacher: Any) -> bool:
    return (
        isinstance(teacher, Document)
        and isinstance(teacher.content, Mapping)
        and all(hasattr(value, "shape") for value in teacher.content.values())
        and any(key.endswith("weight") for key in teacher.content)
    )


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    nets, constant = _nets(teacher.content)
    labels = [name for name, _ in nets]
    own = None if all(label.isdigit() for label in labels) or len(set(labels)) < len(labels) else labels
    names = options.names(own, len(nets), "x")
    functions: list[Function] = [relu_net(layers, index) for index, (_, layers) in enumerate(nets)]
    terms, rest = add_up(functions, names)
    notes = ["a state_dict does not say its activation or its link: ReLU is assumed, and the score is raw"]
    return AdditiveParts(
        [Feature(name) for name in names], terms, constant + rest, options.link or "identity", notes=notes
    )


def relu_net(layers: Layers, feature: int) -> Polynomial:
    """The piecewise-linear function of a net of one input and one output, on the whole line."""
    lines = _Lines(np.zeros(1), np.zeros((1, 1)), np.ones(1), np.ones(1))
    for index, (weights, biases) in enumerate(layers):
        values = lines.values @ weights.T + biases
        lines = _Lines(lines.points, values, weights @ lines.left, weights @ lines.right)
        if index < len(layers) - 1:
            lines = _rectified(lines)
    points, values = lines.points, lines.values[:, 0]
    slopes = np.r_[lines.left[0], np.diff(values) / np.diff(points), lines.right[0]]
    anchors = np.r_[points[0], points]
    return Polynomial(feature, points, anchors, np.column_stack([np.r_[values[0], values], slopes]))


def _rectified(lines: _Lines) -> _Lines:
    """max(unit, 0) for every unit, with a point wherever one crosses zero."""
    points, values = lines.points, lines.values
    with np.errstate(divide="ignore", invalid="ignore"):
        before = points[0] - values[0] / lines.left
        after = points[-1] - values[-1] / lines.right
        rows, units = np.nonzero(values[:-1] * values[1:] < 0)
        low, high = values[rows, units], values[rows + 1, units]
        between = points[rows] + (points[rows + 1] - points[rows]) * (low / (low - high))
    found = np.r_[before[np.isfinite(before) & (before < points[0])], between]
    every = np.unique(np.r_[found, points, after[np.isfinite(after) & (after > points[-1])]])
    filled = np.column_stack([_extended(every, lines, unit) for unit in range(values.shape[1])])
    # Beyond the outermost crossing a unit has the sign of its slope there, or of its value where it is level.
    left = np.where(np.where(lines.left == 0, filled[0], -lines.left) > 0, lines.left, 0.0)
    right = np.where(np.where(lines.right == 0, filled[-1], lines.right) > 0, lines.right, 0.0)
    return _Lines(every, np.maximum(filled, 0.0), left, right)


def _extended(x: FloatArray, lines: _Lines, unit: int) -> FloatArray:
    points, values = lines.points, lines.values[:, unit]
    inside = np.interp(x, points, values)
    inside = np.where(x < points[0], values[0] + lines.left[unit] * (x - points[0]), inside)
    return np.where(x > points[-1], values[-1] + lines.right[unit] * (x - points[-1]), inside)


def _nets(state: Mapping[str, Any]) -> tuple[list[tuple[str, Layers]], float]:
    """The nets in order, each under its name, and the model's bias.

    Raises:
        UnsupportedError: an entry is no weight or bias of a dense layer; the message names it.

    """
    arrays = {key: _array(state[key]) for key in _in_order(state)}
    nets: list[tuple[str, Layers]] = []
    constant, used = 0.0, set()
    open_net = False
    for key in [key for key in arrays if key.endswith("weight")]:
        weights, bias = arrays[key], arrays.get(key[: -len("weight")] + "bias")
        if weights.ndim != 2 or bias is None or (not open_net and weights.shape[1] != 1):
            raise UnsupportedError(f"{shown(key)} of shape {weights.shape} is no dense layer of a net of one input")
        if not open_net:
            nets.append((_label(key), []))
        nets[-1][1].append((weights, bias))
        open_net = weights.shape[0] != 1
        used |= {key, key[: -len("weight")] + "bias"}
    for key in set(arrays) - used:
        if arrays[key].size != 1:
            raise UnsupportedError(
                f"{shown(key)} of shape {arrays[key].shape} is neither a layer's weights nor the bias"
            )
        constant += float(arrays[key].ravel()[0])
    if open_net:
        raise UnsupportedError(f"the net {nets[-1][0]!r} ends in {nets[-1][1][-1][0].shape[0]} outputs; it must be one")
    return nets, constant


def _in_order(keys: Iterable[str]) -> list[str]:
    """The keys with the numbers in them in their order, as a file that sorts its keys has not left them."""
    places: dict[tuple[str, ...], dict[str, int]] = {}

    def place(words: tuple[str, ...]) -> tuple[int, int]:
        siblings = places.setdefault(words[:-1], {})
        first = siblings.setdefault(words[-1], len(siblings))
        return (1, int(words[-1])) if words[-1].isdecimal() else (0, first)

    def order(key: str) -> list[tuple[int, int]]:
        words = tuple(key.split("."))
        return [place(words[: n + 1]) for n in range(len(words))]

    return sorted(keys, key=order)


def _array(value: Any) -> FloatArray:
    """An array of doubles of an array or a tensor."""
    return np.asarray(value.detach().cpu().numpy() if hasattr(value, "detach") else value, dtype=np.float64)


def _label(key: str) -> str:
    """What stands after the first dot: "feature_nns.age.0.weight" is the net "age"."""
    parts = key.split(".")
    return parts[1] if len(parts) > 3 else parts[0]


ADAPTER = Adapter("ReLU nets (state_dict)", _matches, _take_apart, frozenset({"feature_names", "link"}))
