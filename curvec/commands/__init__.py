"""The commands of the command line, one file an area; each has ``register(app)``."""

from __future__ import annotations
