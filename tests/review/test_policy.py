"""A policy finds what breaks it, by feature, rule and value, and refuses what is no rule."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from strategies import models, rows

from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum, emit
from curvec.cli import main
from curvec.ir import PWLCurve as Curve
from curvec.review.policy import Finding, check_policy, read_policy, rules_table
from curvec.review.ranges import value_range
from curvec.review.rules import CURVE_RULES, MODEL_RULES, TERM_RULES

AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log")
PRIORS = StepCurve("priors", [1, 4], [-0.5, 0.25, 2.0], missing=0.5)
DEGREE = EnumCurve("degree", {1: 0.0198, 2: -0.0384})
MODEL = CurveModel("m", [AGE, PRIORS, DEGREE, Line("raw"), Product([AGE, PRIORS])], link="logit")


def found(policy: str, model: CurveModel = MODEL) -> list[tuple[str, str, Any]]:
    return [(finding.feature, finding.rule, finding.value) for finding in check_policy(model, read_policy(policy))]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("", []),
        ("[model]\nmax_terms = 5", []),
        ("[model]\nmax_terms = 4", [("", "max_terms", 5)]),
        ("[model]\nlinks = ['identity', 'log']", [("", "links", "logit")]),
        ("[model]\nrequired = ['age', 'sex']", [("", "required", "sex")]),
        ("[model]\nbanned = ['race', 'pri*', 'p*']", [("", "banned", "priors")]),
        ("[features.age]\nmax_segments = 2", []),
        ("[features.age]\nmax_segments = 1", [("age", "max_segments", 2)]),
        ("[curves]\nmax_segments = 2", [("priors", "max_segments", 3)]),
        ("[curves]\nmax_segments = 2\n[features.priors]\nmax_segments = 3", []),
        ("[curves]\nmax_levels = 1", [("degree", "max_levels", 2)]),
        ("[features.age]\nmax_digits = 3", [("age", "max_digits", 0.5914), ("age", "max_digits", -0.7206)]),
        ("[model]\nmax_numbers = 32", []),
        ("[model]\nmax_numbers = 31", [("", "max_numbers", 32)]),
        ("[features.age]\nmax_characters = 9", []),
        ("[features.age]\nmax_characters = 8", [("age", "max_characters", 9)]),
        ("[features.age]\nknots = 'whole'", []),
        ("[curves]\ntransforms = ['identity']", [("age", "transforms", "log")]),
        ("[features.priors]\nmonotone = 'increasing'", [("age x priors", "monotone", float("inf"))]),
        ("[features.raw]\nmonotone = 'decreasing'", [("raw", "monotone", 1.0)]),
        ("[features.degree]\nmonotone = 'decreasing'", []),
        ("[features.priors]\nmax_slope = 5", [("priors", "max_slope", float("inf"))] * 2),
        ("[features.raw]\nmax_slope = 0.5\nmin_slope = 2", [("raw", "min_slope", 1.0), ("raw", "max_slope", 1.0)]),
        ("[features.age]\nrange = [18, 46]", []),
        ("[features.age]\nrange = [20, 45]", [("age", "range", 18.0), ("age", "range", 46.0)]),
        ("[features.degree]\nrange = [2, 3]", [("degree", "range", 1.0)]),
        ("[curves]\nmissing = 'declared'", [(name, "missing", None) for name in ("age", "degree", "raw")]),
        ("[curves]\nunseen = 'declared'", [("degree", "unseen", None)]),
        ("[features.degree]\nmin_contribution = -0.03", [("degree", "min_contribution", -0.0384)]),
        (
            "[features.age]\nmax_contribution = 3.0",
            [("age", "max_contribution", 3.13), ("age x priors", "max_contribution", 6.26)],
        ),
        ("[features.raw]\nmax_contribution = 3.0", [("raw", "max_contribution", float("inf"))]),
        ("[features.agee]\nmissing = 'declared'", [("agee", "features", "agee")]),
    ],
)  # fmt: skip
def test_findings(policy: str, expected: list[tuple[str, str, Any]]) -> None:
    assert sorted(found(policy), key=str) == sorted(expected, key=str)


def test_a_point_that_no_row_of_whole_numbers_can_reach_is_a_finding() -> None:
    inner = Sum([PWLCurve("a", [(0, 0), (4.734, 1)]), PWLCurve("b", [(-1, 0), (2, 2)])])
    model = CurveModel("m", [PWLCurve(inner, [(0.5, 0), (2, 1)])])
    assert found("[curves]\nknots = 'whole'", model) == [("a", "knots", 4.734)]


def test_slopes_are_per_unit_of_the_transform() -> None:
    curve = Curve("x", [(1, 0), (10, 2.302585092994046)], fx="log")
    assert found("[features.x]\nmax_slope = 1.0000001\nmin_slope = 0.9999999", CurveModel("m", [curve])) == []


def test_a_rule_that_says_nothing_of_a_category_is_a_finding() -> None:
    model = CurveModel("m", [EnumCurve("town", {"a": 1.0, "b": 0.0}), EnumCurve("grade", {3: 0.0, 1: 1.0, 2: 2.0})])
    policy = "[features.{}]\nmonotone = 'increasing'\nmin_slope = 0.0\nrange = [1, 3]\nmax_levels = 3"
    assert found(policy.format("town"), model) == [
        ("town", "monotone", "str"), ("town", "min_slope", "str"), ("town", "range", "str"),
    ]  # fmt: skip
    assert found(policy.format("grade"), model) == [("grade", "min_slope", "int"), ("grade", "monotone", 3)]
    assert found("[curves]\nmonotone = 'decreasing'", model) == [("grade", "monotone", 2)]


def line(feature: str, *ys: float) -> PWLCurve:
    return PWLCurve(feature, list(enumerate(map(float, ys))), missing=ys[0])


@pytest.mark.parametrize(
    ("term", "broken"),
    [
        (Product([line("x", 0, 1), line("z", 1, 2)]), []),
        (Product([line("x", 0, 1), line("z", -1, -2)]), [("x x z", 1.0)]),
        (Product([line("x", 0, -1), line("z", -1, -2)]), []),
        (Product([line("x", 0, 1), line("z", -1, 2)]), [("x x z", 1.0)]),
        (Product([line("x", 0, -1), line("z", -1, 2)]), [("x x z", -1.0)]),
        (Product([line("x", 0, -1, 2, 2), line("z", -1, 2)]), [("x x z", 3.0)]),
        (Product([line("x", 0, -1, 2, 1), line("z", -1, -2)]), [("x x z", 3.0)]),
        (Product([line("x", 0, -1, 2, 1), line("z", 1, 2)]), [("x x z", -1.0), ("x x z", -1.0)]),
        (Product([Sum([line("x", 0, 1), line("z", 5, 6)]), line("v", -1, -2)]), [("x x z x v", 1.0)]),
        (PWLCurve(Sum([line("x", 0, 1), line("z", 0, 1)]), [(0, 1), (2, 0)]), [("x x z", 1.0)]),
        (PWLCurve(Sum([line("x", 0, -1), line("z", 0, 1)]), [(0, 1), (2, 0)]), []),
        (StepCurve(Sum([line("x", 0, 1), line("z", 0, 1)]), [1], [1.0, 0.0]), [("x x z", 1.0)]),
        (Product([Line("x"), line("z", 0, -1)]), [("x x z", 1.0)]),
        (Product([EnumCurve("x", {1: 0.0, 2: 1.0}), line("z", 0, -1)]), [("x x z", 2)]),
    ],
)
def test_a_feature_goes_one_way_whatever_it_is_multiplied_by(term: Any, broken: list[tuple[str, Any]]) -> None:
    policy = "[features.x]\nmonotone = 'increasing'"
    assert found(policy, CurveModel("m", [term])) == [(term, "monotone", value) for term, value in broken]


@given(st.lists(st.lists(st.integers(-2, 2), min_size=2, max_size=3), min_size=2, max_size=3))
@examples(60)
def test_monotone_in_a_product_is_what_trying_every_row_finds(factors: list[list[int]]) -> None:
    names = "xyz"[: len(factors)]
    model = CurveModel("m", [Product([line(name, *ys) for name, ys in zip(names, factors, strict=True)])])
    rows = [*itertools.product(*(range(len(ys)) for ys in factors))]
    table = {name: [float(row[k]) for row in rows] for k, name in enumerate(names)}
    score = dict(zip(rows, model.eval(table).tolist(), strict=True))
    rises = all(score[row] >= score[(row[0] - 1, *row[1:])] for row in rows if row[0])
    assert (found("[features.x]\nmonotone = 'increasing'", model) == []) == rises


def test_the_message_says_what_the_slope_is_multiplied_by() -> None:
    model = CurveModel("m", [Product([line("x", 0, 1), line("z", -1, 2)])])
    finding = check_policy(model, read_policy("[features.x]\nmonotone = 'increasing'"))[0]
    assert finding.message == "not increasing in x: slope 1 between x=0 and x=1, times -1 to 2"


def test_a_banned_feature_that_is_only_listed_is_said_to_be() -> None:
    model = CurveModel("m", [line("x", 0, 1)], features=[Feature("x"), Feature("race")])
    (finding,) = check_policy(model, read_policy("[model]\nbanned = ['race', 'y']"))
    assert finding.message.endswith("banned (by 'race'); no term uses it, but features lists it as an input")


def test_a_bool_with_both_its_values_has_no_unseen_level() -> None:
    both, one = EnumCurve("a", {True: 1.0, False: 0.0}), EnumCurve("b", {True: 1.0})
    assert found("[curves]\nunseen = 'declared'", CurveModel("m", [both, one])) == [("b", "unseen", None)]


def test_rules_reach_curves_inside_sums() -> None:
    model = CurveModel("m", [PWLCurve(Sum([AGE, DEGREE]), [(0, 0), (1, 1)], missing=0)])
    assert found("[features.age]\nmax_segments = 1\n[curves]\nmissing = 'declared'", model) == [
        ("age", "max_segments", 2), ("age", "missing", None), ("degree", "missing", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("[modell]", "p.toml: the table 'modell' is unknown; did you mean 'model'?"),
        ("[zzz]", "p.toml: the table 'zzz' is unknown; there are model, curves, features"),
        ("[curves]\nmax_segment = 1", "the rule 'max_segment' is unknown; did you mean 'max_segments'?"),
        ("[model]\nmax_segments = 1", "[model]: the rule 'max_segments' is unknown; did you mean 'max_terms'?"),
        ("[features.a]\nmonoton = 'increasing'", "[features.a]: the rule 'monoton' is unknown; did you mean"),
        ("[curves]\nmax_segments = -1", "max_segments = -1; it takes an integer from 0"),
        ("[curves]\nmax_segments = true", "max_segments = True; it takes an integer from 0"),
        ("[curves]\nmax_digits = 18", "it takes 1 to 17"),
        ("[curves]\nmax_slope = nan", "it takes a finite number"),
        ("[curves]\nmax_slope = '1'", "it takes a finite number"),
        ("[curves]\nrange = [2, 1]", "it takes [low, high]"),
        ("[curves]\nrange = [1]", "it takes [low, high]"),
        ("[curves]\ntransforms = ['sqrt']", "it takes a list of identity, log, log1p, symlog1p"),
        ("[curves]\nmonotone = 'up'", "monotone = 'up'; it takes \"increasing\" or"),
        ("[curves]\nmissing = true", 'missing = True; it takes "declared"'),
        ("[model]\nlinks = 'logit'", "it takes a list of identity, logit, log"),
        ("[model]\nbanned = [1]", "it takes a list of features"),
        ("model = 1", "model is 1; it must be a table"),
        ("[features]\nage = 1", "age is 1; it must be a table"),
        ("[model", "p.toml: not TOML: "),
        ("a = " + "[" * 100_000, "p.toml: not TOML: "),
    ],
)  # fmt: skip
def test_a_policy_is_strict(policy: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        read_policy(policy, "p.toml")


@pytest.mark.parametrize(
    "text", ["a=" + "1" * 5000, "a=" + "[" * 20_000, "a=9999-99-99", "[" + "a." * 20_000, "\0"], ids=range(5)
)
def test_a_text_that_breaks_the_reader_is_not_toml(text: str) -> None:
    with pytest.raises(InputError, match=r"policy: (not TOML|the table)"):
        read_policy(text)


@given(models())
@examples(10)
def test_any_model_can_be_checked_against_every_rule(model: CurveModel) -> None:
    policy = """[model]\nmax_terms = 0\nmax_numbers = 0\nlinks = []\nrequired = ["no such"]\nbanned = ["*"]
[curves]\nmax_segments = 0\nmax_levels = 0\nmax_digits = 1\nmax_characters = 0\nknots = "whole"\ntransforms = []
monotone = "increasing"\nmin_slope = 0
max_slope = 0\nrange = [-1, 1]\nmissing = "declared"\nunseen = "declared"\nmin_contribution = 0\nmax_contribution = 0"""
    read = read_policy(policy)
    assert set(read.model) == set(MODEL_RULES)
    assert set(read.curves) == {*CURVE_RULES, *TERM_RULES}
    findings = check_policy(model, read)
    assert {"max_terms", "links", "required", "banned"} <= {finding.rule for finding in findings}
    assert all(str(finding).count("\n") == 0 for finding in findings if "\n" not in finding.feature)


@given(models().flatmap(lambda model: rows(model, count=40).map(lambda table: (model, table))))
@examples(12)
def test_no_value_leaves_the_range_of_its_term(case: tuple[CurveModel, Any]) -> None:
    model, table = case
    for term, column in zip(model.terms, model.contributions(table).T, strict=True):
        low, high = value_range(term)
        slack = 1e-9 * max(abs(low), abs(high))
        assert all(low - slack <= value <= high + slack for value in column if value == value)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, policy = tmp_path / "m.py", tmp_path / "policy.toml"
    model.write_text(emit(MODEL, "python"), encoding="utf-8")
    policy.write_text("[features.age]\nmax_segments = 1\n", encoding="utf-8")
    assert main(["policy", str(model), "--policy", str(policy)]) == 1
    assert capsys.readouterr().out == f"{model}: age: max_segments: 2 segments, at most 1 allowed\n"
    assert main(["policy", str(model), "--policy", str(policy), "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {
            "model": str(model), "feature": "age", "rule": "max_segments", "value": 2,
            "message": "2 segments, at most 1 allowed",
        },
    ]  # fmt: skip
    policy.write_text("", encoding="utf-8")
    assert main(["policy", str(model), str(model), "--policy", str(policy)]) == 0
    assert capsys.readouterr().out == ""
    policy.write_text("[modle]", encoding="utf-8")
    assert main(["policy", str(model), "--policy", str(policy)]) == 2
    assert "did you mean 'model'" in capsys.readouterr().err
    assert main(["policy", str(model)]) == 2
    assert main(["policy", "--rules"]) == 0
    assert capsys.readouterr().out.endswith(rules_table())


def test_the_pre_commit_hook_gives_the_policy_first_and_then_the_files(tmp_path: Path) -> None:
    hook = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert "entry: curvec policy\n" in hook
    assert "args: [--policy, policy.toml]\n" in hook
    policy, model = tmp_path / "policy.toml", tmp_path / "m.json"
    policy.write_text("[model]\nmax_terms = 5\n", encoding="utf-8")
    MODEL.save(model)
    assert main(["policy", "--policy", str(policy), str(model), str(model)]) == 0


def test_every_rule_is_in_the_table() -> None:
    table = rules_table()
    for rule in (*MODEL_RULES.values(), *CURVE_RULES.values(), *TERM_RULES.values()):
        assert f"| {rule.name} | {rule.value.takes} | {rule.says} |" in table


def test_a_finding_is_one_line() -> None:
    assert str(Finding("", "max_terms", 5, "5 terms")) == "model: max_terms: 5 terms"
