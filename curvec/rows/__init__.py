"""Rows wherever they are, read in batches: files, Arrow streams, lazy frames and relations of a database."""

from __future__ import annotations

from curvec.rows.batch import Batch
from curvec.rows.stream import Stream, stream_of, tables_of

__all__ = ["Batch", "Stream", "stream_of", "tables_of"]
