"""How every picture looks: colours, marks and type for matplotlib, loaded only when something is drawn."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvec.errors import InputError, MissingDependencyError
from curvec.files import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#8c8c8c"
OTHERS = (("#009e73", "--", "s"), ("#cc79a7", "-.", "D"), ("#56b4e9", ":", "^"), ("#b38600", (0, (5, 1, 1, 1)), "v"))
PANEL = (2.4, 1.85)
"""Inches of one panel: three side by side fill a page."""

STYLE = {
    "font.size": 7.5,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "axes.axisbelow": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.color": "#333333",
    "ytick.color": "#333333",
    "legend.frameon": False,
    "savefig.dpi": 200,
    "text.parse_math": False,
    "svg.hashsalt": "curvec",
    "svg.fonttype": "none",
}


def matplotlib() -> Any:
    """The library.

    Raises:
        MissingDependencyError: it is not installed.

    """
    try:
        import matplotlib as mpl
        import matplotlib.figure
    except ImportError:
        raise MissingDependencyError("plots need matplotlib: pip install 'curvec[plot]'") from None
    return mpl


def save(figure: Figure, path: Path) -> None:
    """Write the figure in the format that the file's suffix names.

    Raises:
        InputError: the file cannot be written, or there is no such format.

    """
    known = figure.canvas.get_supported_filetypes()
    if path.suffix.lower().removeprefix(".") not in known:
        raise InputError(f"{path}: suffix {path.suffix!r} is not a picture's; use .png, .svg or .pdf")
    # No date and no version, so that the same model gives the same bytes.
    clean = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None, "Producer": None}}
    buffer = io.BytesIO()
    figure.savefig(buffer, format=path.suffix.lower().removeprefix("."), metadata=clean.get(path.suffix.lower()))
    write_file(path, buffer.getvalue())
