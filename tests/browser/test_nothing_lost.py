"""What a browser holds is not lost: not by a reload, not by another tab; and nothing is done that was not meant."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.player import Player, goes_on
from tests.browser.site import Site, Table
from tests.browser.test_two_people import DESK, cards
from tests.browser.visitor import Visitor

Visitors = Callable[..., Visitor]


def kept_games(page: Page) -> set[str]:
    return {seat["game"] for seat in json.loads(page.evaluate("localStorage.getItem('wardogs.seats')"))}


def test_two_tabs_keep_each_others_games_and_settings(site: Site, visitor: Visitor) -> None:
    first, second, third = (site.table("dawgs", scenario="dawn_patrol", bots={2: "drill"}) for _ in range(3))
    Player(visitor, first.links[1])
    other = visitor.new_page()
    other.goto(second.links[1])
    expect(other.get_by_role("region", name="Your turn").get_by_role("button").first).to_be_visible()
    visitor.page.evaluate("link => { location.href = link; }", third.links[1])
    expect(visitor.page.get_by_role("region", name="Your turn").get_by_role("button").first).to_be_visible()
    assert kept_games(other) == {first.game, second.game, third.game}

    other.goto(f"{site.url}/#/settings")
    other.get_by_role("radio", name="Dark").check()
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_draft_survives_a_reload(site: Site, visitor: Visitor) -> None:
    table = site.table("dawgs", scenario="dawn_patrol")
    player = Player(visitor, table.links[1])
    player.pick("number card", "2")
    with player.page.expect_event("websocket"):
        player.page.wait_for_timeout(900)  # it is kept when the hand rests
        player.page.reload()
    two = player.asked.get_by_role("radiogroup", name="number card").get_by_role("radio", name="2")
    expect(two).to_have_attribute("aria-checked", "true")
    expect(player.button(re.compile("Still to choose"))).to_be_disabled()


def about_to_fire(site: Site) -> Table:
    """Seed 21: in round 5 they may fire."""
    table = site.seeded("21", "dawgs", scenario="dawn_patrol")
    for _ in range(5):
        for seat in (1, 2):
            site.choose(table, seat, verb="place_cards", number=3, other="NC")
    return table


def test_who_wants_to_be_asked_always_is(site: Site, visitor: Visitor) -> None:
    page = visitor.open("/#/settings")
    page.get_by_role("radio", name="Always").check()
    player = Player(visitor, about_to_fire(site).links[1])
    player.button("Fire at General Pit Matheson").click()
    sure = player.button("Yes: fire at General Pit Matheson")
    expect(sure).to_be_visible()
    expect(player.asked).not_to_contain_text("Your answer is in")
    sure.click()
    expect(player.asked).to_contain_text("Your answer is in")


def test_keys_go_on_from_the_next_question(site: Site, visitor: Visitor) -> None:
    table = site.table("dawgs", scenario="dawn_patrol", bots={2: "drill"})
    player = Player(visitor, table.links[1])
    player.pick("number card", "3")
    player.pick("the other card", "No Change")
    player.button("No Change 3").focus()
    goes_on(player, lambda: player.page.keyboard.press("Enter"))
    expect(player.page.get_by_role("heading", level=1)).to_contain_text("round 2")
    expect(player.question).to_be_focused()


def test_a_new_game_after_a_new_game(visitor: Visitor) -> None:
    page = visitor.open("/#/new/dawgs")
    page.get_by_label("General Pit Matheson").select_option("a person")
    page.get_by_role("button", name="Lay the table").click()
    ready = page.get_by_role("heading", level=1)
    expect(ready).to_have_text("Dawn Patrol is ready")
    page.get_by_role("navigation").get_by_role("link", name="New game").click()
    expect(ready).to_have_text("A new game")


def test_who_has_read_the_talk_has_read_it(site: Site, visitors: Visitors) -> None:
    table = site.table("dawgs", scenario="dawn_patrol")
    player = Player(visitors(**DESK), table.links[1])
    site.do(table, 2, "say", text="well met")
    expect(player.page.get_by_role("tab", name=re.compile("Talk .*new"))).to_be_visible()
    expect(player.open_tab("Talk")).to_contain_text("well met")
    player.open_tab("Log")
    expect(player.page.get_by_role("tab", name="Talk", exact=True)).to_be_visible()
    cards(player, 3, "No Change")
