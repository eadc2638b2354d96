"""A force of one's own: hired, armed, mended, passed on, kept, and led into a game."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import Visitor

MUSTER = "/#/muster/dogs"
LINE = re.compile(r"#/muster/dogs/wd1\.")


def hire(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Hire: {name}").click()


def buy(page: Page, who: str, what: str) -> None:
    """The first of that title; what a ware is called, up to its price."""
    shop = page.get_by_label(f"Buy for {who}").first
    ware = shop.locator("option").filter(has_text=re.compile(rf"^{what}, \d"))
    shop.select_option(ware.first.get_attribute("value"))
    page.get_by_role("button", name=f"Buy: {who}").first.click()


def verdict(page: Page) -> Locator:
    return page.get_by_role("complementary", name="What it costs")


def test_a_force_is_built_mended_shared_and_played(visitors: Callable[..., Visitor]) -> None:
    ada = visitors(viewport={"width": 1280, "height": 800})
    bob = visitors(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = ada.open(MUSTER)
    assert ada.axe() == []
    hire(page, "Ranger fire team")
    expect(verdict(page)).to_contain_text("250 of 500 points")
    page.get_by_label("Its name").fill("North gate")

    buy(page, "Fire Team Leader", "Pound of C4")
    leader = page.get_by_role("region", name="Fire Team Leader")
    expect(leader.get_by_role("listitem").filter(has_text="Against the rules")).to_contain_text("Combat Engineer")
    expect(verdict(page)).to_contain_text("1 thing is against the rules")
    expect(page.get_by_role("status").filter(has_text="275 of 500 points")).to_be_attached()
    assert ada.axe() == []
    buy(page, "Fire Team Leader", "Combat Engineer")
    expect(verdict(page)).to_contain_text("305 of 500 points")
    expect(verdict(page)).to_contain_text("Legal")
    expect(leader.get_by_role("listitem").filter(has_text="Against the rules")).to_have_count(0)

    page.get_by_label("Points it may cost").fill("300")
    page.get_by_label("Points it may cost").press("Enter")
    expect(verdict(page)).to_contain_text("5 too many")
    page.get_by_label("Points it may cost").fill("500")
    page.get_by_label("Points it may cost").press("Enter")
    expect(verdict(page)).to_contain_text("195 left")

    page.get_by_text("Share it").click()
    line = page.get_by_label("One line, for anywhere", exact=True).input_value()
    there = bob.open(page.get_by_label("A link that opens it", exact=True).input_value())
    expect(there.get_by_label("Its name")).to_have_value("North gate")
    expect(verdict(there)).to_contain_text("305 of 500 points")
    there.get_by_text("Share it").click()
    expect(there.get_by_label("One line, for anywhere", exact=True)).to_have_value(line)
    assert bob.axe() == []

    there.get_by_role("button", name="Play with it").click()
    expect(there.get_by_label("Force of Rangers")).to_have_value("North gate")
    assert bob.axe() == []
    there.get_by_role("button", name="Lay the table").click()
    expect(there).to_have_url(re.compile("#/table/"))
    expect(there.get_by_text("North gate").first).to_be_visible()


def test_a_force_is_kept_renamed_opened_and_deleted(visitor: Visitor) -> None:
    page = visitor.open(MUSTER)
    hire(page, "Street gang")
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_text("Street gang is kept in this browser.")).to_be_visible()

    page = visitor.open(MUSTER)
    page.get_by_role("button", name="Kept forces (1)").click()
    page.get_by_role("button", name="Rename: Street gang").click()
    page.get_by_label("New name of Street gang").fill("Dockside")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("button", name="Open: Dockside").click()
    expect(page.get_by_label("Its name")).to_have_value("Dockside")
    expect(verdict(page)).to_contain_text("40 of 500 points")

    page.get_by_role("button", name="Kept forces (1)").click()
    page.get_by_role("button", name="Delete: Dockside").click()
    page.get_by_role("button", name="Delete: sure?: Dockside").click()
    expect(page.get_by_text("None yet.")).to_be_visible()


def test_a_force_by_chance_is_the_same_again_and_the_back_button_undoes_it(visitor: Visitor) -> None:
    page = visitor.open(MUSTER)
    page.get_by_role("button", name="By chance").click()
    page.get_by_label("Of whom").select_option("taliban")
    page.get_by_label("Number; the same gives the same force").fill("3")
    page.get_by_role("button", name="Muster it").click()
    expect(page).to_have_url(LINE)
    first = page.url
    page.get_by_role("button", name="Another", exact=True).click()
    expect(page).not_to_have_url(first)
    page.go_back()
    expect(page).to_have_url(first)
    expect(page.get_by_label("Its name")).to_have_value(re.compile("3"))
    page.reload()
    expect(page.get_by_label("Its name")).to_have_value(re.compile("3"))


def test_a_message_that_is_no_roster_is_answered_in_one_line(visitor: Visitor) -> None:
    page = visitor.open(MUSTER)
    page.get_by_role("button", name="Open one that was sent").click()
    page.get_by_label("A line, a link, or the words of a chat").fill("wd1.dogs.q64FAA.719003c8")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("damaged")
    assert any("/share: 422" in line for line in visitor.wrong)
    visitor.wrong.clear()


def test_by_keyboard_alone(visitor: Visitor) -> None:
    """Hired, handed back, armed and dismissed; the focus is never lost."""
    page = visitor.open(MUSTER)
    page.get_by_role("button", name="Hire: US Army Airborne").focus()
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("250 of 500 points")
    page.get_by_role("button", name="Hand back: Point Man/Scout").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Weapons: Point Man/Scout")).to_be_focused()
    shop = page.get_by_label("Buy for Point Man/Scout")
    page.keyboard.press("Tab")
    expect(shop).to_be_focused()
    page.keyboard.type("M60")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("265 of 500 points")
    page.get_by_role("button", name="No M60E3 for Point Man/Scout").focus()
    page.keyboard.press("Enter")
    expect(shop).to_be_focused()
    page.get_by_role("button", name="Dismiss: US Army Airborne").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your force")).to_be_focused()
    expect(verdict(page)).to_have_count(0)
