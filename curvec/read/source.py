"""A Python text as a syntax tree and its comments, with errors that name the place."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator

import msgspec

from curvec.errors import InputError

_MAX_CHAIN = 400
"""Operators in a row. Python 3.10's parser runs out of stack (and the process ends) on very long chains."""

_MAX_BRACKETS = 128
"""Brackets open at once: twice what the deepest model has, and less than Python's parser and recursion bear."""

_MAX_TOKENS = 2_000_000
"""About a million numbers; each takes Python's parser up to a kilobyte of memory."""

_DIRECTIVE = (  # a text: compiled when a file is first read, as that takes 4 ms
    r"!|-\*-|(noqa\b|fmt: ?(on|off|skip)\b|type: ?ignore\b|(ruff|mypy|pyright|pylint|isort|yapf|pragma|flake8):)"
)
_CODING = re.compile(r"coding[:=]")
_OPEN, _CLOSE = ("(", "[", "{"), (")", "]", "}")
_OPERAND_ENDS = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING)


class Comment(msgspec.Struct, frozen=True):
    """A remark: its text without the mark, where it starts, and whether code stands before it on its line."""

    text: str
    line: int
    column: int
    trailing: bool


class Source:
    """A parsed text of Python, called ``origin`` in errors.

    Raises:
        InputError: not Python, declared to be in another encoding than UTF-8, or nested or chained beyond what a
            model's file needs.

    """

    def __init__(self, text: str, origin: str) -> None:
        self.origin = origin
        _check_encoding(text, origin)
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")  # as Python itself reads line ends
        self._lines = self.text.split("\n")
        self.comments, failure = self._scan()
        self.tree = self._parse()
        if failure is not None:
            raise failure

    def error(self, node: ast.AST | None, message: str) -> InputError:
        """``message`` with file, line and column of a node."""
        if node is None or not hasattr(node, "lineno"):
            return InputError(f"{self.origin}: {message}")
        line, column = self.position(node)
        return InputError(f"{self.origin}:{line}:{column + 1}: {message}")

    def expected(self, what: str, node: ast.AST) -> InputError:
        """The error for a node that is not ``what``."""
        return self.error(node, f"expected {what}, found {self.excerpt(node)}")

    def excerpt(self, node: ast.AST) -> str:
        """The first words of a node, as they stand in the file."""
        line, column = self.position(node)
        words = self._lines[line - 1][column : column + 41]
        if getattr(node, "end_lineno", line) == line:
            words = words[: self.end(node)[1] - column]
        return repr(words if len(words) <= 40 else words[:37] + "...")

    def position(self, node: ast.AST) -> tuple[int, int]:
        """(line from 1, column from 0) where a node starts, in characters."""
        return self._in_characters(node.lineno, node.col_offset)  # type: ignore[attr-defined]  # located nodes only

    def end(self, node: ast.AST) -> tuple[int, int]:
        """(line from 1, column from 0) behind a node's last character."""
        return self._in_characters(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]  # as above

    def width(self, line: int) -> int:
        """The bytes of a line (from 1), as the syntax tree counts columns."""
        return len(self._lines[line - 1].encode())

    def _in_characters(self, line: int, offset: int) -> tuple[int, int]:
        text = self._lines[line - 1]
        if text.isascii():
            return line, offset
        return line, len(text.encode()[:offset].decode(errors="replace"))

    def _parse(self) -> ast.Module:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an odd escape in a string is Python's business, not the model's
                return ast.parse(self.text)
        except SyntaxError as error:
            where = f":{error.lineno}:{max(error.offset or 1, 1)}" if error.lineno else ""
            raise InputError(f"{self.origin}{where}: not Python: {error.msg}") from None
        except (MemoryError, RecursionError):
            raise InputError(f"{self.origin}: nested too deeply to be a model") from None
        except ValueError as error:  # Python 3.10 on null bytes
            raise InputError(f"{self.origin}: not Python: {error}") from None

    def _scan(self) -> tuple[list[Comment], InputError | None]:
        comments: list[Comment] = []
        chain = _Chain()
        try:
            for count, token in enumerate(tokenize.generate_tokens(io.StringIO(self.text).readline)):
                if count > _MAX_TOKENS:
                    raise InputError(
                        f"{self.origin}: more than {_MAX_TOKENS} tokens; that is no model for people to read"
                    )
                if token.type == tokenize.COMMENT:
                    comments.extend(_comment(token))
                length = chain.length(token)
                where = f"{self.origin}:{token.start[0]}:{token.start[1] + 1}"
                if chain.depth > _MAX_BRACKETS:
                    raise InputError(
                        f"{where}: nested too deeply to be a model; more than {_MAX_BRACKETS} brackets are open"
                    )
                if length > _MAX_CHAIN:
                    raise InputError(
                        f"{where}: more than {_MAX_CHAIN} operators in a row; write Sum([...]) or Product([...])"
                    )
        except (tokenize.TokenError, SyntaxError) as error:
            return comments, InputError(f"{self.origin}: not Python: {error.args[0]}")
        return comments, None


class _Chain:
    """Counts the operators of each open bracket, from one comma or statement to the next."""

    def __init__(self) -> None:
        self._counts = [0]
        self._operand = False

    @property
    def depth(self) -> int:
        """How many brackets are open."""
        return len(self._counts) - 1

    def length(self, token: tokenize.TokenInfo) -> int:
        """The operators in a row up to this token."""
        text = token.string if token.type == tokenize.OP else ""
        if text in _OPEN:
            self._counts.append(0)
        elif text in _CLOSE:
            self._counts.pop()
            self._counts = self._counts or [0]
        elif text == "," or token.type == tokenize.NEWLINE:
            self._counts[-1] = 0
        elif text and self._operand:
            self._counts[-1] += 1
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            self._operand = token.type in _OPERAND_ENDS or text in _CLOSE
        return self._counts[-1]


def _comment(token: tokenize.TokenInfo) -> Iterator[Comment]:
    line, column = token.start
    text = token.string.lstrip("#").strip()
    if not text or re.match(_DIRECTIVE, text) or (line <= 2 and _CODING.search(text)):
        return
    yield Comment(text, line, column, trailing=bool(token.line[:column].strip()))


def _check_encoding(text: str, origin: str) -> None:
    """Refuse a coding comment other than UTF-8: Python would read the file's strings otherwise."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(text.encode(errors="replace")).readline)
    except SyntaxError:
        raise InputError(f"{origin}: declares an encoding that Python does not know; models are UTF-8") from None
    if encoding != "utf-8":
        raise InputError(f"{origin}: declares the encoding {encoding}; models are UTF-8")
