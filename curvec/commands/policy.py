"""``curvec policy``: model files against a policy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from curvec.commands.output import print_json, print_text, write_output
from curvec.errors import InputError
from curvec.fields import plain
from curvec.load import load
from curvec.review.policy import check_policy, load_policy, rules_table


def policy(
    models: Annotated[list[Path] | None, typer.Argument(help="the model files")] = None,
    file: Annotated[Path | None, typer.Option("--policy", help="the policy: a .toml file")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="findings as JSON")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="list the rules that a policy may hold")] = False,
) -> None:
    """Check MODELS against a policy. Exit status: 0 no findings, 1 findings, 2 trouble."""
    if rules:
        write_output(rules_table())
        return
    if not models or file is None:
        raise InputError("give one model file or more, and --policy; --rules lists what a policy may hold")
    asked = load_policy(file)
    findings = [(str(path), finding) for path in models for finding in check_policy(load(path), asked)]
    if as_json:
        rows = [{"model": path, **plain(finding), "value": _strict(finding.value)} for path, finding in findings]
        print_json(rows)
    else:
        for path, finding in findings:
            print_text(f"{path}: {finding}")
    if findings:
        raise typer.Exit(1)


def _strict(value: float | str | None) -> float | str | None:
    """A value of strict JSON, which has no infinity."""
    return str(value) if isinstance(value, float) and math.isinf(value) else value
