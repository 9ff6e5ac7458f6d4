"""The commands of the command line, one file a command, and what they share."""

from __future__ import annotations
