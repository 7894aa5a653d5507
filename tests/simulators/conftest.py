"""A real browser for the simulator pages: one process for a module, a fresh context a test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from simulators.driver import PAGES, Bench, watch
from trajectories.sessions.chromium import FLAGS

Open = Callable[..., Bench]


# Of module scope: sync Playwright keeps an event loop running in this thread, which tests of other
# folders could not bear. (A folder without __init__.py makes "package" mean the whole session.)
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=os.environ.get("GRATICULE_CHROMIUM", "/usr/bin/chromium"), args=flags
        )
        yield chromium
        chromium.close()


@pytest.fixture
def open_bench(browser: Browser) -> Iterator[Open]:
    """Opens a page of an instrument; the test fails on any complaint of the page."""
    contexts = []
    complaints: list[str] = []

    def open_page(
        width: int = 1280, height: int = 800, instrument: str = "xrd", **params: object
    ) -> Bench:
        context = browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=1, offline=True
        )
        contexts.append(context)
        page = context.new_page()
        watch(page, complaints)
        bench = Bench(page, f"file://{PAGES}/{instrument}/index.html")
        bench.open(**params)
        return bench

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page for a module: a context a test would take half of the time of these tests."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, device_scale_factor=1, offline=True
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def xrd(page: Page) -> Iterator[Bench]:
    """The diffractometer, loaded anew, on the stepped clock, with its insides readable."""
    complaints: list[str] = []
    unwatch = watch(page, complaints)
    bench = Bench(page, f"file://{PAGES}/xrd/index.html")
    bench.open(clock="stepped", debug=1)
    yield bench
    unwatch()
    assert complaints == []
