"""What `make test` leaves to `make nightly`: other combinations of values, none of the values."""

from __future__ import annotations

from nightly import by_diagonal


def test_each_value_is_on_the_diagonal_and_each_combination_in_the_product() -> None:
    axes = ["a", "b"], [1, 2, 3], [0.5]
    _, cases = by_diagonal(["letter", "number", "one"], *axes).args
    tried = [case.values for case in cases if not case.marks]
    assert [set(values) for values in zip(*tried, strict=True)] == [set(axis) for axis in axes]
    assert len(tried) == 3
    assert len({case.values for case in cases}) == len(cases) == 6
