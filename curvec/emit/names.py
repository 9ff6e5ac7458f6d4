"""Any feature name as a valid, unique identifier of a target language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable

from curvec.ir import Term, features_of
from curvec.model import CurveModel


def identifier(name: str) -> str:
    """``name`` with ASCII letters, digits and underscores only, starting with a letter: ``1 a-b`` -> ``x1_a_b``."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    cleaned = re.sub(r"[^0-9A-Za-z]+", "_", ascii_name).strip("_")
    if not cleaned:
        return "x"
    return cleaned if cleaned[0].isalpha() else f"x{cleaned}"


def identifiers(names: Iterable[str], reserved: Container[str], longest: int = 1000) -> dict[str, str]:
    """An identifier for each name: the name itself if it is one, else a cleaned form; never reserved, all different.

    Names that are identifiers already stay, whatever other names there are, and the result depends only on the order of
    the names. Names longer than ``longest`` are cut there, before a number makes them unique.
    """
    names = list(names)
    result = {name: name for name in names if identifier(name)[:longest] == name and name not in reserved}
    taken = set(result.values())
    for name in names:
        if name in result:
            continue
        base = identifier(name)[:longest].rstrip("_")
        if f"{base}_" in reserved:  # a reserved prefix, such as L_ of C's macros: a suffix cannot help
            base = f"x_{base}"[:longest].rstrip("_")
        candidate = f"{base}_" if base in reserved else base
        suffix = 2
        while candidate in taken or candidate in reserved:
            candidate = f"{base}_{suffix}"
            suffix += 1
        result[name] = candidate
        taken.add(candidate)
    return {name: result[name] for name in names}


def named_after(what: str, term: Term) -> str:
    """``what`` and the term's features, in at most 40 ASCII characters."""
    features = dict.fromkeys(identifier(feature.name).lower() for feature in features_of(term))
    return "_".join([what, *features])[:40].rstrip("_")


def hash_of(model: CurveModel) -> str:
    """The SHA-256 of a model's JSON: another for any other model."""
    import hashlib

    return hashlib.sha256(model.to_json().encode()).hexdigest()


def version_of(model: CurveModel) -> str:
    """What emitted code calls its model's version: the first twelve digits of :func:`hash_of`."""
    return hash_of(model)[:12]


def comment_text(value: str, *, ascii_only: bool = True) -> str:
    """``value`` for a one-line comment of any target: no line breaks, and nothing that ends a comment or string.

    With ``ascii_only=False`` letters and marks of the basic plane that are seen stay as they are.
    """

    def written(mark: str) -> str:
        stays = not ascii_only and "\x7f" < mark <= "\uffff" and mark.isprintable()
        return mark if stays else mark.encode("unicode_escape").decode("ascii")

    quoted = "".join(map(written, value))
    return (
        quoted.replace("*/", "* /").replace("/*", "/ *").replace("--", "- -").replace('"""', "'''").replace("??", "? ?")
    )
