"""Proof that every target gives the reference's numbers."""

from __future__ import annotations
