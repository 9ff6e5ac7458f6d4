"""A command's options that are a function's keywords: their values, defaults and help are the function's."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

import pytest
import typer
from typer.testing import CliRunner

from curvec.commands.keywords import with_keywords
from curvec.errors import InputError

GIVEN: dict[str, Any] = {}


def brew(
    water: float,
    *,
    cups: int | Literal["auto"] = "auto",
    share: float = 0.5,
    beans: Collection[str] = (),
    grind: Literal["fine", "coarse"] = "fine",
    most: int | Literal["auto"] | None = None,
    sugar: int = 0,
    hot: bool = True,
    milk: object = None,
) -> None:
    """Make coffee.

    Args:
        water: litres.
        cups: how many; "auto" for as many
            as there are.
        share: of ``water``, as
            :func:`brew` has it.
        beans: by name.
        grind: of the beans.
        most: cups in a day.
        sugar: spoons.
        hot: or cold.
        milk: any.

    """


@with_keywords(brew, without=["milk"])
def command(
    water: Annotated[float, typer.Argument(help="litres")],
    sugar: Annotated[int, typer.Option("--sweet")] = 1,
    **keywords: Any,
) -> None:
    """Make coffee here."""
    GIVEN.clear()
    GIVEN.update(keywords, water=water, sugar=sugar)


app = typer.Typer(pretty_exceptions_enable=False)
app.command()(command)


def given(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return dict(GIVEN)


def test_the_defaults_are_the_functions() -> None:
    assert given("1.5") == {"water": 1.5, "sugar": 1, "cups": "auto", "share": 0.5, "grind": "fine", "hot": True}


def test_values_are_read_as_the_function_takes_them() -> None:
    options = [
        "--cups",
        "4",
        "--share",
        "0.25",
        "--beans",
        "a",
        "--beans",
        "b",
        "--grind",
        "coarse",
        "--most",
        "auto",
        "--no-hot",
    ]
    assert given("2", *options, "--sweet", "3") == {
        "water": 2.0,
        "sugar": 3,
        "cups": 4,
        "share": 0.25,
        "beans": ["a", "b"],
        "grind": "coarse",
        "most": "auto",
        "hot": False,
    }


def test_what_is_neither_a_number_nor_the_word_is_refused() -> None:
    with pytest.raises(InputError, match=r"^--cups some: write a whole number, or auto$"):
        given("1", "--cups", "some")


def test_the_help_is_the_docstrings_without_its_marks() -> None:
    text = " ".join(CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).output.split())
    assert "NUMBER|auto how many [default: auto]" in text
    assert "of water, as brew has it [default: 0.5]" in text
    assert "fine|coarse of the beans" in text
    assert "--milk" not in text
