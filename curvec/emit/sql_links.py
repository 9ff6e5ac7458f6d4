"""The inverse links in SQL, with the argument of EXP in a range that every engine accepts (contract, point 7)."""

from __future__ import annotations

from curvec.emit.dialect import Dialect
from curvec.emit.sql_curves import at_least
from curvec.emit.sql_text import Arm, case, comparand, in_brackets, literal, operand
from curvec.errors import UnsupportedError
from curvec.links import EXP_BOUND


def exponential(dialect: Dialect, link: str, score: str) -> str | None:
    """A column that the prediction needs more than once, or None: EXP(-|score|) for the logit.

    Raises:
        UnsupportedError: the link has no SQL.

    """
    if link == "logit":
        return _bounded_exp(
            dialect, score, [("<", -EXP_BOUND, None), ("<", 0.0, score), ("<=", EXP_BOUND, f"-{score}")], -1.0
        )
    if link in ("identity", "log"):
        return None
    raise UnsupportedError(f"link={link!r} has no SQL; emit with link=False, which returns the raw score")


def prediction(dialect: Dialect, link: str, score: str, exponential: str) -> str:
    """The inverse link of the score, NULL where the score is NULL or NaN."""
    one = operand(dialect, 1.0)
    if link == "logit":
        above, below = f"{one} / ({one} + {exponential})", f"{exponential} / ({one} + {exponential})"
        return case([Arm(f"{score} < {comparand(dialect, 0.0)}", below)], above)
    if link == "log":
        return _bounded_exp(dialect, score, [("<", -EXP_BOUND, None), ("<=", EXP_BOUND, score)], 1.0)
    return score


def _bounded_exp(dialect: Dialect, score: str, arms: list[tuple[str, float, str | None]], end: float) -> str:
    """EXP of the score bounded, by arms (comparison, bound, value; None is the bound itself); ``end`` beyond them."""
    nan = [Arm(dialect.nan_first.format(score), "NULL")] if dialect.nan_first else []
    bounded = [
        Arm(f"{score} {sign} {comparand(dialect, limit)}", literal(dialect, limit) if value is None else value)
        for sign, limit, value in arms
    ]
    beyond = Arm(at_least(dialect, score, EXP_BOUND, ">"), literal(dialect, end * EXP_BOUND))
    return in_brackets(case([*nan, *bounded, beyond]), "EXP")
