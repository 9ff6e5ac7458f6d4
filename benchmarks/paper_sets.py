"""The paper's data sets in folds (Ravina et al. 2021, section 5 and appendix A.1).

DATA is a folder with compas.csv and heloc.csv, each with a column ``fold``, and with rank_train.csv.gz and
rank_test.csv.gz, whose columns are label, qid and the features. MSLR-WEB30K is a folder with Fold1 to Fold5 as
Microsoft hands it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from curvec import CurveModel, EnumCurve, StepCurve

__all__ = ["TASKS", "Fold", "Part", "Task"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """Labelled rows.

    Attributes:
        rows: (rows, features).
        y: (rows,) labels.
        query: (rows,) query ids, those of a query together; None where there are none.

    """

    rows: pd.DataFrame
    y: Array
    query: npt.NDArray[np.int64] | None = None

    def at(self, places: npt.NDArray[np.intp]) -> Part:
        """Some of the rows."""
        query = None if self.query is None else self.query[places]
        return Part(self.rows.iloc[places].reset_index(drop=True), self.y[places], query)

    def bag(self, number: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The places of seven eighths of the rows (of the queries where there are any), and those of the others."""
        group = np.arange(len(self.y)) if self.query is None else np.unique(self.query, return_inverse=True)[1]
        count = int(group.max()) + 1
        taken = np.zeros(count, dtype=bool)
        taken[np.random.default_rng(number).permutation(count)[: 7 * count // 8]] = True
        return np.flatnonzero(taken[group]), np.flatnonzero(~taken[group])


@dataclass(frozen=True)
class Fold:
    """Rows to learn from, and rows to judge by."""

    train: Part
    test: Part


@dataclass(frozen=True)
class Task:
    """One data set of the paper.

    Attributes:
        name: what the tables call it.
        file: its csv in DATA.
        target: the label's column.
        categories: columns of codes.
        link: of its models.
        metrics: the paper's first.
        loss: for ``curvec.refine``.
        column: its column in the paper's table.
        same_rows: whether the paper's rows are these; else its figures are of a larger set of the kind.

    """

    name: str
    file: str
    target: str
    categories: tuple[str, ...]
    link: str
    metrics: tuple[str, ...]
    loss: str
    column: int
    same_rows: bool = True

    @property
    def ranking(self) -> bool:
        """Whether it has queries."""
        return self.loss not in ("log_loss", "squared")

    def rows(self, data: Path) -> pd.DataFrame:
        """All rows, with labels and folds."""
        if not self.ranking:
            return pd.read_csv(data / f"{self.file}.csv")
        both = pd.concat([pd.read_csv(data / f"{self.file}_{part}.csv.gz") for part in ("train", "test")])
        rows = both.sort_values("qid", kind="stable").reset_index(drop=True)
        queries, place = np.unique(rows["qid"], return_inverse=True)
        return rows.assign(fold=(np.random.default_rng(42).permutation(len(queries)) % 5)[place])

    def fold(self, data: Path, number: int) -> Fold:
        """One of five folds; of MSLR those that it comes with."""
        if self.name == "MSLR":
            return Fold(*(_svmlight(data / f"Fold{number + 1}" / f"{part}.txt") for part in ("train", "test")))
        rows = self.rows(data)
        query = rows["qid"].to_numpy() if self.ranking else None
        left = rows.drop(columns=[self.target, "fold", *(["qid"] if self.ranking else [])])
        whole = Part(left.astype(float), rows[self.target].to_numpy(dtype=float), query)
        out = (rows["fold"] == number).to_numpy()
        return Fold(whole.at(np.flatnonzero(~out)), whole.at(np.flatnonzero(out)))

    def teacher(self, data: Path, fold: int) -> CurveModel:
        """The GAM forest of DATA/contrib: its contribution at every row is a step function of the feature there."""
        rows = self.rows(data)
        parts = pd.read_parquet(data / "contrib" / f"{self.file}_gam_fold{fold}.parquet")
        terms = []
        for name in parts.columns.drop("bias"):
            x, first = np.unique(rows[name].to_numpy(dtype=float), return_index=True)
            y = parts[name].to_numpy()[first]
            if np.ptp(y) == 0:
                continue  # never split on
            if name in self.categories:
                terms.append(EnumCurve(name, dict(zip(x.astype(int).tolist(), y.tolist(), strict=True))))
            else:
                terms.append(StepCurve(name, ((x[1:] + x[:-1]) / 2).tolist(), y.tolist()))
        return CurveModel(self.name, terms, float(parts["bias"][0]), self.link)


def _svmlight(path: Path) -> Part:
    from sklearn.datasets import load_svmlight_file  # noqa: PLC0415  scikit-learn is not needed for the other sets

    x, y, query = load_svmlight_file(str(path), dtype=np.float32, query_id=True, zero_based=False)
    names = [f"feature_{number:04d}" for number in range(1, x.shape[1] + 1)]
    return Part(pd.DataFrame(x.toarray(), columns=names), y.astype(float), query)


_CODES = ("race", "sex", "c_charge_degree")
TASKS = {
    "compas": Task("COMPAS", "compas", "label", _CODES, "logit", ("roc_auc", "log_loss"), "log_loss", 0),
    "fico": Task(
        "FICO", "heloc", "ExternalRiskEstimate", ("delinquent", "inquiry"), "identity", ("rmse",), "squared", 1
    ),
    "rank": Task("rank", "rank", "label", (), "identity", ("ndcg@5",), "listwise", 2, same_rows=False),
    "mslr": Task("MSLR", "", "label", (), "identity", ("ndcg@5",), "listwise", 2),
}
