"""The errors of curvec: one base class and one class a reason."""

from __future__ import annotations

_LONGEST_MESSAGE = 2000


class CurvecError(Exception):
    """Base of every error that curvec raises on purpose.

    A message that a name or a value of the user's makes longer than a screen is cut in its middle: what is wrong
    stands at its start, and the way out at its end.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(cut(message, _LONGEST_MESSAGE))


class InputError(CurvecError, ValueError):
    """What was passed in breaks a rule; the message names the value, the rule and the way out.

    Attributes:
        part: where the value stands, if it is an argument of a node: the argument's name, and the value's place in it,
            0 for the first of a list or table and None for the argument itself. A reader of files finds the line by it.

    """

    part: tuple[str, int | None] | None = None

    def at(self, argument: str, place: int | None = None) -> InputError:
        """Say where the value stands: in which argument, and at which place of it."""
        self.part = argument, place
        return self

    def about(self, what: str) -> InputError:
        """The same error with what it is about before its message."""
        error = InputError(f"{what}: {self}")
        error.part = self.part
        return error


class FitError(CurvecError):
    """No curve satisfies what was asked of the fit."""


class UnsupportedError(CurvecError):
    """A model, teacher or option that cannot be carried over faithfully, so it is refused."""


class ParityError(CurvecError):
    """A target could not be run, or did not give the reference's numbers."""


class MissingDependencyError(CurvecError, ImportError):
    """An optional dependency is not installed; the message names the extra to install."""


def counted(count: int, one: str, many: str = "") -> str:
    """A count and what it is of: ``1 term``, ``8,000 terms``; ``many`` where the plural is not ``one`` with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def with_article(name: str) -> str:
    """The name of a type after "a" or "an", as it is spoken: an int, a UInt8, an LGBMRanker, an SVC."""
    spelt = (len(name) > 1 and name[:2].isupper()) or name == "ndarray"
    return f"an {name}" if name[:1].lower() in "aeio" or (spelt and name[0] in "FHLMNRSXn") else f"a {name}"


def shown(value: object, most: int = 120) -> str:
    """A value as a short text for a message: its repr in one line, cut in the middle beyond ``most`` characters.

    Python refuses to write integers of thousands of digits; of these, the number of digits is given.
    """
    if isinstance(value, int) and value.bit_length() > 4 * most:
        return f"an integer of some {int(value.bit_length() * 0.30103) + 1} digits"
    if isinstance(value, str) and len(value) > 2 * most:
        value = value[:most] + value[-most:]
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  an integer as above inside of it, lists in lists without end, or its own repr's
        return with_article(type(value).__name__)
    return cut(" ".join(text.split()) if "\n" in text else text, most)


def cut(text: str, most: int) -> str:
    """The text, or of a longer one its start and its end with dots in between."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 5]} ... {text[-end:]}"
