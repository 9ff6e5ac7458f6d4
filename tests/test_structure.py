"""The layout: imports go from left to right, and never in a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    "scores",
    "includes",
    "runtime",
    "edit",
    "model",
    "duckdb",
    "spark",
    "passes",
    "condense",
    "fit",
    "teachers",
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


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(path: Path) -> set[str]:
    """The curvec modules that a file imports, wherever the import stands: in a function or for types, too."""
    found = set()
    names = {name for name, _ in modules()} | {"curvec._core"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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
    assert {stage(name) for name, _ in modules()} - {""} == set(ORDER)


@pytest.mark.parametrize("name", [name for name, _ in modules() if name != "curvec"])
def test_imports_go_left(name: str) -> None:
    path = dict(modules())[name]
    for imported in imports(path):
        assert imported != "curvec", f"{name} imports the package itself, which imports everything"
        if stage(imported) in ("_core", stage(name)):
            continue
        assert ORDER.index(stage(imported)) < ORDER.index(stage(name)), f"{name} imports {imported}"


@pytest.mark.parametrize("name", [name for name, _ in modules() if name != "curvec"])
def test_no_import_is_hidden_in_a_string(name: str) -> None:
    """Modules of one's own that are imported by a text that names them would escape the count above."""
    for node in ast.walk(ast.parse(dict(modules())[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
            assert "curvec" not in ast.unparse(node), f"{name}: {ast.unparse(node)}"


def test_no_cycles() -> None:
    graph = {name: imports(path) for name, path in modules()}
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
    for name, path in modules():
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


@pytest.mark.parametrize("path", [path for _, path in modules()], ids=[name for name, _ in modules()])
def test_what_is_changed_is_constructed(path: Path) -> None:
    """msgspec's and Python's own replace make a node without running its checks, on some versions at least."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            assert ast.unparse(node) not in ("msgspec.structs.replace", "structs.replace", "copy.replace"), path
        elif isinstance(node, ast.ImportFrom) and node.module in ("msgspec.structs", "copy"):
            assert "replace" not in {alias.name for alias in node.names}, path


@pytest.mark.parametrize("path", [path for _, path in modules()], ids=[name for name, _ in modules()])
def test_records_are_made_in_one_way(path: Path) -> None:
    assert not re.search("^ *(import|from) dataclasses", path.read_text(encoding="utf-8"), re.MULTILINE), path


@pytest.mark.parametrize("path", [path for _, path in modules()], ids=[name for name, _ in modules()])
def test_an_underscore_says_what_a_module_keeps_to_itself(path: Path) -> None:
    """Only packages, and the nodes that theirs gives on, have a list of names beside that."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("curvec."):
            assert not [alias.name for alias in node.names if alias.name.startswith("_")], ast.unparse(node)
    lists = [node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"]
    assert not lists or path.name == "__init__.py" or path == ROOT / "ir" / "nodes.py"


def test_files_are_written_in_one_place() -> None:
    """Outside of curvec.files only parity's runners write, into temporary folders of their own."""
    places = []
    for name, path in modules():
        if name == "curvec.files" or name.startswith("curvec.parity.runners"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _writes(node):
                places.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert not places


def _writes(call: ast.Call) -> bool:
    function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if function == "savefig":
        return ast.unparse(call.args[0]) != "buffer"
    if function in ("open", "fdopen"):
        modes = [node.value for node in [*call.args, *(keyword.value for keyword in call.keywords)]
                 if isinstance(node, ast.Constant) and isinstance(node.value, str)]  # fmt: skip
        return any(set(mode) & set("wax+") and set(mode) <= set("rwaxbt+") for mode in modes)
    return function in {"write_text", "write_bytes", "to_csv", "write_csv", "savez", "tofile"}
