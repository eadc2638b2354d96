"""Everything by keyboard alone: not one call of a mouse in this file."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.player import Player, goes_on, next_asked
from tests.browser.site import Site
from tests.browser.visitor import Visitor
from tests.browser.yard import YARD

MANY = 120  # as often as one may have to press Tab to get anywhere


def tab_to(page: Page, what: Locator, key: str = "Tab") -> Locator:
    """As one gets there by pressing Tab; and one sees where one is."""
    expect(what).to_be_visible()
    for _ in range(MANY):
        if what.evaluate("(element) => element === document.activeElement"):
            width = what.evaluate("(element) => getComputedStyle(element).outlineWidth")
            assert width != "0px", f"{what}: one does not see that the focus is here"
            return what
        page.keyboard.press(key)
    raise AssertionError(f"{what} cannot be reached with {key}")


def press(page: Page, what: Locator, key: str = "Enter") -> None:
    tab_to(page, what)
    page.keyboard.press(key)


def test_from_the_first_page_into_a_game(visitor: Visitor) -> None:
    page = visitor.open("/")
    tables = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Dogs of War"))
    press(page, tables.get_by_role("button", name="Play the computer"))
    asked = page.get_by_role("region", name="Your turn")
    press(page, asked.get_by_role("button", name="Enough of the guide"))
    expect(asked.get_by_role("heading", level=2)).to_be_visible()
    press(page, page.get_by_role("tab", name="Log"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Everybody")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Everybody").get_by_role("table").first).to_be_visible()


def test_a_man_is_placed_activated_walks_and_takes_it_back(site: Site, visitor: Visitor) -> None:
    table = site.seeded("5", "dogs", bots={2: "drill"}, scenario=YARD)
    player = Player(visitor, table.links[1], guided=True)
    page = visitor.page
    press(page, player.button("Enough of the guide"))

    def hinted() -> None:
        """The sergeant's word, and yes."""
        press(page, player.button("What would you do?"))
        said = player.asked.get_by_text("The drill sergeant says: ")
        said.wait_for()
        choice = said.inner_text().partition(": ")[2]
        yes = player.button(re.compile(f"^(Yes: )?{re.escape(choice)}$", re.IGNORECASE)).last
        goes_on(player, lambda: press(page, yes))

    # a place on the board: B goes to it, the arrows move the mark, Enter takes it
    while next_asked(player) and player.question.inner_text() != "Where does he stand?":
        hinted()
    expect(player.asked).to_contain_text("Point at a place on the table.")
    page.keyboard.press("b")
    expect(player.board).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    where = player.asked.get_by_text(re.compile(r"^\d+(\.\d)?, \d+(\.\d)?"))
    expect(where).to_be_visible()
    facing = tab_to(page, player.asked.get_by_role("slider", name="facing"))
    before = facing.get_attribute("aria-valuenow")
    page.keyboard.press("ArrowRight")
    expect(facing).not_to_have_attribute("aria-valuenow", before or "")
    goes_on(player, lambda: press(page, player.button(re.compile("leader at"))))

    # the others, up to the first man who acts
    while next_asked(player) and player.question.inner_text() != "What do your active men do?":
        hinted()

    # an action by its number, a place by the arrows, and yes
    walk = player.button("Walk")
    expect(walk).to_be_visible()
    page.keyboard.press("1")
    expect(player.asked).to_contain_text("Point at a place on the table.")
    page.keyboard.press("b")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    goes_on(player, lambda: press(page, player.button(re.compile("walks to"))))
    expect(player.log).to_contain_text("sets out at a walk")

    # the table in words: who, where, how far; whoever is chosen there is looked at
    page.keyboard.press("r")
    panel = page.get_by_role("tabpanel", name="Everybody")
    foe = panel.get_by_role("button", name=re.compile("Taliban leader"))
    row = panel.get_by_role("row", name=re.compile("Taliban leader"))
    expect(row).to_contain_text(re.compile("about [0-9]+″ (north|south|east|west)"))
    press(page, foe, "Space")
    expect(foe).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("l")
    expect(player.log).to_be_visible()

    # and back again; a bot never minds
    before = player.log.inner_text()
    page.keyboard.press("u")
    expect(player.log).not_to_have_text(before)
    expect(player.log).to_contain_text("takes the last choice back")

    # what one may not do, and why; Escape puts it away
    press(page, player.button("Why not …?"))
    expect(player.asked.get_by_role("list", name="Why not …?")).to_be_visible()
