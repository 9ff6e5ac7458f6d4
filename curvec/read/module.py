"""A whole Python file as a model: the statements that ``emit`` writes, or one listing, and nothing else."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Iterator, Sequence
from functools import cache

from curvec.emit.python import functions_text, runtime_text
from curvec.errors import InputError
from curvec.ir import changed
from curvec.model import CurveModel
from curvec.read.listing import is_listing, model_call, python_spelling
from curvec.read.nodes import CLASSES, Builder
from curvec.read.notes import attach, with_remarks
from curvec.read.source import Comment, Source

_STATEMENT = (
    "MODEL = CurveModel(...), score = sum([...]), a list of curves, a curve, an import from curvec, "
    "or a function as curvec emits it"
)
_IMPORTS = frozenset({("__future__", "annotations")})


def from_python(text: str, origin: str = "Python") -> CurveModel:
    """The model of a module that ``emit(model, "python")`` wrote and people may have edited, or of a listing.

    The text is parsed, never executed. It is one of

    - ``MODEL = CurveModel(...)`` with its imports and functions, as emitted. Whatever would make the running module
      mean something else is refused.
    - the listing of Ravina et al. (2021, listing 1), ``score = sum([...])`` of curves; ``sum([...], 0.5)`` and
      ``0.5 + sum([...])`` have an intercept.
    - a list of curves, a curve, several lines of a curve each, or ``CurveModel(...)``. A curve may be spelt as pwlfit
      prints it, without a feature (it is "x" then) and with ``fx`` as "symmetriclog1p", ``np.log`` or
      ``<ufunc 'log'>``.

    A listing needs no imports, its link is the identity, and its model is called as the name that it is assigned to,
    or "model". Values are numbers with signs, strings, lists, tuples, dicts, the nodes by position or keyword, and
    ``+`` and ``*`` between nodes. Comments become notes (:mod:`curvec.read.notes`).

    Args:
        text: the module's text.
        origin: what to call it in errors; a path.

    Raises:
        InputError: anything else stands in the text, or the model breaks a rule; the message says file, line and
            column, and what was expected.

    """
    try:
        return _read(Source(python_spelling(text), origin))
    except RecursionError:
        raise InputError(f"{origin}: nested too deeply to be a model") from None


def _read(source: Source) -> CurveModel:
    names: set[str] = set()
    found: list[ast.Call] = []
    listing: list[ast.stmt] = []
    functions: list[ast.FunctionDef] = []
    statements = list(source.tree.body)
    if statements and isinstance(statements[0], ast.Expr) and ast.get_docstring(source.tree, clean=False) is not None:
        del statements[0]
    for statement in statements:
        if (call := _model_call(statement)) is not None:
            found.append(call)
            _check_single(found, source)
        elif isinstance(statement, ast.ImportFrom) and statement.module == "curvec":
            names.update(_imported(statement, source))
        elif _is_emitted(statement, runtime_text()):
            names.update([statement.name] if isinstance(statement, ast.ClassDef) else [])
        elif isinstance(statement, ast.FunctionDef):
            _check_function(statement, source)
            functions.append(statement)
        elif is_listing(statement):
            listing.append(statement)
        elif not (isinstance(statement, ast.ImportFrom) and _harmless(statement)):
            raise _unexpected(statement, source)
    _check_one_form(found, listing, functions, source)
    _check_compiles(source)
    if listing:
        return _build(model_call(listing, source), set(CLASSES), source)
    return _build(found[0], names, source)


def _unexpected(statement: ast.stmt, source: Source) -> InputError:
    if isinstance(statement, ast.Import) and statement.names[0].name == "curvec":
        return source.error(statement, "write 'from curvec import CurveModel, ...', and the names without 'curvec.'")
    return source.expected(_STATEMENT, statement)


def _check_one_form(
    found: Sequence[ast.Call], listing: Sequence[ast.stmt], functions: Sequence[ast.stmt], source: Source
) -> None:
    if listing and found:
        raise source.error(
            listing[0], f"a listing beside MODEL, which is in line {found[0].lineno}; put its curves into MODEL's terms"
        )
    if listing and functions:
        raise source.error(functions[0], "a function that scores MODEL, and there is no MODEL = CurveModel(...)")
    if not found and not listing:
        raise source.error(
            None, "holds no MODEL = CurveModel(...), and no listing such as score = sum([...]), [...] or PWLCurve(...)"
        )


def _check_compiles(source: Source) -> None:
    """Refuse code that Python parses but does not run, such as ``from __future__`` after another import."""
    body = [
        ast.copy_location(ast.Pass(), node) if _model_call(node) or is_listing(node) else node
        for node in source.tree.body
    ]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(ast.Module(body, []), source.origin.replace("\0", ""), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise InputError(f"{source.origin}:{error.lineno}:{error.offset or 1}: not Python: {error.msg}") from None


def _build(call: ast.Call, names: set[str], source: Source) -> CurveModel:
    inside, outside = _split(call, source)
    model: CurveModel = Builder(source, names, attach(call, inside, source)).build(call, ("CurveModel",))
    remarks = [comment.text for comment in outside]
    return changed(model, note=with_remarks(model.note, remarks)) if remarks else model


def _split(call: ast.Call, source: Source) -> tuple[list[Comment], list[Comment]]:
    first, last = source.position(call)[0], source.end(call)[0]
    inside = [comment for comment in source.comments if first <= comment.line <= last]
    return inside, [comment for comment in source.comments if not first <= comment.line <= last]


def _model_call(statement: ast.stmt) -> ast.Call | None:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id="MODEL")], value=ast.Call(func=ast.Name(id="CurveModel")) as call)
            | ast.AnnAssign(
                target=ast.Name(id="MODEL"),
                annotation=ast.Name(id="CurveModel"),
                value=ast.Call(func=ast.Name(id="CurveModel")) as call,
            )
        ):
            return call
    return None


def _check_single(found: list[ast.Call], source: Source) -> None:
    if len(found) > 1:
        raise source.error(found[1], f"MODEL is there twice, first in line {found[0].lineno}")


def _imported(statement: ast.ImportFrom, source: Source) -> Iterator[str]:
    for alias in statement.names:
        if statement.level or alias.asname is not None or alias.name not in CLASSES:
            raise source.expected(f"an import of {', '.join(sorted(CLASSES))}", alias)
        yield alias.name


def _harmless(statement: ast.ImportFrom) -> bool:
    return not statement.level and all(
        (statement.module, alias.name) in _IMPORTS and alias.asname is None for alias in statement.names
    )


def _check_function(function: ast.FunctionDef, source: Source) -> None:
    """Check that a function is one that ``emit`` writes: it does nothing that the listing does not say."""
    if not _is_emitted(function, functions_text()):
        raise source.error(
            function, f"the function {function.name!r} is not as curvec emits it; leave it out and emit again"
        )


def _is_emitted(statement: ast.stmt, text: str) -> bool:
    """Whether a statement is one of those in ``text``, apart from docstrings."""
    known = _outlines(text).get(_called(statement))
    return known is not None and _outline(statement) in known


@cache
def _outlines(text: str) -> dict[str, set[str]]:
    """The statements' outlines, by what they define, so that an outline is made only of what may be one of them."""
    found: dict[str, set[str]] = {}
    for statement in ast.parse(text).body:
        found.setdefault(_called(statement), set()).add(_outline(statement))
    return found


def _called(statement: ast.stmt) -> str:
    """The kind of a statement, and what it defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            defined = name
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            defined = target.id if isinstance(target, ast.Name) else ""
        case _:
            defined = ""
    return f"{type(statement).__name__} {defined}"


def _outline(statement: ast.stmt) -> str:
    """A statement's meaning as text: without docstrings."""
    bare = copy.deepcopy(statement)
    for node in ast.walk(bare):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(bare)
