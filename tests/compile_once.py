"""Starts a compiler for CMake, ``compile_once.py STORE compiler ...``; an object in the store is copied from there.

For builds of one tree in several folders. The same object is the same options, but for folders, the same source, and
the same files beside it: everything below the folder that holds the runtime.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path


def main(store: Path, command: list[str]) -> int:
    source = next((Path(part).resolve() for part in command if part.endswith(".cpp")), None)
    if source is None or "-c" not in command or "runtime" not in source.parts:
        return subprocess.run(command, check=False).returncode
    made = Path(command[command.index("-o") + 1])
    runtime = next(folder for folder in source.parents if folder.name == "runtime")
    key = hashlib.sha256(repr([part for part in command if "/" not in part]).encode())
    for path in [source, *sorted(path for path in runtime.rglob("*") if path.is_file())]:
        key.update(str(path.relative_to(runtime)).encode() + path.read_bytes())
    kept = store / key.hexdigest()
    if kept.exists():
        shutil.copyfile(kept, made)
        return 0
    status = subprocess.run(command, check=False).returncode
    if status == 0:
        shutil.copyfile(made, kept)
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
