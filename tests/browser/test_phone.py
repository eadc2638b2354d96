"""A phone in one hand: by touch, upright, nothing too small, nothing beside the screen."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.player import Player, box_of, goes_on, next_asked
from tests.browser.site import Site
from tests.browser.visitor import Visitor
from tests.browser.yard import YARD

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
FINGER = 44

# what a finger must hit; a link in the middle of a sentence is as large as its words, and a box is ticked by its label
SMALL = """(least) => {
  const box = "input[type=radio], input[type=checkbox]";
  const all = `button, select, textarea, input:not(${box}), a.button, nav a, summary, [role=tab], [role=slider]`;
  const labels = [...document.querySelectorAll(box)].map((one) => one.closest("label") ?? one);
  return [...document.querySelectorAll(all), ...labels]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length)
    .map((one) => ({ at: one.getBoundingClientRect(), name: one.getAttribute("aria-label") ?? one.innerText }))
    .filter(({ at }) => at.width > 0 && (at.width < least - 0.5 || at.height < least - 0.5))
    .map(({ at, name }) => `${name.trim().slice(0, 40)}: ${Math.round(at.width)}x${Math.round(at.height)}`);
}"""


@pytest.fixture
def phone(visitors: Callable[..., Visitor]) -> Visitor:
    return visitors(**PHONE)


def fits(page: Page) -> None:
    """Nothing to the right of the screen, and all of it large enough for a finger."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]  # type: ignore[index]
    assert page.evaluate(SMALL, FINGER) == []


def tap(page: Page, what: Locator) -> None:
    """In its middle, with a finger."""
    what.scroll_into_view_if_needed()
    page.touchscreen.tap(*box_of(what).at(0.5, 0.5))


@pytest.mark.parametrize(
    "link", ["/", "/#/new/dawgs", "/#/new/dogs", "/#/games", "/#/rules/dawgs", "/#/settings", "/#/muster/dogs"]
)
def test_every_screen_fits(phone: Visitor, link: str) -> None:
    page = phone.open(link)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="…")).to_have_count(0)
    fits(page)


def test_cards_are_laid_by_touch_and_asked_about_first(site: Site, phone: Visitor) -> None:
    """Seed 21: in round 5 they may fire."""
    table = site.seeded("21", "dawgs", scenario="dawn_patrol")
    for _ in range(4):
        for seat in (1, 2):
            site.choose(table, seat, verb="place_cards", number=3, other="NC")
    player = Player(phone, table.links[1])
    page = phone.page
    fits(page)
    tap(page, player.asked.get_by_role("radio", name="3", exact=True))
    tap(page, player.asked.get_by_role("radio", name="No Change"))
    fits(page)
    goes_on(player, lambda: tap(page, player.button("No Change 3")))
    site.choose(table, 2, verb="place_cards", number=3, other="NC")

    # a tap on the plane only aims; the odds stand there, and another tap says yes
    expect(player.question).to_have_text("Fire?")
    tap(page, player.token(re.compile("General Pit Matheson")))
    odds = player.asked.get_by_role("region", name="What would come of it")
    expect(odds).to_contain_text("%")
    expect(player.log).not_to_contain_text("fires at")
    fits(page)
    tap(page, player.button("Cancel"))
    expect(odds).to_be_hidden()
    tap(page, player.button(re.compile("^Fire at General Pit Matheson")))
    yes = player.button("Yes: fire at General Pit Matheson")
    expect(odds).to_contain_text("%")
    tap(page, yes)
    site.choose(table, 2, verb="hold_fire")
    expect(player.log).to_contain_text("fires at General Pit Matheson")
    for name in ("Everybody", "Talk", "Game", "Log"):
        tap(page, page.get_by_role("tab", name=name))
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
        fits(page)


def test_a_man_is_placed_and_led_by_touch(site: Site, phone: Visitor) -> None:
    table = site.seeded("5", "dogs", bots={2: "drill"}, scenario=YARD)
    player = Player(phone, table.links[1])
    page = phone.page
    while next_asked(player) and player.question.inner_text() != "Where does he stand?":
        player.follow_hint()
    expect(player.asked).to_contain_text("Point at a place on the table.")
    page.touchscreen.tap(*box_of(player.board).at(0.5, 0.9))
    fits(page)
    goes_on(player, lambda: tap(page, player.button(re.compile("leader at"))))
    while next_asked(player) and player.question.inner_text() != "What do your active men do?":
        player.follow_hint()

    # whoever is tapped is looked at; who may act is taken in hand
    tap(page, player.token(re.compile("Taliban leader")))
    expect(player.asked.get_by_role("article", name="Taliban leader")).to_be_visible()
    expect(player.asked.get_by_text("Walk", exact=True)).to_be_visible()
    fits(page)
    tap(page, player.button("Walk"))
    expect(player.asked).to_contain_text("Point at a place on the table.")
    x, y = box_of(player.token(re.compile("Rangers leader"))).at(0.5, 0.5)
    page.touchscreen.tap(x + 60, y)
    fits(page)
    goes_on(player, lambda: tap(page, player.button(re.compile("walks to"))))
    expect(player.log).to_contain_text("sets out at a walk")
