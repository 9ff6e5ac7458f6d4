"""The README's listing is the demo's model: its first terms, in their order, to the last digit."""

from __future__ import annotations

import ast
from pathlib import Path

from curvec import EnumCurve, PWLCurve
from curvec.demo import load_data, train
from curvec.distill import distill

README = Path(__file__).parents[2] / "README.md"


def test_the_listing_is_the_demos() -> None:
    _, _, rest = README.read_text(encoding="utf-8").partition('name="recidivism",\n    terms=[')
    shown, _, after = rest.partition("# ...")
    data = load_data()
    model = distill(train(data), data.train, num_segments=5).model
    names = {"PWLCurve": PWLCurve, "EnumCurve": EnumCurve}
    calls = ast.parse(f"[{shown}]", mode="eval").body
    assert isinstance(calls, ast.List)
    terms = [eval(ast.unparse(call), names) for call in calls.elts]  # noqa: S307  our own README
    assert tuple(terms) == model.terms[: len(terms)]
    words = {5: "five", 6: "six", 7: "seven", 8: "eight"}
    assert after.split()[0] == words[len(model.terms) - len(terms)]
    assert f"intercept={model.intercept}" in after
