"""What parity found: one result a target, as a value, a table and JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from curvec.display import Printed
from curvec.errors import counted
from curvec.fields import changed, plain

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


class Mismatch(msgspec.Struct, frozen=True):
    """One value of one row that differs between a target and the reference.

    Attributes:
        target: the target's name.
        what: "term 3", "score" or "prediction".
        origin: what the row is.
        inputs: the row's values, numbers in hex.
        expected: the reference's value.
        got: the target's value.
        ulps: got less expected, in ULP of the larger operand; infinite if only one of them is a number.

    """

    target: str
    what: str
    origin: str
    inputs: Mapping[str, str]
    expected: float
    got: float
    ulps: float

    def __str__(self) -> str:
        """One line: where, the input, both values in hex."""
        where = ", ".join(f"{name}={value}" for name, value in self.inputs.items())
        return (
            f"{self.target}: {self.what} of a {self.origin} ({where}) is {self.got.hex()} = {self.got!r}, "
            f"expected {self.expected.hex()} = {self.expected!r}, {self.ulps:+.3g} ULP of the larger operand"
        )


class TargetResult(msgspec.Struct, frozen=True):
    """The result of one target.

    Attributes:
        target: its name.
        ok: whether every value is within its bound; also True for a target that was not asked for by name and cannot
            run here, or refuses the model.
        rows: rows compared, over the tables of all column types.
        values: values compared: every term, the score and the prediction of each row, in every form.
        different: values that differ from the reference's bits.
        bound: the bound on the distance, in ULP of the larger operand; 0 if every bit has to agree.
        worst: the value furthest beyond its bound, or furthest from the reference if all are within their bounds; None
            if all are identical.
        notes: what was changed or left out and how often, or why the target did not run.
        version: the engine's version, if it has one.
        ran: whether it ran; a target that cannot run here, or refuses the model, has ``ran`` False.
        columns: the types of column that features of each type were scored in, as the target calls them.
        forms: the forms of its text that were scored, where there are several.
        furthest: the largest distance of a "term", a "score" and a "prediction", in ULP of the larger operand.

    """

    target: str
    ok: bool
    rows: int = 0
    values: int = 0
    different: int = 0
    bound: float = 0.0
    worst: Mismatch | None = None
    notes: Sequence[str] = ()
    version: str = ""
    ran: bool = True
    columns: Mapping[str, Sequence[str]] = msgspec.field(default_factory=dict)
    forms: Sequence[str] = ()
    furthest: Mapping[str, float] = msgspec.field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """One of "identical", "in bound", "DIFFERENT", "FAILED", "not run"."""
        if not self.ran:
            return "not run" if self.ok else "FAILED"
        if not self.ok:
            return "DIFFERENT"
        return "in bound" if self.different else "identical"


def combined(results: Sequence[TargetResult]) -> TargetResult:
    """The results of one target's tables and forms combined: the counts added up, and the worst value."""
    for result in results:
        if not result.ran:
            return result
    worst = max(results, key=lambda result: (not result.ok, abs(result.worst.ulps) if result.worst else 0.0))
    return changed(
        worst,
        rows=sum(result.rows for result in results),
        values=sum(result.values for result in results),
        different=sum(result.different for result in results),
        bound=max(result.bound for result in results),
        furthest={kind: max(result.furthest.get(kind, 0.0) for result in results) for kind in _QUANTITIES},
    )


_QUANTITIES = ("term", "score", "prediction")


class ParityReport(Printed, msgspec.Struct, frozen=True):
    """What parity found: the model's name, and a result a target, in the order asked for."""

    text_width: ClassVar[int] = 140

    model: str
    results: Sequence[TargetResult]

    @property
    def ok(self) -> bool:
        """Whether some target ran, and all that ran are within their bounds."""
        return all(result.ok for result in self.results) and any(result.ran for result in self.results)

    @property
    def targets(self) -> dict[str, TargetResult]:
        """The results by name."""
        return {result.target: result for result in self.results}

    @property
    def worst(self) -> Mismatch | None:
        """The value furthest from the reference, of a failing target if there is one; None if all are identical."""
        failing = [result for result in self.results if not result.ok] or self.results
        found = [result.worst for result in failing if result.worst is not None]
        return max(found, key=lambda mismatch: abs(mismatch.ulps), default=None)

    @property
    def summary(self) -> str:
        """How many targets are identical, which are within a bound, and which are not."""
        ran = [result for result in self.results if result.ran]
        identical = [result for result in ran if result.verdict == "identical"]
        near = [_near(result) for result in ran if result.verdict == "in bound"]
        off = [result.target for result in self.results if not result.ok]
        parts = [f"of {counted(len(ran), 'target')} that ran {len(identical)} identical to the last bit"]
        parts += [f"{len(near)} within their stated bounds: {', '.join(near)}"] if near else []
        parts += [f"{len(off)} different or failed: {', '.join(off)}"] if off else []
        idle = len(self.results) - len(ran)
        parts += [f"{idle} did not run"] if idle else []
        return f"Against the reference evaluator: {'; '.join(parts)}."

    def to_json(self) -> str:
        """The report as strict JSON; numbers that JSON lacks, and both values, as text (hex floats)."""
        document = {"model": self.model, "ok": self.ok, "targets": [_plain(result) for result in self.results]}
        return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """A table; then lines for column types, for what was changed or left out, and for each target that fails."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(f"parity of {self.model!r}"), title_justify="left", box=SIMPLE_HEAD)
        for name, justify in _HEADER:
            table.add_column(name, justify=justify, no_wrap=True)
        for result in self.results:
            table.add_row(*map(Text, _cells(result)), style=_style(result))
        yield table
        yield Text(self.summary)
        for result in self.results:
            if result.columns:
                yield Text(f"{result.target} scored {_columns(result)}")
            if result.notes:
                yield Text(f"{result.target}: {'; '.join(result.notes)}")
            if not result.ok and result.worst is not None:
                yield Text(str(result.worst))


_HEADER: Sequence[tuple[str, Any]] = (
    ("target", "left"),
    ("version", "left"),
    ("rows", "right"),
    ("differ", "right"),
    ("max ULP", "right"),
    ("bound", "right"),
    ("verdict", "left"),
)


def _cells(result: TargetResult) -> Iterable[str]:
    if not result.ran:
        return (result.target, result.version, "", "", "", "", result.verdict)
    largest = f"{result.worst.ulps:+.3g}" if result.worst else "0"
    counts = (f"{result.rows:,}", f"{result.different:,}")
    return (result.target, result.version, *counts, largest, f"{result.bound:g}", result.verdict)


def _near(result: TargetResult) -> str:
    largest = max(result.furthest.values(), default=0.0)
    return (
        f"{result.target} ({result.different:,} of {result.values:,} values differ, by at most {largest:.3g} ULP of "
        f"the larger operand, bound {result.bound:g})"
    )


def _columns(result: TargetResult) -> str:
    """Which column types were tried, for which type of feature, and in which forms."""
    forms = f" ({', '.join(result.forms)})" if result.forms else ""
    return "; ".join(f"{_KINDS[kind]} as {', '.join(_named(names))}" for kind, names in result.columns.items()) + forms


def _named(names: Sequence[str]) -> list[str]:
    """The types by name; those of a library of data frames by number, as there are many."""
    libraries = Counter(name.partition(" ")[0] for name in names if name.startswith(_LIBRARIES))
    plain = [name for name in names if not name.startswith(_LIBRARIES)]
    return [*plain, *(f"{counted(count, 'type')} of {library}" for library, count in libraries.items())]


_LIBRARIES = ("numpy ", "pandas ", "polars ", "pyarrow ")


_KINDS = {"number": "numbers", "int": "integer categories", "str": "text", "bool": "true and false"}


def _style(result: TargetResult) -> str:
    if not result.ok:
        return "red"
    return "" if result.ran else "dim"


def _plain(result: TargetResult) -> dict[str, Any]:
    document = plain(result) | {"verdict": result.verdict}
    document["furthest"] = {what: far if math.isfinite(far) else repr(far) for what, far in result.furthest.items()}
    if result.worst is not None:
        worst = result.worst
        ulps = worst.ulps if math.isfinite(worst.ulps) else repr(worst.ulps)
        document["worst"] |= {"expected": worst.expected.hex(), "got": worst.got.hex(), "ulps": ulps}
    return document
