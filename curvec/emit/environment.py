"""The Jinja environments of the templates: of source code, and of HTML."""

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
def environment(*, html: bool = False) -> jinja2.Environment:
    """A strict environment: of HTML, where everything is escaped unless it is markup, or of source code.

    Templates of source code lay out text that Python has already quoted for the target.
    """
    import jinja2

    env = jinja2.Environment(
        loader=jinja2.PackageLoader("curvec"),
        undefined=jinja2.StrictUndefined,
        autoescape=html,  # noqa: S701  source code is no HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    spelling = {"shortest": shortest, "with_exponent": with_exponent, "with_point": with_point}
    env.filters.update({"comment": comment_text, "counted": counted, **spelling})
    return env


def render(template: str, **prepared: Any) -> str:
    """The template's text for values by name, prepared so that it only lays them out."""
    return environment().get_template(template).render(**prepared)


@cache
def source_text(name: str) -> str:
    """A file of the templates that is no template: source text in its own language."""
    return (files("curvec") / "templates" / name).read_text(encoding="utf-8")
