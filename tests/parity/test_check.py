"""The tester tested: targets that are wrong on purpose are caught, at their worst input, and right ones are not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models import every_node

from curvec import CurveModel, EnumCurve, InputError, MissingDependencyError, ParityError, PWLCurve, UnsupportedError
from curvec.fields import changed
from curvec.parity import RUNNERS, check
from curvec.parity.compare import Reference, compare, distance
from curvec.parity.probes import probes
from curvec.parity.runners import Data, Limits, Runner, Scores, StoredTable

AGE = CurveModel("age", [PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], missing=0.25)], 0.5)


class Fake(Runner):
    """A target that gives the reference's scores after a change."""

    name = "fake"

    def __init__(self, change: Callable[[Data, Scores], Scores], limits: Limits | None = None) -> None:
        self.change = change
        self.given: Data = {}
        self.limits = limits or Limits()  # type: ignore[misc]

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterator[Scores]:
        (table,) = tables
        data = self.given = table.data
        yield self.change(data, Scores(model.contributions(data), model.eval(data), model.predict(data)))


def at(scores: Scores, row: Any, value: Any) -> Scores:
    """The scores of a one-term model with the term, and all that follows from it, set at some rows."""
    terms, score = scores.terms.copy(), scores.score.copy()
    terms[row, 0] = value
    score[row] = 0.5 + terms[row, 0]
    return Scores(terms, score, score)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    def run(change: Callable[[Data, Scores], Scores], model: CurveModel = AGE, limits: Limits | None = None) -> Any:
        runner = Fake(change, limits)
        monkeypatch.setitem(RUNNERS, "fake", runner)
        return check(model, targets=["fake"]), runner

    return run


def ages(data: Data) -> np.ndarray:
    return np.asarray(data["age"])


def test_the_reference_itself_is_identical(fake: Callable[..., Any]) -> None:
    report, _ = fake(lambda _, scores: scores)
    assert report.ok
    assert report.targets["fake"].verdict == "identical"
    assert report.worst is None


def test_one_ulp_in_one_row_is_caught(fake: Callable[..., Any]) -> None:
    def change(data: Data, scores: Scores) -> Scores:
        row = int(np.flatnonzero(ages(data) == 21.0)[0])
        return at(scores, row, math.nextafter(scores.terms[row, 0], math.inf))

    report, _ = fake(change)
    assert not report.ok
    worst = report.worst
    assert (worst.what, worst.inputs["age"], worst.ulps) == ("term 1", (21.0).hex(), 1.0)
    assert (worst.expected, worst.got) == (0.5914, math.nextafter(0.5914, math.inf))
    assert "0x1.5000000000000p+4" in str(report)


def test_the_sign_says_which_is_larger(fake: Callable[..., Any]) -> None:
    report, _ = fake(lambda _, scores: at(scores, 0, math.nextafter(scores.terms[0, 0], -math.inf)))
    assert report.worst.ulps == -1.0


def test_less_than_for_less_or_equal_is_caught(fake: Callable[..., Any]) -> None:
    steps = CurveModel("steps", [EnumCurve("k", {1: 1.0})], 0.5)
    # A step read with <= for <: only the row at the cut itself is off.
    report, _ = fake(lambda data, scores: at(scores, ages(data) == 46.0, 0.5914))
    assert not report.ok
    assert report.worst.inputs["age"] == (46.0).hex()
    report, _ = fake(lambda data, scores: at(scores, data["k"] == 2, 1.0), steps)
    assert not report.ok


@pytest.mark.parametrize("value", [-0.7206, math.inf, 0.0])
def test_nan_to_a_number_is_caught(fake: Callable[..., Any], value: float) -> None:
    def change(data: Data, scores: Scores) -> Scores:
        plain = np.isnan(ages(data)) & ~np.ma.getmaskarray(data["age"])
        return at(scores, plain, value)

    report, _ = fake(change)
    assert not report.ok
    assert report.worst.inputs["age"] == "nan"


def test_null_to_a_number_is_caught(fake: Callable[..., Any]) -> None:
    report, _ = fake(lambda data, scores: at(scores, np.ma.getmaskarray(data["age"]), 3.13))
    assert not report.ok
    assert report.worst.inputs["age"] == "NULL"


def test_a_missing_result_for_a_number_and_back_is_infinitely_far(fake: Callable[..., Any]) -> None:
    report, _ = fake(lambda _, scores: at(scores, 3, math.nan))
    assert not report.ok
    assert report.worst.ulps == math.inf
    bare = CurveModel("bare", [PWLCurve("age", [(18, 3.13), (46, -0.7206)])], 0.5)
    report, _ = fake(lambda data, scores: at(scores, np.isnan(ages(data)), 3.13), bare)
    assert report.worst.ulps == math.inf


def test_the_last_double_next_to_a_point_is_tried(fake: Callable[..., Any]) -> None:
    beside = math.nextafter(46.0, 0.0)
    report, _ = fake(lambda data, scores: at(scores, ages(data) == beside, -0.7))
    assert not report.ok


def test_swapped_and_dropped_and_no_rows_are_caught(fake: Callable[..., Any]) -> None:
    def swapped(_: Data, scores: Scores) -> Scores:
        order = np.r_[1, 0, 2 : len(scores.score)]
        return Scores(scores.terms[order], scores.score[order], scores.prediction[order])

    assert not fake(swapped)[0].ok
    for kept in (slice(1, None), slice(0, 0)):

        def dropped(_: Data, scores: Scores, kept: slice = kept) -> Scores:
            return Scores(scores.terms[kept], scores.score[kept], scores.prediction[kept])

        report, _ = fake(dropped)
        assert not report.ok
        assert report.targets["fake"].verdict == "FAILED"
    assert not fake(lambda _, scores: changed(scores, terms=scores.terms[:, :0]))[0].ok


def test_terms_that_cancel_are_compared_one_by_one(fake: Callable[..., Any]) -> None:
    two = CurveModel("two", [PWLCurve("a", [(0, 0), (1, 1)]), PWLCurve("a", [(0, 0), (1, 1)])])

    def change(_: Data, scores: Scores) -> Scores:
        return changed(scores, terms=scores.terms + np.array([0.25, -0.25]))

    assert not fake(change, two)[0].ok


def test_the_prediction_is_compared_too(fake: Callable[..., Any]) -> None:
    logit = CurveModel("logit", AGE.terms, 0.5, "logit")
    report, _ = fake(lambda _, scores: changed(scores, prediction=scores.score), logit)
    assert not report.ok
    assert report.worst.what == "prediction"


def test_a_logarithm_has_its_bound_and_no_more(fake: Callable[..., Any]) -> None:
    log = CurveModel("log", [PWLCurve("age", [(18, 3.0), (46, -0.7206)], "log")], 0.5)

    def off(ulps: float) -> Callable[[Data, Scores], Scores]:
        def change(_: Data, scores: Scores) -> Scores:
            row = int(np.nanargmax(scores.terms[:, 0]))
            value = scores.terms[row, 0]
            # The larger operand is slope times log(46): 4.02 * 3.83 = 15.1, whose ULP is 4 times that of 3.
            return at(scores, row, value + ulps * np.spacing(15.1))

        return change

    assert fake(off(4.0), log)[0].targets["fake"].verdict == "in bound"
    assert not fake(off(5.0), log)[0].ok


def test_zero_rows_of_data_are_refused() -> None:
    with pytest.raises(InputError, match="no rows"):
        check(AGE, {"age": []}, ["python"])


def test_data_are_scored_too(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = Fake(lambda data, scores: at(scores, ages(data) == 33.125, 0.0))
    monkeypatch.setitem(RUNNERS, "fake", runner)
    assert check(AGE, targets=["fake"]).ok
    report = check(AGE, {"age": [20.0, 33.125]}, ["fake"])
    assert report.worst.origin == "row 1 of the data"


def test_what_a_target_cannot_be_given_is_counted(fake: Callable[..., Any]) -> None:
    narrow = Limits(nan=False, infinity=False, overflow=False, underflow=False)
    model = every_node()
    report, runner = fake(lambda _, scores: scores, model, narrow)
    notes = " ".join(report.targets["fake"].notes)
    for what in ("with an infinity left out", "that overflow left out", "NaN as NULL"):
        assert what in notes
    for feature in model.features:
        column = runner.given[feature.name]
        if feature.type == "number":
            assert not np.isinf(np.asarray(column)).any()
            assert np.isnan(np.asarray(column[~np.ma.getmaskarray(column)])).sum() == 0
    everything = probes(model)
    assert report.targets["fake"].rows < len(everything.origins)


def test_a_target_that_breaks_fails_and_one_that_refuses_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_: Data, __: Scores) -> Scores:
        raise ParityError("does not compile")

    def refuses(_: Data, __: Scores) -> Scores:
        raise UnsupportedError("too many columns")

    monkeypatch.setitem(RUNNERS, "fake", Fake(breaks))
    report = check(AGE, targets=["fake", "python"])
    assert not report.ok
    assert "does not compile" in str(report)
    monkeypatch.setitem(RUNNERS, "fake", Fake(refuses))
    for name in list(RUNNERS):
        if name not in ("fake", "python"):
            monkeypatch.delitem(RUNNERS, name)
    report = check(AGE)
    assert report.ok
    assert report.targets["fake"].verdict == "not run"
    with pytest.raises(UnsupportedError, match="too many columns"):
        check(AGE, targets=["fake"])


def test_nothing_that_ran_is_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = Fake(lambda _, scores: scores)
    absent.needs = lambda: "install the engine"  # type: ignore[method-assign]
    for name in list(RUNNERS):
        monkeypatch.delitem(RUNNERS, name)
    monkeypatch.setitem(RUNNERS, "fake", absent)
    assert not check(AGE).ok
    with pytest.raises(MissingDependencyError, match="install the engine"):
        check(AGE, targets=["fake"])


def test_targets_that_do_not_exist_are_named() -> None:
    with pytest.raises(InputError, match="cobol"):
        check(AGE, targets=["cobol"])
    with pytest.raises(InputError, match="targets='python' is one string; pass a list"):
        check(AGE, targets="python")
    with pytest.raises(InputError, match="no targets"):
        check(AGE, targets=[])


def test_distance_counts_the_larger_operand() -> None:
    got, expected = np.array([1.0 + 2**-52, 0.0, -0.0, math.inf, math.inf]), np.array([1.0, -0.0, 0.0, math.inf, 1.0])
    size = np.array([4.0, 1.0, 1.0, 1.0, 1.0])
    assert distance(got, expected, size).tolist() == [0.25, 0.0, 0.0, 0.0, math.inf]
    tiny = distance(np.array([5e-324]), np.array([0.0]), np.array([1e308]))
    assert 0.0 < tiny[0] < 1e-300  # not the same, however large the operand


def test_every_edge_and_level_is_probed() -> None:
    model = every_node()
    rows = probes(model)
    age = np.asarray(rows.data["age"])
    for x in (18, 21, 46, 30.5, 65):
        for value in (float(x), math.nextafter(x, -math.inf), math.nextafter(x, math.inf)):
            assert (age == value).any()
    for value in (0.0, 5e-324, -5e-324, math.inf, -math.inf, 1.7976931348623157e308):
        assert (age == value).any()
    assert {"F", "f", "F ", "o'bRIEN", "unseen", None} <= set(rows.data["select"])
    assert {0, 1, 12, 13, None} <= set(rows.data["naïve"])
    assert {True, False, None} == set(rows.data["1x"])
    assert "crossing of 'age'" in rows.origins


def test_a_crossing_is_the_last_double_on_each_side() -> None:
    model = every_node(logs=False)
    rows = probes(model)
    crossings = [row for row, origin in enumerate(rows.origins) if origin == "crossing of 'age'"]
    cut = model.contributions(rows.data)[crossings, 8]
    age = np.asarray(rows.data["age"])[crossings]
    steps = [pair for pair in range(0, len(cut), 2) if cut[pair] != cut[pair + 1]]
    assert steps
    assert all(math.nextafter(age[pair], math.inf) == age[pair + 1] for pair in steps)


def test_the_report_is_strict_json(fake: Callable[..., Any]) -> None:
    report, _ = fake(lambda _, scores: at(scores, 3, math.nan))
    document = json.loads(report.to_json(), parse_constant=pytest.fail)
    (target,) = document["targets"]
    assert not document["ok"]
    assert target["verdict"] == "DIFFERENT"
    assert target["worst"]["got"] == "nan"


def test_compare_needs_rows() -> None:
    reference = Reference.of(AGE, probes(AGE))
    none = reference.take(np.array([], dtype=np.intp), {"age": np.array([])})
    result = compare(Fake(lambda _, scores: scores), Scores(none.terms, none.score, none.prediction), none)
    assert not result.ok


def test_the_summary_says_who_is_identical_who_is_near_and_who_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    log = CurveModel("log", [PWLCurve("age", [(18, 3.0), (46, -0.7206)], "log")], 0.5)

    def nudged(_: Data, scores: Scores) -> Scores:
        row = int(np.nanargmax(scores.terms[:, 0]))
        return at(scores, row, scores.terms[row, 0] + 2.0 * np.spacing(15.1))

    changes = {"same": lambda _, scores: scores, "near": nudged, "off": lambda _, scores: at(scores, 0, 99.0)}
    for name, change in changes.items():
        runner = Fake(change)
        runner.name = name
        monkeypatch.setitem(RUNNERS, name, runner)
    report = check(log, targets=["same", "near", "off"])
    said = report.summary
    # A term, the score and the prediction of that one row.
    values = report.targets["near"].values
    assert said == (
        "Against the reference evaluator: of 3 targets that ran 1 identical to the last bit; 1 within their stated "
        f"bounds: near (3 of {values:,} values differ, by at most 2 ULP of the larger operand, bound 4); 1 different "
        "or failed: off."
    )
    assert said in " ".join(str(report).split())
    assert report.targets["near"].furthest == {"term": 2.0, "score": 2.0, "prediction": 2.0}


def test_a_stream_is_scored_batch_by_batch(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    model = CurveModel("m", [PWLCurve("age", [(18, 0.1), (65, 0.7)]), EnumCurve("c", {"x": 1.0}, default=0.0)])
    parts = [{"age": [20.0, 30.5], "c": ["x", "y"]}, {"age": [40.0, 70.0, 1.5], "c": ["y", "x", "x"]}]
    for number, part in enumerate(parts):
        parquet.write_table(arrow.table(part), tmp_path / f"{number}.parquet")
    own = check(model, tmp_path, ["python", "sqlite"])
    none = check(model, None, ["python", "sqlite"])
    assert own.ok
    for target in ("python", "sqlite"):
        assert own.targets[target].rows == none.targets[target].rows + 5
    with pytest.raises(InputError, match="parity over none proves nothing"):
        check(model, arrow.table(parts[0]).slice(0, 0).to_reader(), ["python"])
