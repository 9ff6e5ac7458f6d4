"""A whole Python file as a model: the statements that ``emit`` writes, and nothing else."""

from __future__ import annotations

import ast
import copy
import re
import warnings
from collections.abc import Iterator
from functools import cache

from curvec.emit.python import ANNOTATIONS, functions_text, runtime_text
from curvec.errors import InputError
from curvec.ir import Feature, changed
from curvec.model import CurveModel
from curvec.read.nodes import CLASSES, Builder
from curvec.read.notes import attach, with_remarks
from curvec.read.source import Comment, Source

__all__ = ["from_python"]

_STATEMENT = "MODEL = CurveModel(...), an import from curvec, or a function as curvec emits it"
_GENERATED = re.compile(r"parameter [A-Za-z]\w*: feature [\"'].*[\"']")
"""What emit says about renamed parameters; it may be about a feature that an edit took out of the model."""

_IMPORTS = frozenset({("__future__", "annotations"), ("typing", "Any")})


def from_python(text: str, origin: str = "Python") -> CurveModel:
    """The model of a module that ``emit(model, "python")`` wrote and people may have edited.

    The text is parsed, never executed. ``MODEL = CurveModel(...)`` may hold numbers with signs, strings, lists,
    tuples, dicts, the nodes by position or keyword, and ``+`` and ``*`` between nodes. Comments become notes
    (:mod:`curvec.read.notes`). Whatever would make the running module mean something else is refused.

    Args:
        text: the module's text.
        origin: what to call it in errors; a path.

    Raises:
        InputError: anything else stands in the text, or the model breaks a rule; the message says file, line and
            column, and what was expected.

    """
    try:
        return _read(Source(text, origin))
    except RecursionError:
        raise InputError(f"{origin}: nested too deeply to be a model") from None


def _read(source: Source) -> CurveModel:
    names: set[str] = set()
    found: list[ast.Call] = []
    statements = list(source.tree.body)
    if statements and isinstance(statements[0], ast.Expr) and ast.get_docstring(source.tree, clean=False) is not None:
        del statements[0]
    for statement in statements:
        if (call := _model_call(statement)) is not None:
            found.append(call)
            _check_single(found, source)
        elif isinstance(statement, ast.ImportFrom) and statement.module == "curvec":
            names.update(_imported(statement, source))
        elif _outline(statement) in _runtime():
            names.update([statement.name] if isinstance(statement, ast.ClassDef) else [])
        elif isinstance(statement, ast.FunctionDef):
            _check_function(statement, source)
        elif not (isinstance(statement, ast.ImportFrom) and _harmless(statement)):
            raise source.expected(_STATEMENT, statement)
    if not found:
        raise source.error(None, "holds no MODEL = CurveModel(...)")
    _check_compiles(source)
    return _build(found[0], names, source)


def _check_compiles(source: Source) -> None:
    """Refuse what Python parses and does not run, such as ``from __future__`` behind another import."""
    body = [ast.copy_location(ast.Pass(), node) if _model_call(node) else node for node in source.tree.body]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(ast.Module(body, []), source.origin.replace("\0", ""), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise InputError(f"{source.origin}:{error.lineno}:{error.offset or 1}: not Python: {error.msg}") from None


def _build(call: ast.Call, names: set[str], source: Source) -> CurveModel:
    inside, outside = _split(call, source)
    model: CurveModel = Builder(source, names, attach(call, inside, source)).build(call, ("CurveModel",))
    remarks = [comment.text for comment in outside if not _GENERATED.fullmatch(comment.text)]
    return changed(model, note=with_remarks(model.note, remarks)) if remarks else model


def _split(call: ast.Call, source: Source) -> tuple[list[Comment], list[Comment]]:
    first, last = source.position(call)[0], source.end(call)[0]
    inside = [comment for comment in source.comments if first <= comment.line <= last]
    return inside, [comment for comment in source.comments if not first <= comment.line <= last]


def _model_call(statement: ast.stmt) -> ast.Call | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id="MODEL")], value=ast.Call(func=ast.Name(id="CurveModel")) as call):
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
    """Check that a function does what the one that ``emit`` writes does: nothing the listing does not say."""
    row = next((node for node in ast.walk(function) if isinstance(node, ast.Dict)), None)
    keys = [key.value for key in row.keys if isinstance(key, ast.Constant)] if row else []
    features = [Feature(key) for key in keys if isinstance(key, str)]
    texts = [functions_text(given) for given in ([], features or [Feature("x")])]
    expected = {_outline(statement) for text in texts for statement in ast.parse(text).body}
    if _outline(function) not in expected:
        raise source.error(
            function, f"the function {function.name!r} is not as curvec emits it; leave it out and emit again"
        )


@cache
def _runtime() -> frozenset[str]:
    return frozenset(_outline(statement) for statement in ast.parse(runtime_text()).body)


@cache
def _annotations() -> frozenset[str]:
    return frozenset(ast.dump(ast.parse(f"{kind} | None", mode="eval").body) for kind in ANNOTATIONS.values())


def _outline(statement: ast.stmt) -> str:
    """A statement's meaning as text: without docstrings, and without annotations that are mere types."""
    bare = copy.deepcopy(statement)
    for node in ast.walk(bare):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
        if isinstance(node, ast.arg) and node.annotation and ast.dump(node.annotation) in _annotations():
            node.annotation = None
    return ast.dump(bare)
