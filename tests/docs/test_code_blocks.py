"""Every code block of the README and the documentation runs, page by page, and prints what the page says it prints.

A page is one session in an empty folder. ``python`` blocks run in one namespace; a block with ``title="x"`` is the
file x; ``console`` blocks are shell commands after ``$``, which must succeed; a ``text`` block is what the block before
it printed: each of its lines must be there, in order, up to white space, and a line of three dots stands for any.
A page that ``needs`` a package or a program which no extra brings is skipped where that is missing.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pages import FENCE, PAGES, ROOT, Block, blocks

from curvec.cli import main

NEEDS = re.compile(r"<!-- needs (?P<name>\w+): (?P<way>.*?) -->")


class Session:
    """The reader at the keyboard."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__page__"}
        self.printed: str | None = None

    def do(self, block: Block, where: str) -> None:
        if block.title:
            (self.folder / block.title).write_text(block.body, encoding="utf-8")
            self.printed = None
        elif block.language == "python":
            self._python(block, where)
        elif block.language == "console":
            self._console(block, where)
        elif block.language == "text":
            self._compare(block, where)
        else:
            pytest.fail(f"{where}: a block of {block.language or 'no language'} is neither run nor a file")

    def _python(self, block: Block, where: str) -> None:
        output = io.StringIO()
        source = "\n" * block.line + block.body
        with contextlib.redirect_stdout(output), _inside(self.folder):
            exec(compile(source, where, "exec"), self.names)  # noqa: S102  the project's own documentation
        self.printed = output.getvalue()

    def _console(self, block: Block, where: str) -> None:
        self.printed = ""
        for command in re.findall(r"^\$ ((?:.*\\\n)*.*)$", block.body, re.MULTILINE):
            if target := re.match(r"make (\w+)", command):
                # What make does is what runs these tests, and is tested where it belongs.
                assert f"{target[1]}:" in (ROOT / "Makefile").read_text(), f"{where}: no such target {target[1]}"
                continue
            if command.startswith("pip install "):
                continue  # what runs these tests is installed
            alone, told, _ = command.partition('; echo "status $?"')
            if alone.startswith("curvec ") and not re.search(r"[;|&<>$`*]", alone):
                printed, status = self._in_this_process(shlex.split(alone.replace("\\\n", ""))[1:])
                assert told or status == 0, f"{where}: {command}\n{printed}"
                self.printed += printed + (f"status {status}\n" if told else "")
                continue
            path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=self.folder,
                env=os.environ | {"PATH": path, "COLUMNS": "120", "NO_COLOR": "1"},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{where}: {command}\n{done.stdout}\n{done.stderr}"
            self.printed += done.stdout + done.stderr

    def _in_this_process(self, arguments: list[str]) -> tuple[str, int]:
        """What a command prints, and its status, without another Python, which takes a second to load what this has."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            patch.setenv("COLUMNS", "120")
            patch.setenv("NO_COLOR", "1")
            with _inside(self.folder):
                status = main(arguments)
        return "".join(stream.buffer.getvalue().decode() for stream in (out, err)), status

    def _compare(self, block: Block, where: str) -> None:
        assert self.printed is not None, f"{where}: nothing was run before"
        rest = " ".join(self.printed.split())
        for line in block.body.splitlines():
            shown = " ".join(line.split())
            if shown in ("", "..."):
                continue
            place = rest.find(shown)
            assert place >= 0, f"{where}: {shown!r} is not printed:\n{self.printed}"
            rest = rest[place + len(shown) :]


@contextlib.contextmanager
def _inside(folder: Path) -> Any:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_page_runs(page: Path, tmp_path: Path) -> None:
    needs = NEEDS.search(page.read_text(encoding="utf-8"))
    if needs and importlib.util.find_spec(needs["name"]) is None and shutil.which(needs["name"]) is None:
        pytest.skip(f"no {needs['name']} ({needs['way']})")
    session = Session(tmp_path)
    for block in blocks(page):
        if page.name == "README.md" and block.language == "text":
            continue  # what `make demo` prints, shortened
        session.do(block, f"{page.relative_to(ROOT)}:{block.line}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_fence_is_closed_and_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    # The site's Markdown knows a fence with a title; with anything else the rest of the page is lost.
    assert all(re.fullmatch(r"( title=\"[^\"]+\")?", match["info"]) for match in FENCE.finditer(text))
    assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(blocks(page))
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", FENCE.sub("", text)):
        if "://" not in target:
            assert (page.parent / target).exists(), target
