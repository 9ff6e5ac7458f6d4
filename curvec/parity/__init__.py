"""Proof that every target scores as the reference does: probes, runners, a report."""

from __future__ import annotations

from curvec.parity.check import check
from curvec.parity.report import Mismatch, ParityReport, TargetResult
from curvec.parity.runners import RUNNERS

__all__ = ["RUNNERS", "Mismatch", "ParityReport", "TargetResult", "check"]
