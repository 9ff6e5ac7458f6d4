"""Compiling emitted C++ under every warning, with each compiler that is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import curvec
from curvec import (
    CurveModel,
    EnumCurve,
    PWLCurve,
)
from curvec.parity.runners.cpp import compiler

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wfloat-equal", "-Werror"]


COMPILERS = sorted(filter(None, map(shutil.which, ("g++", "clang++")))) or [compiler()]


LISTING = CurveModel(
    "COMPAS",
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log"),
        PWLCurve("priors_count", [(0, -0.8415), (1, -0.4452), (38, 2.146)], fx="log1p"),
        PWLCurve("length_of_stay", [(0, -0.1855), (3, -0.04099), (4, 0.2443)]),
        EnumCurve("c_charge_degree", {1: 0.0198, 2: -0.0384}),
    ],
    link="logit",
)


def check(source: str, *options: str, compilers: Sequence[str | None] = COMPILERS) -> None:
    """That every compiler takes a text without a warning."""
    command = ["-std=c++17", "-fsyntax-only", "-x", "c++", f"-I{curvec.get_include()}", *WARNINGS, *options, "-"]
    for by in compilers:
        done = subprocess.run(
            [str(by), *command], input=one_unit([source]), capture_output=True, check=False, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr


def one_unit(texts: Sequence[str]) -> str:
    """Emitted headers as one translation unit."""
    return "\n".join(text.replace("#pragma once\n", "") for text in texts)
