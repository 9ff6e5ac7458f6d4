"""For the people who review: pictures, reports, differences and policies."""

from __future__ import annotations
