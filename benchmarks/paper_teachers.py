"""The paper's teachers: boosted forests in bags, with and without interactions, and neural additive models.

Bags hold seven eighths of the rows, or of the queries; all are cut after the same round, the one with the least loss
(for rankings the largest NDCG@5) of the rows that a bag left out, each scored by the mean of the bags that left it out.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import lightgbm as lgb
import numpy as np
import numpy.typing as npt
from paper_sets import Array, Part, Task

import curvec
from curvec.metrics import metric
from curvec.teachers import Part as Piece
from curvec.teachers import Structure

__all__ = ["Adam", "Network", "additive_network", "forest", "forest_score", "held_out_choice"]

Progress = Callable[[str], None]

_EVERY = 25
"""Rounds between two looks at the rows left out."""


def held_out_choice(task: Task, train: Part, scores: Array) -> int:
    """Which column of ``scores`` (rows, choices) is the best; rows that no bag left out are NaN."""
    seen = np.flatnonzero(~np.isnan(scores[:, 0]))
    judge = metric({"log_loss": "log_loss", "squared": "rmse"}.get(task.loss, "ndcg@5"))
    inverse = curvec.links.link(task.link).inverse
    query = None if train.query is None else train.query[seen]
    values = [judge(train.y[seen], judge.predicted(column[seen], inverse), None, query) for column in scores.T]
    return int(np.argmax(values) if judge.greater_is_better else np.argmin(values))


def forest(
    task: Task, train: Part, *, depth: int, interacting: bool, bags: int, rounds: int, rate: float, say: Progress
) -> list[lgb.Booster]:
    """The bags of a boosted forest, each cut after the best round."""
    objective = {"log_loss": "binary", "squared": "regression"}.get(task.loss, "lambdarank")
    options = {
        "objective": objective,
        "learning_rate": rate,
        "max_depth": depth,
        "num_leaves": 2**depth,
        "num_threads": 1,
        "verbosity": -1,
        "lambdarank_truncation_level": 20,
    }
    if not interacting:
        options["interaction_constraints"] = [[place] for place in range(train.rows.shape[1])]
    x = train.rows.to_numpy()
    total, count = np.zeros((len(x), rounds // _EVERY)), np.zeros(len(x))
    found = []
    for number in range(bags):
        say(f"bag {number + 1} of {bags}")
        inside, outside = train.bag(number)
        part = train.at(inside)
        sizes = None if part.query is None else np.unique(part.query, return_counts=True)[1]
        data = lgb.Dataset(part.rows, part.y, group=sizes)
        found.append(lgb.train({**options, "seed": number}, data, rounds))
        total[outside] += _staged(found[-1], x[outside], rounds)
        count[outside] += 1
    with np.errstate(invalid="ignore"):
        best = _EVERY * (1 + held_out_choice(task, train, total / count[:, None]))
    for booster in found:
        booster.best_iteration = best  # from here on LightGBM predicts and saves so many rounds
    say(f"{best} of {rounds} rounds")
    return found


def _staged(booster: lgb.Booster, x: Array, rounds: int) -> Array:
    """(rows, looks) raw scores after every so many rounds."""
    steps = [
        booster.predict(x, start_iteration=start, num_iteration=_EVERY, raw_score=True)
        for start in range(0, rounds - _EVERY + 1, _EVERY)
    ]
    return np.cumsum(np.column_stack(steps), axis=1)


def forest_score(bags: list[lgb.Booster], part: Part) -> Array:
    """(rows,) the mean raw score of the bags."""
    return np.mean([bag.predict(part.rows, raw_score=True) for bag in bags], axis=0)


class Network:
    """One ReLU network of one input a feature, their outputs added up; all features of all layers in one array.

    Args:
        features: their number.
        sizes: units a layer.
        seed: of the first weights.

    """

    def __init__(self, features: int, sizes: tuple[int, ...], seed: int) -> None:
        random = np.random.default_rng(seed)
        widths = (1, *sizes, 1)
        self.weights = []
        for entering, leaving in pairwise(widths):
            scale = np.sqrt(2 / entering)
            self.weights.append(random.normal(0, scale, (features, entering, leaving)).astype(np.float32))
            spread = 1.0 if entering == 1 else 0.0  # corners of the first layer all over the inputs' range
            self.weights.append(random.uniform(-spread, spread, (features, 1, leaving)).astype(np.float32))
        self.weights[-2] *= 0.1
        self.intercept = np.zeros(1, dtype=np.float32)

    def forward(self, x: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        """Every layer's values, (features, rows, units), for x (rows, features)."""
        values = [np.ascontiguousarray(x.T)[:, :, None]]
        last = len(self.weights) // 2 - 1
        for layer in range(last + 1):
            after = values[-1] @ self.weights[2 * layer] + self.weights[2 * layer + 1]
            values.append(after if layer == last else np.maximum(after, 0))
        return values

    def gradients(self, values: list[npt.NDArray[np.float32]], push: npt.NDArray[np.float32]) -> list[Any]:
        """Of the weights, for push (rows,) or (features, rows) the loss's derivative by each function's value."""
        back = np.broadcast_to(push[..., None], values[-1].shape)
        found: list[Any] = []
        for layer in range(len(self.weights) // 2 - 1, -1, -1):
            found[:0] = [values[layer].transpose(0, 2, 1) @ back, back.sum(axis=1, keepdims=True)]
            if layer:
                back = (back @ self.weights[2 * layer].transpose(0, 2, 1)) * (values[layer] > 0)
        return found


class Adam:
    """Kingma and Ba (2015), with decoupled weight decay."""

    def __init__(self, weights: list[Any], rate: float, decay: float) -> None:
        self._weights, self._rate, self._decay = weights, rate, decay
        self._first = [np.zeros_like(one) for one in weights]
        self._second = [np.zeros_like(one) for one in weights]
        self._steps = 0

    def step(self, gradients: list[Any], share: float) -> None:
        """One step, with ``share`` of the rate."""
        self._steps += 1
        fade = (1 - 0.9**self._steps, 1 - 0.999**self._steps)
        for place, own in enumerate(gradients):
            self._first[place] += 0.1 * (own - self._first[place])
            self._second[place] += 0.001 * (own * own - self._second[place])
            moved = (self._first[place] / fade[0]) / (np.sqrt(self._second[place] / fade[1]) + 1e-8)
            self._weights[place] -= share * self._rate * (moved + self._decay * self._weights[place])


def additive_network(task: Task, train: Part, *, members: int, epochs: int, say: Progress) -> Structure:
    """A neural additive model (Agarwal et al. 2021): the mean of a few, each on a bag, as a teacher's parts.

    Inputs are scaled to [-1, 1], regression's labels to deviation 1; batches of 128, Adam at 0.005 falling to 0.
    """
    x = train.rows.to_numpy()
    low, high = x.min(axis=0), x.max(axis=0)
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, 1e-12)
    shift, scale = (0.0, 1.0) if task.link == "logit" else (float(train.y.mean()), float(train.y.std()))
    z, y = ((x - middle) / half).astype(np.float32), ((train.y - shift) / scale).astype(np.float32)
    nets = []
    for number in range(members):
        say(f"network {number + 1} of {members}")
        net = Network(x.shape[1], (48, 24), number)
        _train(net, z, y, train.bag(number)[0], epochs, number, classes=task.link == "logit")
        nets.append(net)

    def piece(place: int) -> Piece:
        def function(values: npt.NDArray[Any]) -> Array:
            inputs = np.zeros((len(values), x.shape[1]), dtype=np.float32)
            inputs[:, place] = (values - middle[place]) / half[place]
            return scale * np.mean([net.forward(inputs)[-1][place, :, 0] for net in nets], axis=0).astype(np.float64)

        return Piece(train.rows.columns[place], function)

    intercept = shift + scale * float(np.mean([net.intercept[0] for net in nets]))
    return Structure([piece(place) for place in range(x.shape[1])], intercept, task.link)


def _train(
    net: Network,
    z: npt.NDArray[np.float32],
    y: npt.NDArray[np.float32],
    rows: npt.NDArray[np.intp],
    epochs: int,
    seed: int,
    *,
    classes: bool,
) -> None:
    random = np.random.default_rng(seed)
    adam = Adam([*net.weights, net.intercept], 0.005, 1e-4)
    steps = len(rows) // 128
    for step in range(epochs * steps):
        if step % steps == 0:
            order = random.permutation(rows)
        batch = order[128 * (step % steps) : 128 * (step % steps + 1)]
        values = net.forward(z[batch])
        score = values[-1][:, :, 0].sum(axis=0) + net.intercept
        push = (_sigmoid(score) if classes else score) - y[batch]
        push /= np.float32(len(batch))
        adam.step([*net.gradients(values, push), push.sum(keepdims=True)], 1 - step / (epochs * steps))


def _sigmoid(score: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return (1 / (1 + np.exp(-score))).astype(np.float32)
