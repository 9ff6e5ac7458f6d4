"""What the site does to its pages: docstrings' roles (``:func:`` and its like) become plain code."""

from __future__ import annotations

import re
from typing import Any

_ROLE = re.compile(r":(?:func|class|meth|mod|attr|data):<code>~?([^<]+)</code>")


def on_page_content(html: str, **_: Any) -> str:
    """Called by mkdocs with each page's HTML."""
    return _ROLE.sub(r"<code>\1</code>", html)
