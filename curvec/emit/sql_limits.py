"""How long a text is and how deep it nests, as the engines count it: one that is too much for an engine is refused."""

from __future__ import annotations

import re

from curvec.emit.dialect import Dialect
from curvec.errors import UnsupportedError


def check_nesting(engine: Dialect, laid_out: str, form: str) -> None:
    """Refuse a text that nests deeper than the engine takes.

    Args:
        engine: the dialect.
        laid_out: SQL that has not been unescaped, so that every mark in it is one of the language.
        form: of the text, for the message.

    Raises:
        UnsupportedError: says how deep it is, what the engine takes, and what to do.

    """
    less = "use form='select'" if form == "expression" else "nest sums, products and curves less deeply"
    if engine.max_stack is not None and (open_ := parser_stack(laid_out)) > engine.max_stack:
        raise UnsupportedError(
            f"the {form} nests too deeply for {engine.title}: {open_} symbols are open at once, and its parser holds "
            f"{engine.max_stack}; {less}"
        )
    cases, depth = nesting(laid_out)
    if cases > engine.max_cases or depth > engine.max_nesting:
        raise UnsupportedError(
            f"the {form} has {cases} CASEs inside one another, {depth} levels in all, and {engine.title} takes "
            f"{engine.max_cases} and {engine.max_nesting}; {less}"
        )


def check_length(engine: Dialect, text: str, form: str) -> None:
    """Refuse a finished text that is longer than the engine takes, whatever its settings.

    Raises:
        UnsupportedError: says how long it is.

    """
    if setting_first(engine, text) and not engine.max_bytes_setting:
        raise UnsupportedError(
            f"the {form} has {_bytes_of(text)} bytes, and {engine.title} takes {engine.max_bytes}; split the model"
        )


def check_parts(engine: Dialect, features: int, form: str) -> None:
    """Refuse a union of a part for each feature if these are more than the engine takes.

    Raises:
        UnsupportedError: says how many.

    """
    if engine.max_union is not None and features > engine.max_union:
        raise UnsupportedError(
            f"form={form!r} has a part for each of {features} features, and a union in {engine.title} takes "
            f"{engine.max_union}; take a few models, each of some of the terms"
        )


def setting_first(engine: Dialect, text: str) -> str:
    """A remark on a text that is longer than the engine takes by default; "" if it is not."""
    if engine.max_bytes is None or _bytes_of(text) <= engine.max_bytes:
        return ""
    return f"longer than the {engine.max_bytes} bytes of the default: set {engine.max_bytes_setting} first"


def _bytes_of(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def nesting(text: str) -> tuple[int, int]:
    """The depth of nested CASEs, and that of nested parentheses and CASEs together, a CASE counting as four.

    Args:
        text: SQL that has not been unescaped, so that every mark in it is one of the language.

    """
    cases = depth = deepest_cases = deepest = 0
    for found in _NESTED.finditer(text):
        step, case = _STEPS[found[0]]
        cases, depth = cases + step * case, depth + step * (4 if case else 1)
        deepest_cases, deepest = max(deepest_cases, cases), max(deepest, depth)
    return deepest_cases, deepest


_NESTED = re.compile(r"\b(?:CASE|END)\b|[()]")
_STEPS = {"CASE": (1, True), "END": (-1, True), "(": (1, False), ")": (-1, False)}


def parser_stack(text: str) -> int:
    """The symbols that a bottom-up parser holds at most while it reads the text, above those around the expressions.

    Such a parser (SQLite's is made by Lemon) shifts each token on a stack, and replaces the symbols of a complete
    phrase by one symbol. Incomplete phrases stay on the stack: ``a * (b + `` is the five symbols expr, *, (, expr, +.
    An operator completes those before it that bind at least as tightly. So this function reads tokens, and builds no
    tree.

    Args:
        text: SQL that has not been unescaped, so that every mark in it is one of the language.

    """
    stack: list[str] = []
    deepest = 0
    for found in _TOKENS.finditer(text):
        _shift(stack, found[0])
        deepest = max(deepest, len(stack))
    return deepest


_TOKENS = re.compile(
    r"""
    --[^\n]*                           # a comment
    | \b[A-Z][A-Z0-9]*\(              # a function
    | IS\ NOT\b | \b[A-Z]+\b
    | ["`][^"`]*["`] | '[^']*'        # a name, a string
    | \w[\w.]*(?:e-?\d+)?             # a number, a name without quotes
    | <= | >= | <> | \|\| | [-+*/<>=(),]
    """,
    re.VERBOSE,
)
_BINDS = {"OR": 1, "AND": 2, "IS": 4, "IS NOT": 4, "=": 4, "<>": 4, "<": 5, "<=": 5, ">": 5, ">=": 5}
_BINDS |= {"+": 6, "-": 6, "*": 7, "/": 7, "||": 8, "COLLATE": 9, "sign": 10}
"""Operators by how tightly they bind: https://www.sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes"""
_AROUND = {"SELECT", "FROM", "AS", "WITH", "LEFT", "JOIN", "ON", "VALUES", "UNION", "ALL", "WHERE", "LIMIT", ","}
"""The words between expressions; symbols that are open before them belong to a query or a list."""
_OPEN = {"(", "function", "distinct"}


def _shift(stack: list[str], mark: str) -> None:
    """Shift one token, after the reductions that it allows."""
    if mark.startswith("--"):
        return
    if mark in _AROUND:
        _drop_above(stack, _OPEN)
    elif mark.endswith("("):
        # a function's name, its parenthesis and an empty DISTINCT; a CAST has none
        stack += ["("] if mark == "(" else ["function", "("] if mark == "CAST(" else ["function", "(", "distinct"]
    elif mark == ")":
        _drop_above(stack, {"("})
        _close_parenthesis(stack)
    elif mark == "CASE":
        stack += ["CASE", "operand"]
    elif mark in ("WHEN", "THEN", "ELSE"):
        _read_arm(stack, mark)
    elif mark == "END":
        _drop_above(stack, {"CASE"})
        stack[-1:] = ["expr"]
    elif mark in _BINDS and stack and stack[-1] == "expr":
        _reduce_tighter(stack, _BINDS[mark])
        stack.append(mark)
    else:
        stack.append("sign" if mark in "+-" else "expr")


def _close_parenthesis(stack: list[str]) -> None:
    """Replace a closed parenthesis, and what belongs to it, by one expression."""
    if stack and stack[-1] == "(":
        stack.pop()
        if stack and stack[-1] == "function":
            stack.pop()
        stack.append("expr")


def _read_arm(stack: list[str], mark: str) -> None:
    _drop_above(stack, {"operand", "arms", "WHEN", "THEN"})
    if mark != "THEN" and stack[-1] == "THEN":  # WHEN, expr, THEN, expr, and the arms before them, are arms
        del stack[-3:]
        if stack[-1] == "arms":
            stack.pop()
        stack.append("arms")
    if mark == "THEN":
        stack.append("expr")
    stack.append(mark)


def _drop_above(stack: list[str], marks: set[str]) -> None:
    """Remove all symbols above the last of ``marks``."""
    while stack and stack[-1] not in marks:
        stack.pop()


def _reduce_tighter(stack: list[str], binds: int) -> None:
    """Close the operators on top of the stack that bind at least as tightly."""
    while len(stack) > 1 and _BINDS.get(stack[-2], 0) >= binds:
        del stack[-2 if stack[-2] == "sign" else -3 :]
        stack.append("expr")
