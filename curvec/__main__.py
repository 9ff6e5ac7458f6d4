"""``python -m curvec``: the command line."""

from __future__ import annotations

from curvec.cli import main

if __name__ == "__main__":
    main()
