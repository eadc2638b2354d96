"""Who gives up while others fight on looks on."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.site import Site
from tests.browser.visitor import Visitor


def test_who_resigns_among_three_is_asked_nothing_more(site: Site, visitors: Callable[..., Visitor]) -> None:
    table = site.table(seats=3)
    first, second = Player(visitors(), table.links[1]), Player(visitors(), table.links[2])
    first.page.get_by_role("tab", name="Game").click()
    first.page.get_by_role("button", name="Resign").click()
    first.page.get_by_role("button", name="Resign: sure?").click()
    expect(first.page.get_by_text("has resigned")).to_be_visible()
    expect(first.page.get_by_role("button", name="Resign")).to_be_hidden()
    expect(first.asked).to_contain_text("You have resigned; the computer plays on for you.")
    expect(first.button("Undo")).to_be_hidden()
    expect(first.question).to_be_hidden()
    second.page.get_by_role("tab", name="Game").click()
    expect(second.page.get_by_text("has resigned")).to_be_visible()
    expect(second.question).to_be_visible()
