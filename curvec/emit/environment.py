"""The one Jinja environment of all templates."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from curvec.emit.names import comment_text
from curvec.errors import counted
from curvec.spelling import shortest, with_exponent, with_point

if TYPE_CHECKING:
    import jinja2


@cache
def environment() -> jinja2.Environment:
    """Strict and without autoescape: templates lay out text that Python has already quoted for the target."""
    import jinja2

    loader = jinja2.PackageLoader("curvec")
    env = jinja2.Environment(  # noqa: S701  what is rendered is source code, not HTML; the report page escapes itself
        loader=loader,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.filters.update(
        {
            "comment": comment_text,
            "counted": counted,
            "shortest": shortest,
            "with_exponent": with_exponent,
            "with_point": with_point,
        }
    )
    return env


def render(template: str, **prepared: Any) -> str:
    """The template's text for one prepared object (or a few)."""
    return environment().get_template(template).render(**prepared)


@cache
def source_text(name: str) -> str:
    """A file of the templates that is no template: source text in its own language."""
    return (files("curvec") / "templates" / name).read_text(encoding="utf-8")
