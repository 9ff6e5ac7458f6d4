"""One browser for all tests of the page, and the demo's page in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from opened_page import CHROMIUM, FLAGS, PATIENCE, Opened
from playwright import sync_api as playwright

from curvec import CurveModel
from curvec.demo import load_data, train
from curvec.distill import distill
from curvec.parity import check
from curvec.review.report import report


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture(scope="session")
def demo_page(tmp_path_factory: pytest.TempPathFactory) -> tuple[CurveModel, Path]:
    data = load_data()
    found = distill(train(data), data.train, num_segments=5)
    page = report(
        found.model,
        data.train,
        teacher=found.teacher,
        target=data.train_label,
        parity=check(found.model, data.held_out, ["python"]),
    )
    path = tmp_path_factory.mktemp("demo") / "report.html"
    page.save(path)
    return found.model, path


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Opened]]:
    contexts = []

    def start(model: CurveModel, path: Path, **options: Any) -> Opened:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        result = Opened(context.new_page(), model)
        result.page.on("console", lambda message: result.trouble.append(message.text))
        result.page.on("pageerror", lambda error: result.trouble.append(str(error)))
        result.page.on("request", lambda request: result.requests.append(request.url))
        result.page.goto(path.as_uri())
        return result

    yield start
    for context in contexts:
        context.close()
