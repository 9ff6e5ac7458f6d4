"""The words of the page, for a reader who knows no statistics beyond a mean."""

from __future__ import annotations

from curvec.links import link
from curvec.model import CurveModel

_STEPS = {
    "logit": " 0 is a probability of 50 %, and each 0.1 more multiplies the odds by 1.105.",
    "log": " Each 0.1 more multiplies the prediction by 1.105.",
}


def words(model: CurveModel, *, teacher: bool, parity: bool) -> list[tuple[str, str]]:
    """Each word with its meaning, as far as the page uses it.

    Args:
        model: the model.
        teacher: whether the page compares it with a teacher.
        parity: whether it shows whether the targets agree.

    """
    formula = link(model.link).formula.replace("score", "raw score") or "the raw score"
    found = [
        ("term", "A part of the model that adds a number of its own to the raw score: a curve, a table, or a product."),
        ("intercept", "The number at which the raw score of every row starts."),
        ("raw score", f"The intercept and what each term adds.{_STEPS.get(model.link, '')}"),
        ("link", f"How the raw score becomes the prediction. Here it is {model.link}: the prediction is {formula}."),
        ("numbers to read", "How many numbers of the listing a reader has to judge."),
        ("missing", "A value that nobody knows. A row gets no score where it has one and the term no value for it."),
        ("listing", "The whole model as the text of a program, which people read and edit."),
    ]
    if teacher:
        found.append(("teacher", "The larger model that this one was made to follow."))
        found.append(("RMSE", "A typical difference: the root of the mean of the squared differences."))
    if parity:
        found.append(("target", "A language or a database for which the model is written as a program."))
        found.append(("parity", "Whether the programs of all targets give the numbers that the model gives."))
        found.append(("ULP", "The step from one number that a computer can hold to the next one."))
        found.append(("bound", "How many such steps a target's number may be away from the model's."))
    return found
