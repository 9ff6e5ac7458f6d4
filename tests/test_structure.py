"""The layout: imports go from left to right, and never in a circle."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent / "curvec"

ORDER = [
    "errors",
    "checks",
    "doubles",
    "transforms",
    "contract",
    "links",
    "spelling",
    "display",
    "progress",
    "directions",
    "fields",
    "features",
    "conversion",
    "data",
    "columns",
    "rows",
    "ir",
    "files",
    "evaluate",
    "metrics",
    "compiled",
    "verified",
    "score_stream",
    "includes",
    "edit",
    "model",
    "runtime",
    "duckdb",
    "spark",
    "passes",
    "condense",
    "fit",
    "teachers",
    "parameters",
    "distill",
    "refine",
    "sklearn",
    "emit",
    "read",
    "load",
    "parity",
    "review",
    "demo",
    "commands",
    "cli",
    "__main__",
]
"""The stages, left to right: a stage imports only what stands before it (or itself)."""


@cache
def modules() -> dict[str, Path]:
    """Every module with its file."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All that a file's syntax is made of."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> set[str]:
    """The curvec modules that a file imports, wherever the import stands: in a function or for types, too."""
    found = set()
    names = {*modules(), "curvec._core"}
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports are not counted; write the module's name"
            if node.module and node.module.split(".")[0] == "curvec":
                full = {f"{node.module}.{alias.name}" for alias in node.names}
                found.update(name if name in names else node.module for name in full)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name.split(".")[0] == "curvec")
    return found


def stage(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_the_picture_has_every_stage_and_no_other() -> None:
    assert {stage(name) for name in modules()} - {""} == set(ORDER)


def test_imports_go_left() -> None:
    wrong = []
    for name, path in modules().items():
        for imported in imports(path) if name != "curvec" else ():
            if imported == "curvec":
                wrong.append(f"{name} imports the package itself, which imports everything")
            elif stage(imported) not in ("_core", stage(name)) and not before(imported, name):
                wrong.append(f"{name} imports {imported}")
    assert not wrong


def before(one: str, other: str) -> bool:
    return ORDER.index(stage(one)) < ORDER.index(stage(other))


def test_no_import_is_hidden_in_a_string() -> None:
    """Modules of one's own that are imported by a text that names them would escape the count above."""
    hidden = []
    for name, path in modules().items():
        for node in nodes(path) if name != "curvec" else ():
            if isinstance(node, ast.Call) and _last(node.func) in ("import_module", "__import__"):
                text = ast.unparse(node)
                hidden += [f"{name}: {text}"] * ("curvec" in text)
    assert not hidden


def _last(function: ast.expr) -> str:
    """The last name of a function that is called."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def test_no_cycles() -> None:
    graph = {name: imports(path) for name, path in modules().items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail, name])
        if name in done or name not in graph:
            return
        for imported in sorted(graph[name]):
            visit(imported, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())


def test_fit_and_emit_meet_only_in_the_ir() -> None:
    for name, path in modules().items():
        text = path.read_text(encoding="utf-8")
        if stage(name) in ("fit", "condense"):
            assert "curvec.emit" not in text, name
        if stage(name) == "emit":
            assert "curvec.fit" not in text, name


def test_the_public_surface_is_sorted() -> None:
    source = (ROOT / "__init__.py").read_text(encoding="utf-8")
    names = next(
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert names == sorted(names)


def test_what_is_changed_is_constructed() -> None:
    """msgspec's and Python's own replace make a node without running its checks, on some versions at least."""
    wrong = []
    for name, path in modules().items():
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and node.attr == "replace":
                wrong += [name] * (ast.unparse(node.value) in ("msgspec.structs", "structs", "copy"))
            elif isinstance(node, ast.ImportFrom) and node.module in ("msgspec.structs", "copy"):
                wrong += [name] * ("replace" in {alias.name for alias in node.names})
    assert not wrong


def test_records_are_made_in_one_way() -> None:
    found = [name for name, path in modules().items() if _DATACLASSES.search(path.read_text(encoding="utf-8"))]
    assert not found


_DATACLASSES = re.compile("^ *(import|from) dataclasses", re.MULTILINE)


def test_an_underscore_says_what_a_module_keeps_to_itself() -> None:
    """Only packages, and the nodes that theirs gives on, have a list of names beside that."""
    wrong = []
    for name, path in modules().items():
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("curvec."):
                wrong += [f"{name}: {ast.unparse(node)}" for alias in node.names if alias.name.startswith("_")]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                wrong += [name] * (path.name != "__init__.py" and path != ROOT / "ir" / "nodes.py")
    assert not wrong


def test_files_are_written_in_one_place() -> None:
    """Outside of curvec.files only parity's runners write, into temporary folders of their own."""
    places = []
    for name, path in modules().items():
        if name == "curvec.files" or name.startswith("curvec.parity.runners"):
            continue
        for node in nodes(path):
            if isinstance(node, ast.Call) and _writes(node):
                places.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert not places


def _writes(call: ast.Call) -> bool:
    function = _last(call.func)
    if function == "savefig":
        return ast.unparse(call.args[0]) != "buffer"
    if function in ("open", "fdopen"):
        modes = [node.value for node in [*call.args, *(keyword.value for keyword in call.keywords)]
                 if isinstance(node, ast.Constant) and isinstance(node.value, str)]  # fmt: skip
        return any(set(mode) & set("wax+") and set(mode) <= set("rwaxbt+") for mode in modes)
    return function in {"write_text", "write_bytes", "to_csv", "write_csv", "savez", "tofile"}
