"""The emitted C++, compiled by the local compiler into a shared library and called through its C interface."""

from __future__ import annotations

import ctypes
import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.emit import emit
from curvec.emit.cpp import namespace_of
from curvec.errors import ParityError
from curvec.fields import changed
from curvec.includes import get_include
from curvec.model import CurveModel
from curvec.parity.runners.base import Runner, Scores, StoredTable, TableColumn
from curvec.parity.runners.column_types import ColumnTypes, boolean, double, integer, single, text
from curvec.parity.runners.scratch import scratch_folder
from curvec.transforms import FloatArray

ROW_BY_ROW = 256
"""The most rows that go through the one-row functions; the batch functions take all."""

_ONE_ROW = """
extern "C" CURVEC_EXPORT void SPACE_score_rows(const curvec_column* columns, std::int64_t rows, double* scores) {
  const auto table = SPACE::FromC(columns);
  for (std::int64_t row = 0; row < rows; ++row) scores[row] = SPACE::Score(table.At(static_cast<std::size_t>(row)));
}
"""


_DOUBLE, _LONG = double("double"), integer("std::int64_t", 64)
_WHOLE = [integer(f"std::int{bits}_t", bits) for bits in (32, 16, 8)]
_WHOLE += [integer(f"std::uint{bits}_t", bits, signed=False) for bits in (64, 32, 16, 8)]
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, single("float"), _LONG, *_WHOLE, boolean("bool")),
    "int": (_LONG, _DOUBLE, single("float"), *_WHOLE),
    "str": (text("text"), text("text with codes")),
    "bool": (boolean("bool"), _DOUBLE, single("float"), _LONG, *_WHOLE),
}


class CppRunner(Runner):
    """Scores through ``Score`` for the first rows and ``ScoreBatch`` for all, which must agree; terms row by row."""

    types = _TYPES

    def __init__(self, name: str, *, standalone: bool) -> None:
        self.name = name
        self.standalone = standalone

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return None if compiler() else "a C++17 compiler (c++, g++ or clang++, or the variable CXX)"

    def version(self) -> str:
        """See :meth:`Runner.version`: the compiler's."""
        asked = [str(compiler()), "-dumpfullversion", "-dumpversion"]  # clang knows the second one only
        done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
        return done.stdout.strip()

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterator[Scores]:
        """See :meth:`Runner.run`."""
        space = namespace_of(model)
        source = emit(model, "cpp", standalone=self.standalone, c_interface=True)
        with compiled(source + one_row(space)) as library:
            for place, table in enumerate(tables):
                yield changed(library_scores(library, space, model, table), table=place)


def one_row(space: str) -> str:
    """A function beside the C interface that scores through ``Score``, row by row."""
    return _ONE_ROW.replace("SPACE", space)


def library_scores(library: ctypes.CDLL, space: str, model: CurveModel, table: StoredTable) -> Scores:
    """What a compiled model gives for a table: its batch, which must agree with its one-row function.

    Raises:
        ParityError: ``Score`` and ``ScoreBatch`` differ.

    """
    rows, columns = table.rows, _Columns(table.columns(model.features))
    terms, score, prediction = (
        columns.call(library, f"{space}_{name}", rows, width)
        for name, width in (("terms", len(model.terms)), ("score", 1), ("predict", 1))
    )
    single = columns.row_by_row(getattr(library, f"{space}_score_rows"), min(rows, ROW_BY_ROW))
    if not np.array_equal(single, score[:ROW_BY_ROW], equal_nan=True):
        raise ParityError(f"Score and ScoreBatch of model {model.name!r} differ")
    return Scores(terms.reshape(rows, len(model.terms)), score, prediction)


def compiler() -> str | None:
    """The local C++ compiler: the variable CXX, else the first of c++, g++, clang++ that is there."""
    return next(filter(None, map(shutil.which, (os.environ.get("CXX", ""), "c++", "g++", "clang++"))), None)


@contextmanager
def compiled(source: str, *options: str, by: str | None = None) -> Iterator[ctypes.CDLL]:
    """A C++ text as a loaded library, compiled with further options, ``by`` another compiler than the local one.

    Raises:
        ParityError: it does not compile; the message holds the compiler's first errors.

    """
    with scratch_folder("cpp") as folder:
        text, library = Path(folder) / "model.cpp", Path(folder) / "model.so"
        text.write_text(source.replace("#pragma once\n", ""), encoding="utf-8", newline="\n")
        flags = ["-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-shared", f"-I{get_include()}", *options]
        command = [by or compiler() or "c++", *flags, str(text), "-o", str(library)]
        own = {**os.environ, "TMPDIR": folder}  # where its own temporary files go
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=own)  # noqa: S603
        if done.returncode:
            raise ParityError(f"the emitted C++ does not compile: {done.stderr[:2000]}")
        yield ctypes.CDLL(str(library))


class _Column(ctypes.Structure):
    """curvec_column of curvec/column.h."""

    _fields_ = (
        ("values", ctypes.c_void_p),
        ("offsets", ctypes.c_void_p),
        ("bytes", ctypes.c_char_p),
        ("validity", ctypes.c_void_p),
        ("first", ctypes.c_int64),
        ("stride", ctypes.c_int64),
        ("entries", ctypes.c_int64),
        ("storage", ctypes.c_int32),
    )


_NUMBERS: dict[str, str] = {
    "double": "f8",
    "float": "f4",
    **{f"std::{sign}int{bits}_t": f"{sign or 'i'}{bits // 8}" for sign in ("", "u") for bits in (64, 32, 16, 8)},
    "bool": "u1",
}
"""How NumPy calls the numbers of a storage."""
_STORAGES = {name: code for code, name in enumerate(("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"), 2)}
_TEXT, _TEXT_CODES = 12, 13


class _Columns:
    """The rows in the layout of the C interface, kept alive as long as they are used."""

    def __init__(self, columns: Sequence[TableColumn]) -> None:
        self._alive: list[Any] = []
        self._columns = (_Column * len(columns))(*(self._column(column.type.name, column.values) for column in columns))

    def call(self, library: ctypes.CDLL, name: str, rows: int, width: int) -> FloatArray:
        """(rows * width,) what a function of the interface writes.

        Raises:
            ParityError: it refuses the columns.

        """
        result = np.empty(rows * width)
        pointer = result.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        wrong = ctypes.c_int32()
        count = len(self._columns)
        status = getattr(library, name)(self._columns, count, ctypes.c_int64(rows), pointer, ctypes.byref(wrong))
        if status:
            storage = self._columns[wrong.value].storage
            raise ParityError(f"{name}: status {status} of column {wrong.value}, whose storage is {storage}")
        return result

    def row_by_row(self, function: Any, rows: int) -> FloatArray:
        """(rows,) what the function beside the interface writes."""
        result = np.empty(rows)
        function(self._columns, ctypes.c_int64(rows), result.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
        return result

    def _column(self, kind: str, values: Sequence[Any]) -> _Column:
        there = [value is not None for value in values]
        validity = None if all(there) else self._keep(np.packbits(there, bitorder="little"))
        if kind in _NUMBERS:
            filled = np.array([0 if value is None else value for value in values], _NUMBERS[kind])
            return _Column(values=self._keep(filled), validity=validity, storage=_STORAGES[_NUMBERS[kind]])
        entries = list(dict.fromkeys(values)) if kind == "text with codes" else list(values)
        encoded = [(entry or "").encode() for entry in entries]
        ends = self._keep(np.array([0, *itertools.accumulate(map(len, encoded))], np.int64))
        text = b"".join(encoded)
        self._alive.append(text)
        if kind == "text":
            return _Column(offsets=ends, bytes=text, validity=validity, storage=_TEXT)
        places = {entry: place for place, entry in enumerate(entries)}
        codes = self._keep(np.array([-1 if value is None else places[value] for value in values], np.int32))
        return _Column(values=codes, offsets=ends, bytes=text, entries=len(entries), storage=_TEXT_CODES)

    def _keep(self, array: npt.NDArray[Any]) -> int:
        contiguous = np.ascontiguousarray(array)
        self._alive.append(contiguous)
        return contiguous.ctypes.data
