"""Every screen: nothing grave for axe, by day and in the dark; room for it all when enlarged; light to fetch; nothing jumps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player import Player, play_on
from tests.browser.site import Site, Table
from tests.browser.visitor import Visitor

Visitors = Callable[..., Visitor]
DESK = {"width": 1280, "height": 800}
ENLARGED = {"width": 640, "height": 400}  # what 200% leaves of it
LIGHTEST = 150_000  # bytes of the first page, packed

SHIFTS = """() => {
  window.shifted = [];
  new PerformanceObserver((list) => {
    const free = list.getEntries().filter((one) => !one.hadRecentInput);
    window.shifted.push(...free.map((one) => [one.value, one.sources.map((source) => source.node?.className ?? "")]));
  }).observe({ type: "layout-shift", buffered: false });
}"""
WIDER = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""


@pytest.fixture(scope="package")
def finished(site: Site) -> Table:
    """A game that is over: two bots have played it."""
    table = site.table("dawgs", bots={1: "random", 2: "random"}, scenario="dawn_patrol", options={"round_limit": 3})
    for _ in range(600):
        if site.state(table, 1).get("outcome"):
            return table
        site.asking.get(f"/api/games/{table.game}/news?after=0&wait=1", headers={"authorization": f"Bearer {table.keys[1]}"})
    raise AssertionError("the bots have not come to an end")


def screens(site: Site, finished: Table) -> Iterator[tuple[str, Callable[[Page], object]]]:
    """Each with a sign that it is there."""
    planes, men = site.table("dawgs", scenario="dawn_patrol"), site.table("dogs", scenario="crossroads")
    headed = lambda words: lambda page: expect(page.get_by_role("heading", level=1)).to_contain_text(words)  # noqa: E731
    asked = lambda page: expect(page.get_by_role("region", name="Your turn").get_by_role("button").first).to_be_visible()  # noqa: E731
    drawn = lambda page: expect(page.get_by_role("img").first.or_(page.get_by_role("article").first)).to_be_visible()  # noqa: E731
    yield "/", drawn
    yield "/#/new/dogs", headed("A new game")
    yield "/#/rules", headed("ules")
    yield "/#/rules/dogs", headed("Dogs of War")
    yield "/#/games", headed("My games")
    yield "/#/settings", headed("Settings")
    yield "/#/muster/dogs", headed("Dogs of War")
    yield planes.links[1], asked
    yield men.links[1], asked
    yield f"/#/replay/{finished.game}/{finished.keys[1]}", headed("Dawn Patrol")
    yield f"/#/replay/{finished.game}/{finished.keys[1]}/story", headed("Dawn Patrol")
    yield "/#/table/0000000000000000/nobody", headed("No such table")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out_of_any_screen(site: Site, visitors: Visitors, finished: Table, scheme: str) -> None:
    visitor = visitors(viewport=DESK, color_scheme=scheme, reduced_motion="reduce")
    grave = {}
    for link, there in screens(site, finished):
        page = visitor.open(link)
        there(page)
        grave[link] = visitor.axe()
    visitor.wrong = [line for line in visitor.wrong if "4404" not in line]  # the table that is not there
    assert {link: found for link, found in grave.items() if found} == {}


@pytest.mark.parametrize("size", [ENLARGED, {"width": 390, "height": 844}], ids=["enlarged", "phone"])
def test_no_screen_is_wider_than_the_window(site: Site, visitors: Visitors, finished: Table, size: dict[str, int]) -> None:
    visitor = visitors(viewport=size)
    wider = {}
    for link, there in screens(site, finished):
        page = visitor.open(link)
        there(page)
        wider[link] = page.evaluate(WIDER)
    assert {link: by for link, by in wider.items() if by > 0} == {}


def test_every_tab_and_every_field_of_the_table_can_be_used_by_all(site: Site, visitors: Visitors) -> None:
    table = site.table("dogs", scenario="crossroads", bots={2: "drill"})
    player = Player(visitors(viewport=DESK), table.links[1])
    for tab in ("Everybody", "Talk", "Game", "Log"):
        player.open_tab(tab)
        assert player.visitor.axe() == [], tab
    player.follow_hint()
    expect(player.asked.get_by_role("slider", name="facing")).to_be_visible()
    assert player.visitor.axe() == []


def test_nothing_jumps_while_one_plays(site: Site, visitors: Visitors) -> None:
    table = site.table("dawgs", scenario="dawn_patrol", bots={2: "drill"})
    player = Player(visitors(viewport=DESK), table.links[1])
    player.page.evaluate(SHIFTS)
    for _ in range(4):
        if player.is_over:
            break
        player.follow_hint()
        player.page.wait_for_timeout(700)
    shifted: list[tuple[float, list[str]]] = player.page.evaluate("() => window.shifted")
    assert sum(value for value, _ in shifted) < 0.02, shifted


def test_the_first_page_is_light(site: Site, browser: Browser) -> None:
    """Packed, and without three.js, which is fetched when somebody looks through an eye."""
    page = browser.new_page()
    sizes: dict[str, int] = {}
    page.on("response", lambda got: sizes.update({got.url: int(got.headers.get("content-length", "0"))}))
    page.goto(site.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    ours = {url: size for url, size in sizes.items() if "/api/" not in url}
    assert all(size > 0 for size in ours.values()), ours
    assert sum(ours.values()) < LIGHTEST, ours
    assert not any(re.search(r"/eye|three", url) for url in ours)
    page.close()


def test_a_whole_game_is_played_without_colours_and_without_motion(site: Site, visitors: Visitors) -> None:
    """Forced colours and less motion: the same buttons, the same words, to the end."""
    table = site.table("dawgs", scenario="dawn_patrol", options={"round_limit": 2}, bots={2: "drill"})
    player = Player(visitors(viewport=DESK, forced_colors="active", reduced_motion="reduce"), table.links[1])
    play_on(player)
    assert player.visitor.axe() == []
