"""Options of a command that are keywords of a function: names, defaults, values and help are the function's own."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer

from curvec.commands.choices import whole_or_word

_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def with_keywords(
    *functions: Callable[..., Any], without: Iterable[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for each keyword of some functions that it does not take itself.

    The command gets what was given as ``**keywords``, read as the functions take it. A keyword may be a number, a text,
    True or False, one of several words, a whole number or one of several words, or a list of texts.

    Args:
        functions: with typed keywords and docstrings that have them under ``Args:``; the help of each option of several
            functions begins with the modules of those that take it.
        without: the keywords that have no option.

    """

    def given_to(command: Callable[..., None]) -> Callable[..., None]:
        own = [one for one in inspect.signature(command, eval_str=True).parameters.values() if one.name != "keywords"]
        left_out = {*without, *(one.name for one in own)}
        hints: dict[str, Any] = {}
        added: dict[str, inspect.Parameter] = {}
        help_of: dict[str, str] = {}
        for function in functions:
            keywords = inspect.signature(function).parameters.values()
            found = {one.name: one for one in keywords if one.kind is _KEYWORD and one.name not in left_out}
            hints, added, help_of = get_type_hints(function) | hints, found | added, _documented(function) | help_of
        if len(functions) > 1:
            help_of = {name: f"{_takers(name, functions)}: {help_of[name]}" for name in added}

        @functools.wraps(command)
        def run(**values: Any) -> None:
            for name in added:
                if (value := values.pop(name)) is not None:
                    values[name] = _read(name, value, hints[name])
            command(**values)

        options = [_option(one, hints[name], help_of[name]) for name, one in added.items()]
        run.__signature__ = inspect.Signature([*own, *options])  # type: ignore[attr-defined]  # what typer asks for
        return run

    return given_to


def _takers(name: str, functions: Iterable[Callable[..., Any]]) -> str:
    """The modules of the functions that take a keyword: "python, cpp"."""
    takers = [function for function in functions if name in inspect.signature(function).parameters]
    return ", ".join(function.__module__.rpartition(".")[2] for function in takers)


def _option(keyword: inspect.Parameter, hint: Any, text: str) -> inspect.Parameter:
    kinds = [kind for kind in _members(hint) if kind in (bool, int, float, str)]
    words = _words(hint)
    kind: Any = str if words else kinds[0] if kinds else list[str]
    metavar = "|".join(["NUMBER"] * len(kinds) + words) if words else None
    annotation = Annotated[kind | None, typer.Option(help=text, metavar=metavar)]
    default = keyword.default or None if kind == list[str] else keyword.default
    return inspect.Parameter(keyword.name, _KEYWORD, default=default, annotation=annotation)


def _words(hint: Any) -> list[Any]:
    """The words that are values of a keyword."""
    return [word for kind in _members(hint) if get_origin(kind) is Literal for word in get_args(kind)]


def _members(hint: Any) -> tuple[Any, ...]:
    """The types of a union; of another type, that one."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _read(name: str, value: Any, hint: Any) -> Any:
    if not isinstance(value, str) or int not in _members(hint):
        return value
    return whole_or_word(f"--{name.replace('_', '-')}", value, "a whole number", _words(hint))


def _documented(function: Callable[..., Any]) -> dict[str, str]:
    """Each argument of a docstring with its description, up to the first semicolon or full stop."""
    block = (inspect.getdoc(function) or "").partition("Args:\n")[2].partition("\n\n")[0]
    arguments = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", block, re.MULTILINE)
    plain = {name: re.sub(r"\s+", " ", re.sub(r":\w+:`|`", "", text)) for name, text in arguments}
    return {name: re.split(r"[.;](?:\s|$)", text)[0] for name, text in plain.items()}
