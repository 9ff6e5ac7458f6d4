"""A teacher as the command line names it: a file, or ``module:object``."""

from __future__ import annotations

import importlib
import re
import sys
from functools import reduce
from pathlib import Path
from typing import Any

from curvec.errors import InputError


def load_object(text: str) -> Any:
    """The path of a teacher's file as it is, or the object that ``module:object`` names.

    The module is imported as ``python -m`` would, from the current folder too: that runs its code. The object may be
    inside another (``module:a.b``).

    Raises:
        InputError: there is no such file and no such object; the message says which.

    """
    if Path(text).exists() or not re.fullmatch(r"[\w.]+:[\w.]+", text):
        return Path(text)
    module, _, name = text.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return reduce(getattr, name.split("."), importlib.import_module(module))
    except ImportError as error:
        raise InputError(f"{text}: the module {module!r} cannot be imported ({error})") from error
    except AttributeError as error:
        raise InputError(f"{text}: {error}") from None
