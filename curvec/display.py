"""How a value looks in a notebook."""

from __future__ import annotations

from functools import singledispatch

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
