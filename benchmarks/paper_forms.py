"""The paper's other two forms, trained, distilled bottom-up and judged (Ravina et al. 2021, sections 1 and 4).

    python benchmarks/paper_forms.py DATA [--forms gated nested] [--folds 0 1 2 3 4] [--segments 3 5]

Gated, on the ranking set: the sum over ten features of (g1(c1) + g2(c2)) * f(x), where c1 and c2 say something of the
query and not of the document. Nested, on FICO: g(f1(x1) + ... + f22(x22)) and the two codes. Every function is a small
ReLU network, all trained together by Adam; the features of the ranking are those of which a plain additive forest makes
most. Printed are NDCG@5 and RMSE on the test rows: a plain additive network of the same features, the teacher, and the
distilled model. DATA is as paper_sets.py says.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from paper_sets import TASKS, Array, Fold, Part, Task
from paper_teachers import Adam, Network, forest
from rich.console import Console
from rich.table import Table

import curvec
from curvec.metrics import metric
from curvec.refine.losses import loss_on
from curvec.teachers import Add, Multiply, Outer, Structure
from curvec.teachers import Part as Piece

Floats = npt.NDArray[np.float32]
WIDTH = (24,)


@dataclass(frozen=True)
class Scaled:
    """Columns scaled to -1 to 1, by ranks (long tails) or linearly, as functions of the raw values."""

    names: list[str]
    knots: list[Array]
    places: list[Array]

    @classmethod
    def of(cls, rows: pd.DataFrame, *, ranks: bool) -> Scaled:
        """The scaling that suits these rows."""
        knots, places = [], []
        for name in rows.columns:
            x = (
                np.unique(np.quantile(rows[name], np.linspace(0, 1, 33)))
                if ranks
                else np.r_[rows[name].min(), rows[name].max()]
            )
            knots.append(x)
            places.append(np.linspace(-1, 1, len(x)))
        return cls(list(rows.columns), knots, places)

    def column(self, place: int, values: npt.ArrayLike) -> Floats:
        """One column."""
        return np.interp(np.asarray(values, dtype=float), self.knots[place], self.places[place]).astype(np.float32)

    def table(self, rows: pd.DataFrame) -> Floats:
        """(rows, features) all of them."""
        return np.column_stack([self.column(place, rows[name]) for place, name in enumerate(self.names)])


def asked(net: Network, place: int, x: Floats) -> Array:
    """(n,) one of a network's functions."""
    inputs = np.zeros((len(x), len(net.weights[0])), dtype=np.float32)
    inputs[:, place] = x
    return net.forward(inputs)[-1][place, :, 0].astype(np.float64)


class Gated:
    """The sum over features of (g1(c1) + g2(c2)) * f(x); ``context`` empty: the plain sum of f(x).

    Args:
        train: the rows.
        features: names of x.
        context: names of c.
        steps: of Adam, each on all rows.

    """

    def __init__(self, train: Part, features: list[str], context: list[str], steps: int) -> None:
        self._x, self._c = (Scaled.of(train.rows[names], ranks=True) for names in (features, context))
        self._curves = Network(len(features), WIDTH, 0)
        self._gates = [Network(max(len(context), 1), WIDTH, 1 + place) for place in range(len(features))]
        self._gated = bool(context)
        loss = loss_on("listwise", "identity", train.y, None, train.query)
        x, c = (
            self._x.table(train.rows),
            self._c.table(train.rows) if context else np.zeros((len(train.y), 1), np.float32),
        )
        adam = Adam([*self._curves.weights, *(one for gate in self._gates for one in gate.weights)], 0.01, 1e-3)
        for step in range(steps):
            values, gates = self._curves.forward(x), [gate.forward(c) for gate in self._gates]
            factor = self._factors(gates)
            f = values[-1][:, :, 0]
            push = loss.gradient(np.sum(factor * f, axis=0).astype(float)).astype(np.float32)
            moved = self._curves.gradients(values, push * factor)
            for place, gate in enumerate(self._gates):
                moved += gate.gradients(gates[place], push * f[place] * np.float32(self._gated))
            adam.step(moved, 1 - step / steps)

    def _factors(self, gates: list[list[Floats]]) -> Floats:
        """(features, rows): 1 + what the gates add up to, so that a gate of zeros is the plain sum."""
        return np.stack([1 + self._gated * gate[-1][:, :, 0].sum(axis=0) for gate in gates])

    def structure(self) -> Structure:
        """The parts; the 1 of each factor is in the gate of the first context feature."""
        parts: list[Any] = []
        for place, name in enumerate(self._x.names):
            curve = Piece(name, lambda v, k=place: asked(self._curves, k, self._x.column(k, v)))
            gates = [Piece(c, self._gate(place, j)) for j, c in enumerate(self._c.names)]
            parts.append(Multiply([Add(gates), curve]) if gates else curve)
        return Structure(parts)

    def _gate(self, place: int, number: int) -> Callable[[Any], Array]:
        one = 1.0 if number == 0 else 0.0
        return lambda v: one + asked(self._gates[place], number, self._c.column(number, v))

    def score(self, rows: pd.DataFrame) -> Array:
        """(rows,) scores."""
        x, c = self._x.table(rows), self._c.table(rows) if self._gated else np.zeros((len(rows), 1), np.float32)
        factor = self._factors([gate.forward(c) for gate in self._gates])
        return np.sum(factor * self._curves.forward(x)[-1][:, :, 0], axis=0).astype(np.float64)


class Nested:
    """g(f1(x1) + ...), squared loss; ``outer`` False: the plain sum."""

    def __init__(self, train: Part, epochs: int, *, outer: bool) -> None:
        self._x, self._outer = Scaled.of(train.rows, ranks=False), outer
        self._mean, self._sd = float(train.y.mean()), float(train.y.std())
        self._curves, self._g = Network(train.rows.shape[1], WIDTH, 0), Network(1, WIDTH, 1)
        x, y = self._x.table(train.rows), ((train.y - self._mean) / self._sd).astype(np.float32)
        adam, random = Adam([*self._curves.weights, *self._g.weights], 0.005, 1e-4), np.random.default_rng(0)
        steps = len(y) // 128
        for step in range(epochs * steps):
            if step % steps == 0:
                order = random.permutation(len(y))
            batch = order[128 * (step % steps) : 128 * (step % steps + 1)]
            values = self._curves.forward(x[batch])
            inner = values[-1][:, :, 0].sum(axis=0)
            after = self._g.forward(inner[:, None])
            push = (inner + self._outer * after[-1][0, :, 0] - y[batch]) / np.float32(len(batch))
            slope = 1 + self._slope(after) if outer else np.ones_like(inner)
            moved = self._curves.gradients(values, push * slope)
            moved += self._g.gradients(after, push * np.float32(outer))
            adam.step(moved, 1 - step / (epochs * steps))

    def _slope(self, after: list[Floats]) -> Floats:
        """(rows,) the derivative of g by its input."""
        back = np.ones_like(after[-1])
        for layer in range(len(self._g.weights) // 2 - 1, -1, -1):
            back = back @ self._g.weights[2 * layer].transpose(0, 2, 1)
            if layer:
                back = back * (after[layer] > 0)
        return back[0, :, 0]

    def _of_sum(self, inner: npt.ArrayLike) -> Array:
        s = np.asarray(inner, dtype=np.float32)
        return self._mean + self._sd * (s + self._outer * self._g.forward(s[:, None])[-1][0, :, 0]).astype(np.float64)

    def structure(self) -> Structure:
        """The parts: the whole is one function of a sum."""
        pieces = [
            Piece(name, lambda v, k=place: asked(self._curves, k, self._x.column(k, v)))
            for place, name in enumerate(self._x.names)
        ]
        return Structure([Outer(self._of_sum, Add(pieces))])

    def score(self, rows: pd.DataFrame) -> Array:
        """(rows,) predictions."""
        return self._of_sum(self._curves.forward(self._x.table(rows))[-1][:, :, 0].sum(axis=0))


def of_the_query(train: Part, count: int) -> list[str]:
    """The columns that vary between queries and least within them."""
    rows = train.rows.loc[:, train.rows.nunique() > 5]
    inside = rows.groupby(train.query).transform("mean")
    return list(((rows - inside).var() / rows.var()).sort_values().index[:count])


def of_the_document(task: Task, train: Part, count: int, but: list[str]) -> list[str]:
    """The columns of which an additive forest makes most."""
    bags = forest(task, train, depth=3, interacting=False, bags=1, rounds=100, rate=0.05, say=lambda _: None)
    gain = pd.Series(bags[0].feature_importance("gain"), index=train.rows.columns)
    return list(gain.drop(but).sort_values(ascending=False).index[:count])


def gated(fold: Fold, segments: list[int]) -> dict[str, Array]:
    """Test scores of the plain and the gated network, and of what is distilled of the latter."""
    context = of_the_query(fold.train, 2)
    features = of_the_document(TASKS["rank"], fold.train, 10, context)
    plain, teacher = (Gated(fold.train, features, names, 150) for names in ([], context))
    scores = {"additive": plain.score(fold.test.rows), "teacher": teacher.score(fold.test.rows)}
    return scores | distilled(teacher, fold, segments)


def nested(fold: Fold, segments: list[int]) -> dict[str, Array]:
    """Test predictions of the plain and the nested network, and of what is distilled of the latter."""
    plain, teacher = (Nested(fold.train, 60, outer=outer) for outer in (False, True))
    scores = {"additive": plain.score(fold.test.rows), "teacher": teacher.score(fold.test.rows)}
    return scores | distilled(teacher, fold, segments)


def distilled(teacher: Gated | Nested, fold: Fold, segments: list[int]) -> dict[str, Array]:
    """Test scores by number of segments; the teacher is read first, and must be what the network says."""
    exact = curvec.read_teacher(teacher.structure(), fold.train.rows)
    score = teacher.score(fold.train.rows)
    away = np.abs(exact.eval(fold.train.rows) - score).max() / score.std()
    print(f"read to {away:.1e} of the score's deviation")
    if away > 0.02:
        raise SystemExit(f"the teacher was read wrongly: {away:g} deviations apart")
    models = {count: curvec.distill(exact, fold.train.rows, num_segments=count).model for count in segments}
    return {
        f"distilled, {count} segments ({model.numbers_to_read} numbers)": model.eval(fold.test.rows)
        for count, model in models.items()
    }


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--forms", nargs="+", choices=["gated", "nested"], default=["gated", "nested"])
    parser.add_argument("--folds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--segments", nargs="+", type=int, default=[3, 5])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for title, name, run in (("gated", "rank", gated), ("nested", "fico", nested)):
        if title not in arguments.forms:
            continue
        judge, found = metric(TASKS[name].metrics[0]), pd.DataFrame()
        for number in arguments.folds:
            fold = TASKS[name].fold(arguments.data, number)
            for what, score in run(fold, arguments.segments).items():
                found.loc[what.split(" (")[0], number] = judge(fold.test.y, score, None, fold.test.query)
                print(title, number, what, found.loc[what.split(" (")[0], number], flush=True)
        table = Table(title=f"{title}, {judge.name}")
        for header in ("", "mean", "deviation"):
            table.add_column(header, justify="right" if header else "left")
        for what, values in found.iterrows():
            table.add_row(str(what), f"{values.mean():.4f}", f"{values.std():.4f}")
        Console(width=100).print(table)


if __name__ == "__main__":
    main()
