"""The benchmark's reader of MSLR-WEB30K, on files written as the data set's page describes them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SETS = Path(__file__).parents[1] / "benchmarks" / "paper_sets.py"
FEATURES = 136


@pytest.fixture(scope="module")
def sets() -> ModuleType:
    spec = importlib.util.spec_from_file_location("paper_sets", SETS)
    module = importlib.util.module_from_spec(spec)
    sys.modules["paper_sets"] = module
    spec.loader.exec_module(module)
    return module


def test_folds_of_mslr_are_read_as_they_come(sets: ModuleType, tmp_path: Path) -> None:
    """A row is "label qid:id 1:value ... 136:value", zeros are written out, rows of a query are together."""
    random = np.random.default_rng(0)
    written = {}
    for fold in (1, 2):
        (tmp_path / f"Fold{fold}").mkdir()
        for part, first in (("train", 100 * fold), ("vali", 0), ("test", 50 * fold)):
            values = np.where(random.random((7, FEATURES)) < 0.4, 0.0, random.normal(size=(7, FEATURES)).round(6))
            labels, query = random.integers(0, 5, 7), first + np.array([1, 1, 1, 16, 16, 31, 31])
            lines = [
                f"{label} qid:{one} " + " ".join(f"{place}:{value:g}" for place, value in enumerate(row, 1)) + " \n"
                for label, one, row in zip(labels, query, values, strict=True)
            ]
            (tmp_path / f"Fold{fold}" / f"{part}.txt").write_text("".join(lines), encoding="utf-8")
            written[fold, part] = values, labels, query
    for fold in (1, 2):
        found = sets.TASKS["mslr"].fold(tmp_path, fold - 1)
        for part, read in (("train", found.train), ("test", found.test)):
            values, labels, query = written[fold, part]
            np.testing.assert_allclose(read.rows.to_numpy(), values, rtol=1e-5)
            assert read.rows.columns[[0, -1]].tolist() == ["feature_0001", "feature_0136"]
            assert (read.y.tolist(), read.query.tolist()) == (labels.tolist(), query.tolist())


def test_a_bag_of_queries_is_seven_eighths_of_them_whole(sets: ModuleType) -> None:
    query = np.repeat(np.arange(16), np.arange(1, 17))
    part = sets.Part(None, np.zeros(len(query)), query)
    inside, outside = part.bag(3)
    assert sorted([*inside, *outside]) == list(range(len(query)))
    assert set(query[inside]).isdisjoint(query[outside])
    assert len(set(query[inside])) == 14
