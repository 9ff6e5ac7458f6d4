"""The page's head: the results of the checks, and what the model and the page were made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Literal

import msgspec

from curvec.data import Table
from curvec.distill.comparison import Comparison
from curvec.distill.printing import metric_text, share_text
from curvec.emit.names import hash_of
from curvec.errors import counted
from curvec.ir import names_of
from curvec.model import CurveModel
from curvec.parity import ParityReport
from curvec.review.policy import Finding
from curvec.review.rows import EvaluationRows, columns_hash
from curvec.review.svg import level_text, with_minus

State = Literal["good", "bad", "stated", "open"]


class Verdict(msgspec.Struct, frozen=True):
    """The result of one check.

    Attributes:
        subject: what was checked.
        state: "good", "bad", "stated" where there is a number and no limit for it, "open" where it was not checked.
        text: the answer in a line.
        section: the id of the section with the details, or "".

    """

    subject: str
    state: State
    text: str
    section: str = ""


def verdicts(
    findings: Sequence[Finding] | None,
    parity: ParityReport | None,
    losses: Mapping[str, Comparison],
) -> list[Verdict]:
    """The results of policy and parity, and what was lost on each set of rows, in the order in which a reader asks.

    Args:
        findings: of the policy; None where there is no policy.
        parity: of the emitted code; None where it was not scored.
        losses: by the name of the rows, what the model lost of its teacher.

    """
    return [_policy(findings), _parity(parity), *_losses(losses)]


def _policy(findings: Sequence[Finding] | None) -> Verdict:
    if findings is None:
        return Verdict("policy", "open", "not checked")
    if findings:
        return Verdict("policy", "bad", counted(len(findings), "finding"), "policy")
    return Verdict("policy", "good", "kept: no finding", "policy")


def _parity(parity: ParityReport | None) -> Verdict:
    if parity is None:
        return Verdict("parity of the code", "open", "not checked")
    off = [result.target for result in parity.results if not result.ok]
    if off:
        return Verdict("parity of the code", "bad", f"different or failed: {', '.join(off)}", "parity")
    if not parity.ok:
        return Verdict("parity of the code", "open", "no target ran here", "parity")
    ran = [result for result in parity.results if result.ran]
    near = sum(result.verdict != "identical" for result in ran)
    within = f", {near} within their stated bounds" if near else ""
    return Verdict(
        "parity of the code", "good", f"{len(ran) - near} of {counted(len(ran), 'target')} identical{within}", "parity"
    )


def _losses(losses: Mapping[str, Comparison]) -> list[Verdict]:
    if not losses:
        return [Verdict("loss against the teacher", "open", "not compared")]
    found = []
    for name, compared in losses.items():
        text = f"{share_text(compared.unexplained)} of the variance of the score"
        if (judged := compared.evaluation) is not None:
            text += (
                f"; {judged.metric} {metric_text(judged.teacher)} (teacher), {metric_text(judged.distilled)} (model)"
            )
        found.append(Verdict(f"loss on {name}", "stated", text, "distillation"))
    return found


def conclusion(found: Sequence[Verdict]) -> tuple[State, str]:
    """All verdicts in one sentence: the checks that failed, and those that were not made."""
    against = [one.subject for one in found if one.state == "bad"]
    unknown = [one.subject for one in found if one.state == "open"]
    rest = f" Not checked: {', '.join(unknown)}." if unknown else ""
    if against:
        return "bad", f"Against this model: {', '.join(against)}.{rest}"
    if any(one.state == "good" for one in found):
        return "open" if unknown else "good", f"Nothing that was checked speaks against this model.{rest}"
    return "open", f"No check has a verdict.{rest}"


def facts(model: CurveModel) -> list[tuple[str, str]]:
    """How large the model is, and its form."""
    return [
        ("terms", str(len(model.terms))),
        ("features", str(len(names_of(*model.terms)))),
        ("numbers to read", str(model.numbers_to_read)),
        ("link", model.link),
        ("intercept", with_minus(f"{model.intercept:.6g}")),
    ]


def made_of(
    model: CurveModel,
    rows: Mapping[str, EvaluationRows],
    teacher: CurveModel | None,
    base: CurveModel | None,
    origin: Mapping[str, str],
) -> list[tuple[str, str, str]]:
    """What the page was made from: for each part its name, what it is, and its SHA-256 or "".

    Args:
        model: the model; its hash is that of the file that ``model.save`` writes.
        rows: the sets of rows by name.
        teacher: the teacher, or None.
        base: the earlier model, or None.
        origin: further lines, in the user's words.

    """
    used = [feature for feature in model.features if feature.name in set(names_of(*model.terms))]
    lines = [("model", level_text(model.name), hash_of(model))]
    if teacher is not None:
        lines.append(
            ("teacher", f"{level_text(teacher.name)}, {counted(len(teacher.terms), 'term')}", hash_of(teacher))
        )
    if base is not None:
        lines.append(("base model", level_text(base.name), hash_of(base)))
    for name, given in rows.items():
        table = Table(given.X, used)
        lines.append((name, f"{counted(table.rows, 'row')}; of the columns that the model reads:", columns_hash(table)))
    lines += [(level_text(name), level_text(text), "") for name, text in origin.items()]
    return [*lines, ("made by", f"curvec {metadata.version('curvec')}", "")]
