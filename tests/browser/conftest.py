"""A real Chromium, a real server, the client as it is shipped. README.md tells how to use these."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Generator, Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium
from tests.browser.site import Site
from tests.browser.visitor import ROOT, Visitor
from tests.server.outside import served

SHOTS = ROOT / "build" / "browser"
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


# Of the package, not of the session: while Playwright runs, asyncio.run cannot, and tests of other rooms need it.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(playwright), args=chromium.QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def built() -> None:
    """The client as its sources are now, by the code that make play runs."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    made = subprocess.run(["make", "-s", "client"], cwd=ROOT, env=bare, capture_output=True, text=True)
    if made.returncode:
        pytest.fail(f"make client failed:\n{made.stdout}{made.stderr}", pytrace=False)


@pytest.fixture(scope="package")
def site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """`wardogs serve` on a free port, with a database that lives as long as these tests. Games do not touch each other."""
    folder = tmp_path_factory.mktemp("site")
    with served(folder) as serving:
        site = Site(serving, folder)
        yield site
        site.asking.close()


@pytest.fixture
def visitors(browser: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Callable[..., Visitor]]:
    """People with browsers of their own: visitors(viewport={"width": 390, "height": 844}, color_scheme="dark")."""
    come: list[Visitor] = []

    def visitor(**settings: object) -> Visitor:
        come.append(Visitor(browser, site.url, **settings))
        return come[-1]

    yield visitor
    if request.node.stash.get(FAILED, False):
        picture(come, request.node.name)
    wrong = [line for visitor in come for line in visitor.close()]
    assert wrong == []


def picture(come: list[Visitor], test: str) -> None:
    """What they saw when the test failed, in build/browser."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    for number, visitor in enumerate(come, 1):
        to = SHOTS / f"{test.replace('/', '_')}-{number}.png"
        visitor.page.screenshot(path=to)
        print(f"what visitor {number} saw: {to}")


@pytest.fixture
def visitor(visitors: Callable[..., Visitor]) -> Visitor:
    """Somebody at a desk."""
    return visitors(viewport={"width": 1280, "height": 800})


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """His page, with nothing opened yet."""
    return visitor.page
