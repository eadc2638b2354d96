"""A system that the client has never heard of plays in it, and no line of the client is for it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, TimeoutError, expect

from tests.browser.visitor import ROOT, Visitor
from tests.server.outside import served

SIXTH = Path(__file__).parent / "sixth"


@pytest.fixture
def nursery(built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that has a sixth system, Tin Soldiers."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(SIXTH), str(ROOT)]))
    with served(tmp_path) as serving:
        yield serving.url


@pytest.fixture
def children(browser: Browser, nursery: str) -> Iterator[Callable[[], Visitor]]:
    come: list[Visitor] = []

    def child() -> Visitor:
        come.append(Visitor(browser, nursery, viewport={"width": 1100, "height": 760}))
        return come[-1]

    yield child
    assert [line for visitor in come for line in visitor.close()] == []


def asked(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Your turn")


def press(visitor: Visitor, name: str | re.Pattern[str]) -> None:
    """A button of the question, whenever it is put."""
    button = asked(visitor).get_by_role("button", name=name).first
    expect(button).to_be_enabled()
    button.click()


def answer(visitor: Visitor) -> None:
    """The first thing that may be chosen, if anything is asked; the question may pass while one reaches for it."""
    buttons = asked(visitor).get_by_role("list").get_by_role("button", disabled=False)
    if buttons.count():
        with suppress(TimeoutError):
            buttons.first.click(timeout=1000)
        visitor.page.wait_for_timeout(100)


def test_a_sixth_system_plays_in_the_client(children: Callable[[], Visitor]) -> None:
    red, blue, green = children(), children(), children()
    page = red.open("/")
    tins = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Tin Soldiers"))
    tins.get_by_role("link", name="Set up a game").click()
    for side in ("Blue", "Green"):
        page.get_by_label(side).select_option("a person")
    page.get_by_role("button", name="Lay the table").click()
    links = [page.get_by_label(f"Link for {side}", exact=True).input_value() for side in ("Red", "Blue", "Green")]
    for visitor, link in zip((red, blue, green), links, strict=True):
        visitor.open(link)

    # yes or no, one after the other: red and blue watch
    for visitor, says in ((red, "True"), (blue, "True"), (green, "False")):
        press(visitor, re.compile(f"Say: yes {says}"))

    # a card each, secret and at once
    for visitor in (red, blue, green):
        press(visitor, re.compile("^Lay [A-L]$"))
    shown = red.page.get_by_role("list", name="What has happened")
    expect(shown).to_contain_text("shows")

    # walkers are fired at, by a click on whom the rules let one fire at; every question has an answer until it is over
    over = red.page.get_by_role("link", name="Watch it again")
    for _ in range(200):
        if over.count():
            break
        for visitor in (red, blue, green):
            answer(visitor)
    expect(over.first).to_be_visible()
    expect(shown).to_contain_text(re.compile("fires at [abc]: [0-9]+ (hits|misses)"))
    for visitor in (red, blue, green):
        assert visitor.axe() == []
