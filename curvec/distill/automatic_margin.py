"""What a distillation may lose unasked: a share of the score's variance that the rows could not tell from nothing.

Labels that are yes or no, or counts, vary about their predictions by a known amount, so a score of k free numbers that
is learnt from n rows is off by chance: on average over the rows by a variance of k / (n * i), i the mean variance of a
label, which is the information on the score that one row gives (McCullagh and Nelder 1989, section 4.4). On 5,000 rows
of yes and no, 50 numbers cost 5 % of the variance of a score whose deviation is 1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from curvec.data import Table
from curvec.distill.options import DistillOptions, per_feature
from curvec.distill.row_source import SummedUp
from curvec.ir import names_of
from curvec.links import link as link_of
from curvec.model import CurveModel
from curvec.parameters.precision import MARGIN, MOST_MARGIN, without_offsets

_SHARE_OF_CHANCE = 1 / 7
"""How much of what chance makes of a score may be lost. Chosen on nine sets of yes and no, on which the text has a
quarter fewer characters than with a margin of 0.1 %, at the same loss on the labels of new rows: docs/howto/size.md."""


def automatic_margin(rows: SummedUp, options: DistillOptions) -> float:
    """The share of the raw score's variance that may be lost where the caller does not say.

    0.1 %; for a model of probabilities or counts a seventh of what chance makes of its score, if that is more, and at
    most 0.65 %. Where the number of numbers is bounded, it stays at 0.1 %, as the text is short already.
    """
    link = link_of(rows.teacher.link)
    if not link.known_variance or options.max_numbers is not None or not rows.learnt.sd:
        return MARGIN
    table, w = rows.sample.rows()
    score = rows.teacher.compile().of_table(table)
    used = np.isfinite(score) & (w > 0)
    if not used.any():
        return MARGIN
    per_row = float(np.average(link.slope(link.inverse(score[used])), weights=w[used]))
    information = per_row * rows.rows * rows.sample.evenness
    if not information > 0:
        return MOST_MARGIN
    numbers = _free_numbers(rows.teacher, table, used, options)
    chance = numbers / information / rows.learnt.sd / rows.learnt.sd
    return float(min(max(MARGIN, _SHARE_OF_CHANCE * chance), MOST_MARGIN))


def _free_numbers(teacher: CurveModel, rows: Table, used: npt.NDArray[np.bool_], options: DistillOptions) -> int:
    """How many numbers the longest model has: two a point of a curve, one a level, no more than there are values."""
    found = 0
    for name in names_of(*without_offsets(teacher).terms):
        if all(one.type != "number" for one in rows.features if one.name == name):
            levels: list[object] = np.asarray(rows.raw(name))[used].tolist()
            found += len({*levels})
            continue
        values = len(np.unique(rows.number(name)[used]))
        points: int = per_feature(options.num_segments, name, default=5) + 1
        found += values if name in options.categorical else min(values, 2 * points)
    return found
