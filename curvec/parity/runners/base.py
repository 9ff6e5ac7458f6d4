"""What a runner is: one way to score rows with the text that was emitted for a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from curvec.model import CurveModel
from curvec.transforms import FloatArray

__all__ = ["Data", "Limits", "Runner", "Scores", "python_values"]

Data = Mapping[str, npt.NDArray[Any]]
"""The rows to score, one array for each of the model's features.

A "number" is float64; NaN is a NaN, and a masked entry (NumPy's masked array, NaN underneath) is a NULL, so that
``np.asarray`` gives NaN for both. A category is an object array of int, str or bool, with None for NULL.
"""


@dataclass(frozen=True, slots=True)
class Scores:
    """What a target gave, with NaN for NULL.

    Attributes:
        terms: (rows, T) the value of each term.
        score: (rows,) the raw score.
        prediction: (rows,) after the link's inverse.

    """

    terms: FloatArray
    score: FloatArray
    prediction: FloatArray


@dataclass(frozen=True, slots=True)
class Limits:
    """Which inputs a target cannot be given; such rows are changed or left out, and counted in the report.

    Attributes:
        nan: a NaN can be stored; if not it is passed as NULL (both are missing).
        infinity: an infinity can be stored; if not the row is left out.
        overflow: a sum or product of finite numbers may be infinite; if not (it is an error of the engine) a row whose
            reference has one is left out.
        underflow: a Product may be zero without a zero factor; if not, likewise.
        nul: text may hold the character U+0000; if not the row is left out.

    """

    nan: bool = True
    infinity: bool = True
    overflow: bool = True
    underflow: bool = True
    nul: bool = True


class Runner(Protocol):
    """One way to score rows; inherit from it for the defaults.

    Attributes:
        name: what ``check`` and ``curvec parity`` call it.
        limits: what it cannot be given.
        log_ulps: the stated bound for a model with a logarithm, in ULP of the larger operand. A model without one
            must agree in every bit, on every target.

    """

    name: str
    limits: ClassVar[Limits] = Limits()
    log_ulps: ClassVar[float] = 4.0

    def needs(self) -> str | None:
        """None if it can run here, else what to install."""
        return None

    def version(self) -> str:
        """The version of what scores, where it has one; asked after ``run``."""
        return ""

    def run(self, model: CurveModel, data: Data) -> Scores:
        """Emit the model, score the rows with the emitted text, and give back what it said.

        Raises:
            UnsupportedError: the target refuses the model.
            ParityError: the emitted text does not compile or run.

        """
        ...


def python_values(column: npt.NDArray[Any] | Sequence[Any]) -> list[Any]:
    """A column as Python values, None for NULL (a masked entry)."""
    return column.tolist() if isinstance(column, np.ndarray) else list(column)  # masked entries become None
