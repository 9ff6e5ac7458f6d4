"""Kill every command that writes a file at random moments, and let it write on a full disk: what has its name is whole.

    python benchmarks/kills.py [--times 100] [--only emit] [--full FOLDER]

Each command first runs to its end; then again and again over what it wrote, and is killed (SIGKILL) at a random moment
of the second half of its time, in which it writes. Each file must then be what it was before or what the command writes
anew. ``--full`` names a folder on a small file system (``mount -t tmpfs -o size=4m tmpfs FOLDER``) that is filled up:
each command must say so with status 2, and leave what was there.

Needs the extra ``demo``.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from curvec import CurveModel, EnumCurve, PWLCurve

COMMANDS = {
    "emit": "emit model.json --to python -o out/model.py",
    "emit cpp": "emit model.json --to cpp --standalone -o out/model.hpp",
    "values": "values model.json -o out/values.csv",
    "fit": "fit rows.csv --x x0 --y label -o out/curve.json",
    "read": "read table.csv -o out/read.json",
    "distill": "distill model.json rows.csv -o out/distilled.json",
    "edit": "edit model.json --round 3 -o out/edited.json",
    "refine": "refine model.json rows.csv --target label --loss squared -o out/refined.json",
    "score": "score model.json rows.csv -o out/scores.parquet",
    "report": "report model.json --data rows.csv --no-parity -o out/report.html",
    "diff": "diff model.json other.json --picture out/diff.png",
    "demo": "demo -o out/demo",
}


def main() -> None:
    """Run, and print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--only", choices=COMMANDS, action="append")
    parser.add_argument("--full", type=Path, help="a folder on a small file system")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for command in (asked.only or COMMANDS) if asked.times else ():
            print(f"{command}: {killed(command, folder, asked.times)}", flush=True)
        if asked.full:
            for command in asked.only or COMMANDS:
                print(f"{command}, full disk: {on_full_disk(command, folder, asked.full)}", flush=True)


def prepare(folder: Path) -> None:
    """The files that the commands read."""
    dice = np.random.default_rng(0)
    names = [f"x{k}" for k in range(20)]
    terms = [PWLCurve(x, [(k / 20, float(dice.normal())) for k in range(20)]) for x in names]
    model = CurveModel("m", [*terms, EnumCurve("k", {f"level {k}": k / 7 for k in range(200)})])
    model.save(folder / "model.json")
    model.drop("x1").save(folder / "other.json")
    rows = pd.DataFrame(dice.random((4_000, 20)).round(4), columns=names)
    rows["k"] = [f"level {k % 200}" for k in range(len(rows))]
    rows["label"] = rows["x0"] + dice.normal(0, 0.1, len(rows))
    rows.to_csv(folder / "rows.csv", index=False)
    table = [f"x{k % 5},{k},{k / 3}" for k in range(5000)]
    (folder / "table.csv").write_text("\n".join(["feature,x,y", *table]), encoding="utf-8")


def killed(command: str, folder: Path, times: int) -> str:
    """What came of so many kills."""
    out = folder / "out"
    out.mkdir(exist_ok=True)
    start = time.perf_counter()
    subprocess.run(line(command), check=False, capture_output=True, cwd=folder)
    took = time.perf_counter() - start
    before = contents(out)
    if not before:
        sys.exit(f"{command} wrote nothing")
    subprocess.run(line(command), check=False, capture_output=True, cwd=folder)
    again = contents(out)
    dice, ended, left = random.Random(command), 0, 0  # noqa: S311  no secret
    for _ in range(times):
        with subprocess.Popen(line(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder) as run:
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.wait(dice.uniform(0.5, 1.05) * took)
            run.send_signal(signal.SIGKILL)
        ended += run.returncode != -signal.SIGKILL
        for name, content in contents(out).items():
            if name.startswith(".curvec-"):
                left += 1
                (out / name).unlink()
            elif not whole(name, content, before.get(name), again.get(name)):
                sys.exit(f"{command}: {name} is half a file, of {len(content):,} bytes")
        missing = before.keys() - contents(out).keys()
        if missing:
            sys.exit(f"{command}: {', '.join(missing)} are gone")
    for file in [file for file in out.rglob("*") if file.is_file()]:
        file.unlink()
    return f"{times} runs of {took:.1f} s, {times - ended} killed, {left} left a temporary file, no half file"


def whole(name: str, content: bytes, *runs: bytes | None) -> bool:
    """Whether the file is as a run wrote it; times that stand in it (a page's, a program's) may differ."""
    ends = {".html": b"</html>", ".png": b"IEND\xaeB`\x82", ".parquet": b"PAR1"}
    if (end := ends.get(Path(name).suffix)) is not None:
        return content.rstrip().endswith(end)
    return content in runs


def on_full_disk(command: str, folder: Path, full: Path) -> str:
    """What the command says where there is no room, and whether it leaves what was there."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    for old in full.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    out.symlink_to(full)
    try:
        subprocess.run(line(command), check=False, capture_output=True, cwd=folder)
        before = contents(full)
        fill(full / "filler")
        run = subprocess.run(line(command), check=False, capture_output=True, text=True, cwd=folder)
        after = contents(full)
        (full / "filler").unlink()
    finally:
        out.unlink()
    if any(after.get(name) != content for name, content in before.items()) or run.returncode != 2:
        sys.exit(f"{command}: status {run.returncode}, {run.stderr}")
    if "Traceback" in run.stderr or any(".curvec-" in name for name in after):
        sys.exit(f"{command}: {run.stderr}")
    return " ".join(run.stderr.split()[-12:])


def fill(path: Path) -> None:
    """Take all the room that is left."""
    with path.open("wb", buffering=0) as file:
        for size in (2**16, 2**12, 1):
            with contextlib.suppress(OSError):  # no room
                while file.write(b"x" * size):
                    pass


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder, by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def line(command: str) -> list[str]:
    """The command as a process of its own."""
    return [sys.executable, "-m", "curvec", *COMMANDS[command].split()]


if __name__ == "__main__":
    main()
