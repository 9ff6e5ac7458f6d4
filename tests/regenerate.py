"""Write every golden file again; what changed is then read as a difference."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main() -> None:
    """Each module ``golden_*`` beside this file has a FOLDER and the ``golden()`` of its files."""
    here = Path(__file__).parent
    sys.path.insert(0, str(here))
    for path in sorted(here.glob("golden_*.py")):
        module = importlib.import_module(path.stem)
        module.FOLDER.mkdir(parents=True, exist_ok=True)
        texts = module.golden()
        for old in module.FOLDER.iterdir():
            if old.name not in texts:
                old.unlink()
        for name, text in texts.items():
            (module.FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
