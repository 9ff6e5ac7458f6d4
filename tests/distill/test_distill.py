"""Distilling hand-built teachers: what the curves are, what they lose, and what is refused."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from toy_teacher import DATA, RNG, ROWS, TEACHER, steps

import curvec
from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum
from curvec.evaluate import term_values
from curvec.ir import names_of


def rmse_of(model: CurveModel) -> float:
    return float(np.sqrt(np.mean((model.eval(DATA) - TEACHER.eval(DATA)) ** 2)))


def curve_of(model: CurveModel, feature: str) -> PWLCurve:
    return next(term for term in model.terms if isinstance(term, PWLCurve) and term.input == feature)


def significant(value: float, digits: int) -> bool:
    return float(f"{value:.{digits - 1}e}") == value


def test_a_teacher_becomes_short_curves_close_to_it() -> None:
    result = curvec.distill(TEACHER, DATA)
    assert [type(term) for term in result.model.terms] == [PWLCurve, EnumCurve, PWLCurve, PWLCurve]
    assert all(len(term.points) <= 6 for term in result.model.terms if isinstance(term, PWLCurve))
    assert rmse_of(result.model) < 0.09 * TEACHER.eval(DATA).std()
    assert result.teacher is TEACHER
    assert result.model.link == "logit"
    assert set(result.model.features) == set(TEACHER.features)


def test_the_mean_raw_score_is_kept_to_the_digits_of_its_spread() -> None:
    weights = RNG.uniform(0, 2, ROWS)
    for digits in (2, 4, None):
        model = curvec.distill(TEACHER, DATA, weights, num_segments=1, digits=digits).model
        gap = np.average(model.eval(DATA) - TEACHER.eval(DATA), weights=weights)
        assert abs(gap) <= (1e-12 if digits is None else 0.5 * 10.0 ** (1 - digits))


def test_every_printed_number_has_the_asked_digits() -> None:
    model = curvec.distill(TEACHER, DATA, digits=3).model
    for term in model.terms:
        if isinstance(term, PWLCurve):
            numbers = [value for point in term.points for value in point]
        else:
            numbers = list(term.levels.values())
        assert all(significant(value, 3) for value in numbers)


def test_missing_and_unseen_keep_the_teachers_values_where_that_is_asked_for() -> None:
    """Less the value of the base level, which the intercept has."""
    model = curvec.distill(TEACHER, DATA, digits=4, unseen="teacher", order="teacher").model
    assert [term.missing for term in model.terms] == [0.25, None, pytest.approx(-0.3735, abs=1e-4), 0.25]
    assert model.terms[2].default == pytest.approx(0.3765, abs=1e-4)
    assert dict(model.terms[2].levels.items()) == {"red": 0.0, "green": -1.123, "blue": 1.877}


@pytest.mark.parametrize("levels", [("a", "b"), (1, 2), (True,)])
def test_a_level_that_several_tables_do_not_list_keeps_the_teachers_value(levels: tuple[Any, ...]) -> None:
    tables = [EnumCurve("k", {level: 1.0}, default=-0.5) for level in levels] + [EnumCurve("k", {levels[0]: 2.0}, 0.25)]
    teacher = CurveModel("m", [*tables, Line("z", 1.0)])
    rows = {"k": np.array([levels[0], levels[-1]] * 50, dtype=object), "z": np.linspace(0, 1, 100)}
    model = curvec.distill(teacher, rows, unseen="teacher", margin=0).model
    unlisted = {"k": "c" if "a" in levels else 7 if 2 in levels else False, "z": 0.3}
    assert model.score_row(unlisted) == pytest.approx(teacher.score_row(unlisted))


def test_what_no_row_shows_has_no_score() -> None:
    """A missing value in a column without gaps, and a level that neither the rows nor the teacher have."""
    gaps = {**DATA, "x": np.where(np.arange(ROWS) % 9 == 0, np.nan, DATA["x"])}
    for rows, shown in ((DATA, False), (gaps, True)):
        model = curvec.distill(TEACHER, rows).model
        assert (curve_of(model, "x").missing is not None) == shown
        strange = {"x": [np.nan, 1.0, 1.0, 1.0], "z": [0.0] * 4, "r": [1.0] * 4, "c": ["red", "red", None, "mauve"]}
        assert np.isnan(model.eval(strange)).tolist() == [not shown, False, True, True]
    model = curvec.distill(TEACHER, {**DATA, "c": np.where(np.arange(ROWS) % 9 == 0, None, DATA["c"])}).model
    table = next(term for term in model.terms if isinstance(term, EnumCurve))
    assert table.missing is not None
    assert table.default is None


def test_rows_with_missing_values_are_left_out_of_the_fit() -> None:
    gaps = {**DATA, "x": np.where(np.arange(ROWS) % 3 == 0, np.nan, DATA["x"])}
    kept = {name: column[np.arange(ROWS) % 3 != 0] for name, column in DATA.items()}
    found, alone = (curvec.distill(TEACHER, rows, margin=0, unseen="teacher").model for rows in (gaps, kept))
    assert curve_of(found, "x") == curve_of(alone, "x")
    none_left = {**DATA, "x": np.full(ROWS, np.nan)}
    with pytest.raises(InputError, match="'x' has no row with a value"):
        curvec.distill(TEACHER, none_left)


def test_monotone_per_feature_and_for_all() -> None:
    model = curvec.distill(TEACHER, DATA, mono={"z": "increasing"}).model
    values = [y for _, y in curve_of(model, "z").points]
    assert all(left <= right for left, right in itertools.pairwise(values))
    report = curvec.distill(TEACHER, DATA, mono=True).report
    assert {curve.direction for curve in report.curves if curve.kind == "curve"} <= {"increasing", "decreasing"}


def test_a_numeric_feature_as_a_category_has_the_mean_of_each_level() -> None:
    model = curvec.distill(TEACHER, DATA, categorical=["r"], digits=None, margin=0, order="teacher").model
    table = model.terms[3]
    exact = CurveModel("r", [TEACHER.terms[3]]).eval({"r": np.arange(1, 5)})
    assert dict(table.levels.items()) == dict(zip(range(1, 5), exact.tolist(), strict=True))
    assert table.default is None
    assert model.features[3] == Feature("r", "int")


def partitions(count: int, groups: int, used: int = 0) -> Iterator[tuple[int, ...]]:
    """Every way to put so many values into so many groups, none empty: each value's group, groups in order of use."""
    if count == 0:
        if used == groups:
            yield ()
        return
    for group in range(min(used + 1, groups)):
        for rest in partitions(count - 1, groups, max(used, group + 1)):
            yield (group, *rest)


@pytest.mark.parametrize("margin", [1e-4, 1e-2, 0.1, 0.5])
def test_levels_are_merged_into_the_best_groups_and_stay_listed(margin) -> None:
    """Kind P49: the keys stay. Against every partition of the levels into as many groups."""
    rng = np.random.default_rng(3)
    values = dict(zip("abcdefg", [0.0, 0.02, 0.5, 0.53, 1.4, 1.5, 1.0], strict=True))
    data = {"k": rng.choice(np.array(list(values), dtype=object), 2000, p=[0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1])}
    teacher = CurveModel("m", [EnumCurve("k", values)])
    result = curvec.distill(teacher, data, margin=margin, digits=None)
    (table,) = result.model.terms
    assert list(table.levels) == list(values)
    groups = len(set(table.levels.values()))
    counts = np.array([np.sum(data["k"] == key) for key in values])
    y = np.array(list(values.values()))
    losses = []
    for member in map(np.array, partitions(len(y), groups)):
        means = np.array([np.average(y[member == g], weights=counts[member == g]) for g in range(groups)])
        losses.append(float(np.sum(counts * (y - means[member]) ** 2)))
    lost = float(np.sum((result.model.eval(data) - teacher.eval(data)) ** 2))
    assert lost == pytest.approx(min(losses), abs=1e-9)
    assert lost <= margin * np.var(teacher.eval(data)) * 2000 * (1 + 1e-9)
    heaviest = max({*table.levels.values()}, key=lambda value: sum(counts[[v == value for v in table.levels.values()]]))
    assert heaviest == 0.0
    if groups < len(y):
        assert f"7 levels in {groups} groups" in str(result)


def test_constants_go_into_the_intercept() -> None:
    flat = StepCurve("z", [0.0], [0.75, 0.75], missing=0.75)
    teacher = CurveModel("m", [TEACHER.terms[0], flat], 1.0)
    result = curvec.distill(teacher, DATA, digits=None)
    assert len(result.model.terms) == 1
    assert result.report.curves[1].kind == "constant"
    assert np.mean(result.model.eval(DATA)) == pytest.approx(np.mean(teacher.eval(DATA)), abs=1e-12)


def test_a_constant_that_says_nothing_of_missing_stays_a_curve() -> None:
    teacher = CurveModel("m", [TEACHER.terms[0], StepCurve("z", [0.0], [0.75, 0.75])])
    model = curvec.distill(teacher, DATA, unseen="teacher").model
    assert np.isnan(model.eval({"x": [1.0], "z": [np.nan]})).all()
    assert not np.isnan(model.eval({"x": [1.0], "z": [0.0]})).any()


def test_terms_of_one_feature_become_one_curve() -> None:
    twice = CurveModel("m", [TEACHER.terms[0], TEACHER.terms[1], TEACHER.terms[0]])
    once = CurveModel(
        "m", [StepCurve("x", TEACHER.terms[0].cuts, [2 * v for v in TEACHER.terms[0].values], 0.5), TEACHER.terms[1]]
    )
    assert curvec.distill(twice, DATA).model.terms == curvec.distill(once, DATA).model.terms


def test_terms_stand_by_what_they_move_or_as_the_teacher_has_them() -> None:
    swapped = CurveModel("m", TEACHER.terms[::-1], 0.0)
    weights = np.where(DATA["c"] == "blue", 50.0, 1.0)  # with these, c moves the score most
    for w in (None, weights):
        by_size = curvec.distill(swapped, DATA, w).model
        values = by_size.contributions(DATA)
        means = np.average(values, axis=0, weights=w)
        sizes = np.sqrt(np.average((values - means) ** 2, axis=0, weights=w))
        assert sizes.tolist() == sorted(sizes, reverse=True)
    assert type(by_size.terms[0]) is EnumCurve
    kept = curvec.distill(swapped, DATA, order="teacher").model
    assert [names_of(term) for term in kept.terms] == [["r"], ["c"], ["z"], ["x"]]
    assert set(map(str, kept.terms)) == set(map(str, curvec.distill(swapped, DATA).model.terms))


def test_what_says_nothing_is_left_out_and_named() -> None:
    """1e-16 beside 20 is the rounding of a sum; 1e-6 beside 20 is not, and a value at missing counts, too."""
    for size, missing, left in ((1e-14, 0.0, 1), (1e-6, 0.0, 2), (1e-14, 1.0, 2), (1e-14, None, 2)):
        noise = StepCurve("z", [-4.0, 0.0, 4.0], [0.0, size, -size, size], missing)
        features = [Feature("x"), Feature("z"), Feature("spare")]
        teacher = CurveModel("m", [StepCurve("x", [3, 6], [20.0, 0.0, 10.0], 0.0), noise], 1.0, features=features)
        result = curvec.distill(teacher, DATA, digits=None, margin=0, unseen="teacher")
        assert len(result.model.terms) == left
        assert [feature.name for feature in result.model.features] == ["x", "z"][:left]
        assert result.report.unused == ("z", "spare")[left - 1 :]
        assert "spare" in str(result)
        assert ("which is rounding: it is in the intercept" in str(result)) == (left == 1)
        gap = result.model.eval(DATA) - teacher.eval(DATA)
        assert abs(np.mean(gap)) < 1e-12


def test_distilling_again_changes_nothing() -> None:
    first = curvec.distill(TEACHER, DATA)
    again = curvec.distill(first.model, DATA)
    assert again.model == first.model
    assert all(curve.kept and not curve.rmse for curve in again.report.curves)


def test_the_number_of_threads_does_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    models = []
    for count in ("1", "4"):
        monkeypatch.setenv("CURVEC_THREADS", count)
        models.append(curvec.distill(TEACHER, DATA).model)
    assert models[0] == models[1]
    for count in ("0", "-1", "1.5", "two"):
        monkeypatch.setenv("CURVEC_THREADS", count)
        with pytest.raises(curvec.InputError, match=f"CURVEC_THREADS='{count}'; the environment must say"):
            curvec.distill(TEACHER, DATA)


def test_what_is_shown_of_a_teacher_is_short() -> None:
    steps = StepCurve("x", range(2000), [*np.sin(range(2001))])
    reading = curvec.teachers.read_and_check(CurveModel("t", [steps]))
    found = curvec.distill(reading, {"x": np.arange(0.0, 2000, 7)}, num_segments=1)
    assert "StepCurve -> " in repr(found.worst(1))
    shown = [str(reading), repr(reading), repr(found.worst(1)), repr(found.parts)]
    assert max(map(len, shown)) < 500
    assert str(reading).startswith("curvec model, read exactly: 1 term, link identity")


def test_the_order_of_the_rows_does_not_change_the_curves() -> None:
    shuffled = RNG.permutation(ROWS)
    other = {name: column[shuffled] for name, column in DATA.items()}
    assert curvec.distill(TEACHER, DATA).model.terms == curvec.distill(TEACHER, other).model.terms


def test_doubled_rows_are_doubled_weights() -> None:
    half = np.arange(ROWS) % 2 == 0
    doubled = {name: np.concatenate([column, column[half]]) for name, column in DATA.items()}
    by_weight = curvec.distill(TEACHER, DATA, np.where(half, 2.0, 1.0)).model
    assert curvec.distill(TEACHER, doubled).model.terms == by_weight.terms


@pytest.mark.parametrize("margin", [1e-5, 1e-4, 1e-3, 1e-2, 0.1])
@pytest.mark.parametrize("most", [None, 20])
def test_no_model_loses_more_than_the_margin_of_the_scores_variance(margin, most) -> None:
    """Of all functions together, beside the best model of the size: the errors of the printed numbers."""
    short = curvec.distill(TEACHER, DATA, margin=margin, max_numbers=most)
    w = np.ones(ROWS)
    total = float(np.sum((TEACHER.eval(DATA) - TEACHER.eval(DATA).mean()) ** 2))
    lost = 0.0
    for part in short.parts:
        values = term_values(part.teacher, TEACHER.table(DATA))
        gap = values - (0.0 if part.term is None else term_values(part.term, TEACHER.table(DATA)))
        lost += float(np.sum(w * (gap - np.average(gap, weights=w)) ** 2))
    within = [size.unexplained for size in short.report.front if most is None or size.numbers <= most]
    assert lost <= (min(within) + margin) * total * (1 + 1e-9)
    exact = curvec.distill(TEACHER, DATA, margin=0, max_numbers=most)
    assert sum(len(str(term)) for term in short.model.terms) < sum(len(str(term)) for term in exact.model.terms)


def test_all_values_end_at_one_decimal_place() -> None:
    for margin in (1e-4, 1e-3, 1e-2):
        model = curvec.distill(TEACHER, DATA, margin=margin).model
        values = [y for term in model.terms for y in term.ordinates] + [model.intercept]
        places = {len(f"{value:.10g}".partition(".")[2]) for value in values}
        assert max(places) <= {1e-4: 3, 1e-3: 2, 1e-2: 1}[margin]


def test_whole_numbers_have_knots_on_whole_numbers_and_values_share_a_decimal_place() -> None:
    rng = np.random.default_rng(0)
    rows = {"age": rng.integers(18, 90, 3000), "codes": rng.integers(0, 7, 3000), "ratio": rng.random(3000)}
    steps = [
        StepCurve("age", [24.5, 40.5, 61.5], [1.0471, 0.3128, -0.2219, -1.3355]),
        StepCurve("codes", [0.5, 4.5], [0.2345, -0.1234, 0.4321]),
        StepCurve("ratio", [0.3333333, 0.7111111], [-0.1, 0.2, 0.3123]),
    ]
    model = curvec.distill(CurveModel("m", steps, 0.123456), rows).model
    for term in model.terms:
        for x, y in term.points:
            assert term.input == "ratio" or x == int(x)
            assert len(f"{y:g}".partition(".")[2]) <= 3
    assert len(f"{model.intercept:g}") <= 5


def test_a_function_of_no_weight_is_left_out_and_said() -> None:
    tiny = StepCurve("z", [0.0], [0.0, 1e-3])
    teacher = CurveModel("m", [StepCurve("x", [3, 6], [2.0, 0.0, 1.0]), tiny], 1.0)
    result = curvec.distill(teacher, DATA)
    assert [term.input for term in result.model.terms] == ["x"]
    assert "left out: its mean, in the intercept, loses less than 0.01% of the score's variance" in str(result)
    assert len(curvec.distill(teacher, DATA, margin=0).model.terms) == 2
    # A value for missing inputs that no row shows is the teacher's word on them, and stays.
    guarded = CurveModel("m", [teacher.terms[0], StepCurve("z", [0.0], [0.0, 1e-3], missing=4.0)], 1.0)
    assert len(curvec.distill(guarded, DATA, unseen="teacher").model.terms) == 2
    assert len(curvec.distill(guarded, DATA).model.terms) == 1


@pytest.mark.parametrize("most", [1, 5, 8, 13, 22, 40, 60])
def test_a_budget_is_spent_where_it_buys_most(most) -> None:
    """Against every way to spend it: each function left out, or with 1, 2, ... segments, or groups of levels."""
    found = curvec.distill(TEACHER, DATA, max_numbers=most, digits=None, order="teacher")
    assert found.model.numbers_to_read <= most
    total = np.sum((TEACHER.eval(DATA) - TEACHER.eval(DATA).mean()) ** 2)
    ways: list[list[tuple[int, float]]] = []
    for term in TEACHER.terms:
        alone = CurveModel("m", [term])
        exact = alone.eval(DATA)
        sizes = [(0, float(np.sum((exact - exact.mean()) ** 2)))]
        if (feature := names_of(term)[0]) != "c":
            straight = np.polyval(np.polyfit(DATA[feature], exact, 1), DATA[feature])
            sizes.append((1, float(np.sum((straight - exact) ** 2))))
        for segments in range(1, 6):
            made = curvec.distill(alone, DATA, num_segments=segments, digits=None, margin=0).model
            if names_of(term) == ["c"]:  # two of three levels in a group, or all apart
                table = {"red": 0.0, "green": -1.123456, "blue": 1.876544}
                counts = {key: int(np.sum(DATA["c"] == key)) for key in table}
                for one, other in itertools.combinations(table, 2):
                    weights = counts[one], counts[other]
                    mean = np.average([table[one], table[other]], weights=weights)
                    loss = sum(w * (table[key] - mean) ** 2 for key, w in zip((one, other), weights, strict=True))
                    sizes.append((1, float(loss)))
                sizes.append((4, 0.0))
                break
            sizes.append((made.numbers_to_read - 1, float(np.sum((made.eval(DATA) - exact) ** 2))))
        ways.append(sizes)
    within = [way for way in itertools.product(*ways) if sum(size for size, _ in way) < most]
    best = min(sum(loss for _, loss in way) for way in within)
    spent = 0.0
    for part in found.parts:
        gap = term_values(part.teacher, TEACHER.table(DATA))
        gap = gap - (0.0 if part.term is None else term_values(part.term, TEACHER.table(DATA)))
        spent += float(np.sum((gap - gap.mean()) ** 2))
    assert best * (1 - 1e-6) <= spent <= best + 1e-3 * total * (1 + 1e-9)
    front = {size.numbers: size.unexplained for size in found.report.front}
    at = max(size for size in front if size <= most)
    # There a curve's mean error counts, which the intercept takes up.
    assert front[at] * total == pytest.approx(best, rel=1e-2, abs=1e-9)


def test_a_product_is_replaced_factor_by_factor() -> None:
    context = Sum([EnumCurve("c", {"red": 1.0, "green": 2.0, "blue": 0.5}, 1.0, 1.0), steps("z", np.abs, -12.0, 12.0)])
    teacher = CurveModel("m", [Product([context, steps("x", np.log1p, 0.1, 25.0)]), TEACHER.terms[3]])
    result = curvec.distill(teacher, DATA)
    product = result.model.terms[0]
    assert isinstance(product, Product)
    assert [type(factor) for factor in product.factors] == [Sum, PWLCurve]
    assert [type(term) for term in product.factors[0].terms] == [EnumCurve, PWLCurve]
    assert result.report.unexplained < 0.01
    assert [(curve.label, curve.kind) for curve in result.report.curves] == [("(c + z) * x", "product"), ("r", "line")]
    assert [curve.label for curve in result.report.curves[0].inner] == ["c", "z", "x"]
    assert result.report.curves[1].inner == ()


def test_a_nested_curve_is_replaced_from_the_inside_out() -> None:
    inner = Sum([steps("x", np.sqrt, 0.1, 25.0), steps("z", lambda x: x / 3, -12.0, 12.0, missing=0.25)])
    outer = StepCurve(inner, np.linspace(-3, 8, 30).tolist(), np.tanh(np.linspace(-3, 8, 31)).tolist())
    result = curvec.distill(CurveModel("m", [outer]), DATA)
    curve = result.model.terms[0]
    assert isinstance(curve, PWLCurve)
    assert isinstance(curve.input, Sum)
    assert all(isinstance(term, PWLCurve) for term in curve.input.terms)
    assert result.report.unexplained < 0.02
    (entry,) = result.report.curves
    assert entry.label == "x + z"
    assert [inner.label for inner in entry.inner] == ["x", "z", "curve of (x + z)"]


@examples(25)
@given(
    values=st.lists(st.floats(-10, 10), min_size=3, max_size=12),
    segments=st.integers(1, 4),
    scale=st.sampled_from([1e-12, 1.0, 1e12]),
)
def test_any_step_teacher_distils_and_keeps_its_mean(values, segments, scale) -> None:
    """Kinds F11 and F12: the scale of the weights does not matter."""
    teacher = CurveModel("m", [StepCurve("x", list(range(len(values) - 1)), values, 0.0), TEACHER.terms[0]])
    data = {"x": np.arange(-2, len(values) + 2, dtype=float).repeat(3)[: len(values) * 3]}
    weights = np.arange(len(data["x"])) % 4 * scale
    result = curvec.distill(teacher, data, weights, num_segments=segments, digits=None)
    gap = np.average(result.model.eval(data) - teacher.eval(data), weights=weights)
    assert abs(gap) < 1e-9
    assert all(0 <= curve.unexplained <= 1 + 1e-9 for curve in result.report.curves)
