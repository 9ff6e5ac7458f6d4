"""Every C++ header that the tests emit, kept for benchmarks/compilers.py in the folder CURVEC_KEEP_CPP.

A header is emitted once more, into a namespace of its own around the one it has, so that many are one program.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

from curvec.emit.cpp import namespace_of
from curvec.emit.target import TARGETS
from curvec.fields import changed
from curvec.model import CurveModel


def keep_cpp(folder: Path) -> None:
    """From here on, what this process emits as C++ is kept in a folder, too: once, whoever asks for the same text."""
    folder.mkdir(parents=True, exist_ok=True)
    cpp = TARGETS["cpp"]

    @functools.wraps(cpp.emit)  # its options are those of the target
    def emit(model: CurveModel, *, namespace: str | None = None, **options: Any) -> str:
        text = cpp.emit(model, namespace=namespace, **options)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        name = f"kept_{digest}"
        file = folder / f"{name}{'.h' if options.get('c_header') else '.hpp'}"
        if not file.exists():
            own = f"{name}::{namespace or namespace_of(model)}"
            file.write_text(cpp.emit(model, namespace=own, **options), encoding="utf-8", newline="\n")
        return text

    TARGETS["cpp"] = changed(cpp, emit=emit)
