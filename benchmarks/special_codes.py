"""Special codes found by themselves against features made by hand: RMSE on FICO, five folds.

The data (FICO's HELOC, with the features ``delinquent`` and ``inquiry`` made of the code -7 of two columns, and a
column ``fold``) are given as a path. Once with the two features, and once with the code put back into its columns:
each time the same teacher is trained and distilled.

    python benchmarks/special_codes.py heloc.csv
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor

import curvec

TARGET = "ExternalRiskEstimate"
CODED = {"delinquent": "MSinceMostRecentDelq", "inquiry": "MSinceMostRecentInqexcl7days"}
CODE = -7.0


def with_codes(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the code in its columns, and without the features that say where it was."""
    columns = {column: rows[column].where(rows[by] == 1, CODE) for by, column in CODED.items()}
    return rows.assign(**columns).drop(columns=list(CODED))


def rmse(rows: pd.DataFrame, y: np.ndarray, train: np.ndarray, **options: object) -> tuple[float, list[str]]:
    """The error on the rows that are not in ``train`` of what is distilled there, and what became of the codes."""
    teacher = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=300, learning_rate=0.05)
    teacher.fit(rows[train], y[train])
    model = curvec.distill(teacher, rows[train], **options).model
    error = float(np.sqrt(np.mean((model.predict(rows[~train]) - y[~train]) ** 2)))
    used = {feature.name for feature in model.features}
    left_out = [f"{column} left out" for column in CODED.values() if column not in used]
    return error, [*(str(term.input) for term in model.terms if term.special_codes), *left_out]


def main(path: str) -> None:
    """Print the errors of each fold, and the mean difference beside the standard error."""
    data = pd.read_csv(path)
    fold, y = data["fold"].to_numpy(), data[TARGET].to_numpy(float)
    by_hand = data.drop(columns=["fold", TARGET]).astype(float)
    coded = with_codes(by_hand)
    found = []
    for k in range(5):
        train = fold != k
        hand, _ = rmse(by_hand, y, train)
        codes, terms = rmse(coded, y, train)
        within, _ = rmse(coded, y, train, overrides={"special": ()})
        found.append((hand, codes, within))
        print(f"fold {k}: by hand {hand:.4f}, codes found {codes:.4f}, as values {within:.4f}; {terms}", flush=True)
    errors = np.array(found)
    mean, error = errors.mean(axis=0), errors[:, 0].std(ddof=1) / np.sqrt(5)
    paired = errors[:, 1] - errors[:, 0]
    print(f"mean {mean.round(4).tolist()}, standard error {error:.4f}, codes less by hand {paired.mean():+.4f}")


if __name__ == "__main__":
    main(sys.argv[1])
