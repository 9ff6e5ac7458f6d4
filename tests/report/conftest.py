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


@pytest.fixture(scope="session")
def tab(browser: Any) -> Any:
    """The page that tests have one after the other: each new one starts processes, which take half a second."""
    return _new_page(browser)


def _new_page(browser: Any) -> Any:
    page = browser.new_context().new_page()
    page.context.set_default_timeout(PATIENCE)
    page.on("dialog", lambda dialog: dialog.accept())  # whether to leave what was edited
    return page


@pytest.fixture
def opened(browser: Any, tab: Any) -> Iterator[Callable[..., Opened]]:
    pages, listeners = [], []

    def start(
        model: CurveModel, path: Path, viewport: tuple[int, int] = (1280, 720), color_scheme: str = "light"
    ) -> Opened:
        page = _new_page(browser) if pages else tab
        pages.append(page)
        page.goto("about:blank")  # as another address of the same file is no new document
        page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
        page.emulate_media(media="screen", color_scheme=color_scheme)
        page.mouse.move(0, 0)
        result = Opened(page, model)
        for event, told in (
            ("console", lambda message: result.trouble.append(message.text)),
            ("pageerror", lambda error: result.trouble.append(str(error))),
            ("request", lambda request: result.requests.append(request.url)),
        ):
            page.on(event, told)
            listeners.append((page, event, told))
        page.goto(path.as_uri())
        return result

    yield start
    for page, event, told in listeners:
        page.remove_listener(event, told)
    for page in pages[1:]:
        page.context.close()
