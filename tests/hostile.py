"""A model in which every text tries to become markup, script or style."""

from __future__ import annotations

from typing import Any

from strategies import HARD_KEYS, HARD_NAMES

from curvec import CurveModel, EnumCurve, PWLCurve

__all__ = ["EVIL", "hostile"]

EVIL = [
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "<!--<script>",
    '"><svg onload=window.pwned=1>',
    "{{ 7 * 7 }}{% raw %}",
    "javascript:window.pwned=1",
    "\u202egnp.exe",
    "];window.pwned=1;//",
    "</style><style>*{display:none}",
]


def hostile() -> CurveModel:
    """Hostile names, levels and notes in one valid model."""
    names = [*EVIL, *HARD_NAMES]
    levels = {key: float(place) for place, key in enumerate([*EVIL, *HARD_KEYS])}
    terms: list[Any] = [PWLCurve(name, [(0, 0), (1, 1)], note=name) for name in names]
    terms.append(EnumCurve("levels " + EVIL[0], levels, default=-1.0, note=EVIL[1]))
    return CurveModel(EVIL[0], terms, note="".join(EVIL))
