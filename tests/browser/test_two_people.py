"""Two people in two browsers, from the invitation to the result and to the replay."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.line import line_to
from tests.browser.player import Player, box_of, goes_on, next_asked, play_on
from tests.browser.site import Site
from tests.browser.visitor import Visitor
from tests.browser.yard import YARD

DESK = {"viewport": {"width": 1280, "height": 800}}
DOWN = "The line is down"
Visitors = Callable[..., Visitor]


# ---- planes --------------------------------------------------------------------------------------------------------


def invitations(page: Page) -> dict[str, str]:
    """From the first page to the links, as a host does it: two people at one table."""
    planes = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Dawgs of War"))
    planes.get_by_role("link", name="Set up a game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A new game")
    page.get_by_role("radio", name=re.compile("Dawn Patrol")).check()
    page.get_by_label("General Pit Matheson").select_option("a person")
    page.get_by_role("button", name="Lay the table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dawn Patrol is ready")
    links = ("Angus Howles", "General Pit Matheson", "Spectators")
    return {who: page.get_by_label(f"Link for {who}", exact=True).input_value() for who in links}


def cards(player: Player, number: int, other: str) -> None:
    player.pick("number card", str(number))
    player.pick("the other card", other)
    player.choose(re.compile(f"^{other} {number}$"))


def test_two_people_fly_from_the_invitation_to_the_replay(site: Site, visitors: Visitors) -> None:
    host, guest = visitors(**DESK), visitors(**DESK)
    links = invitations(host.open("/"))
    assert len(set(links.values())) == 3
    with line_to(site.url) as line:
        blue, red = Player(host, links["Angus Howles"]), Player(guest, line.over(links["General Pit Matheson"]))

        # secret and at the same time: what one has laid, the other does not see
        cards(blue, 1, "No Change")
        expect(blue.asked).to_contain_text("Your answer is in. Until General Pit Matheson has answered too")
        expect(red.log).not_to_contain_text("plays No Change")
        cards(blue, 2, "No Change")
        cards(red, 3, "No Change")
        for player in (blue, red):
            expect(player.log).to_contain_text("Angus Howles plays No Change 2.")
            expect(player.log).to_contain_text("General Pit Matheson plays No Change 3.")

        # what both have seen is taken back only if both agree
        blue.button("Undo").click()
        expect(blue.asked).to_contain_text("To take the last choice back, General Pit Matheson must agree.")
        expect(red.asked).to_contain_text("Angus Howles would like to take the last choice back.")
        goes_on(red, red.button("No").click)
        expect(blue.asked).not_to_contain_text("must agree")
        expect(blue.page.get_by_role("heading", level=1)).to_contain_text("round 2")
        blue.button("Undo").click()
        goes_on(red, red.button("Agree").click)
        expect(blue.page.get_by_role("heading", level=1)).to_contain_text("round 1")
        expect(red.asked).not_to_contain_text("would like to take the last choice back")
        expect(blue.asked).not_to_contain_text("must agree")
        while (asked := next_asked(blue, red)) and "round 1" in asked.page.get_by_role("heading", level=1).inner_text():
            cards(asked, 3, "No Change")

        # a reload in the middle: all is there again, the answer that was given too
        cards(blue, 3, "No Change")
        before = blue.log.inner_text()
        blue.page.reload()
        expect(blue.asked).to_contain_text("Your answer is in")
        assert blue.log.inner_text() == before

        # the line breaks, the other plays on; it comes back by itself, and nothing is lost
        cards(red, 3, "No Change")
        line.cut()
        expect(red.page.get_by_text(DOWN)).to_be_visible()
        cards(blue, 3, "No Change")
        line.mend()
        expect(red.page.get_by_text(DOWN)).to_be_hidden(timeout=20_000)
        broken = [what for what in guest.wrong if "WebSocket" not in what]
        assert broken == []
        guest.wrong.clear()

        # Blue turns straight down; whoever is asked something else meanwhile does what he is told
        turned: list[Player] = []

        def turn(player: Player) -> None:
            if not player.question.inner_text().startswith("Place"):
                player.follow_hint()
            elif player is blue and not turned:
                turned.append(player)
                cards(player, 3, "Clockwise")
            else:
                cards(player, 3, "No Change")

        play_on(blue, red, turn=turn)
        for player in (blue, red):
            expect(player.asked.get_by_role("heading", level=2)).to_have_text("Kennel Red wins")
        told, heard = (
            [line for line in player.log.inner_text().splitlines() if " is dealt " not in line] for player in (blue, red)
        )
        assert told == heard  # all but what each was dealt
        expect(blue.log).to_contain_text("Angus Howles has crashed")
        watch_again(red.page)


def watch_again(page: Page) -> None:
    """The replay: to the beginning, step by step both ways, through the other's eyes."""
    page.get_by_role("link", name="Watch it again").click()
    moment = page.get_by_role("slider", name="Moment of the game")
    expect(moment).to_be_visible()
    last = int(moment.get_attribute("max") or 0)
    assert last > 5
    page.get_by_role("button", name="To the beginning").click()
    expect(moment).to_have_value("0")
    page.get_by_role("button", name="A step on").click()
    page.get_by_role("button", name="A step on").click()
    on = int(moment.input_value())
    assert on >= 2
    page.get_by_role("button", name="A step back").click()
    assert int(moment.input_value()) < on
    page.get_by_role("button", name="To the end").click()
    expect(moment).to_have_value(str(last))
    expect(page.get_by_role("main")).to_contain_text("wins")
    moment.press("Home")
    expect(moment).to_have_value("0")
    eyes = page.get_by_role("combobox", name="Through whose eyes")
    for seat in eyes.get_by_role("option").all_inner_texts():
        eyes.select_option(seat)
        page.get_by_role("button", name="To the end").click()
        expect(page.get_by_role("main")).to_contain_text("wins")
    page.get_by_role("button", name="Check every die").click()
    expect(page.get_by_text("Verified.", exact=False)).to_be_visible()


def test_fire_by_the_plane_and_by_the_button(site: Site, visitors: Visitors) -> None:
    """Seed 21 lets them meet at the same height, and brings one of them down."""
    table = site.seeded("21", "dawgs", scenario="dawn_patrol")
    blue, red = (Player(visitors(**DESK), table.links[seat]) for seat in (1, 2))
    shots: list[str] = []

    def turn(player: Player) -> None:
        if player.question.inner_text() != "Fire?":
            return cards(player, 3, "No Change")
        foe = "General Pit Matheson" if player is blue else "Angus Howles"
        shots.append(foe)
        if player is blue:
            player.token(re.compile(foe)).click(force=True)  # where both hang in one hex, the other's plane lies above it
        else:
            player.button(f"Fire at {foe}").hover()
        odds = player.asked.get_by_role("region", name="What would come of it")
        expect(odds.get_by_role("table", name="What makes it easier or harder")).to_contain_text("vulnerability at speed")
        expect(odds).to_contain_text("%")
        player.choose(f"Yes: fire at {foe}" if player is blue else f"Fire at {foe}")

    play_on(blue, red, turn=turn)
    assert len(shots) == 4
    expect(red.asked.get_by_role("heading", level=2)).to_have_text("Kennel Blue wins")
    expect(red.log).to_contain_text("fires at")


# ---- men -----------------------------------------------------------------------------------------------------------


def deploy(player: Player) -> None:
    """One by pointing at the table, one by typing a place, the others as the sergeant says."""
    who = player.asked.get_by_role("heading", level=3).first.inner_text()
    if "leader" in who:
        player.page.mouse.click(*box_of(player.board).at(0.5, 0.9 if "Rangers" in who else 0.1))
    elif "scout" in who:
        player.asked.get_by_label(re.compile("A place: x and y")).fill("3 1.5" if "Rangers" in who else "3 18.5")
        player.button("There").click()
    else:
        player.follow_hint()
        return
    player.choose(re.compile(r"leader at \d|scout at 3, 1"))


def on_watch(player: Player, name: str) -> None:
    """All ten points for Op-Fire, and to be asked each time."""
    player.choose(f"Activate {name} alone")
    go_on_watch(player, name)


def go_on_watch(player: Player, name: str) -> None:
    player.button("Go on Op-Fire").click()
    player.pick("orders", "Ask")
    player.choose(re.compile(f"^{name} .*Op-Fire"))


def walk(player: Player, name: str) -> None:
    """Three inches across the other's arc, by pointing; what it costs stands beside it."""
    player.choose(f"Activate {name} alone")
    player.button("Walk").click()
    expect(player.asked).to_contain_text("Point at a place on the table.")
    x, y = box_of(player.token(re.compile(name))).at(0.5, 0.5)
    player.page.mouse.click(x + box_of(player.board).height * 3 / 22, y)  # the paper is 22 inches high, or so
    player.choose(re.compile(f"^{name} walks to"))


def test_two_people_fight_with_opportunity_fire(site: Site, visitors: Visitors) -> None:
    table = site.seeded("5", "dogs", scenario=YARD, options=({"premeasure": True},))
    with line_to(site.url) as line:
        rangers = Player(visitors(**DESK), table.links[1])
        taliban = Player(visitors(**DESK), line.over(table.links[2]))
        while (player := next_asked(rangers, taliban)) and player.question.inner_text() != "Whom do you activate?":
            if player.question.inner_text() == "Where does he stand?":
                deploy(player)
            else:
                player.follow_hint()
        watcher, mover = (rangers, taliban) if player is rangers else (taliban, rangers)
        names = {rangers: "Rangers", taliban: "Taliban"}

        # the others have heard of it: who thinks better of it asks them
        on_watch(watcher, f"{names[watcher]} leader")
        watcher.button("Undo").click()
        expect(watcher.asked).to_contain_text(f"{names[mover]} must agree")
        goes_on(mover, mover.button("Agree").click)
        expect(watcher.button("Go on Op-Fire")).to_be_visible()
        watcher.page.reload()
        expect(watcher.button("Go on Op-Fire")).to_be_visible()
        go_on_watch(watcher, f"{names[watcher]} leader")
        watcher.choose("End the activation")
        watcher.choose("Hold fire")  # he may fire between two activations too

        # the other walks through his arc, and the watcher is asked in the middle of it; the line breaks before he can answer
        walk(mover, f"{names[mover]} leader")
        expect(mover.asked).to_contain_text(f"Waiting for {names[watcher]}")
        assert next_asked(watcher, mover) is watcher
        line.cut()
        expect(taliban.page.get_by_text(DOWN)).to_be_visible()
        line.mend()
        expect(taliban.page.get_by_text(DOWN)).to_be_hidden()
        taliban.visitor.wrong[:] = [what for what in taliban.visitor.wrong if "WebSocket" not in what]

        # every modifier and the odds stand there before he fires
        aimed_at = watcher.token(re.compile(f"{names[mover]} leader"))
        watcher.button(re.compile("^Fire")).first.click()
        aimed_at.click(force=True)
        odds = watcher.asked.get_by_role("region", name="What would come of it")
        expect(odds).to_contain_text("%")
        terms = odds.get_by_role("table", name="What makes it easier or harder")
        for what in ("weapon proficiency", "target walk"):
            expect(terms.get_by_role("row").filter(has_text=what)).to_have_count(1)
        watcher.choose(re.compile(f"^{names[watcher]} leader fires"))
        for player in (watcher, mover):
            expect(player.log).to_contain_text(f"Op-Fire: {names[watcher]} leader fires")

        play_on(rangers, taliban)
        watch_again(taliban.page)
