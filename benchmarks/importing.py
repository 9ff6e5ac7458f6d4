"""What ``import curvec`` costs beside ``import numpy``, in processor time.

Run it as ``python benchmarks/importing.py``. Each import is in a process of its own, the three kinds in turn, with
compiled modules in a folder that the first round fills; a process that imports nothing is subtracted from both.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

PROGRAMS = {"nothing": "pass", "numpy": "import numpy", "curvec": "import curvec"}
ROUNDS = 15


def seconds(program: str, compiled: str) -> float:
    """The processor time of a process that runs the program."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the least time of each, as what else the machine does only adds to it, and their ratio."""
    with tempfile.TemporaryDirectory() as compiled:
        rounds = [{name: seconds(text, compiled) for name, text in PROGRAMS.items()} for _ in range(ROUNDS + 1)]
    least = {name: min(times[name] for times in rounds[1:]) for name in PROGRAMS}
    own = {name: least[name] - least["nothing"] for name in ("numpy", "curvec")}
    print(f"numpy {own['numpy'] * 1e3:.0f} ms, curvec with numpy {own['curvec'] * 1e3:.0f} ms, ", end="")
    print(f"{own['curvec'] / own['numpy']:.2f} times")


if __name__ == "__main__":
    main()
