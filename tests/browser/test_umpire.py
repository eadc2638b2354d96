"""An umpire: overrules, decides for others, goes back, keeps notes. What he sees, no player ever gets."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.player import Player, goes_on
from tests.browser.site import Site
from tests.browser.test_two_people import DESK
from tests.browser.visitor import Visitor

STRAIGHT_ON = {"verb": "place_cards", "number": 3, "other": "NC"}
SECRET = "Blue is bluffing, I think."
DEALT = re.compile(r"(Angus Howles|General Pit Matheson) is dealt ([A-Z][\w ]+)")


def overheard(visitor: Visitor) -> list[str]:
    """All that his socket brings."""
    frames: list[str] = []
    visitor.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    return frames


def rule(desk: Locator, who: str, figure: str, value: str, because: str) -> None:
    desk.get_by_label("Because").fill(because)
    desk.get_by_label("Who or what").select_option(who)
    desk.get_by_label("Which figure").fill(figure)
    desk.get_by_label("is now").fill(value)
    desk.get_by_role("button", name="So be it").click()


def test_an_umpire_overrules_a_roll_decides_and_goes_back(site: Site, visitors: Callable[..., Visitor]) -> None:
    """Seed 21: they meet in round 5, and Blue hits."""
    table = site.seeded("21", "dawgs", scenario="dawn_patrol", umpire=True)
    for _ in range(4):
        for seat in (1, 2):
            site.choose(table, seat, **STRAIGHT_ON)
    umpire, guest = visitors(**DESK), visitors(**DESK)
    frames = overheard(guest)
    red = Player(guest, table.links[2])
    page = umpire.open(table.links[0])
    desk = page.get_by_role("tabpanel")
    page.get_by_role("tab", name="Umpire").click()

    # he sees both hands; each player sees his own
    page.get_by_role("tab", name="Log").click()
    hands = dict(DEALT.findall(page.get_by_role("list", name="What has happened").inner_text()))
    assert set(hands) == {"Angus Howles", "General Pit Matheson"}
    expect(red.log).to_contain_text(f"General Pit Matheson is dealt {hands['General Pit Matheson']}")
    expect(red.log).not_to_contain_text("Angus Howles is dealt")

    # a decision for another: Blue has gone to answer the door
    page.get_by_role("tab", name="Umpire").click()
    page.get_by_role("radio", name="Angus Howles").click()
    asked = page.get_by_role("region", name="Your turn")
    asked.get_by_role("radiogroup", name="number card").get_by_role("radio", name="3").click()
    asked.get_by_role("radiogroup", name="the other card").get_by_role("radio", name="No Change").click()
    asked.get_by_role("button", name="No Change 3").click()
    expect(asked).to_contain_text("Your answer is in")
    site.choose(table, 2, **STRAIGHT_ON)
    expect(red.question).to_have_text("Fire?")

    # the roll is overruled: the die was cocked
    site.choose(table, 1, verb="fire", target=2)
    goes_on(red, red.button("Hold fire").click)
    expect(red.log).to_contain_text(re.compile("Angus Howles fires at General Pit Matheson: .* hit"))
    plane = red.token(re.compile("General Pit Matheson"))
    expect(plane).not_to_have_accessible_name(re.compile("Damage 0/4"))
    rule(desk, "2 General Pit Matheson (Kennel Red)", "damage", "null", "The die was cocked")
    expect(red.log).to_contain_text("The die was cocked")
    expect(plane).to_have_accessible_name(re.compile("Damage 0/4"))

    # a ruling that makes no sense is refused, in words
    rule(desk, "2 General Pit Matheson (Kennel Red)", "hat", "3", "He has no hat")
    expect(page.get_by_role("alert")).to_be_visible()

    # notes stay his, and stay
    desk.get_by_label("Your notes; nobody else sees them").fill(SECRET)
    desk.get_by_label("Because").focus()
    page.wait_for_timeout(300)
    page.reload()
    page.get_by_role("tab", name="Umpire").click()
    expect(desk.get_by_label("Your notes; nobody else sees them")).to_have_value(SECRET)

    # all the way back
    desk.get_by_label("Because").fill("We begin anew")
    desk.get_by_label("to entry").fill("1")
    desk.get_by_role("button", name="Go back").click()
    expect(red.page.get_by_role("heading", level=1)).to_contain_text("round 1")
    expect(red.log).to_contain_text("We begin anew")

    # of all that, nothing has gone to a player that is not his
    told = "\n".join(frames)
    assert "The die was cocked" in told
    assert SECRET not in told
    assert "Angus Howles is dealt" not in told
    assert hands["Angus Howles"] not in told
    assert umpire.axe() == []
