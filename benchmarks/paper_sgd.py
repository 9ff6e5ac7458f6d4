"""The paper's baseline: curves trained from zero by stochastic gradient descent (Ravina et al. 2021, section 5).

Knots at quantiles, every y 0 to begin with, Adadelta, batches, one run a bag, y averaged over the bags. The intercept
begins at the labels' mean (log-odds for classes). As with the forests all bags are cut after the same step, the best
for the rows that bags left out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from paper_sets import Array, Part, Task
from paper_teachers import Progress, held_out_choice

from curvec import CurveModel, Feature
from curvec.parameters.design import design, parameters, with_parameters
from curvec.refine import quantile_model
from curvec.refine.losses import Loss, loss_on

__all__ = ["descend", "trained_curves"]

_LOOKS = 40
"""Looks at the rows left out."""

_Batch = list[tuple[slice | npt.NDArray[np.intp], Loss]]
"""Parts of as much weight each: rows, and their loss."""


def trained_curves(
    task: Task, train: Part, *, segments: int, bags: int, steps: int, batch: int, say: Progress
) -> CurveModel:
    """Curves of ``segments`` pieces, learned from the labels alone; ``batch`` counts rows, or queries."""
    varied = [name for name in train.rows.columns if train.rows[name].nunique() > 1]
    features = [Feature(name, "int") if name in task.categories else Feature(name) for name in varied]
    start = quantile_model(train.rows, features, num_segments=segments, link=task.link)
    basis = design(start, start.table(train.rows)).toarray().astype(np.float32)
    mean = float(train.y.mean())
    intercept = float(np.log(mean / (1 - mean))) if task.link == "logit" else 0.0 if task.ranking else mean
    loss = loss_on("approx_ndcg" if task.ranking else task.loss, task.link, train.y, None, train.query)
    theta = parameters(start)
    theta[-1] = intercept
    runs = np.empty((bags, _LOOKS, len(theta)))
    total, count = np.zeros((len(basis), _LOOKS)), np.zeros(len(basis))
    for number in range(bags):
        say(f"bag {number + 1} of {bags}")
        inside, outside = train.bag(number)
        runs[number] = descend(basis, loss, train, inside, theta, steps, batch, number)
        total[outside] += basis[outside] @ runs[number].T
        count[outside] += 1
    with np.errstate(invalid="ignore"):
        best = held_out_choice(task, train, total / count[:, None])
    say(f"{(best + 1) * steps // _LOOKS} of {steps} steps")
    return with_parameters(start, runs[:, best].mean(axis=0))


def descend(
    basis: npt.NDArray[np.float32],
    loss: Loss,
    train: Part,
    inside: npt.NDArray[np.intp],
    start: Array,
    steps: int,
    batch: int,
    seed: int,
    looks: int = _LOOKS,
) -> Array:
    """(looks, p) the values at so many looks: Adadelta (Zeiler 2012), rho 0.95, epsilon 1e-6, rate 1."""
    random = np.random.default_rng(seed)
    theta, seen, moved = start.astype(np.float32), np.zeros(len(start), np.float32), np.zeros(len(start), np.float32)
    seen_at, epoch = np.empty((looks, len(start))), _epochs(loss, train, inside, batch, random)
    for step in range(steps):
        gradient = np.mean([_gradient(basis[rows], part, theta) for rows, part in next(epoch)], axis=0)
        seen += np.float32(0.05) * (gradient * gradient - seen)
        change = -np.sqrt((moved + np.float32(1e-6)) / (seen + np.float32(1e-6))) * gradient
        moved += np.float32(0.05) * (change * change - moved)
        theta += change
        if (step + 1) % (steps // looks) == 0:
            seen_at[min((step + 1) // (steps // looks), looks) - 1] = theta
    return seen_at


def _gradient(basis: npt.NDArray[np.float32], loss: Loss, theta: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(p,) of a part's mean loss; basis (rows, p)."""
    slopes: npt.NDArray[np.float32] = loss.gradient((basis @ theta).astype(np.float64)).astype(np.float32)
    return slopes @ basis


def _epochs(
    loss: Loss, train: Part, inside: npt.NDArray[np.intp], size: int, random: np.random.Generator
) -> Iterator[_Batch]:
    """Batches of the bag's rows, in a new order whenever all have had their turn; whole queries where there are any."""
    if train.query is None:
        while True:
            order = random.permutation(inside)
            batches = [order[place : place + size] for place in range(0, len(order) - size + 1, size)]
            yield from ([(rows, loss.restricted_to(rows))] for rows in reversed(batches))
    whole = np.split(inside, np.flatnonzero(np.diff(train.query[inside])) + 1)
    # A query's rows are next to each other, so that its part of the basis is a view; what its loss needs is made once.
    queries = [(slice(rows[0], rows[-1] + 1), loss.restricted_to(rows)) for rows in whole if np.ptp(train.y[rows]) > 0]
    while True:
        order = random.permutation(len(queries))
        chunks = np.array_split(order, max(1, len(order) // size))
        yield from ([queries[one] for one in chunk] for chunk in reversed(chunks))
