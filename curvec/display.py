"""How a value looks in a notebook and as text."""

from __future__ import annotations

import io
from functools import singledispatch
from typing import ClassVar

from markupsafe import escape


@singledispatch
def html(value: object) -> str:
    """The value as HTML that stands alone and is escaped throughout: its text, unless a picture is registered."""
    return f'<pre style="overflow-x: auto">{escape(str(value))}</pre>'


class Displayed:
    """What a notebook shows in that form."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return html(self)


class Printed(Displayed):
    """What a terminal shows by rich, and as text the same without colours, in ``text_width`` columns."""

    __slots__ = ()
    text_width: ClassVar[int] = 120

    def __str__(self) -> str:
        from rich.console import Console

        text = io.StringIO()
        Console(file=text, width=self.text_width, force_terminal=False, color_system=None).print(self)
        return "\n".join(line.rstrip() for line in text.getvalue().splitlines())
