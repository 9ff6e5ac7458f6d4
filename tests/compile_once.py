"""Starts a compiler for CMake, ``compile_once.py STORE compiler ...``; an object in the store is copied from there.

For builds of one tree in several folders. The same object is the same options, but for folders, the same name of a
source, which may be CMake's union of several, and the same files in the folder that holds the runtime.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path


def main(store: Path, command: list[str]) -> int:
    source = next((Path(part) for part in command if part.endswith((".cpp", ".cxx"))), None)
    included = [Path(part.removeprefix("-I")) for part in command if part.startswith("-I")]
    runtime = next((folder.parent for folder in included if folder.parts[-2:] == ("runtime", "cpp")), None)
    if source is None or runtime is None or "-c" not in command:
        return subprocess.run(command, check=False).returncode
    made = Path(command[command.index("-o") + 1])
    key = hashlib.sha256(repr([source.name, *(part for part in command if "/" not in part)]).encode())
    for path in sorted(path for path in runtime.rglob("*") if path.is_file()):
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
