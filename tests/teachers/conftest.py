"""Real rows that every library's teacher is trained on, and the rows that it is checked on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

from curvec import CurveModel, Product, PWLCurve, StepCurve, Sum


@pytest.fixture(scope="session")
def cancer() -> tuple[pd.DataFrame, pd.Series]:
    """Numeric columns, one with gaps, and categories of every type in between them."""
    data = load_breast_cancer(as_frame=True)
    frame = data.data[["mean texture", "mean smoothness", "area error", "worst symmetry"]].copy()
    frame.loc[frame.index % 7 == 0, "area error"] = np.nan
    size = pd.cut(data.data["mean radius"], [0, 11, 13, 17, 99], labels=["tiny", "small", "mid", "large"])
    frame.insert(1, "size", size.astype(object).where(frame.index % 11 != 0, None).astype("category"))
    frame.insert(3, "rough", pd.Categorical(data.data["worst area"] > 860))
    frame["lobes"] = pd.Categorical((data.data["worst concave points"] * 40).astype(int))
    return frame, data.target


@pytest.fixture(scope="session")
def numeric(cancer) -> tuple[pd.DataFrame, pd.Series]:
    """The numeric columns without gaps, under names without blanks."""
    frame = load_breast_cancer(as_frame=True).data.iloc[:, [0, 1, 4, 13, 28]]
    return frame.set_axis(["radius", "texture", "smoothness", "area_error", "symmetry"], axis=1), cancer[1]


@pytest.fixture(scope="session")
def diabetes() -> tuple[pd.DataFrame, pd.Series]:
    data = load_diabetes(as_frame=True, scaled=False)
    return data.data, data.target


def _cuts(term: object) -> Iterator[tuple[str, float]]:
    """Every x where a term changes its formula, with its feature."""
    if isinstance(term, StepCurve) and isinstance(term.input, str):
        yield from ((term.input, cut) for cut in term.cuts)
    elif isinstance(term, PWLCurve) and isinstance(term.input, str):
        yield from ((term.input, x) for x, _ in term.points)
    elif isinstance(term, (Sum, Product)):
        for child in term.terms if isinstance(term, Sum) else term.factors:
            yield from _cuts(child)


@pytest.fixture(scope="session")
def around_cuts() -> Callable[..., pd.DataFrame]:
    """Rows of a frame with every cut of every curve, both neighbouring doubles, and further values in their place."""

    def make(model: CurveModel, frame: pd.DataFrame, extra: tuple[float, ...] = (np.nan, 0.0)) -> pd.DataFrame:
        cuts: dict[str, set[float]] = {}
        for term in model.terms:
            for feature, cut in _cuts(term):
                cuts.setdefault(feature, set()).add(cut)
        blocks = []
        for feature, at in cuts.items():
            cut = np.array(sorted(at))
            values = np.r_[cut, np.nextafter(cut, np.inf), np.nextafter(cut, -np.inf), extra]
            block = frame.iloc[np.arange(len(values)) % len(frame)].copy()
            block[feature] = values
            blocks.append(block)
        return pd.concat(blocks, ignore_index=True)

    return make
