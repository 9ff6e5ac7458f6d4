"""``curvec edit``: the edits of a model as a value, from the shell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curvec.commands.choices import by_feature, check_model_file, feature_and_value, low_and_high
from curvec.commands.output import check_json_apart, write_output
from curvec.errors import InputError
from curvec.ir import Curve, changed
from curvec.load import load
from curvec.model import CurveModel
from curvec.review.diff import diff
from curvec.spelling import quoted


def edit(
    model: Annotated[Path, typer.Argument(help="the model file; .py or .json")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the model file to write")] = None,
    cap: Annotated[
        list[str] | None,
        typer.Option(
            help="FEATURE=LOW:HIGH, FEATURE=LOW: or FEATURE=:HIGH: values below LOW count as LOW, above HIGH as HIGH"
        ),
    ] = None,
    drop: Annotated[list[str] | None, typer.Option(help="a feature to take out, with every term that uses it")] = None,
    monotone: Annotated[
        list[str] | None,
        typer.Option(help="FEATURE=increasing or FEATURE=decreasing: its curves become the nearest such ones"),
    ] = None,
    digits: Annotated[int | None, typer.Option("--round", help="significant digits of every number, 1 to 17")] = None,
    rename: Annotated[list[str] | None, typer.Option(help="FEATURE=NAME")] = None,
    name: Annotated[str | None, typer.Option(help="what the model is called")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="what changed, as JSON")] = False,
) -> None:
    """Edit MODEL: cap, drop, make monotone, round, rename, in this order; and say what that changed.

    Each of --cap, --drop, --monotone and --rename may be given several times.
    """
    check_model_file(output)
    check_json_apart(as_json, output, "what changed")
    before = load(model)
    after = before
    for option in cap or ():
        after = _capped(after, option)
    for feature in drop or ():
        after = after.drop(feature)
    for option in monotone or ():
        after = _monotone(after, *feature_and_value(option, "--monotone", "FEATURE=increasing or FEATURE=decreasing"))
    if digits is not None:
        after = after.round(digits)
    called = by_feature(rename or (), "--rename", "FEATURE=NAME")
    if called:
        after = after.rename(called)
    if name is not None:
        after = changed(after, name=name)
    if after == before:
        given = any(option is not None for option in (cap, drop, monotone, digits, rename, name))
        raise InputError(f"{model}: nothing would change; " + (_LIKE_THIS if given else _GIVE))
    write_output(after.to_json(), output)
    if as_json:
        write_output(diff(before, after).to_json())
    else:
        _tell(before, after, called)


def _tell(before: CurveModel, after: CurveModel, called: dict[str, str]) -> None:
    """Say what changed, in the new names."""
    for old, new in called.items():
        typer.echo(f"{quoted(old)} is called {quoted(new)}", err=True)
    changes = str(diff(_renamed(before, called), after))
    if changes:
        typer.echo(changes, err=True)


def _renamed(model: CurveModel, called: dict[str, str]) -> CurveModel:
    """The model with the new names, so that the other changes are shown with these."""
    try:
        return model.rename(called) if called else model
    except InputError:  # a feature that was taken out has had such a name
        return model


_LIKE_THIS = "the model is as these edits would make it"
_GIVE = "give --cap, --drop, --monotone, --round, --rename or --name"


def _capped(model: CurveModel, option: str) -> CurveModel:
    feature, bounds = feature_and_value(option, "--cap", "FEATURE=LOW:HIGH")
    below, above = low_and_high(bounds, f"--cap {option}", "FEATURE=LOW:HIGH")
    try:
        return model.cap(feature, below=below, above=above)
    except InputError as error:
        raise InputError(f"--cap {option}: {error}") from None


def _monotone(model: CurveModel, feature: str, way: str) -> CurveModel:
    if way not in ("increasing", "decreasing"):
        raise InputError(f"--monotone {feature}={way}: write increasing or decreasing")
    curves = [term for term in model.terms if term.feature == feature and isinstance(term, Curve)]
    if not curves:
        own = dict.fromkeys(str(term.feature) for term in model.terms if isinstance(term, Curve) and term.feature)
        raise InputError(f"--monotone {feature}={way}: no term is a curve of it; there are those of {', '.join(own)}")
    for term in curves:
        if term.direction != way:
            model = model.replace(term, term.monotone("increasing" if way == "increasing" else "decreasing"))
    return model
