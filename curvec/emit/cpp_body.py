"""Terms as C++: curves become constants, and a term becomes an expression over them and the row's parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curvec.contract import GROUP, segments
from curvec.emit.cpp_names import LOCALS, cpp_identifiers
from curvec.emit.cpp_text import braced, comment, key_literal
from curvec.errors import UnsupportedError
from curvec.ir import EnumCurve, FeatureType, Line, Product, PWLCurve, StepCurve, Sum, Term
from curvec.model import CurveModel
from curvec.spelling import shortest
from curvec.transforms import transform

Curve = Line | PWLCurve | StepCurve | EnumCurve

_MOST = {Line: 1, PWLCurve: 20_000, StepCurve: 250_000, EnumCurve: 250_000}
"""The most points, cuts or levels of a curve: evaluating the constant of a larger one exceeds the compilers' limits."""
_MOST_TEXTS = 150_000
"""The most levels of text."""

KEY_TYPES: dict[FeatureType, str] = {"int": "std::int64_t", "str": "std::string_view", "bool": "bool"}


class Curves:
    """The names of a model's features and curves; equal curves of one input are one constant.

    Attributes:
        parameters: each feature's identifier.
        kinds: each feature's type.
        names: each curve's identifier, in the order of the terms.
        bare: for each curve with special codes, the identifier of the curve without them.

    """

    def __init__(self, model: CurveModel) -> None:
        self.parameters = cpp_identifiers((feature.name for feature in model.features), LOCALS)
        self.kinds = {feature.name: feature.type for feature in model.features}
        found: dict[Curve, None] = {}
        for term in model.terms:
            self._collect(term, found)
        taken = set(self.parameters.values())
        numbers: Counter[str] = Counter()
        self.names: dict[Curve, str] = {}
        self.bare: dict[Curve, str] = {}
        for curve in found:
            kind, of = "line" if isinstance(curve, Line) else "curve", self._input_name(curve)
            self.names[curve] = self._unused_name(f"{of}_{kind}", taken, numbers)
            if curve.special_codes:
                self.bare[curve] = self.names[curve]
                self.names[curve] = self._unused_name(f"{of}_special", taken, numbers)

    def _collect(self, term: Term, found: dict[Curve, None]) -> None:
        for child in term.children:
            self._collect(child, found)
        if isinstance(term, Curve) and not _is_feature(term):
            found.setdefault(term)

    def _input_name(self, curve: Curve) -> str:
        return "sum" if curve.feature is None else self.parameters[curve.feature].rstrip("_")

    @staticmethod
    def _unused_name(wanted: str, taken: set[str], numbers: Counter[str]) -> str:
        if wanted in LOCALS:  # such as L_curve: the prefix L_ is reserved, so a suffix cannot help
            wanted = f"the_{wanted}"
        name = wanted
        while name in taken or name in LOCALS:
            numbers[wanted] += 1
            name = f"{wanted}_{numbers[wanted] + 1}"
        taken.add(name)
        return name

    def constants(self) -> list[str]:
        """The declarations of the curves, each with its notes above it."""
        return ["\n".join([*comment(curve.note), *self._constants(curve)]) for curve in self.names]

    def _constants(self, curve: Curve) -> list[str]:
        if curve not in self.bare:
            return [_constant(curve, self.names[curve])]
        return [_constant(curve, self.bare[curve]), _special(curve, self.names[curve], self.bare[curve])]

    def argument(self, curve: Curve, of: str = "", as_number: str = "number") -> str:
        """What a curve reads: its feature, which has to be made a number where it is a category to other curves."""
        feature = curve.feature or ""
        is_read = curve.reads == self.kinds[feature]
        return f"{of}{self.parameters[feature]}" + ("" if is_read else f".{as_number}()")

    def runtime_names(self) -> set[str]:
        """The names of the runtime that the constants say."""
        names = {type(curve).__name__ for curve in self.names}
        for curve in self.names:
            if isinstance(curve, PWLCurve) and curve.fx != "identity":
                names.add(transform(curve.fx).cpp)
            names |= {"Below"} if isinstance(curve, StepCurve) else set()
            names |= {"SpecialCodes"} if curve.special_codes else set()
            names |= {"Missing"} if curve.missing is not None else set()
            names |= {"Default"} if isinstance(curve, EnumCurve) and curve.default is not None else set()
        return names


def _is_feature(term: Term) -> bool:
    """Whether a term is the feature itself, which no constant is made for."""
    return isinstance(term, Line) and term.coefficient == 1 and term.missing is None


def _check_size(curve: Curve, name: str) -> None:
    size = len(curve.breaks or curve.coefficients)
    is_text = isinstance(curve, EnumCurve) and curve.levels.type == "str"
    if size > (most := _MOST_TEXTS if is_text else _MOST[type(curve)]):
        raise UnsupportedError(
            f"{name} has {size:,} entries, and C++ compilers make a constant of at most {most:,}; "
            "score in Python (model.eval), or emit SQL"
        )


def _constant(curve: Curve, name: str) -> str:
    _check_size(curve, name)
    options = [] if curve.missing is None else [f"Missing{{{shortest(curve.missing)}}}"]
    match curve:
        case Line(_, coefficient):
            arguments = [shortest(coefficient), *options]
            return f"inline constexpr Line {name}({', '.join(arguments)});"
        case StepCurve(_, cuts, values):
            items = [f"{{{shortest(cut)}, {shortest(value)}}}" for cut, value in zip(cuts, values[1:], strict=True)]
            head = f"StepCurve {name}("
            options.insert(0, f"Below{{{shortest(values[0])}}}")
        case EnumCurve():
            items = _levels(curve)
            head = f"EnumCurve<{KEY_TYPES[curve.levels.type]}, {len(items)}> {name}("
            if curve.default is not None:
                options.insert(0, f"Default{{{shortest(curve.default)}}}")
        case PWLCurve():
            items = _points(curve)
            head = f"PWLCurve {name}("
            if curve.fx != "identity":
                options.insert(0, f"{transform(curve.fx).cpp}{{}}")
    text = braced(f"inline constexpr {head}", items, "".join(f", {option}" for option in options) + ");")
    return text if curve.fx == "identity" else f"// Points: x, {curve.fx}(x), y.\n{text}"


def _special(curve: Curve, name: str, bare: str) -> str:
    items = [f"{{{shortest(code)}, {shortest(value)}}}" for code, value in curve.special_codes.items()]
    if len(items) > (most := _MOST[PWLCurve]):
        raise UnsupportedError(f"{name} has {len(items):,} special codes, and C++ takes {most:,}; use a table")
    text = braced(f"inline constexpr SpecialCodes {name}({bare}, ", items, ");")
    as_it_is = "\n" in text and not text.startswith("//")  # clang-format breaks such a line at another place
    return f"// clang-format off\n{text}\n// clang-format on" if as_it_is else text


def _points(curve: PWLCurve) -> list[str]:
    if curve.fx == "identity":
        return [f"{{{shortest(x)}, {shortest(y)}}}" for x, y in curve.points]
    u = segments(curve.points, curve.fx).u.tolist()
    triples = zip(curve.points, u, strict=True)
    return [f"{{{shortest(x)}, {shortest(u_k)}, {shortest(y)}}}" for (x, y), u_k in triples]


def _levels(curve: EnumCurve) -> list[str]:
    levels = list(curve.levels.items())
    if len(levels) > 16:
        levels.sort(key=lambda level: level[0])  # code points sort as their UTF-8 does, as the runtime compares
    return [f"{{{key_literal(key)}, {shortest(value)}}}" for key, value in levels]


class _Function:
    """The statements of one function, and the names that are taken in it."""

    def __init__(self, curves: Curves) -> None:
        self.curves = curves
        self.lines: list[str] = []
        self.taken = {*curves.parameters.values(), *curves.names.values()}
        self.numbers: Counter[str] = Counter()

    def variable(self, stem: str) -> str:
        self.numbers[stem] += 1
        while (name := f"{stem}_{self.numbers[stem]}") in self.taken:
            self.numbers[stem] += 1
        return name


class _Body(_Function):
    """One row: a term is an expression; each sum and product in it gets a variable."""

    def value(self, term: Term) -> str:
        """The expression of a term, after the statements that it needs."""
        if isinstance(term, Sum):
            return self.sum(term.terms)
        if isinstance(term, Product):
            return self.product(term.factors)
        argument = self.value(term.input) if isinstance(term.input, Sum) else self.curves.argument(term)
        return argument if _is_feature(term) else f"{self.curves.names[term]}.Eval({argument})"

    def sum(self, terms: Sequence[Term]) -> str:
        total = ""
        for first in range(0, len(terms), GROUP):
            values = [self.value(term) for term in terms[first : first + GROUP]]
            group = self.variable("sum")
            self.lines.append(f"double {group} = {values[0]};")
            self.lines += [f"{group} += {value};" for value in values[1:]]
            if total:
                self.lines.append(f"{total} += {group};")
            total = total or group
        return total

    def product(self, factors: Sequence[Term]) -> str:
        product = self.value(factors[0])
        for factor in factors[1:]:
            value = self.value(factor)
            name = self.variable("product")
            self.lines.append(f"const double {name} = Product({product}, {value});")
            product = name
        return product


def statements(model: CurveModel, curves: Curves, into: str) -> list[str]:
    """The statements of Score (``into="score"``) or of Contributions (``into="terms"``)."""
    body = _Body(curves)
    for position, term in enumerate(model.terms):
        value = body.value(term)
        if into == "terms":
            body.lines.append(f"terms[{position}] = {value};")
        elif position < GROUP:
            body.lines.append(f"score += {value};")
        elif position % GROUP == 0:
            group = body.variable("group")
            body.lines.append(f"double {group} = {value};")
        else:
            body.lines.append(f"{group} += {value};")
        if (
            into == "score"
            and position >= GROUP
            and (position % GROUP == GROUP - 1 or position == len(model.terms) - 1)
        ):
            body.lines.append(f"score += {group};")
    return body.lines


class _BatchBody(_Function):
    """A block of rows: a term is one call on the block.

    The parts of a sum or product need a buffer. Terms on the same level of nesting share one, so that the stack holds a
    few buffers for each level, whatever the number of terms.
    """

    def __init__(self, curves: Curves) -> None:
        super().__init__(curves)
        self.buffers: dict[tuple[str, int], str] = {}

    def combine(self, into: str, operation: str, term: Term, depth: int) -> None:
        """Set, add or multiply a term into a block."""
        arguments = self.arguments(term, depth)
        self.lines.append(f"{into}.{operation}({arguments});")

    def arguments(self, term: Term, depth: int) -> str:
        if isinstance(term, (Sum, Product)):
            return self.buffer_holding(term, depth)
        inner = term.input
        column = (
            self.buffer_holding(inner, depth)
            if isinstance(inner, Sum)
            else self.curves.argument(term, "columns.", "numbers")
        )
        return column if _is_feature(term) else f"{self.curves.names[term]}, {column}"

    def buffer(self, stem: str, depth: int) -> str:
        if (stem, depth) not in self.buffers:
            self.buffers[stem, depth] = self.variable(stem)
        return self.buffers[stem, depth]

    def buffer_holding(self, term: Sum | Product, depth: int) -> str:
        """The buffer that holds the value of a sum or a product."""
        if isinstance(term, Sum):
            name = self.buffer("sum", depth)
            self.add(name, term.terms, "Set", depth + 1)
        else:
            name = self.buffer("product", depth)
            for position, factor in enumerate(term.factors):
                self.combine(name, "Multiply" if position else "Set", factor, depth + 1)
        return name

    def add(self, into: str, terms: Sequence[Term], first: str, depth: int) -> None:
        """The terms of a sum, the first one set or added; each group after the first in a buffer."""
        for position, term in enumerate(terms[:GROUP]):
            self.combine(into, "Add" if position else first, term, depth)
        for start in range(GROUP, len(terms), GROUP):
            group = self.buffer("group", depth)
            self.add(group, terms[start : start + GROUP], "Set", depth)
            self.lines.append(f"{into}.Add({group});")


def batch_statements(model: CurveModel, curves: Curves) -> list[str]:
    """The statements of ScoreRange for one block, whose ``score`` is set to the intercept."""
    body = _BatchBody(curves)
    body.add("score", model.terms, "Add", 0)
    return [*(f"Buffer {name}(at);" for name in body.buffers.values()), *body.lines]
