"""One click from the first page, and the computer plays along to the end."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.player import HINT, Player, next_asked, play_on
from tests.browser.site import Site
from tests.browser.test_two_people import cards
from tests.browser.visitor import Visitor

ROUNDS = 4  # of dogfight; then down it goes, or this could last sixty


def test_one_click_and_a_whole_game_against_the_computer(visitor: Visitor) -> None:
    page = visitor.open("/")
    planes = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Dawgs of War"))
    planes.get_by_role("button", name="Play the computer").click()
    player = Player(visitor)
    laid = 0

    def turn(player: Player) -> None:
        nonlocal laid
        if not player.question.inner_text().startswith("Place"):
            player.follow_hint()
            return
        laid += 1
        if laid <= ROUNDS:
            player.follow_hint()
        else:
            cards(player, 3, "Clockwise" if laid % 3 else "No Change")

    play_on(player, turn=turn)
    expect(player.asked.get_by_role("heading", level=2)).to_have_text(re.compile("wins$"))
    expect(player.asked.get_by_role("link", name="Watch it again")).to_be_visible()
    panel = player.open_tab("Game")
    expect(panel).to_contain_text("drill, a bot")
    page.get_by_role("link", name="All games").click()
    page.get_by_role("link", name="My games").click()
    expect(page.get_by_role("main")).to_contain_text("Dawn Patrol")


def test_the_sergeant_puts_all_men_down(site: Site, visitor: Visitor) -> None:
    table = site.table("dogs", scenario="crossroads", bots={2: "drill"})
    player = Player(visitor, table.links[1])
    while next_asked(player) and player.question.inner_text() != "Where does he stand?":
        player.follow_hint()
    player.button(HINT).click()
    player.button("Let him go on while this is asked").click()
    expect(player.question).not_to_have_text("Where does he stand?")
    expect(player.log.get_by_text(re.compile("Rangers .* takes his place"))).to_have_count(8)
    expect(player.button("Stop")).to_be_hidden()
